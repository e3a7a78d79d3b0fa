#include "cli/form_walk.h"

#include "cli/form_branch.h"
#include "cli/form_check.h"
#include "cli/form_secret.h"
#include "data/json_pointer.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 10     /* objects and lists within each other; below, a value is given as JSON */
#define BRANCHINGS_MAX 4 /* of one field, one after the other */
#define CHOICES_MAX 256
#define SECRETS_MAX 4096
#define PLACE_BYTES_MAX ((size_t)64 << 10)

/* What became of a field. */
enum step { STEP_FAILED, STEP_PENDING, STEP_ABSENT, STEP_WRITTEN };

struct walk {
    struct cli_form *form;
    struct writ_error *error;
    struct writ_buffer pointer, label; /* of the field that is looked at */
    size_t at;                         /* answers taken */
    unsigned depth;
    unsigned secrecy;    /* objects and lists around the field that are secret as a whole */
    const char *section; /* an object that began and was not told of yet */
    const struct cli_view *section_view;
    bool failed, has_too_many_secrets;
};

struct field {
    struct cli_view view;
    const struct writ_json *given;                      /* its value before the form, or NULL */
    const struct writ_json *branchings[BRANCHINGS_MAX]; /* that were decided */
    size_t branching_count;
    bool required, nullable;
    bool was_asked;          /* a question about it as a whole has told of it */
    bool is_element;         /* of a list, */
    bool list_required;      /* which must be there, */
    bool unique;             /* and whose elements must differ */
    size_t index, items_min; /* its place, and how many there must be */
};

static enum step fail_for_memory(struct walk *walk)
{
    (void)writ_error_memory(walk->error);
    return STEP_FAILED;
}

static void cut(struct writ_buffer *buffer, size_t length)
{
    if (length < buffer->length) {
        buffer->length = length;
        buffer->data[length] = '\0';
    }
}

/* ---- questions ---- */

static const char *copy_text(struct walk *walk, const struct writ_buffer *text)
{
    const char *copy = writ_arena_copy(&walk->form->walk_arena, writ_buffer_text(text), text->length);
    walk->failed = walk->failed || !copy;
    return copy;
}

static const struct cli_view *copy_view(struct walk *walk, const struct cli_view *view)
{
    struct cli_view *copy = writ_arena_alloc(&walk->form->walk_arena, sizeof *copy);
    if (copy)
        *copy = *view;
    walk->failed = walk->failed || !copy;
    return copy;
}

/* A literal as a value, for answers that the schema does not hold. */
static const struct writ_json *literal(struct walk *walk, const char *text)
{
    const struct writ_json *value = NULL;
    struct writ_error error;
    walk->failed = writ_json_parse(&walk->form->walk_arena, text, strlen(text), &value, &error) < 0 || walk->failed;
    return value;
}

static bool is_path(const struct walk *walk, const struct field *field)
{
    const struct writ_contract *contract = walk->form->contract;
    const char *pointer = writ_buffer_text(&walk->pointer);
    size_t length = walk->pointer.length;
    while (field->is_element && length > 0 && pointer[length - 1] != '/')
        length--;
    length -= field->is_element && length > 0;
    for (size_t i = 0; i < contract->permission_count; i++)
        for (size_t k = 0; k < contract->permissions[i].segment_count; k++) {
            const struct writ_segment *segment = &contract->permissions[i].segments[k];
            if (segment->kind == WRIT_SEGMENT_INPUT && strlen(segment->text) == length &&
                memcmp(segment->text, pointer, length) == 0)
                return true;
        }
    return false;
}

static enum cli_question_kind kind_of(const struct field *field)
{
    switch (cli_view_types(&field->view) & ~(unsigned)CLI_TYPE_NULL) {
    case CLI_TYPE_TEXT:
        return CLI_QUESTION_TEXT;
    case CLI_TYPE_BOOLEAN:
        return CLI_QUESTION_BOOLEAN;
    case CLI_TYPE_INTEGER:
        return CLI_QUESTION_INTEGER;
    case CLI_TYPE_NUMBER | CLI_TYPE_INTEGER:
        return CLI_QUESTION_NUMBER;
    default:
        return cli_view_types(&field->view) & CLI_TYPE_TEXT ? CLI_QUESTION_MIXED : CLI_QUESTION_JSON;
    }
}

/* Adds values, one after the other in the document, as choices; texts as they are, all else as JSON. */
static void add_choices(struct walk *walk, struct cli_question *question, const struct writ_json *value, size_t values)
{
    struct cli_choice *choices = writ_arena_zalloc(&walk->form->walk_arena, values, sizeof *choices);
    size_t count = 0;
    question->kind = CLI_QUESTION_CHOICE;
    question->choices_by_number = true;
    for (; count < values; value = writ_json_next(value)) {
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
        writ_buffer_init(&text, PLACE_BYTES_MAX);
        if (value->kind == WRIT_JSON_STRING)
            writ_buffer_append(&text, value->text, value->length);
        else
            writ_json_print(&text, value, WRIT_JSON_COMPACT);
        const char *copy = copy_text(walk, &text);
        walk->failed = walk->failed || (text.failed && !text.too_large);
        if (!copy || !choices)
            break;
        /* `2` must not mean the second choice when a choice is `2`. */
        if (copy[0] >= '0' && copy[0] <= '9')
            question->choices_by_number = false;
        choices[count++] = (struct cli_choice){.text = copy, .value = value};
    }
    walk->failed = walk->failed || !choices;
    question->choices = choices;
    question->choice_count = count;
}

static bool is_secret(const struct walk *walk, const struct field *field)
{
    return walk->secrecy > 0 || cli_view_is_secret(&field->view);
}

static void fill_value_question(struct walk *walk, const struct field *field, struct cli_question *question)
{
    const struct writ_json *values = cli_view_get(&field->view, "enum"), *value = cli_view_get(&field->view, "const");
    question->kind = kind_of(field);
    question->is_path = question->kind == CLI_QUESTION_TEXT && is_path(walk, field);
    if (value)
        add_choices(walk, question, value, 1);
    else if (values && values->kind == WRIT_JSON_ARRAY && values->length > 0 && values->length <= CHOICES_MAX)
        add_choices(walk, question, writ_json_first(values), values->length);
    question->nullable = field->nullable;
    question->ends_list = field->is_element;
    question->unique = field->unique;
    if (!field->is_element)
        question->fallback = cli_view_get(&field->view, "default");
    if (!question->fallback && !field->is_element && field->required && field->nullable)
        question->fallback = literal(walk, "null");
}

/* Leaves a question behind for the person to answer. */
static enum step leave(struct walk *walk, const struct field *field, enum cli_question_purpose purpose,
                       const struct cli_question *prepared, const char *note)
{
    struct cli_form *form = walk->form;
    struct cli_question question = prepared ? *prepared : (struct cli_question){.kind = CLI_QUESTION_BOOLEAN};
    question.purpose = purpose;
    question.label = copy_text(walk, &walk->label);
    question.pointer = copy_text(walk, &walk->pointer);
    question.view = copy_view(walk, &field->view);
    question.required = field->is_element ? field->list_required : field->required;
    question.index = field->index;
    question.items_min = field->items_min;
    question.secret = purpose != CLI_ASK_WHETHER && purpose != CLI_ASK_MORE && is_secret(walk, field);
    if (purpose == CLI_ASK_VALUE)
        fill_value_question(walk, field, &question);
    if (walk->section) {
        question.section = walk->section;
        question.section_view = walk->section_view;
    }
    question.note = note;
    if (walk->failed)
        return fail_for_memory(walk);
    form->question = question;
    form->asked_at = walk->at;
    form->pending = true;
    return STEP_PENDING;
}

/* A value given before the form stands in for an answer, once, when its schema takes it. */
static enum step take_given(struct walk *walk, const struct field *field, const char **ret_note)
{
    struct cli_form *form = walk->form;
    struct writ_error fault;
    bool secret = is_secret(walk, field) || (form->has_secrets && cli_json_is_compound(field->given));
    int result = cli_view_check(&field->view, form->registry, field->given, secret, &fault);
    if (result == WRIT_INPUT_INVALID) {
        *ret_note = writ_arena_copy(&form->walk_arena, fault.message, strlen(fault.message));
        return *ret_note ? STEP_PENDING : fail_for_memory(walk);
    }
    if (result < 0) {
        *walk->error = fault;
        return STEP_FAILED;
    }
    char *pointer = writ_arena_copy(&form->answers_arena, writ_buffer_text(&walk->pointer), walk->pointer.length);
    if (!pointer)
        return fail_for_memory(walk);
    form->answers[walk->at] = (struct cli_form_answer){.pointer = pointer,
                                                       .purpose = CLI_ASK_VALUE,
                                                       .given = {.kind = CLI_ANSWER_VALUE, .value = field->given},
                                                       .automatic = true};
    form->answer_count = walk->at + 1;
    return STEP_WRITTEN;
}

/* The answer to a question: WRITTEN with *ret_answer, or PENDING when it is to be asked. */
static enum step ask(struct walk *walk, const struct field *field, enum cli_question_purpose purpose,
                     const struct cli_question *prepared, const struct cli_answer **ret_answer)
{
    struct cli_form *form = walk->form;
    const char *note = NULL;
    bool open = false;
    if (walk->at < form->answer_count) {
        const struct cli_form_answer *answer = &form->answers[walk->at];
        open = answer->open;
        if (answer->purpose != purpose || strcmp(answer->pointer, writ_buffer_text(&walk->pointer)) != 0) {
            form->answer_count = walk->at; /* what follows answered other questions */
            open = false;
        }
    }
    if (walk->at == CLI_FORM_ANSWERS_MAX) {
        (void)writ_error_set(walk->error, WRIT_INTERNAL_LIMIT,
                             "a form takes at most %d answers; give the input with --input", CLI_FORM_ANSWERS_MAX);
        return STEP_FAILED;
    }
    if (walk->at == form->answer_count && purpose == CLI_ASK_VALUE && field->given) {
        enum step step = take_given(walk, field, &note);
        if (step == STEP_FAILED)
            return step;
    }
    if (walk->at >= form->answer_count || open)
        return leave(walk, field, purpose, prepared, note);
    *ret_answer = &form->answers[walk->at++].given;
    walk->section = NULL;
    return STEP_WRITTEN;
}

/* ---- values ---- */

static void note_pointer(void *context, const char *pointer, size_t length)
{
    struct walk *walk = context;
    struct cli_form *form = walk->form;
    walk->has_too_many_secrets = walk->has_too_many_secrets || form->secret_count == SECRETS_MAX;
    const char *copy = writ_arena_copy(&form->walk_arena, pointer, length);
    walk->failed = walk->failed || !copy || !form->secrets;
    if (!walk->failed && !walk->has_too_many_secrets)
        form->secrets[form->secret_count++] = copy;
}

/* The field as a whole.  An element is hidden with its list, so that no place in it changes its meaning. */
static void note_field(struct walk *walk, const struct field *field)
{
    size_t length = walk->pointer.length;
    while (field->is_element && length > 0 && walk->pointer.data[length - 1] != '/')
        length--;
    length -= field->is_element && length > 0;
    note_pointer(walk, writ_buffer_text(&walk->pointer), length);
}

/* What is secret of a value that the field has. */
static void note_secrets(struct walk *walk, const struct field *field, const struct writ_json *value)
{
    if (is_secret(walk, field))
        note_field(walk, field);
    else if (walk->form->has_secrets)
        cli_secrets_find(&field->view, value, &walk->pointer, note_pointer, walk);
}

static enum step walk_value(struct walk *walk, const struct field *field)
{
    const struct cli_answer *answer;
    enum step step = ask(walk, field, CLI_ASK_VALUE, NULL, &answer);
    if (step != STEP_WRITTEN)
        return step;
    if (answer->kind != CLI_ANSWER_VALUE)
        return STEP_ABSENT;
    note_secrets(walk, field, answer->value);
    writ_json_print(&walk->form->document, answer->value, WRIT_JSON_COMPACT);
    return STEP_WRITTEN;
}

/* A question that is answered with yes or no. */
static enum step ask_whether(struct walk *walk, const struct field *field, enum cli_question_purpose purpose,
                             bool usually, bool *ret_yes)
{
    const struct cli_question question = {.kind = CLI_QUESTION_BOOLEAN,
                                          .fallback = literal(walk, usually ? "true" : "false")};
    const struct cli_answer *answer;
    enum step step = ask(walk, field, purpose, &question, &answer);
    *ret_yes = step == STEP_WRITTEN && answer->value && answer->value->kind == WRIT_JSON_TRUE;
    return step;
}

static enum step walk_field(struct walk *walk, struct field *field);

/* ---- objects ---- */

static bool has_properties(const struct cli_view *view)
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

static enum step walk_member(struct walk *walk, const struct cli_view *view, const struct writ_json *key,
                             const struct writ_json *given)
{
    struct writ_buffer *out = &walk->form->document;
    size_t written = out->length, pointer = walk->pointer.length, label = walk->label.length;
    struct field field = {.given = writ_json_get_sized(given, key->text, key->length),
                          .required = cli_view_requires(view, key, given)};
    (void)cli_view_property(view, key, &field.view);
    write_key(out, key);
    writ_json_pointer_append(&walk->pointer, key->text, key->length);
    if (label > 0)
        writ_buffer_append_byte(&walk->label, '.');
    writ_buffer_append(&walk->label, key->text, key->length);
    enum step step = walk_field(walk, &field);
    cut(&walk->pointer, pointer);
    cut(&walk->label, label);
    if (step == STEP_ABSENT)
        cut(out, written);
    return step;
}

/* True when the name was met in an earlier part already. */
static bool is_known(const struct cli_view *view, size_t parts, const struct writ_json *key)
{
    for (size_t i = 0; i < parts; i++)
        if (writ_json_get_sized(writ_json_get(view->parts[i], "properties"), key->text, key->length))
            return true;
    return false;
}

static enum step walk_declared(struct walk *walk, const struct cli_view *view, const struct writ_json *given)
{
    for (size_t i = 0; i < view->part_count; i++) {
        const struct writ_json *properties = writ_json_get(view->parts[i], "properties");
        if (!properties || properties->kind != WRIT_JSON_OBJECT)
            continue;
        WRIT_JSON_EACH_MEMBER(key, properties)
        {
            enum step step = is_known(view, i, key) ? STEP_ABSENT : walk_member(walk, view, key, given);
            if (step < STEP_ABSENT)
                return step;
        }
    }
    return STEP_WRITTEN;
}

/* Names that are required and declared nowhere. */
static enum step walk_undeclared(struct walk *walk, const struct cli_view *view, const struct writ_json *given)
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
            enum step step = walk_member(walk, view, name, given);
            if (step < STEP_ABSENT)
                return step;
        }
    }
    return STEP_WRITTEN;
}

static enum step walk_object(struct walk *walk, const struct cli_view *view, const struct writ_json *given)
{
    struct writ_buffer *out = &walk->form->document;
    writ_buffer_append_byte(out, '{');
    enum step step = walk_declared(walk, view, given);
    if (step == STEP_WRITTEN)
        step = walk_undeclared(walk, view, given);
    if (step != STEP_WRITTEN)
        return step;
    if (given && walk->form->has_secrets) /* in what is copied now, too */
        cli_secrets_find(view, given, &walk->pointer, note_pointer, walk);
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
static void begin_section(struct walk *walk, const struct field *field)
{
    walk->section = copy_text(walk, &walk->label);
    walk->section_view = copy_view(walk, &field->view);
}

static enum step walk_object_field(struct walk *walk, const struct field *field)
{
    const struct writ_json *given = field->given && field->given->kind == WRIT_JSON_OBJECT ? field->given : NULL;
    bool closed = cli_view_get(&field->view, "additionalProperties") &&
                  cli_view_get(&field->view, "additionalProperties")->kind == WRIT_JSON_FALSE;
    bool wanted = true;
    if (field->given && !given)
        return walk_value(walk, field);
    if (!has_properties(&field->view) && !cli_view_get(&field->view, "required")) {
        if (walk->depth > 0 && !closed)
            return walk_value(walk, field);
        return field->required || given ? walk_object(walk, &field->view, given) : STEP_ABSENT;
    }
    if (!given && (!field->required || cli_view_get(&field->view, "default"))) {
        enum step step = ask_whether(walk, field, CLI_ASK_WHETHER, false, &wanted);
        if (step != STEP_WRITTEN || !wanted)
            return step == STEP_WRITTEN ? STEP_ABSENT : step;
    } else if (walk->depth > 0 && !field->was_asked) {
        begin_section(walk, field);
    }
    bool secret = is_secret(walk, field);
    walk->depth++;
    walk->secrecy += secret;
    enum step step = walk_object(walk, &field->view, given);
    walk->secrecy -= secret;
    walk->depth--;
    if (step != STEP_WRITTEN)
        return step;
    if (secret)
        note_field(walk, field);
    walk->section = NULL;
    return step;
}

/* ---- lists ---- */

/* An element that takes more than one answer is asked for first. */
static bool is_compound(const struct cli_view *view)
{
    unsigned types = cli_view_types(view) & ~(unsigned)CLI_TYPE_NULL;
    return !cli_view_get(view, "enum") && !cli_view_get(view, "const") &&
           (types == CLI_TYPE_OBJECT || types == CLI_TYPE_LIST || cli_view_get(view, "oneOf") ||
            cli_view_get(view, "anyOf"));
}

static enum step walk_element(struct walk *walk, const struct field *list, size_t index)
{
    struct field field = {.is_element = true,
                          .list_required = list->required,
                          .unique = writ_json_is_true(cli_view_get(&list->view, "uniqueItems")),
                          .index = index,
                          .items_min = cli_view_count(&list->view, "minItems", 0)};
    cli_view_element(&list->view, index, &field.view);
    if (!is_compound(&field.view) || walk->depth >= DEPTH_MAX)
        return walk_field(walk, &field);
    bool more = false;
    enum step step =
        ask_whether(walk, &field, CLI_ASK_MORE, index < field.items_min && (index > 0 || list->required), &more);
    if (step != STEP_WRITTEN || !more)
        return step == STEP_WRITTEN ? STEP_ABSENT : step;
    field.required = field.was_asked = true;
    field.is_element = false; /* it was decided that it is there */
    return walk_field(walk, &field);
}

static enum step walk_list(struct walk *walk, const struct field *field)
{
    struct writ_buffer *out = &walk->form->document;
    size_t pointer = walk->pointer.length, label = walk->label.length, count = 0;
    size_t items_max = cli_view_count(&field->view, "maxItems", SIZE_MAX);
    const struct writ_json *items = cli_view_get(&field->view, "items"),
                           *fallback = cli_view_get(&field->view, "default");
    const struct writ_json *places = cli_view_get(&field->view, "prefixItems");
    if (items && items->kind == WRIT_JSON_FALSE)
        items_max = places && places->kind == WRIT_JSON_ARRAY ? places->length : 0;
    enum step step = STEP_WRITTEN;
    writ_buffer_append_byte(out, '[');
    begin_section(walk, field);
    bool secret = is_secret(walk, field);
    walk->depth++;
    walk->secrecy += secret;
    for (; count < items_max; count++) {
        size_t written = out->length;
        if (count > 0)
            writ_buffer_append_byte(out, ',');
        writ_json_pointer_append_index(&walk->pointer, count);
        writ_buffer_printf(&walk->label, "[%zu]", count);
        step = walk_element(walk, field, count);
        cut(&walk->pointer, pointer);
        cut(&walk->label, label);
        if (step == STEP_WRITTEN)
            continue;
        cut(out, written);
        break;
    }
    walk->secrecy -= secret;
    walk->depth--;
    if (step < STEP_ABSENT)
        return step;
    if (secret)
        note_field(walk, field);
    walk->section = NULL;
    writ_buffer_append_byte(out, ']');
    /* Nothing said at all is not an empty list, unless a list must be there. */
    return count == 0 && (fallback || !field->required) ? STEP_ABSENT : STEP_WRITTEN;
}

/* ---- branches ---- */

/* The undecided `oneOf` or `anyOf`, or NULL. */
static const struct writ_json *find_branching(const struct field *field)
{
    static const char *const keywords[] = {"oneOf", "anyOf"};
    for (size_t i = 0; i < field->view.part_count; i++)
        for (size_t k = 0; k < WRIT_COUNT(keywords); k++) {
            const struct writ_json *branches = writ_json_get(field->view.parts[i], keywords[k]);
            bool decided = !branches || branches->kind != WRIT_JSON_ARRAY || branches->length == 0 ||
                           branches->length > CLI_BRANCHES_MAX;
            for (size_t j = 0; j < field->branching_count; j++)
                decided = decided || field->branchings[j] == branches;
            if (!decided)
                return branches;
        }
    return NULL;
}

/* Values with a title each: a choice like an enum, whose texts are the titles. */
static enum step choose_constant(struct walk *walk, struct field *field, struct cli_question *question)
{
    const struct cli_answer *answer;
    question->ends_list = field->is_element;
    question->fallback = field->is_element ? NULL : cli_view_get(&field->view, "default");
    if (!question->fallback && field->required && field->nullable)
        question->fallback = literal(walk, "null");
    enum step step = ask(walk, field, CLI_ASK_BRANCH, question, &answer);
    if (step != STEP_WRITTEN)
        return step;
    if (answer->kind != CLI_ANSWER_VALUE)
        return STEP_ABSENT;
    note_secrets(walk, field, answer->value);
    writ_json_print(&walk->form->document, answer->value, WRIT_JSON_COMPACT);
    return STEP_WRITTEN;
}

/* One of several schemas: ABSENT when none is wanted, WRITTEN when the value is there, PENDING or FAILED;
 * `*ret_goes_on` when the field goes on with the branch added to its view. */
static enum step choose_branch(struct walk *walk, struct field *field, const struct writ_json *list, bool *ret_goes_on)
{
    struct cli_branches *branches = writ_arena_alloc(&walk->form->walk_arena, sizeof *branches);
    const struct cli_answer *answer;
    *ret_goes_on = false;
    if (!branches || !cli_branches_collect(walk->form->contract->input_node, list, &walk->form->walk_arena, branches))
        return fail_for_memory(walk);
    field->nullable = field->nullable || branches->has_null;
    field->branchings[field->branching_count++] = list;
    struct cli_question question = {.kind = CLI_QUESTION_CHOICE,
                                    .choices = branches->choices,
                                    .choice_count = branches->count,
                                    .choices_by_number = branches->by_number};
    if (branches->count > 1 && branches->all_constant)
        return choose_constant(walk, field, &question);
    size_t chosen = 0;
    if (branches->count > 1) {
        for (size_t i = 0; i < branches->count; i++)
            branches->choices[i].value = NULL;
        branches->choices[branches->count] = (struct cli_choice){.text = "JSON", .meaning = "Written as JSON."};
        question.choice_count++;
        enum step step = ask(walk, field, CLI_ASK_BRANCH, &question, &answer);
        if (step != STEP_WRITTEN)
            return step;
        if (answer->kind != CLI_ANSWER_CHOICE)
            return STEP_ABSENT;
        field->required = field->was_asked = true;
        chosen = answer->choice;
        if (chosen == branches->count)
            return walk_value(walk, field);
    }
    if (chosen < branches->count)
        cli_view_add(&field->view, branches->nodes[chosen]);
    *ret_goes_on = true;
    return STEP_WRITTEN;
}

/* ---- a field ---- */

/* Not to be asked: nobody asked for more than what is missing. */
static bool is_passed_over(const struct walk *walk, const struct field *field)
{
    return walk->form->only_missing && walk->depth > 0 && !field->given && !field->is_element &&
           (!field->required || cli_view_get(&field->view, "default"));
}

/* A value given for a field with branches is taken whole when it fits. */
static bool is_taken_whole(struct walk *walk, const struct field *field)
{
    struct writ_error error;
    if (!field->given || walk->depth == 0)
        return false;
    int result = cli_view_check(&field->view, walk->form->registry, field->given, true, &error);
    walk->failed = walk->failed || result == WRIT_INTERNAL_MEMORY;
    return result == 0;
}

static enum step walk_field(struct walk *walk, struct field *field)
{
    const struct writ_json *constant = cli_view_get(&field->view, "const"), *list;
    if (is_passed_over(walk, field))
        return STEP_ABSENT;
    if (walk->depth >= DEPTH_MAX || cli_view_get(&field->view, "enum"))
        return walk_value(walk, field);
    if (constant && !field->given && field->required && !field->is_element) {
        writ_json_print(&walk->form->document, constant, WRIT_JSON_COMPACT);
        return STEP_WRITTEN;
    }
    while (field->branching_count < BRANCHINGS_MAX && (list = find_branching(field))) {
        bool goes_on;
        if (field->branching_count == 0 && is_taken_whole(walk, field))
            return walk_value(walk, field);
        enum step step = choose_branch(walk, field, list, &goes_on);
        if (!goes_on)
            return step;
    }
    unsigned types = cli_view_types(&field->view);
    field->nullable = field->nullable || (types & CLI_TYPE_NULL && types != CLI_TYPE_ANY);
    types &= ~(unsigned)CLI_TYPE_NULL;
    if (types == CLI_TYPE_OBJECT)
        return walk_object_field(walk, field);
    if (types == CLI_TYPE_LIST && !field->given)
        return walk_list(walk, field);
    return walk_value(walk, field);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int cli_form_walk(struct cli_form *form, struct writ_error *error)
{
    struct walk walk = {.form = form, .error = error};
    struct field root = {.required = true, .given = form->before};
    writ_arena_clear(&form->walk_arena);
    writ_buffer_init(&walk.pointer, PLACE_BYTES_MAX);
    writ_buffer_init(&walk.label, PLACE_BYTES_MAX);
    cut(&form->document, 0);
    form->pending = false;
    form->secret_count = 0;
    form->secrets = writ_arena_zalloc(&form->walk_arena, SECRETS_MAX, sizeof *form->secrets);
    cli_view_init(&root.view, form->contract->input_node);
    cli_view_add(&root.view, form->contract->input_node);
    enum step step = walk_field(&walk, &root);
    bool failed = walk.failed || walk.pointer.failed || walk.label.failed || form->document.failed || !form->secrets;
    writ_buffer_clear(&walk.pointer);
    writ_buffer_clear(&walk.label);
    if (step == STEP_FAILED)
        return error->code;
    if (failed)
        return writ_error_memory(error);
    if (walk.has_too_many_secrets)
        return writ_error_set(error, WRIT_INTERNAL_LIMIT, "a form hides at most %d values; give the input with --input",
                              SECRETS_MAX);
    qsort(form->secrets, form->secret_count, sizeof *form->secrets, compare_texts);
    return 0;
}
