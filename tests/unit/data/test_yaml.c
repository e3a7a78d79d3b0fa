#include "data/yaml.h"
#include "failing_memory.h"
#include "support.h"

#include <string.h>

/* ---- helpers ---- */

struct parsed {
    struct writ_arena arena;
    struct writ_yaml yaml;
    struct writ_error error;
    int result;
};

static void parse(struct parsed *parsed, const char *text, size_t length)
{
    memset(parsed, 0, sizeof *parsed);
    writ_arena_init(&parsed->arena, (size_t)64 << 20);
    /* A copy of the exact size, so that a read beyond it is seen. */
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    parsed->result = writ_yaml_parse(&parsed->arena, copy, length, &parsed->yaml, &parsed->error);
    free(copy);
}

static void clear(struct parsed *parsed)
{
    writ_arena_clear(&parsed->arena);
}

static void check(const char *text, size_t length, const char *json)
{
    struct parsed parsed;
    parse(&parsed, text, length);
    if (parsed.result != 0)
        fail_msg("%u:%u: %s, in: %s", parsed.error.line, parsed.error.column, parsed.error.message, text);
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    writ_buffer_init(&out, (size_t)1 << 20);
    writ_json_print(&out, parsed.yaml.root, WRIT_JSON_COMPACT);
    assert_string_equal(writ_buffer_text(&out), json);
    /* The very nodes that the JSON reader makes of the same document. */
    struct writ_arena arena;
    struct writ_error error;
    const struct writ_json *root;
    writ_arena_init(&arena, (size_t)64 << 20);
    assert_int_equal(writ_json_parse(&arena, json, strlen(json), &root, &error), 0);
    size_t count = (size_t)(writ_json_next(root) - root);
    assert_int_equal(writ_json_next(parsed.yaml.root) - parsed.yaml.root, count);
    for (size_t i = 0; i < count; i++) {
        const struct writ_json *wanted = &root[i], *node = &parsed.yaml.root[i];
        assert_true(wanted->tag == node->tag);
        if (node->kind == WRIT_JSON_STRING || node->kind == WRIT_JSON_DECIMAL)
            assert_memory_equal(node->text, wanted->text, node->length);
        else
            assert_true(node->integer == wanted->integer);
        if (node->kind == WRIT_JSON_STRING)
            assert_int_equal(node->text[node->length], '\0');
        assert_true(writ_yaml_place_of(&parsed.yaml, node).line > 0);
    }
    writ_arena_clear(&arena);
    clear(&parsed);
}

static void check_text(const char *text, const char *json)
{
    check(text, strlen(text), json);
}

static void refused_sized(const char *text, size_t length, enum writ_code code, unsigned line, unsigned column,
                          const char *message)
{
    struct parsed parsed;
    parse(&parsed, text, length);
    if (parsed.result != (int)code)
        fail_msg("code %d for: %.200s", parsed.result, text);
    assert_string_equal(parsed.error.message, message);
    assert_int_equal(parsed.error.line, line);
    assert_int_equal(parsed.error.column, column);
    assert_null(parsed.yaml.root);
    clear(&parsed);
}

struct refusal {
    const char *text;
    unsigned line, column;
    const char *message;
};

static void check_refusals(const struct refusal *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        refused_sized(cases[i].text, strlen(cases[i].text), WRIT_DATA_SYNTAX, cases[i].line, cases[i].column,
                      cases[i].message);
}

/* ---- what is taken ---- */

static void both_styles_give_one_model(void **state)
{
    (void)state;
    check_text("a: b", "{\"a\":\"b\"}");
    check_text("id: x\nlist:\n  - one\n  - two: 2\n    three: 3\nmap:\n  inner: {a: [1, 2], b: }\nlast: \"q\"\n",
               "{\"id\":\"x\",\"list\":[\"one\",{\"two\":2,\"three\":3}],\"map\":{\"inner\":{\"a\":[1,2],\"b\":null}},"
               "\"last\":\"q\"}");
    check_text("{\"a\": 1, \"b\": [true, null, -2.50e+3]}", "{\"a\":1,\"b\":[true,null,-2.50e+3]}");
    check_text("- - - a\n    - b\n", "[[[\"a\",\"b\"]]]");
    check_text("a: {}\nb: []\nc:\nd: \"\"\n", "{\"a\":{},\"b\":[],\"c\":null,\"d\":\"\"}");
    check_text("a:\n- 1\n- 2\nb: 3", "{\"a\":[1,2],\"b\":3}");
    check_text("text", "\"text\"");
    check_text("---\na: b\n...\n", "{\"a\":\"b\"}");
    check_text("---", "null");
    check_text("? a\n: b\n", "{\"a\":\"b\"}");
    check_text("[a: b, {c}]", "[{\"a\":\"b\"},{\"c\":null}]");
}

static void texts_come_as_yaml_says(void **state)
{
    (void)state;
    check_text("a: |\n  line 1\n   line 2\n\n  line 3\nb: >-\n  folded\n  text\n",
               "{\"a\":\"line 1\\n line 2\\n\\nline 3\\n\",\"b\":\"folded text\"}");
    check_text("a: 'it''s'\nb: \"tab\\t\\u4e2d\\x41\\U0001F600\"\nc: plain on\n  two lines\n",
               "{\"a\":\"it's\",\"b\":\"tab\\t\xE4\xB8\xAD"
               "A\xF0\x9F\x98\x80\",\"c\":\"plain on two lines\"}");
    check_text("\xE5\x90\x8D: \xE5\x80\xBC # \xE6\xB3\xA8\n", "{\"\xE5\x90\x8D\":\"\xE5\x80\xBC\"}");
    check_text("path: ${{ .input.file_path }}\nurl: https://example.com:8080/a#b\ntime: 12:30\n",
               "{\"path\":\"${{ .input.file_path }}\",\"url\":\"https://example.com:8080/a#b\",\"time\":\"12:30\"}");
}

static void only_core_words_and_json_numbers_are_typed(void **state)
{
    (void)state;
    check_text("[true, True, TRUE, false, False, FALSE, null, Null, NULL, ~]",
               "[true,true,true,false,false,false,null,null,null,null]");
    check_text("[yes, no, on, off, Yes, NO, y, n, tRUE, nULL, none, None]",
               "[\"yes\",\"no\",\"on\",\"off\",\"Yes\",\"NO\",\"y\",\"n\",\"tRUE\",\"nULL\",\"none\",\"None\"]");
    check_text("[0, -0, 1, -1, 1.5, 1.0, 1e3, 1E-3, 1.5e+10, 9223372036854775807, 9223372036854775808, "
               "-9223372036854775808, 123456789012345678901234567890, 0.10]",
               "[0,-0,1,-1,1.5,1.0,1e3,1E-3,1.5e+10,9223372036854775807,9223372036854775808,-9223372036854775808,"
               "123456789012345678901234567890,0.10]");
    check_text(
        "[017, 1_000, 12:30:45, 0x1F, 0o17, 0b1, +1, .5, 5., 1e, 1e+, 1.e3, --1, \"-\", -., 1.2.3, 1 2, 2026-11-30]",
        "[\"017\",\"1_000\",\"12:30:45\",\"0x1F\",\"0o17\",\"0b1\",\"+1\",\".5\",\"5.\",\"1e\",\"1e+\",\"1.e3\","
        "\"--1\",\"-\",\"-.\",\"1.2.3\",\"1 2\",\"2026-11-30\"]");
    check_text("['true', \"1\", '~', '', \"null\", '.inf']", "[\"true\",\"1\",\"~\",\"\",\"null\",\".inf\"]");
    check_text("a: |-\n  1\nb: >-\n  true", "{\"a\":\"1\",\"b\":\"true\"}");
    check_text("[.infinity, inf, nan, NaN, .Nan]", "[\".infinity\",\"inf\",\"nan\",\"NaN\",\".Nan\"]");
    check_text("{'1': a, \"true\": b, yes: c, 1.2.3: d, '<<': e}",
               "{\"1\":\"a\",\"true\":\"b\",\"yes\":\"c\",\"1.2.3\":\"d\",\"<<\":\"e\"}");
}

static void line_ends_and_byte_order_mark_are_taken(void **state)
{
    (void)state;
    check_text("\xEF\xBB\xBF"
               "a: b\r\nc:\r\n  - d\r\ne: |\r\n  f\r\n  g\r\n",
               "{\"a\":\"b\",\"c\":[\"d\"],\"e\":\"f\\ng\\n\"}");
    /* The mark counts nothing in columns. */
    refused_sized("\xEF\xBB\xBF"
                  "a: @",
                  7, WRIT_DATA_SYNTAX, 1, 4, "a value cannot begin with `@`: put the whole value in quotes");
}

static void every_node_has_its_place(void **state)
{
    (void)state;
    static const char text[] = "\xE5\x90\x8D: \xE5\x80\xBC\r\n"
                               "a: [1, {b: c}]  # \xE6\xB3\xA8\n"
                               "\n"
                               "list:\n"
                               "  - x: 1\n"
                               "    'y': \"\xE4\xBA\x8C\"\n"
                               "  - |\n"
                               "    text\n"
                               "none:\n"
                               "z: 0\n";
    static const struct writ_yaml_place places[] = {
        {1, 1},                                             /* the document's mapping */
        {1, 1},  {1, 6},                                    /* name */
        {2, 1},  {2, 4},  {2, 5}, {2, 8}, {2, 9},  {2, 12}, /* a, list, 1, mapping, b, c */
        {4, 1},  {5, 3},                                    /* list */
        {5, 5},  {5, 5},  {5, 8}, {6, 5}, {6, 10},          /* mapping, x, 1, y, two */
        {7, 5},                                             /* block text */
        {9, 1},  {9, 6},                                    /* none and what is left out */
        {10, 1}, {10, 4},
    };
    struct parsed parsed;
    parse(&parsed, text, sizeof text - 1);
    assert_int_equal(parsed.result, 0);
    assert_int_equal(writ_json_next(parsed.yaml.root) - parsed.yaml.root, WRIT_COUNT(places));
    for (size_t i = 0; i < WRIT_COUNT(places); i++) {
        struct writ_yaml_place place = writ_yaml_place_of(&parsed.yaml, parsed.yaml.root + i);
        if (place.line != places[i].line || place.column != places[i].column)
            fail_msg("node %zu is at %u:%u", i, place.line, place.column);
    }
    /* Look-ups by name work on the hashes that were stored. */
    const struct writ_json *list = writ_json_get(parsed.yaml.root, "list");
    assert_non_null(list);
    assert_string_equal(writ_json_text(writ_json_get(writ_json_at(list, 0), "y")), "\xE4\xBA\x8C");
    assert_non_null(writ_json_get(parsed.yaml.root, "\xE5\x90\x8D"));
    assert_null(writ_json_get(parsed.yaml.root, "x"));
    clear(&parsed);
}

static void the_text_of_every_node_is_known(void **state)
{
    (void)state;
    static const char text[] = "\xEF\xBB\xBF"
                               "a: plain text  # comment\n"
                               "b: 'single ''quoted'''\n"
                               "\"c\": [1, {d: e}, ] # comment\n"
                               "f: |\n"
                               "  block\n"
                               "\n"
                               "g:\n"
                               "  - two\n"
                               "    lines\n"
                               "  # comment\n"
                               "  - {}\n"
                               "\n"
                               "h:\n";
    static const char *const spans[] = {
        ("a: plain text  # comment\nb: 'single ''quoted'''\n\"c\": [1, {d: e}, ] # comment\nf: |\n  block\n\ng:\n"
         "  - two\n    lines\n  # comment\n  - {}\n\nh:"),
        "a",
        "plain text",
        "b",
        "'single ''quoted'''",
        "\"c\"",
        "[1, {d: e}, ]",
        "1",
        "{d: e}",
        "d",
        "e",
        "f",
        "|\n  block\n\n",
        "g",
        "- two\n    lines\n  # comment\n  - {}",
        "two\n    lines",
        "{}",
        "h",
        "",
    };
    struct parsed parsed;
    parse(&parsed, text, sizeof text - 1);
    assert_int_equal(parsed.result, 0);
    assert_int_equal(writ_json_next(parsed.yaml.root) - parsed.yaml.root, WRIT_COUNT(spans));
    for (size_t i = 0; i < WRIT_COUNT(spans); i++) {
        struct writ_yaml_span span = writ_yaml_span_of(&parsed.yaml, parsed.yaml.root + i);
        if (span.length != strlen(spans[i]) || memcmp(text + span.offset, spans[i], span.length) != 0)
            fail_msg("node %zu is `%.*s`", i, (int)span.length, text + span.offset);
    }
    clear(&parsed);
}

/* ---- what is refused ---- */

static void what_contracts_do_not_use_is_refused(void **state)
{
    (void)state;
    static const char directives[] = "directives are not used here: remove the line";
    static const char tags[] = "tags are not used here: remove what begins with `!`, or put the whole value in quotes";
    const struct refusal cases[] = {
        {"a: 1\nb:\n  c: &x 2\n", 3, 6, "anchors are not used here: remove `&x`, or put the whole value in quotes"},
        {"&a b: c", 1, 1, "anchors are not used here: remove `&a`, or put the whole value in quotes"},
        {"a: &b [1]", 1, 4, "anchors are not used here: remove `&b`, or put the whole value in quotes"},
        {"a: &b {c: 1}", 1, 4, "anchors are not used here: remove `&b`, or put the whole value in quotes"},
        {"a: *b", 1, 4, "aliases are not used here: write out what `*b` stands for, or put the whole value in quotes"},
        {"a: !t b", 1, 4, tags},
        {"a: !!str b", 1, 4, tags},
        {"a: ! b", 1, 4, tags},
        {"a: ! 'b'", 1, 4, tags},
        {"a: !", 1, 4, tags},
        {"- !!map {}", 1, 3, tags},
        {"- ! []", 1, 3, tags},
        {"a: !u!x b", 1, 4, "tags are not used here: remove it, or put the whole value in quotes"},
        {"a: b\n<<: {c: 1}", 2, 1, "merge keys are not used here: write the members out, or put `<<` in quotes"},
        {"%YAML 1.2\n---\na: b", 1, 1, directives},
        {"%TAG ! x\n---\na: b", 1, 1, directives},
        {"a: 1\n---\nb: 2", 2, 1, "a second document begins here: only one is read"},
        {"a: 1\n...\nb: 2", 3, 1,
         "the document has ended before this place: remove what follows, or mend the indentation"},
        {"", 1, 1, "the document is empty: write a mapping such as `id: com.example.name`"},
        {"# a comment\n\n", 1, 1, "the document is empty: write a mapping such as `id: com.example.name`"},
        {"a: .inf", 1, 4, "`.inf` is a number that JSON does not have: give a finite one, or put it in quotes"},
        {"a: [1, -.Inf]", 1, 8, "`-.Inf` is a number that JSON does not have: give a finite one, or put it in quotes"},
        {"a: +.INF", 1, 4, "`+.INF` is a number that JSON does not have: give a finite one, or put it in quotes"},
        {"a: .NaN", 1, 4, "`.NaN` is a number that JSON does not have: give a finite one, or put it in quotes"},
        {"a: \"x\\0y\"", 1, 4, "a text cannot hold the character NUL: remove its escape"},
    };
    check_refusals(cases, WRIT_COUNT(cases));
}

static void keys_are_texts_and_stand_once(void **state)
{
    (void)state;
    const struct refusal cases[] = {
        {"\"\\e[31mx\\x7f\": 1\n\"\\e[31mx\\x7f\": 2\n", 2, 1,
         "the key ` [31mx ` occurs twice, here and in line 1, column 1: remove one of the two"},
        {"a: 1\nb: 2\na: 3\n", 3, 1, "the key `a` occurs twice, here and in line 1, column 1: remove one of the two"},
        {"x:\n  a: 1\n  'a': 2\n", 3, 3,
         "the key `a` occurs twice, here and in line 2, column 3: remove one of the two"},
        {"{\"a\": 1, \"a\": 2}", 1, 10,
         "the key `a` occurs twice, here and in line 1, column 2: remove one of the two"},
        {"b: 1\na: 1\nb: 1\na: 1\nb: 1\n", 3, 1,
         "the key `b` occurs twice, here and in line 1, column 1: remove one of the two"},
        {"1: a", 1, 1, "the key `1` is not text: put it in quotes"},
        {"a: {1.5: b}", 1, 5, "the key `1.5` is not text: put it in quotes"},
        {"true: a", 1, 1, "the key `true` is not text: put it in quotes"},
        {"~: a", 1, 1, "the key `~` is not text: put it in quotes"},
        {"?\n: b", 1, 2, "a key is missing before the colon"},
        {"? [a]\n: b", 1, 3, "a key must be text, not a list: write it in one line, or put the whole value in quotes"},
        {"[a]: b", 1, 1, "a key must be text, not a list: write it in one line, or put the whole value in quotes"},
        {"a: {{ b }}", 1, 5,
         "a key must be text, not a mapping: write it in one line, or put the whole value in quotes"},
    };
    check_refusals(cases, WRIT_COUNT(cases));
    check_text("a: {b: 1}\nc: {b: 1}\nA: 1\n", "{\"a\":{\"b\":1},\"c\":{\"b\":1},\"A\":1}");
}

static void slips_of_the_pen_get_the_mend(void **state)
{
    (void)state;
    static const char colon[] =
        "a colon with a space behind it makes a mapping, and none can begin here: put the whole "
        "value in quotes, or begin the mapping on a line of its own";
    static const char tab[] = "a tab cannot stand here: indent with spaces";
    static const char follows[] = "text follows behind a closing quotation mark or bracket: put the whole value in "
                                  "quotes, and a quotation mark inside twice (`''`)";
    static const char none[] = "a value is due here, but none can begin like this: add it, or put the whole value in "
                               "quotes";
    static const char star[] = "a value cannot begin with `*`: put the whole value in quotes, or write `- ` for a list "
                               "item";
    const struct refusal cases[] = {
        {"id: x\ndescription: Use this: it works\n", 2, 22, colon},
        {"\xE5\x90\x8D: \xE7\x94\xA8\xE6\xB3\x95: x", 1, 12, colon}, /* columns count bytes */
        {"a: b\n  c: d", 2, 4, colon},
        {"a: \"b\": c", 1, 7, colon},
        {"a:\n\tb: c", 2, 1, tab},
        {"a: 1\n\tb: 2", 2, 1, tab},
        {"a: |\n\tb", 2, 1, tab},
        {"a: @x", 1, 4, "a value cannot begin with `@`: put the whole value in quotes"},
        {"a: `x`", 1, 4, "a value cannot begin with a backtick: put the whole value in quotes"},
        {"a: %x", 1, 4, "a value cannot begin with `%`: put the whole value in quotes"},
        {"a: [|]", 1, 5, "a value cannot begin like this: put the whole value in quotes"},
        {"a: *important* note", 1, 4, star},
        {"* item\n* other", 1, 1, star},
        {"a: & b", 1, 4, "a value cannot begin with `&`: put the whole value in quotes"},
        {"a: \"x\" y", 1, 8, follows},
        {"a: 'it's'", 1, 8, follows},
        {"a: [x] y", 1, 8, follows},
        {"a:\n  b: 1\n c: 2", 3, 2,
         "this goes on with no mapping: indent it like those that it belongs to; the mapping around it begins in line "
         "1"},
        {"- a\nb: c", 2, 1,
         "this goes on with no list: give it a `- ` and the indentation of its neighbours; the list around it begins "
         "in "
         "line 1"},
        {": b", 1, 1, "a key is missing before the colon: add it, or put the text in quotes"},
        {"x: [a\nb: c", 2, 2, "a comma or `]` is due here to go on with or end the list that begins in line 1"},
        {"x: {a: 1\n", 2, 1, "a comma or `}` is due here to go on with or end the mapping that begins in line 1"},
        {"a: 1\nb: \"x\n\nc: 2\n", 2, 4, "the quoted text that begins here is not closed: add the quotation mark"},
        {"a: 'x\n---\n'", 1, 4,
         "the quoted text that begins here is not closed before a line `---` or `...`: add the quotation mark"},
        {"a: 1\nb\nc: 2", 2, 1,
         "a key without a colon begins here: write it as in `key: value`, or put the text in quotes"},
        {"a:\n  - b\n  -c", 3, 3, "a list item needs a space behind its `-`: add it, or put the text in quotes"},
        {"a: - b", 1, 4,
         "a list item cannot begin here: begin it on a line of its own, or put the whole value in quotes"},
        {"a: ? b", 1, 4, "a value cannot begin with `? `: put the whole value in quotes"},
        {"a: \"C:\\q\"", 1, 7,
         "this makes no escape of a double-quoted text: write `\\\\` for a backslash, or use single quotes"},
        {"a: \"\\ud800\"", 1, 7, "this escape names no character: write the character itself"},
        {"a: \"\\U00110000\"", 1, 7, "this escape names no character: write the character itself"},
        {"a: \"\\u12\"", 1, 7, "hexadecimal digits are due here: 2 behind `\\x`, 4 behind `\\u`, 8 behind `\\U`"},
        {"a: | text\n  b", 1, 6,
         "text cannot stand behind `|` or `>`: begin it on the next line, or put the whole value in quotes"},
        {"a: |0\n x", 1, 5, "the indentation behind `|` or `>` is a number from 1 to 9: leave it out"},
        {"a: [,]", 1, 5, none},
        {"a: }", 1, 4, none},
        {"{a: b,, c: d}", 1, 7, none},
        {"a: b\n%x", 2, 1, "directives are not used here: remove the line, or put the whole value in quotes"},
    };
    check_refusals(cases, WRIT_COUNT(cases));
}

static void only_utf8_without_control_characters_is_taken(void **state)
{
    (void)state;
    static const char cr[] = "a carriage return stands without a line feed: end lines with LF or CRLF";
    static const struct {
        const char *text;
        size_t length;
        unsigned line, column;
        const char *message;
    } cases[] = {
        {"a: b\nc: \xFF", 9, 2, 4, "the byte 0xFF is not valid UTF-8 here: save the file as UTF-8"},
        {"a: \xED\xA0\x80", 6, 1, 4, "the byte 0xED is not valid UTF-8 here: save the file as UTF-8"},
        {"a: \xE4\xB8", 5, 1, 4, "the byte 0xE4 is not valid UTF-8 here: save the file as UTF-8"},
        {"\xFF\xFE"
         "a\0:\0",
         6, 1, 1, "the byte 0xFF is not valid UTF-8 here: save the file as UTF-8"},
        {"\xFE\xFF\0a\0:", 6, 1, 1, "the byte 0xFE is not valid UTF-8 here: save the file as UTF-8"},
        {"a\0:\0 \0b\0", 8, 1, 2,
         "the control character 0x00 cannot stand in the text: remove it, or write it as an escape in double quotes; "
         "if it "
         "is everywhere, save the file as UTF-8"},
        {"a: b\x1B[0m", 8, 1, 5,
         "the control character 0x1B cannot stand in the text: remove it, or write it as an escape in double quotes; "
         "if it "
         "is everywhere, save the file as UTF-8"},
        {"a: \x7F", 4, 1, 4,
         "the control character 0x7F cannot stand in the text: remove it, or write it as an escape in double quotes; "
         "if it "
         "is everywhere, save the file as UTF-8"},
        {"a: b\rc: d", 9, 1, 5, cr},
        {"a: b\r", 5, 1, 5, cr},
        {"# x\xC2\x85\xE4\xB8\xAD: d", 12, 1, 4,
         "an invisible control character (bytes C2 85) cannot stand in the text: remove it, or write it as an escape "
         "in "
         "double quotes"},
        {"a: b\xE2\x80\xA8", 7, 1, 5,
         "an invisible control character (bytes E2 80) cannot stand in the text: remove it, or write it as an escape "
         "in "
         "double quotes"},
        {"a: \xEF\xBF\xBE", 6, 1, 4,
         "an invisible control character (bytes EF BF) cannot stand in the text: remove it, or write it as an escape "
         "in "
         "double quotes"},
    };
    for (size_t i = 0; i < WRIT_COUNT(cases); i++)
        refused_sized(cases[i].text, cases[i].length, WRIT_DATA_SYNTAX, cases[i].line, cases[i].column,
                      cases[i].message);
    check_text("a: \"\\x1B\\N\\L\\_\xC2\xA0\xEF\xBF\xBD\"",
               "{\"a\":\"\\u001b\xC2\x85\xE2\x80\xA8\xC2\xA0\xC2\xA0\xEF\xBF\xBD\"}");
}

/* ---- limits: each of these would take seconds, or all memory, were it not stopped early ---- */

static char *repeat(const char *text, size_t count, size_t *ret_length)
{
    size_t length = strlen(text);
    char *all = malloc(length * count + 1);
    assert_non_null(all);
    for (size_t i = 0; i < count; i++)
        memcpy(all + i * length, text, length);
    all[length * count] = '\0';
    *ret_length = length * count;
    return all;
}

static void depth_is_held(void **state)
{
    (void)state;
    static const char deep[] = "mappings and lists are nested deeper than 32";
    char text[200];
    memset(text, '[', 32);
    memset(text + 32, ']', 32);
    struct parsed parsed;
    parse(&parsed, text, 64);
    assert_int_equal(parsed.result, 0);
    clear(&parsed);
    memset(text, '[', 33);
    memset(text + 33, ']', 33);
    refused_sized(text, 66, WRIT_DATA_SYNTAX, 1, 33, deep);
    size_t length;
    static const struct {
        const char *unit;
        size_t count;
        unsigned column;
    } cases[] = {{"[", 10000, 33}, {"[", 1000000, 33}, {"{a: ", 10000, 129}, {"- ", 10000, 65}, {"[{x: ", 200000, 81}};
    for (size_t i = 0; i < WRIT_COUNT(cases); i++) {
        char *all = repeat(cases[i].unit, cases[i].count, &length);
        refused_sized(all, length, WRIT_DATA_SYNTAX, 1, cases[i].column, deep);
        free(all);
    }
    /* Block mappings, one level a line. */
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer block;
    writ_buffer_init(&block, (size_t)1 << 20);
    for (int level = 0; level < 1200; level++)
        writ_buffer_printf(&block, "%*sa:\n", level, "");
    refused_sized(writ_buffer_text(&block), block.length, WRIT_DATA_SYNTAX, 33, 33, deep);
}

static void size_is_asked_first(void **state)
{
    (void)state;
    size_t length;
    char *big = repeat("a: @\n", 1000000, &length);
    refused_sized(big, length, WRIT_INTERNAL_LIMIT, 0, 0,
                  "the document has 5000000 bytes; at most 1048576 are read, so make it smaller");
    free(big);
    /* Exactly the maximum is read. */
    big = repeat("#", WRIT_YAML_BYTES_MAX, &length);
    memcpy(big, "x \n", 3);
    check(big, length, "\"x\"");
    free(big);
}

static void values_are_counted(void **state)
{
    (void)state;
    size_t length;
    char *many = repeat("- a\n", 99999, &length);
    struct parsed parsed;
    parse(&parsed, many, length);
    assert_int_equal(parsed.result, 0);
    assert_int_equal(parsed.yaml.root->length, 99999);
    clear(&parsed);
    free(many);
    many = repeat("- a\n", 100000, &length);
    refused_sized(many, length, WRIT_INTERNAL_LIMIT, 100000, 3, "the document has more than 100000 values: shorten it");
    free(many);
}

static void long_values_are_refused(void **state)
{
    (void)state;
    size_t length;
    /* An escape of two bytes gives three, so that the text alone can be longer than the document. */
    char *text = repeat("\\L", 450000, &length);
    text[0] = text[1] = '"';
    text[1] = ' ';
    text[length - 2] = ' ';
    text[length - 1] = '"';
    refused_sized(text, length, WRIT_INTERNAL_LIMIT, 1, 1, "this value has more than 1048576 bytes: shorten it");
    free(text);
}

static void laughs_end_at_the_first_anchor(void **state)
{
    (void)state;
    static const char text[] = "a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
                               "b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n"
                               "c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\n"
                               "d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]\n";
    refused_sized(text, sizeof text - 1, WRIT_DATA_SYNTAX, 1, 4,
                  "anchors are not used here: remove `&a`, or put the whole value in quotes");
}

static void many_keys_are_compared_quickly(void **state)
{
    (void)state;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, WRIT_YAML_BYTES_MAX);
    for (int i = 0; i < 49000; i++)
        writ_buffer_printf(&text, "key%d: %d\n", i, i);
    struct parsed parsed;
    parse(&parsed, writ_buffer_text(&text), text.length);
    assert_int_equal(parsed.result, 0);
    assert_int_equal(parsed.yaml.root->length, 49000);
    clear(&parsed);
    writ_buffer_append_text(&text, "key7: again\n");
    refused_sized(writ_buffer_text(&text), text.length, WRIT_DATA_SYNTAX, 49001, 1,
                  "the key `key7` occurs twice, here and in line 8, column 1: remove one of the two");
}

/* ---- memory ---- */

static void a_small_arena_is_an_error(void **state)
{
    (void)state;
    static const char text[] = "a: some text\nb: [1, 2, 3, 4, 5, 6]\n";
    for (size_t bytes = 0; bytes < 2000; bytes += 16) {
        struct writ_arena arena;
        struct writ_yaml yaml = {0};
        struct writ_error error;
        writ_arena_init(&arena, bytes);
        int result = writ_yaml_parse(&arena, text, sizeof text - 1, &yaml, &error);
        assert_true(result == 0 || result == WRIT_INTERNAL_MEMORY);
        assert_int_equal(result == 0, yaml.root != NULL);
        writ_arena_clear(&arena);
        if (result == 0)
            return;
    }
    fail_msg("never enough");
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, 100000);
    for (int i = 0; i < 60; i++)
        writ_buffer_printf(
            &text, "key%d:\n  - \"double quoted\"\n  - 'single'\n  - {a: 1, b: [2.5, x]}\n  - |\n    block\n", i);
    for (int i = 0; i < 40; i++) /* one long text makes libyaml's own buffers grow */
        writ_buffer_printf(&text, "%s%0100d", i ? "" : "long: ", i);
    long failed = 0;
    for (long n = 0;; n++) {
        struct writ_arena arena;
        struct writ_yaml yaml = {0};
        struct writ_error error;
        writ_arena_init(&arena, (size_t)1 << 20);
        memory_fail((unsigned)n + 1, MEMORY_FAILS_FROM_THERE);
        int result = writ_yaml_parse(&arena, writ_buffer_text(&text), text.length, &yaml, &error);
        memory_suffice();
        writ_arena_clear(&arena);
        if (result == 0)
            break;
        failed++;
        assert_int_equal(result, WRIT_INTERNAL_MEMORY);
        assert_null(yaml.root);
    }
    assert_true(failed > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_styles_give_one_model),
        cmocka_unit_test(texts_come_as_yaml_says),
        cmocka_unit_test(only_core_words_and_json_numbers_are_typed),
        cmocka_unit_test(line_ends_and_byte_order_mark_are_taken),
        cmocka_unit_test(every_node_has_its_place),
        cmocka_unit_test(the_text_of_every_node_is_known),
        cmocka_unit_test(what_contracts_do_not_use_is_refused),
        cmocka_unit_test(keys_are_texts_and_stand_once),
        cmocka_unit_test(slips_of_the_pen_get_the_mend),
        cmocka_unit_test(only_utf8_without_control_characters_is_taken),
        cmocka_unit_test(depth_is_held),
        cmocka_unit_test(size_is_asked_first),
        cmocka_unit_test(values_are_counted),
        cmocka_unit_test(long_values_are_refused),
        cmocka_unit_test(laughs_end_at_the_first_anchor),
        cmocka_unit_test(many_keys_are_compared_quickly),
        cmocka_unit_test(a_small_arena_is_an_error),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
