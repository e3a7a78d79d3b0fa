/*
 * The fault finder.  Private to schema*.c.
 *
 * Theory.  It walks the graph as the specification describes evaluation, keyword by keyword, with a dynamic scope and
 * marks for what is evaluated, knowing nothing of instructions: what it finds does not depend on what the code
 * generator made of the schema, and tests hold the two verdicts together.  A fault is kept as what and where; sentences
 * are made only for those that are reported, for most branches of an anyOf are tried in vain.
 */
#ifndef WRIT_DATA_SCHEMA_EXPLAIN_H
#define WRIT_DATA_SCHEMA_EXPLAIN_H

#include "data/schema_check.h"
#include "data/schema_compiled.h"

#define EXPLAIN_STEPS_MIN 2000000
#define EXPLAIN_STEPS_PER_NODE 64
#define FAULTS_HELD_MAX 10000

struct fault {
    uint32_t subschema;
    const struct schema_keyword *keyword; /* NULL: the schema is false */
    const struct writ_json *node;         /* of the instance; a key when `of_name` */
    const struct writ_json *detail;       /* a name or value in schema or instance, by keyword */
    uint32_t number, other;               /* counts or indexes, by keyword */
    /* NOTE_VALUES: `number` keywords const and enum, one a branch */
    const struct schema_keyword *const *lists;
    uint8_t note; /* what exactly, by keyword */
    bool of_name; /* about a property's name */
};

/* fault.note */
enum {
    NOTE_NONE,
    NOTE_TYPES,      /* anyOf, oneOf: every branch wants another type; `number` holds the kinds that would do */
    NOTE_VALUES,     /* anyOf, oneOf: every branch wants another value of one member */
    NOTE_NEAREST,    /* anyOf, oneOf: the faults of branch `number` follow */
    NOTE_SEVERAL,    /* oneOf: branches `number` and `other` both hold */
    NOTE_FORBIDDEN,  /* the member or item is not allowed at all */
    NOTE_TOO_COSTLY, /* pattern: the match limit was reached */
    NOTE_TOO_MANY,   /* contains: more than maxContains */
};

struct explain_scope {
    uint32_t resource;
    const struct explain_scope *outer;
};

struct explainer {
    const struct schema_graph *graph;
    const struct writ_json *root; /* of the instance */
    struct writ_arena room;       /* marks and faults: freed at the end */
    SCHEMA_VECTOR(struct fault) faults;
    int64_t steps;
    unsigned depth;
    bool wants_marks; /* some unevaluated* stands in the graph */
    bool stopped, memory_failed;
    bool full;      /* FAULTS_HELD_MAX faults were found */
    unsigned names; /* inside propertyNames */
};

/* One subschema being applied to one value. */
struct frame {
    struct explainer *explainer;
    uint32_t subschema;
    const struct writ_json *node;
    const struct explain_scope *scope;
    /* What has been evaluated, when anybody may ask; behind it, as long, what failing subschemas would have evaluated:
     * once the value is at fault anyway, complaints about that would be noise. */
    uint64_t *marks;
    bool valid, in_place_failed;
};

/* ---- schema_explain.c ---- */
/* Applies a subschema; what it evaluates is added to `marks` when it holds. */
bool writ_schema_apply(struct explainer *explainer, uint32_t subschema, const struct writ_json *node,
                       const struct explain_scope *scope, uint64_t *marks);
/* The i-th subschema of a keyword on a child of the value, or on the value itself. */
bool writ_schema_apply_child(struct frame *frame, const struct schema_keyword *keyword, uint32_t i,
                             const struct writ_json *child);
bool writ_schema_apply_in_place(struct frame *frame, const struct schema_keyword *keyword, uint32_t i);
void writ_schema_report(struct frame *frame, struct fault fault);
static inline const struct schema_keyword *frame_keyword(const struct frame *frame, enum schema_keyword_id id)
{
    return schema_keyword_of(frame->explainer->graph, frame->subschema, id);
}
static inline bool is_false_child(const struct frame *frame, const struct schema_keyword *keyword, uint32_t i)
{
    uint32_t child = schema_child(frame->explainer->graph, keyword, i);
    return frame->explainer->graph->subschemas.items[child].node->kind == WRIT_JSON_FALSE;
}
static inline uint32_t schema_mark_words(const struct writ_json *node)
{
    return writ_json_is_container(node) ? node->length / 64 + 1 : 1;
}
static inline bool frame_is_marked(const struct frame *frame, uint32_t at)
{
    uint64_t word = frame->marks[at / 64];
    if (frame->in_place_failed)
        word |= frame->marks[schema_mark_words(frame->node) + at / 64];
    return word >> (at % 64) & 1;
}
static inline void frame_mark(const struct frame *frame, uint32_t at)
{
    if (frame->marks)
        frame->marks[at / 64] |= (uint64_t)1 << (at % 64);
}

/* ---- one function a group of keywords; each looks at frame->node and reports ---- */
void writ_schema_explain_assertion(struct frame *frame, const struct schema_keyword *keyword);
void writ_schema_explain_object(struct frame *frame, const struct schema_keyword *keyword);
void writ_schema_explain_array(struct frame *frame, const struct schema_keyword *keyword);
void writ_schema_explain_branches(struct frame *frame, const struct schema_keyword *keyword);

/* ---- schema_message.c ---- */
/* Makes the public form of a fault.  False when memory ran out. */
bool writ_schema_render_fault(const struct explainer *explainer, const struct fault *fault, struct writ_arena *arena,
                              struct writ_schema_fault *ret_fault) WRIT_MUST_USE;

/* The faults themselves, found without asking the program first: what tests compare with the verdict. */
int writ_schema_find_faults(const struct writ_schema *schema, const struct writ_json *instance, size_t faults_max,
                            struct writ_arena *arena, struct writ_schema_faults *ret_faults,
                            struct writ_error *error) WRIT_MUST_USE;

#endif
