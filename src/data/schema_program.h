/*
 * The instructions that a compiled schema consists of.  Private to schema*.c.
 *
 * Theory.  A unit is a run of instructions up to OP_END that all must hold for one value.  It stands for a subschema
 * with all that applies to the same value unconditionally ($ref, $dynamicRef and allOf are dissolved into it), in one
 * dynamic scope (so that $dynamicRef is bound at compile time), either plain or collecting (it then marks which members
 * or items it has evaluated, for an unevaluated* above it whose answer depends on the instance).
 *
 * All that concerns the members of an object is one plan: one pass over the members looks each name up in one table and
 * runs what the compiler found to apply to that name, `additionalProperties`, matching patterns and statically known
 * `unevaluatedProperties` included.  An instruction that checks a member, an item or a branch is stored where it is
 * needed (a copy, when its unit is a single instruction), so that simple schemas cost no call.
 *
 * An instruction for one kind of value holds in `kinds` the other kinds that it lets through; one for all kinds (from
 * OP_CALL on) holds the kinds that it takes.  The first of a unit thereby also does the work of `type`.
 */
#ifndef WRIT_DATA_SCHEMA_PROGRAM_H
#define WRIT_DATA_SCHEMA_PROGRAM_H

#include "data/json.h"
#include "data/pattern.h"

enum schema_op {
    OP_PASS, /* holds always */
    OP_FAIL, /* never holds */
    OP_KINDS,
    OP_STRING,  /* length, pattern */
    OP_TEXT_IN, /* one of some strings */
    OP_NUMBER,  /* range, integrality, multiples */
    OP_OBJECT,
    OP_ARRAY,
    OP_CALL, /* another unit on the same value */
    OP_END,
    OP_HAS,      /* some members are there; nothing else is asked of the object */
    OP_VALUE_IN, /* one of some values of any kind */
    OP_FORMAT,
    OP_ANY, /* anyOf */
    OP_ONE, /* oneOf */
    OP_NOT,
    OP_IF,
    OP_DEPENDENT, /* when a member is there, another unit on the same value */
    OP_SCOPE,     /* unevaluated*, with marks */
};

#define INSTRUCTION_SLOW 1    /* OP_NUMBER: integers need the plan too (multipleOf) */
#define INSTRUCTION_COLLECT 2 /* marks what it evaluates */

struct schema_instruction {
    uint8_t op, flags;
    uint16_t kinds;
    uint32_t number; /* OP_CALL: unit, after linking the index of its first instruction; OP_FORMAT: which;
                      * OP_NUMBER: its plan + 1, or 0 */
    union {
        int64_t min;
        struct {
            uint32_t length_min, length_max;
        };
        const void *plan;
    };
    union {
        int64_t max;
        const struct writ_pattern *pattern;
    };
};
_Static_assert(sizeof(struct schema_instruction) == 24, "instructions stay small");

/* Names by their tags: a table of slots that leads to an index; the multiplier is chosen for few collisions.  The tag's
 * hash is no secret and collisions can be made up, so a table of more than NAMES_HASHED_MAX is searched by halves. */
struct schema_name {
    uint64_t tag;
    const char *text;
};
#define NAMES_MAX 60000u
#define NAMES_HASHED_MAX 512u
#define NAME_SLOT_FREE UINT16_MAX
#define NAME_SLOT_SORTED (UINT16_MAX - 1) /* the only slot of a table that is searched by halves */
struct schema_names {
    const struct schema_name *items;
    const uint16_t *slots;
    const uint16_t *sorted; /* indexes in the order of names, when searched by halves */
    uint32_t count, multiplier;
    uint32_t shift; /* a slot is the top bits of the product */
    uint32_t mask;
};

struct schema_number_bound {
    const struct writ_json *bound;
    bool exclusive, is_minimum;
};
struct schema_number_plan {
    const struct schema_number_bound *bounds;
    const struct writ_json *const *divisors;
    uint32_t bound_count, divisor_count;
    uint32_t steps; /* that a check costs */
    bool integral;
};

struct schema_values_plan {
    const struct writ_json *const *values;
    uint32_t count;
};

struct schema_property {
    struct schema_instruction check;
    uint64_t bit; /* set in `seen` when the member is there; 0 when nobody asks */
    bool evaluated;
};
struct schema_pattern_rule {
    const struct writ_pattern *pattern;
    struct schema_instruction check;
};
#define PATTERN_RULES_MAX 256
/* additionalProperties or a static unevaluatedProperties: for members whose names none of `patterns` matches. */
struct schema_closed_rule {
    uint64_t patterns[PATTERN_RULES_MAX / 64];
    struct schema_instruction check;
};
struct schema_dependency {
    uint64_t when, needs; /* bits of `seen` */
};
enum schema_marking { MARK_NONE, MARK_KNOWN, MARK_ALL };
struct schema_object_plan {
    struct schema_names names;
    const struct schema_property *properties;
    uint64_t required; /* bits of `seen` */
    uint32_t members_min, members_max;
    bool simple; /* nothing but properties, required, bounds and `unknown` */
    uint8_t marking;
    struct schema_instruction unknown;    /* members that are not in `names`, when there are no patterns */
    struct schema_instruction name_check; /* propertyNames */
    const struct schema_pattern_rule *patterns;
    const struct schema_closed_rule *closed;
    const struct schema_dependency *dependencies;
    uint32_t pattern_count, closed_count, dependency_count;
    /* What did not fit into 64 bits: names that must be there when `when` is, or always when it is NULL. */
    const struct schema_late_requirement *late;
    uint32_t late_count;
};
struct schema_late_requirement {
    const struct schema_name *when;
    struct schema_name name;
};

#define HAS_NAMES_MAX 4
struct schema_has_plan {
    uint32_t count;
    struct schema_name names[HAS_NAMES_MAX];
};

struct schema_contains {
    struct schema_instruction check;
    uint32_t min, max;
    bool present;
};
struct schema_array_plan {
    const struct schema_instruction *prefix;
    uint32_t prefix_count, items_min, items_max;
    struct schema_instruction items; /* after the prefix */
    struct schema_contains contains;
    bool unique, simple; /* simple: nothing but `items` and bounds */
    uint8_t marking;
};

/* A string member that tells the branches of anyOf or oneOf apart: each requires it, with values of its own. */
struct schema_discriminator {
    struct schema_name member;
    struct schema_names values;
    const uint32_t *branches; /* by index of the value */
};
struct schema_branches_plan {
    const struct schema_instruction *branches;
    uint32_t count;
    const struct schema_discriminator *discriminator; /* or NULL */
};
struct schema_if_plan {
    struct schema_instruction condition, then, otherwise;
};
struct schema_dependent_plan {
    struct schema_name member;
    struct schema_instruction check;
};
struct schema_scope_plan {
    struct schema_instruction inner;      /* everything but the unevaluated* keywords, collecting */
    struct schema_instruction properties; /* for members without a mark; OP_PASS when there is no such keyword */
    struct schema_instruction items;
    bool has_properties, has_items;
};

struct schema_program {
    const struct schema_instruction *code;
    const struct schema_number_plan *number_plans;
    struct schema_instruction root;
    size_t instruction_count; /* as counted against the limit */
    bool has_scopes;
};

/* ---- names ---- */

static inline uint32_t schema_name_slot(const struct schema_names *names, uint64_t tag)
{
    return ((uint32_t)(tag >> 16) * names->multiplier) >> names->shift;
}

/* Equality of texts of one length, inlined: names are short and a call would cost more than the work. */
static inline bool schema_text_equal(const char *a, const char *b, uint32_t length)
{
    if (length >= 8) {
        uint64_t x, y;
        memcpy(&x, a + length - 8, 8);
        memcpy(&y, b + length - 8, 8);
        if (x != y)
            return false;
        for (uint32_t at = 0; at + 8 < length; at += 8) {
            memcpy(&x, a + at, 8);
            memcpy(&y, b + at, 8);
            if (x != y)
                return false;
        }
        return true;
    }
    if (length >= 4) {
        uint32_t x, y, v, w;
        memcpy(&x, a, 4);
        memcpy(&y, b, 4);
        memcpy(&v, a + length - 4, 4);
        memcpy(&w, b + length - 4, 4);
        return ((x ^ y) | (v ^ w)) == 0;
    }
    if (length >= 2) {
        uint16_t x, y;
        memcpy(&x, a, 2);
        memcpy(&y, b, 2);
        return x == y && a[length - 1] == b[length - 1];
    }
    return length == 0 || a[0] == b[0];
}

static inline bool schema_name_is(const struct schema_name *name, const struct writ_json *string)
{
    return name->tag == (string->tag & WRIT_JSON_TAG_MASK) &&
           schema_text_equal(name->text, string->text, string->length);
}

/* By halves (schema_names.c). */
uint32_t writ_schema_names_search(const struct schema_names *names, const struct writ_json *string);

/* Index of the string among the names, or UINT32_MAX. */
static inline uint32_t schema_names_find(const struct schema_names *names, const struct writ_json *string)
{
    uint64_t tag = string->tag & WRIT_JSON_TAG_MASK;
    for (uint32_t slot = schema_name_slot(names, tag);; slot = (slot + 1) & names->mask) {
        uint32_t index = names->slots[slot];
        if (WRIT_UNLIKELY(index >= NAME_SLOT_SORTED))
            return index == NAME_SLOT_FREE ? UINT32_MAX : writ_schema_names_search(names, string);
        if (WRIT_LIKELY(names->items[index].tag == tag) &&
            WRIT_LIKELY(schema_text_equal(names->items[index].text, string->text, string->length)))
            return index;
    }
}

#endif
