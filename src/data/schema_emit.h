/*
 * The code generator: from the graph to instructions.  Private to schema*.c.
 *
 * Theory.  A place is a subschema in a dynamic scope.  A dynamic scope is the set of anchors bound so far (the
 * outermost resource that has an anchor of that name wins, so what is bound stays bound); it changes only where a
 * resource is entered.  Units are made for places on demand from a queue: emitting one never emits another, so nothing
 * recurses.
 */
#ifndef WRIT_DATA_SCHEMA_EMIT_H
#define WRIT_DATA_SCHEMA_EMIT_H

#include "data/schema_graph.h"
#include "data/schema_program.h"

#define INSTRUCTIONS_MAX 1000000u
#define SCOPES_MAX 10000u
/* Sources dissolved into one unit; what is beyond is called. */
#define SOURCES_MAX 64

struct schema_place {
    uint32_t subschema, scope;
};

enum unit_mode {
    UNIT_PLAIN = 0,
    UNIT_COLLECT = 1, /* mark what is evaluated */
    UNIT_BARE = 2,    /* leave out the subschema's own unevaluated* */
};

struct unit {
    struct schema_place place;
    uint32_t mode;
    /* A unit of several places only calls the units of each. */
    const struct schema_place *places;
    uint32_t place_count;
    uint32_t start; /* index of its first instruction */
};

struct dynamic_scope {
    const uint32_t *bindings; /* name, subschema, name, subschema ... sorted by name */
    uint32_t count;           /* numbers in `bindings` */
};

/* Sources: the subschemas whose keywords all apply to the value of a unit. */
struct sources {
    struct schema_place items[SOURCES_MAX];
    size_t count;
    struct schema_place calls[SOURCES_MAX]; /* to be called instead */
    size_t call_count;
};

struct emitter {
    struct schema_graph *graph;
    struct writ_arena *arena;
    struct writ_error *error;
    SCHEMA_VECTOR(struct schema_instruction) code;
    SCHEMA_VECTOR(struct schema_number_plan) number_plans;
    SCHEMA_VECTOR(struct unit) units;
    struct schema_map unit_by_key;
    SCHEMA_VECTOR(struct dynamic_scope) scopes;
    struct schema_map scope_by_bindings;
    struct schema_map scope_entered;                  /* (scope, URI of a resource) -> scope */
    struct schema_map members;                        /* (number of a `properties`, name) -> number of the member */
    struct schema_map cycle_state;                    /* schema_place.c */
    struct schema_map scope_needed;                   /* schema_evaluated.c */
    SCHEMA_VECTOR(struct schema_instruction *) links; /* instructions outside `code` that call units */
    struct sources *sources;                          /* of the unit being emitted */
    struct schema_instruction *values;                /* likewise: VALUE_INSTRUCTIONS_MAX */
    size_t size;                                      /* counted against INSTRUCTIONS_MAX */
    bool has_scopes;
};

/* What unevaluated* beside these sources may take as evaluated. */
struct evaluated {
    bool all_properties, all_items;
    bool dynamic_properties, dynamic_items; /* depends on the instance */
    uint32_t prefix;                        /* items before this index */
    SCHEMA_VECTOR(const struct writ_json *) names;
    struct schema_map name_set;
    SCHEMA_VECTOR(const struct writ_pattern *) patterns;
};

/* ---- schema_place.c ---- */
/* The place of `subschema` as reached from `scope`. */
int writ_schema_enter(struct emitter *emitter, uint32_t scope, uint32_t subschema,
                      struct schema_place *ret_place) WRIT_MUST_USE;
/* The i-th schema in a keyword of `from`: a dynamic reference is bound here. */
int writ_schema_enter_child(struct emitter *emitter, struct schema_place from, const struct schema_keyword *keyword,
                            uint32_t i, struct schema_place *ret_place) WRIT_MUST_USE;
/* Follows a subschema that is nothing but a reference. */
int writ_schema_canonical(struct emitter *emitter, struct schema_place *place) WRIT_MUST_USE;
int writ_schema_gather(struct emitter *emitter, struct schema_place root, struct sources *ret_sources) WRIT_MUST_USE;
/* Refuses a subschema that applies to the same value within itself: it would never end. */
int writ_schema_refuse_cycle(struct emitter *emitter, struct schema_place from) WRIT_MUST_USE;
/* Counts against the limit. */
int writ_schema_charge(struct emitter *emitter, size_t count) WRIT_MUST_USE;

/* ---- schema_evaluated.c ---- */
int writ_schema_evaluate(struct emitter *emitter, struct schema_place place,
                         struct evaluated *ret_evaluated) WRIT_MUST_USE;
bool writ_schema_is_evaluated_name(const struct evaluated *evaluated, const struct writ_json *name) WRIT_PURE;
/* Has the subschema an unevaluated* whose answer depends on the instance? */
int writ_schema_needs_scope(struct emitter *emitter, struct schema_place place, bool *ret_needs) WRIT_MUST_USE;

/* ---- schema_emit.c ---- */
/* An instruction that checks the place: OP_CALL of its unit, to be linked later. */
int writ_schema_call(struct emitter *emitter, struct schema_place place, uint32_t mode,
                     struct schema_instruction *ret_call) WRIT_MUST_USE;
/* The same for a value that all places must accept. */
int writ_schema_call_all(struct emitter *emitter, const struct schema_place *places, uint32_t count,
                         struct schema_instruction *ret_call) WRIT_MUST_USE;
/* Appends to the unit being emitted. */
int writ_schema_append(struct emitter *emitter, struct schema_instruction instruction) WRIT_MUST_USE;
/* Notes an instruction outside the code that has to be linked. */
int writ_schema_note_link(struct emitter *emitter, struct schema_instruction *instruction) WRIT_MUST_USE;
int writ_schema_emit_program(struct emitter *emitter, struct schema_program *ret_program) WRIT_MUST_USE;

/* ---- schema_emit_*.c ---- */
/* Each returns through `ret_instruction` OP_PASS when there is nothing to check. */
int writ_schema_emit_object(struct emitter *emitter, const struct sources *sources, uint32_t mode,
                            struct schema_instruction *ret_instruction) WRIT_MUST_USE;
int writ_schema_emit_array(struct emitter *emitter, struct schema_place source, uint32_t mode,
                           struct schema_instruction *ret_instruction) WRIT_MUST_USE;
/* Static unevaluatedItems of a source. */
int writ_schema_emit_unevaluated_items(struct emitter *emitter, struct schema_place source, uint32_t mode,
                                       struct schema_instruction *ret_instruction) WRIT_MUST_USE;
/* anyOf, oneOf, not, if, dependentSchemas: appended to the unit. */
int writ_schema_emit_logic(struct emitter *emitter, const struct sources *sources, uint32_t mode) WRIT_MUST_USE;
int writ_schema_emit_scope(struct emitter *emitter, struct schema_place place, uint32_t mode) WRIT_MUST_USE;
/* How the string member that tells the branches apart is called, if there is one (schema_discriminator.c). */
int writ_schema_find_discriminator(struct emitter *emitter, const struct schema_place *branches, uint32_t count,
                                   const struct schema_discriminator **ret_discriminator) WRIT_MUST_USE;
/* Types, numbers, strings and listed values; `kinds` is what is still possible afterwards. */
int writ_schema_emit_values(struct emitter *emitter, const struct sources *sources,
                            struct schema_instruction *instructions, size_t *count, uint16_t *kinds) WRIT_MUST_USE;
#define VALUE_INSTRUCTIONS_MAX (SOURCES_MAX * 5 + 4)

/* ---- schema_names.c ---- */
struct schema_name writ_schema_name(const struct writ_json *string);
/* `items` must be different names that live in the arena. */
int writ_schema_names_build(struct emitter *emitter, const struct schema_name *items, uint32_t count,
                            struct schema_names *ret_names) WRIT_MUST_USE;

#endif
