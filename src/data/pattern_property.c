#include "data/pattern_syntax.h"

#include <string.h>

/* Long and alternative names of the general categories (ECMA-262 table of general category values). */
static const struct {
    const char *name, *category;
} category_names[] = {
    {"Assigned", "^Cn"},
    {"Cased_Letter", "L&"},
    {"Close_Punctuation", "Pe"},
    {"Combining_Mark", "M"},
    {"Connector_Punctuation", "Pc"},
    {"Control", "Cc"},
    {"Currency_Symbol", "Sc"},
    {"Dash_Punctuation", "Pd"},
    {"Decimal_Number", "Nd"},
    {"Enclosing_Mark", "Me"},
    {"Final_Punctuation", "Pf"},
    {"Format", "Cf"},
    {"Initial_Punctuation", "Pi"},
    {"LC", "L&"},
    {"Letter", "L"},
    {"Letter_Number", "Nl"},
    {"Line_Separator", "Zl"},
    {"Lowercase_Letter", "Ll"},
    {"Mark", "M"},
    {"Math_Symbol", "Sm"},
    {"Modifier_Letter", "Lm"},
    {"Modifier_Symbol", "Sk"},
    {"Nonspacing_Mark", "Mn"},
    {"Number", "N"},
    {"Open_Punctuation", "Ps"},
    {"Other", "C"},
    {"Other_Letter", "Lo"},
    {"Other_Number", "No"},
    {"Other_Punctuation", "Po"},
    {"Other_Symbol", "So"},
    {"Paragraph_Separator", "Zp"},
    {"Private_Use", "Co"},
    {"Punctuation", "P"},
    {"Separator", "Z"},
    {"Space_Separator", "Zs"},
    {"Spacing_Mark", "Mc"},
    {"Surrogate", "Cs"},
    {"Symbol", "S"},
    {"Titlecase_Letter", "Lt"},
    {"Unassigned", "Cn"},
    {"Uppercase_Letter", "Lu"},
    {"cntrl", "Cc"},
    {"digit", "Nd"},
    {"punct", "P"},
};
static const char short_categories[] =
    " C Cc Cf Cn Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs ";

static const char *find_category(struct writ_arena *arena, const char *name, size_t length)
{
    for (size_t i = 0; i < WRIT_COUNT(category_names); i++) {
        if (strlen(category_names[i].name) == length && memcmp(category_names[i].name, name, length) == 0)
            return category_names[i].category;
    }
    char padded[8];
    if (length == 0 || length > 2)
        return NULL;
    (void)snprintf(padded, sizeof(padded), " %.*s ", (int)length, name);
    return strstr(short_categories, padded) ? writ_arena_copy(arena, name, length) : NULL;
}

/* ECMA-262's table of binary properties, their short names included, and of what PCRE2 knows by the same names. */
static const char *const binary_properties[] = {"AHex",
                                                "ASCII",
                                                "ASCII_Hex_Digit",
                                                "Alpha",
                                                "Alphabetic",
                                                "Any",
                                                "Bidi_C",
                                                "Bidi_Control",
                                                "Bidi_M",
                                                "Bidi_Mirrored",
                                                "CI",
                                                "CWCF",
                                                "CWCM",
                                                "CWL",
                                                "CWT",
                                                "CWU",
                                                "Case_Ignorable",
                                                "Cased",
                                                "Changes_When_Casefolded",
                                                "Changes_When_Casemapped",
                                                "Changes_When_Lowercased",
                                                "Changes_When_Titlecased",
                                                "Changes_When_Uppercased",
                                                "DI",
                                                "Dash",
                                                "Default_Ignorable_Code_Point",
                                                "Dep",
                                                "Deprecated",
                                                "Dia",
                                                "Diacritic",
                                                "EBase",
                                                "EComp",
                                                "EMod",
                                                "EPres",
                                                "Emoji",
                                                "Emoji_Component",
                                                "Emoji_Modifier",
                                                "Emoji_Modifier_Base",
                                                "Emoji_Presentation",
                                                "Ext",
                                                "ExtPict",
                                                "Extended_Pictographic",
                                                "Extender",
                                                "Gr_Base",
                                                "Gr_Ext",
                                                "Grapheme_Base",
                                                "Grapheme_Extend",
                                                "Hex",
                                                "Hex_Digit",
                                                "IDC",
                                                "IDS",
                                                "IDSB",
                                                "IDST",
                                                "IDS_Binary_Operator",
                                                "IDS_Trinary_Operator",
                                                "ID_Continue",
                                                "ID_Start",
                                                "Ideo",
                                                "Ideographic",
                                                "Join_C",
                                                "Join_Control",
                                                "LOE",
                                                "Logical_Order_Exception",
                                                "Lower",
                                                "Lowercase",
                                                "Math",
                                                "NChar",
                                                "Noncharacter_Code_Point",
                                                "Pat_Syn",
                                                "Pat_WS",
                                                "Pattern_Syntax",
                                                "Pattern_White_Space",
                                                "QMark",
                                                "Quotation_Mark",
                                                "RI",
                                                "Radical",
                                                "Regional_Indicator",
                                                "SD",
                                                "STerm",
                                                "Sentence_Terminal",
                                                "Soft_Dotted",
                                                "Term",
                                                "Terminal_Punctuation",
                                                "UIdeo",
                                                "Unified_Ideograph",
                                                "Upper",
                                                "Uppercase",
                                                "VS",
                                                "Variation_Selector",
                                                "White_Space",
                                                "XIDC",
                                                "XIDS",
                                                "XID_Continue",
                                                "XID_Start",
                                                "space"};

static bool is_name(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'))
            return false;
    }
    return length > 0 && length <= 64;
}

static const char *find_keyed(struct writ_arena *arena, const char *key, size_t key_length, const char *value,
                              size_t length)
{
    struct {
        const char *key, *prefix;
    } const kinds[] = {{"Script", "sc:"}, {"sc", "sc:"}, {"Script_Extensions", "scx:"}, {"scx", "scx:"}};
    if ((key_length == 2 && memcmp(key, "gc", 2) == 0) ||
        (key_length == 16 && memcmp(key, "General_Category", 16) == 0))
        return find_category(arena, value, length);
    for (size_t i = 0; i < WRIT_COUNT(kinds); i++) {
        if (strlen(kinds[i].key) == key_length && memcmp(kinds[i].key, key, key_length) == 0)
            return is_name(value, length) ? writ_arena_printf(arena, "%s%.*s", kinds[i].prefix, (int)length, value)
                                          : NULL;
    }
    return NULL;
}

const char *writ_pattern_property(struct writ_arena *arena, const char *name, size_t length)
{
    const char *equals = memchr(name, '=', length);
    if (equals)
        return find_keyed(arena, name, (size_t)(equals - name), equals + 1, length - 1 - (size_t)(equals - name));
    const char *category = find_category(arena, name, length);
    if (category)
        return category;
    for (size_t i = 0; i < WRIT_COUNT(binary_properties); i++) {
        if (strlen(binary_properties[i]) == length && memcmp(binary_properties[i], name, length) == 0)
            return binary_properties[i];
    }
    return NULL;
}
