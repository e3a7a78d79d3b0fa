/*
 * Patterns that need more than an automaton, on PCRE2.
 *
 * What PCRE2 sees is written from the tree: only explicit sets, groups, repeats, look-around and numbered references,
 * so that no syntax of PCRE2's own (verbs, callouts, recursion, \Q, \K) can come in from a schema.
 *
 * PCRE2 counts the steps back of a match against a limit, anew for each place where a match may begin, so that its own
 * limit alone would let the time grow with the square of the text: the limit is lowered for long texts.  How many steps
 * a match took it does not tell.  Each is therefore tried with a low limit first, which nearly all stay below and which
 * costs little; only what is cut off there is tried in earnest and charged with the most that it can take.
 * `(*LIMIT_DEPTH=...)` and the heap limit bound memory.
 *
 * A match takes its memory from a block on the caller's stack by way of a general context of its own: nothing is
 * allocated, and any number of threads may run the same pattern.  Only a text too long for the stack of compiled code
 * has a larger one mapped for it, bounded as well and gone before the answer.
 */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "data/pattern_syntax.h"

#include "base/buffer.h"

#include <pcre2.h>

#define LIMITS "(*LIMIT_MATCH=200000)(*LIMIT_DEPTH=2000)(*LIMIT_HEAP=48)"
#define TRANSLATION_BYTES_MAX ((size_t)1 << 20)
#define SPACE_BYTES ((size_t)64 * 1024)
/* Steps back: from one start of a match, and from all of them together. */
#define BACK_MAX 200000u
#define BACK_TOTAL_MAX 50000000u
#define BACK_BRIEF_MAX 2000u
#define BACK_BRIEF_TOTAL_MAX 200000u
/* How many of them make a step of the caller's. */
#define BACK_PER_STEP 40u
#define BRIEF_STEPS 200
#define JIT_STACK_BYTES_MIN ((size_t)128 << 10)
#define JIT_STACK_BYTES_MAX ((size_t)4 << 20)

/* ---- translation ---- */

static void print_set(struct writ_buffer *out, const struct pattern_set *set)
{
    if (set->count == 0 && !set->properties) {
        writ_buffer_append_text(out, "[^\\x{0}-\\x{10ffff}]"); /* a class like the others, so that a repeat counts it */
        return;
    }
    writ_buffer_append_text(out, set->negated ? "[^" : "[");
    for (size_t i = 0; i < set->count; i++) {
        writ_buffer_printf(out, "\\x{%x}", set->ranges[i].first);
        if (set->ranges[i].last > set->ranges[i].first)
            writ_buffer_printf(out, "-\\x{%x}", set->ranges[i].last);
    }
    if (set->properties)
        writ_buffer_append_text(out, set->properties);
    writ_buffer_append_byte(out, ']');
}

static void print_node(struct writ_buffer *out, const struct pattern_node *node);

static void print_children(struct writ_buffer *out, const struct pattern_node *node, const char *separator)
{
    for (const struct pattern_node *child = node->child; child; child = child->next) {
        print_node(out, child);
        if (child->next)
            writ_buffer_append_text(out, separator);
    }
}

static void print_repeat(struct writ_buffer *out, const struct pattern_node *node)
{
    /* PCRE2 copies a group for each time, but counts a class: `.{0,2000}` would not fit as a group. */
    bool set = node->child->kind == PATTERN_SET;
    writ_buffer_append_text(out, set ? "" : "(?:");
    print_node(out, node->child);
    writ_buffer_printf(out, "%s{%u,", set ? "" : ")", node->min);
    if (node->max != PATTERN_UNBOUNDED)
        writ_buffer_printf(out, "%u", node->max);
    writ_buffer_append_text(out, node->lazy ? "}?" : "}");
}

static void print_look(struct writ_buffer *out, const struct pattern_node *node)
{
    const struct pattern_node *inner = node->child;
    while (inner->kind == PATTERN_CAT && inner->child == inner->last)
        inner = inner->child;
    writ_buffer_printf(out, "(?%s%c", node->behind ? "<" : "", node->negated ? '!' : '=');
    /* PCRE2 looks behind alternatives of different lengths, but only without a group around them. */
    if (inner->kind == PATTERN_OR)
        print_children(out, inner, "|");
    else
        print_node(out, inner);
}

static void print_node(struct writ_buffer *out, const struct pattern_node *node)
{
    switch (node->kind) {
    case PATTERN_EMPTY:
        return;
    case PATTERN_SET:
        print_set(out, &node->set);
        return;
    case PATTERN_CAT:
        print_children(out, node, "");
        return;
    case PATTERN_START:
        writ_buffer_append_text(out, "\\A");
        return;
    case PATTERN_END:
        writ_buffer_append_text(out, "\\z");
        return;
    case PATTERN_EDGE:
        writ_buffer_append_text(out, node->negated ? "\\B" : "\\b");
        return;
    case PATTERN_BACKREF:
        writ_buffer_printf(out, "\\g{%u}", node->number);
        return;
    case PATTERN_OR:
        writ_buffer_append_text(out, "(?:");
        print_children(out, node, "|");
        break;
    case PATTERN_REPEAT:
        print_repeat(out, node);
        return;
    case PATTERN_CAPTURE:
        writ_buffer_append_byte(out, '(');
        print_node(out, node->child);
        break;
    case PATTERN_LOOK:
        print_look(out, node);
        break;
    }
    writ_buffer_append_byte(out, ')');
}

/* ---- compiling ---- */

int writ_pattern_build_pcre(const struct pattern_syntax *syntax, struct writ_pattern *pattern, struct writ_error *error)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, TRANSLATION_BYTES_MAX);
    writ_buffer_append_text(&text, LIMITS);
    print_node(&text, syntax->root);
    if (text.failed)
        return text.length > TRANSLATION_BYTES_MAX / 4
                   ? writ_error_set(error, WRIT_SCHEMA_INVALID, "the pattern is too large: make it shorter")
                   : writ_error_memory(error);
    int code;
    PCRE2_SIZE offset;
    pcre2_code *compiled = pcre2_compile((PCRE2_SPTR)text.data, text.length,
                                         PCRE2_UTF | PCRE2_NO_UTF_CHECK | PCRE2_DOLLAR_ENDONLY |
                                             PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C | PCRE2_NEVER_UCP,
                                         &code, &offset, NULL);
    if (!compiled) {
        if (code == PCRE2_ERROR_HEAP_FAILED || code == 121) /* 121: compile-time heap failure */
            return writ_error_memory(error);
        PCRE2_UCHAR message[128];
        if (pcre2_get_error_message(code, message, sizeof(message)) < 0)
            message[0] = '\0';
        return writ_error_set(error, WRIT_SCHEMA_INVALID, "the pattern cannot be used: %s", (const char *)message);
    }
    /* Where the kernel forbids writable code pages the interpreter serves, under the same limits. */
    (void)pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE);
    uint32_t settings = 0;
    (void)pcre2_pattern_info(compiled, PCRE2_INFO_ALLOPTIONS, &settings);
    pattern->anchored = settings & PCRE2_ANCHORED;
    pattern->code = compiled;
    pattern->engine = WRIT_PATTERN_PCRE;
    return 0;
}

void writ_pattern_free_pcre(struct writ_pattern *pattern)
{
    pcre2_code_free(pattern->code);
}

/* ---- matching ---- */

struct space {
    size_t used;
    _Alignas(16) unsigned char bytes[SPACE_BYTES];
};

static void *take_space(size_t size, void *data)
{
    struct space *space = data;
    size = (size + 15) & ~(size_t)15;
    if (size > SPACE_BYTES - space->used)
        return NULL;
    void *memory = space->bytes + space->used;
    space->used += size;
    return memory;
}

static void keep_space(void *memory, void *data)
{
    (void)memory; /* the whole block goes when the match is over */
    (void)data;
}

struct match {
    pcre2_general_context *general;
    pcre2_match_context *context;
    pcre2_match_data *data;
};

/* Compiled code has 32 KiB of stack of its own, which a repeated group uses up within some hundred characters. */
static int match_with_stack(const struct writ_pattern *pattern, const char *text, size_t length,
                            const struct match *match)
{
    pcre2_jit_stack *stack = pcre2_jit_stack_create(JIT_STACK_BYTES_MIN, JIT_STACK_BYTES_MAX, match->general);
    if (!stack)
        return PCRE2_ERROR_JIT_STACKLIMIT;
    pcre2_jit_stack_assign(match->context, NULL, stack);
    int result =
        pcre2_match(pattern->code, (PCRE2_SPTR)text, length, 0, PCRE2_NO_UTF_CHECK, match->data, match->context);
    pcre2_jit_stack_assign(match->context, NULL, NULL);
    pcre2_jit_stack_free(stack);
    return result;
}

static enum writ_pattern_verdict match_within(const struct writ_pattern *pattern, const char *text, size_t length,
                                              const struct match *match, uint32_t limit)
{
    (void)pcre2_set_match_limit(match->context, limit);
    int result =
        pcre2_match(pattern->code, (PCRE2_SPTR)text, length, 0, PCRE2_NO_UTF_CHECK, match->data, match->context);
    if (result == PCRE2_ERROR_JIT_STACKLIMIT)
        result = match_with_stack(pattern, text, length, match);
    if (result >= 0)
        return WRIT_PATTERN_FOUND;
    return result == PCRE2_ERROR_NOMATCH ? WRIT_PATTERN_ABSENT : WRIT_PATTERN_TOO_COSTLY;
}

/* Steps back allowed from each start, of which an anchored pattern has one. */
static uint32_t limit_for(const struct writ_pattern *pattern, size_t length, uint32_t most, uint32_t total)
{
    size_t share = pattern->anchored ? most : total / (length + 1) + 20;
    return share < most ? (uint32_t)share : most;
}

enum writ_pattern_verdict writ_pattern_search_pcre(const struct writ_pattern *pattern, const char *text, size_t length,
                                                   int64_t *steps)
{
    /* Not cleared: it is large and only what is taken is ever read. */
    __attribute__((uninitialized)) struct space space;
    space.used = 0;
    struct match match = {.general = pcre2_general_context_create(take_space, keep_space, &space)};
    match.context = match.general ? pcre2_match_context_create(match.general) : NULL;
    match.data = match.context ? pcre2_match_data_create(1, match.general) : NULL;
    *steps -= BRIEF_STEPS + (int64_t)(length / 4);
    if (!match.data || *steps < 0)
        return WRIT_PATTERN_TOO_COSTLY;
    uint32_t brief = limit_for(pattern, length, BACK_BRIEF_MAX, BACK_BRIEF_TOTAL_MAX);
    enum writ_pattern_verdict verdict = match_within(pattern, text, length, &match, brief);
    if (verdict != WRIT_PATTERN_TOO_COSTLY)
        return verdict;
    uint32_t limit = limit_for(pattern, length, BACK_MAX, BACK_TOTAL_MAX);
    *steps -= (int64_t)((uint64_t)limit * (pattern->anchored ? 1 : length + 1) / BACK_PER_STEP);
    return *steps < 0 ? WRIT_PATTERN_TOO_COSTLY : match_within(pattern, text, length, &match, limit);
}
