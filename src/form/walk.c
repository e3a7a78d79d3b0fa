#include "form/walk.h"

#include "data/json_pointer.h"
#include "form/ask.h"
#include "form/branch.h"
#include "form/check.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 10 /* objects and lists within each other; below, a value is given as JSON */
#define PLACE_BYTES_MAX ((size_t)64 << 10)

static enum form_step walk_value(struct form_walk *walk, const struct form_field *field)
{
    const struct writ_form_answer *answer;
    enum form_step step = form_ask(walk, field, WRIT_FORM_ASK_VALUE, NULL, &answer);
    if (step != STEP_WRITTEN)
        return step;
    if (answer->kind != WRIT_FORM_ANSWER_VALUE)
        return STEP_ABSENT;
    form_note_secrets(walk, field, answer->value);
    writ_json_print(&walk->form->document, answer->value, WRIT_JSON_COMPACT);
    return STEP_WRITTEN;
}

/* A question that is answered with yes or no. */
static enum form_step ask_whether(struct form_walk *walk, const struct form_field *field,
                                  enum writ_form_question_purpose purpose, bool usually, bool *ret_yes)
{
    const struct writ_form_question question = {.kind = WRIT_FORM_QUESTION_BOOLEAN,
                                                .fallback = form_literal(walk, usually ? "true" : "false")};
    const struct writ_form_answer *answer;
    enum form_step step = form_ask(walk, field, purpose, &question, &answer);
    *ret_yes = step == STEP_WRITTEN && answer->value && answer->value->kind == WRIT_JSON_TRUE;
    return step;
}

static enum form_step walk_field(struct form_walk *walk, struct form_field *field);

/* ---- objects ---- */

static bool has_properties(const struct writ_form_view *view)
{
    for (size_t i = 0; i < view->part_count; i++) {
        const struct writ_json *properties = writ_json_get(view->parts[i], "properties");
        if (properties && properties->kind == WRIT_JSON_OBJECT && properties->length > 0)
            return true;
    }
    return false;
}

static void write_key(struct writ_buffer *out, const struct writ_json *key)
{
    if (out->length > 0 && out->data[out->length - 1] != '{')
        writ_buffer_append_byte(out, ',');
    writ_json_print_string(out, key->text, key->length);
    writ_buffer_append_byte(out, ':');
}

static enum form_step walk_member(struct form_walk *walk, const struct writ_form_view *view,
                                  const struct writ_json *key, const struct writ_json *given)
{
    struct writ_buffer *out = &walk->form->document;
    size_t written = out->length, pointer = walk->pointer.length, label = walk->label.length;
    struct form_field field = {.given = writ_json_get_sized(given, key->text, key->length),
                               .required = writ_form_view_requires(view, key, given)};
    (void)writ_form_view_property(view, key, &field.view);
    write_key(out, key);
    writ_json_pointer_append(&walk->pointer, key->text, key->length);
    if (label > 0)
        writ_buffer_append_byte(&walk->label, '.');
    writ_buffer_append(&walk->label, key->text, key->length);
    enum form_step step = walk_field(walk, &field);
    writ_buffer_truncate(&walk->pointer, pointer);
    writ_buffer_truncate(&walk->label, label);
    if (step == STEP_ABSENT)
        writ_buffer_truncate(out, written);
    return step;
}

/* True when the name was met in an earlier part already. */
static bool is_known(const struct writ_form_view *view, size_t parts, const struct writ_json *key)
{
    for (size_t i = 0; i < parts; i++)
        if (writ_json_get_sized(writ_json_get(view->parts[i], "properties"), key->text, key->length))
            return true;
    return false;
}

static enum form_step walk_declared(struct form_walk *walk, const struct writ_form_view *view,
                                    const struct writ_json *given)
{
    for (size_t i = 0; i < view->part_count; i++) {
        const struct writ_json *properties = writ_json_get(view->parts[i], "properties");
        if (!properties || properties->kind != WRIT_JSON_OBJECT)
            continue;
        WRIT_JSON_EACH_MEMBER(key, properties)
        {
            enum form_step step = is_known(view, i, key) ? STEP_ABSENT : walk_member(walk, view, key, given);
            if (step < STEP_ABSENT)
                return step;
        }
    }
    return STEP_WRITTEN;
}

/* Names that are required and declared nowhere. */
static enum form_step walk_undeclared(struct form_walk *walk, const struct writ_form_view *view,
                                      const struct writ_json *given)
{
    for (size_t i = 0; i < view->part_count; i++) {
        const struct writ_json *required = writ_json_get(view->parts[i], "required");
        if (!required || required->kind != WRIT_JSON_ARRAY)
            continue;
        WRIT_JSON_EACH_ITEM(name, required)
        {
            if (name->kind != WRIT_JSON_STRING || is_known(view, view->part_count, name) ||
                writ_json_get_sized(given, name->text, name->length))
                continue;
            enum form_step step = walk_member(walk, view, name, given);
            if (step < STEP_ABSENT)
                return step;
        }
    }
    return STEP_WRITTEN;
}

static enum form_step walk_object(struct form_walk *walk, const struct writ_form_view *view,
                                  const struct writ_json *given)
{
    struct writ_buffer *out = &walk->form->document;
    writ_buffer_append_byte(out, '{');
    enum form_step step = walk_declared(walk, view, given);
    if (step == STEP_WRITTEN)
        step = walk_undeclared(walk, view, given);
    if (step != STEP_WRITTEN)
        return step;
    form_note_given(walk, view, given); /* in what is copied now, too */
    if (given)
        WRIT_JSON_EACH_MEMBER(key, given)
        {
            if (is_known(view, view->part_count, key))
                continue;
            write_key(out, key);
            writ_json_print(out, key + 1, WRIT_JSON_COMPACT);
        }
    writ_buffer_append_byte(out, '}');
    return STEP_WRITTEN;
}

/* The next question tells of the object or list that it is the first of. */
static void begin_section(struct form_walk *walk, const struct form_field *field)
{
    walk->section = form_copy_text(walk, &walk->label);
    walk->section_view = form_copy_view(walk, &field->view);
}

static enum form_step walk_object_field(struct form_walk *walk, const struct form_field *field)
{
    const struct writ_json *given = field->given && field->given->kind == WRIT_JSON_OBJECT ? field->given : NULL;
    bool closed = writ_form_view_get(&field->view, "additionalProperties") &&
                  writ_form_view_get(&field->view, "additionalProperties")->kind == WRIT_JSON_FALSE;
    bool wanted = true;
    if (field->given && !given)
        return walk_value(walk, field);
    if (!has_properties(&field->view) && !writ_form_view_get(&field->view, "required")) {
        if (walk->depth > 0 && !closed)
            return walk_value(walk, field);
        return field->required || given ? walk_object(walk, &field->view, given) : STEP_ABSENT;
    }
    if (!given && (!field->required || writ_form_view_get(&field->view, "default"))) {
        enum form_step step = ask_whether(walk, field, WRIT_FORM_ASK_WHETHER, false, &wanted);
        if (step != STEP_WRITTEN || !wanted)
            return step == STEP_WRITTEN ? STEP_ABSENT : step;
    } else if (walk->depth > 0 && !field->was_asked) {
        begin_section(walk, field);
    }
    bool secret = form_is_secret(walk, field);
    walk->depth++;
    walk->secrecy += secret;
    enum form_step step = walk_object(walk, &field->view, given);
    walk->secrecy -= secret;
    walk->depth--;
    if (step != STEP_WRITTEN)
        return step;
    if (secret)
        form_note_field(walk, field);
    walk->section = NULL;
    return step;
}

/* ---- lists ---- */

/* An element that takes more than one answer is asked for first. */
static bool is_compound(const struct writ_form_view *view)
{
    unsigned types = writ_form_view_types(view) & ~(unsigned)WRIT_FORM_TYPE_NULL;
    return !writ_form_view_get(view, "enum") && !writ_form_view_get(view, "const") &&
           (types == WRIT_FORM_TYPE_OBJECT || types == WRIT_FORM_TYPE_LIST || writ_form_view_get(view, "oneOf") ||
            writ_form_view_get(view, "anyOf"));
}

static enum form_step walk_element(struct form_walk *walk, const struct form_field *list, size_t index)
{
    struct form_field field = {.is_element = true,
                               .list_required = list->required,
                               .unique = writ_json_is_true(writ_form_view_get(&list->view, "uniqueItems")),
                               .index = index,
                               .items_min = writ_form_view_count(&list->view, "minItems", 0)};
    writ_form_view_element(&list->view, index, &field.view);
    if (!is_compound(&field.view) || walk->depth >= DEPTH_MAX)
        return walk_field(walk, &field);
    bool more = false;
    enum form_step step =
        ask_whether(walk, &field, WRIT_FORM_ASK_MORE, index < field.items_min && (index > 0 || list->required), &more);
    if (step != STEP_WRITTEN || !more)
        return step == STEP_WRITTEN ? STEP_ABSENT : step;
    field.required = field.was_asked = true;
    field.is_element = false; /* it was decided that it is there */
    return walk_field(walk, &field);
}

static enum form_step walk_list(struct form_walk *walk, const struct form_field *field)
{
    struct writ_buffer *out = &walk->form->document;
    size_t pointer = walk->pointer.length, label = walk->label.length, count = 0;
    size_t items_max = writ_form_view_count(&field->view, "maxItems", SIZE_MAX);
    const struct writ_json *items = writ_form_view_get(&field->view, "items"),
                           *fallback = writ_form_view_get(&field->view, "default");
    const struct writ_json *places = writ_form_view_get(&field->view, "prefixItems");
    if (items && items->kind == WRIT_JSON_FALSE)
        items_max = places && places->kind == WRIT_JSON_ARRAY ? places->length : 0;
    enum form_step step = STEP_WRITTEN;
    writ_buffer_append_byte(out, '[');
    begin_section(walk, field);
    bool secret = form_is_secret(walk, field);
    walk->depth++;
    walk->secrecy += secret;
    for (; count < items_max; count++) {
        size_t written = out->length;
        if (count > 0)
            writ_buffer_append_byte(out, ',');
        writ_json_pointer_append_index(&walk->pointer, count);
        writ_buffer_printf(&walk->label, "[%zu]", count);
        step = walk_element(walk, field, count);
        writ_buffer_truncate(&walk->pointer, pointer);
        writ_buffer_truncate(&walk->label, label);
        if (step == STEP_WRITTEN)
            continue;
        writ_buffer_truncate(out, written);
        break;
    }
    walk->secrecy -= secret;
    walk->depth--;
    if (step < STEP_ABSENT)
        return step;
    if (secret)
        form_note_field(walk, field);
    walk->section = NULL;
    writ_buffer_append_byte(out, ']');
    /* Nothing said at all is not an empty list, unless a list must be there. */
    return count == 0 && (fallback || !field->required) ? STEP_ABSENT : STEP_WRITTEN;
}

/* ---- branches ---- */

/* The undecided `oneOf` or `anyOf`, or NULL. */
static const struct writ_json *find_branching(const struct form_field *field)
{
    static const char *const keywords[] = {"oneOf", "anyOf"};
    for (size_t i = 0; i < field->view.part_count; i++)
        for (size_t k = 0; k < WRIT_COUNT(keywords); k++) {
            const struct writ_json *branches = writ_json_get(field->view.parts[i], keywords[k]);
            bool decided = !branches || branches->kind != WRIT_JSON_ARRAY || branches->length == 0 ||
                           branches->length > WRIT_FORM_BRANCHES_MAX;
            for (size_t j = 0; j < field->branching_count; j++)
                decided = decided || field->branchings[j] == branches;
            if (!decided)
                return branches;
        }
    return NULL;
}

/* Values with a title each: a choice like an enum, whose texts are the titles. */
static enum form_step choose_constant(struct form_walk *walk, struct form_field *field,
                                      struct writ_form_question *question)
{
    const struct writ_form_answer *answer;
    question->ends_list = field->is_element;
    question->fallback = field->is_element ? NULL : writ_form_view_get(&field->view, "default");
    if (!question->fallback && field->required && field->nullable)
        question->fallback = form_literal(walk, "null");
    enum form_step step = form_ask(walk, field, WRIT_FORM_ASK_BRANCH, question, &answer);
    if (step != STEP_WRITTEN)
        return step;
    if (answer->kind != WRIT_FORM_ANSWER_VALUE)
        return STEP_ABSENT;
    form_note_secrets(walk, field, answer->value);
    writ_json_print(&walk->form->document, answer->value, WRIT_JSON_COMPACT);
    return STEP_WRITTEN;
}

/* One of several schemas: ABSENT when none is wanted, WRITTEN when the value is there, PENDING or FAILED;
 * `*ret_goes_on` when the field goes on with the branch added to its view. */
static enum form_step choose_branch(struct form_walk *walk, struct form_field *field, const struct writ_json *list,
                                    bool *ret_goes_on)
{
    struct writ_form_branches *branches = writ_arena_alloc(&walk->form->walk_arena, sizeof *branches);
    const struct writ_form_answer *answer;
    *ret_goes_on = false;
    if (!branches ||
        !writ_form_branches_collect(walk->form->contract->input_node, list, &walk->form->walk_arena, branches))
        return form_fail_for_memory(walk);
    field->nullable = field->nullable || branches->has_null;
    field->branchings[field->branching_count++] = list;
    struct writ_form_question question = {.kind = WRIT_FORM_QUESTION_CHOICE,
                                          .choices = branches->choices,
                                          .choice_count = branches->count,
                                          .choices_by_number = branches->by_number};
    if (branches->count > 1 && branches->all_constant)
        return choose_constant(walk, field, &question);
    size_t chosen = 0;
    if (branches->count > 1) {
        for (size_t i = 0; i < branches->count; i++)
            branches->choices[i].value = NULL;
        branches->choices[branches->count] = (struct writ_form_choice){.text = "JSON", .meaning = "Written as JSON."};
        question.choice_count++;
        enum form_step step = form_ask(walk, field, WRIT_FORM_ASK_BRANCH, &question, &answer);
        if (step != STEP_WRITTEN)
            return step;
        if (answer->kind != WRIT_FORM_ANSWER_CHOICE)
            return STEP_ABSENT;
        field->required = field->was_asked = true;
        chosen = answer->choice;
        if (chosen == branches->count)
            return walk_value(walk, field);
    }
    if (chosen < branches->count)
        writ_form_view_add(&field->view, branches->nodes[chosen]);
    *ret_goes_on = true;
    return STEP_WRITTEN;
}

/* ---- a field ---- */

/* Not to be asked: nobody asked for more than what is missing. */
static bool is_passed_over(const struct form_walk *walk, const struct form_field *field)
{
    return walk->form->only_missing && walk->depth > 0 && !field->given && !field->is_element &&
           (!field->required || writ_form_view_get(&field->view, "default"));
}

/* A value given for a field with branches is taken whole when it fits. */
static bool is_taken_whole(struct form_walk *walk, const struct form_field *field)
{
    struct writ_error error;
    if (!field->given || walk->depth == 0)
        return false;
    int result = writ_form_view_check(&field->view, walk->form->registry, field->given, true, &error);
    walk->failed = walk->failed || result == WRIT_INTERNAL_MEMORY;
    return result == 0;
}

static enum form_step walk_field(struct form_walk *walk, struct form_field *field)
{
    const struct writ_json *constant = writ_form_view_get(&field->view, "const"), *list;
    if (is_passed_over(walk, field))
        return STEP_ABSENT;
    if (walk->depth >= DEPTH_MAX || writ_form_view_get(&field->view, "enum"))
        return walk_value(walk, field);
    if (constant && !field->given && field->required && !field->is_element) {
        writ_json_print(&walk->form->document, constant, WRIT_JSON_COMPACT);
        return STEP_WRITTEN;
    }
    while (field->branching_count < FORM_BRANCHINGS_MAX && (list = find_branching(field))) {
        bool goes_on;
        if (field->branching_count == 0 && is_taken_whole(walk, field))
            return walk_value(walk, field);
        enum form_step step = choose_branch(walk, field, list, &goes_on);
        if (!goes_on)
            return step;
    }
    unsigned types = writ_form_view_types(&field->view);
    field->nullable = field->nullable || (types & WRIT_FORM_TYPE_NULL && types != WRIT_FORM_TYPE_ANY);
    types &= ~(unsigned)WRIT_FORM_TYPE_NULL;
    if (types == WRIT_FORM_TYPE_OBJECT)
        return walk_object_field(walk, field);
    if (types == WRIT_FORM_TYPE_LIST && !field->given)
        return walk_list(walk, field);
    return walk_value(walk, field);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int writ_form_walk(struct writ_form *form, struct writ_error *error)
{
    struct form_walk walk = {.form = form, .error = error};
    struct form_field root = {.required = true, .given = form->before};
    writ_arena_clear(&form->walk_arena);
    writ_buffer_init(&walk.pointer, PLACE_BYTES_MAX);
    writ_buffer_init(&walk.label, PLACE_BYTES_MAX);
    writ_buffer_truncate(&form->document, 0);
    form->pending = false;
    form->secret_count = 0;
    form->secrets = writ_arena_zalloc(&form->walk_arena, FORM_SECRETS_MAX, sizeof *form->secrets);
    writ_form_view_init(&root.view, form->contract->input_node);
    writ_form_view_add(&root.view, form->contract->input_node);
    const struct writ_form_view whole = root.view; /* branches are added to the other */
    walk.root = &whole;
    enum form_step step = walk_field(&walk, &root);
    if (step == STEP_WRITTEN)
        form_note_whole(&walk);
    bool failed = walk.failed || walk.pointer.failed || walk.label.failed || form->document.failed || !form->secrets;
    writ_buffer_clear(&walk.pointer);
    writ_buffer_clear(&walk.label);
    if (step == STEP_FAILED)
        return error->code;
    if (failed)
        return writ_error_memory(error);
    if (walk.has_too_many_secrets)
        return writ_error_set(error, WRIT_INTERNAL_LIMIT, "a form hides at most %d values; give the input with --input",
                              FORM_SECRETS_MAX);
    qsort(form->secrets, form->secret_count, sizeof *form->secrets, compare_texts);
    return 0;
}
