#include "form/ask.h"

#include "data/json_pointer.h"
#include "form/check.h"
#include "form/secret.h"

#include <string.h>

#define CHOICES_MAX 256
#define CHOICE_BYTES_MAX ((size_t)64 << 10)

enum form_step form_fail_for_memory(struct form_walk *walk)
{
    (void)writ_error_memory(walk->error);
    return STEP_FAILED;
}

/* ---- questions ---- */

const char *form_copy_text(struct form_walk *walk, const struct writ_buffer *text)
{
    const char *copy = writ_arena_copy(&walk->form->walk_arena, writ_buffer_text(text), text->length);
    walk->failed = walk->failed || !copy;
    return copy;
}

const struct writ_form_view *form_copy_view(struct form_walk *walk, const struct writ_form_view *view)
{
    struct writ_form_view *copy = writ_arena_alloc(&walk->form->walk_arena, sizeof *copy);
    if (copy)
        *copy = *view;
    walk->failed = walk->failed || !copy;
    return copy;
}

const struct writ_json *form_literal(struct form_walk *walk, const char *text)
{
    const struct writ_json *value = NULL;
    struct writ_error error;
    walk->failed = writ_json_parse(&walk->form->walk_arena, text, strlen(text), &value, &error) < 0 || walk->failed;
    return value;
}

static bool is_path(const struct form_walk *walk, const struct form_field *field)
{
    const struct writ_contract *contract = walk->form->contract;
    const char *pointer = writ_buffer_text(&walk->pointer);
    size_t length = walk->pointer.length;
    while (field->is_element && length > 0 && pointer[length - 1] != '/')
        length--;
    length -= field->is_element && length > 0;
    return writ_permissions_name_input(contract->permissions, contract->permission_count, pointer, length);
}

static enum writ_form_question_kind kind_of(const struct form_field *field)
{
    switch (writ_form_view_types(&field->view) & ~(unsigned)WRIT_FORM_TYPE_NULL) {
    case WRIT_FORM_TYPE_TEXT:
        return WRIT_FORM_QUESTION_TEXT;
    case WRIT_FORM_TYPE_BOOLEAN:
        return WRIT_FORM_QUESTION_BOOLEAN;
    case WRIT_FORM_TYPE_INTEGER:
        return WRIT_FORM_QUESTION_INTEGER;
    case WRIT_FORM_TYPE_NUMBER | WRIT_FORM_TYPE_INTEGER:
        return WRIT_FORM_QUESTION_NUMBER;
    default:
        return writ_form_view_types(&field->view) & WRIT_FORM_TYPE_TEXT ? WRIT_FORM_QUESTION_MIXED
                                                                        : WRIT_FORM_QUESTION_JSON;
    }
}

/* Adds values, one after the other in the document, as choices; texts as they are, all else as JSON. */
static void add_choices(struct form_walk *walk, struct writ_form_question *question, const struct writ_json *value,
                        size_t values)
{
    struct writ_form_choice *choices = writ_arena_zalloc(&walk->form->walk_arena, values, sizeof *choices);
    size_t count = 0;
    question->kind = WRIT_FORM_QUESTION_CHOICE;
    question->choices_by_number = true;
    for (; count < values; value = writ_json_next(value)) {
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
        writ_buffer_init(&text, CHOICE_BYTES_MAX);
        if (value->kind == WRIT_JSON_STRING)
            writ_buffer_append(&text, value->text, value->length);
        else
            writ_json_print(&text, value, WRIT_JSON_COMPACT);
        const char *copy = form_copy_text(walk, &text);
        walk->failed = walk->failed || (text.failed && !text.too_large);
        if (!copy || !choices)
            break;
        /* `2` must not mean the second choice when a choice is `2`. */
        if (copy[0] >= '0' && copy[0] <= '9')
            question->choices_by_number = false;
        choices[count++] = (struct writ_form_choice){.text = copy, .value = value};
    }
    walk->failed = walk->failed || !choices;
    question->choices = choices;
    question->choice_count = count;
}

bool form_is_secret(const struct form_walk *walk, const struct form_field *field)
{
    if (walk->secrecy > 0 || writ_form_view_is_secret(&field->view))
        return true;
    /* A schema around it may say so too, which is no part of the field's view. */
    return walk->form->has_secrets &&
           writ_form_place_is_secret(walk->root, writ_buffer_text(&walk->pointer), walk->pointer.length);
}

static void fill_value_question(struct form_walk *walk, const struct form_field *field,
                                struct writ_form_question *question)
{
    const struct writ_json *values = writ_form_view_get(&field->view, "enum"),
                           *value = writ_form_view_get(&field->view, "const");
    question->kind = kind_of(field);
    question->is_path = question->kind == WRIT_FORM_QUESTION_TEXT && is_path(walk, field);
    if (value)
        add_choices(walk, question, value, 1);
    else if (values && values->kind == WRIT_JSON_ARRAY && values->length > 0 && values->length <= CHOICES_MAX)
        add_choices(walk, question, writ_json_first(values), values->length);
    question->nullable = field->nullable;
    question->ends_list = field->is_element;
    question->unique = field->unique;
    if (!field->is_element)
        question->fallback = writ_form_view_get(&field->view, "default");
    if (!question->fallback && !field->is_element && field->required && field->nullable)
        question->fallback = form_literal(walk, "null");
}

/* Leaves a question behind for the person to answer. */
static enum form_step leave(struct form_walk *walk, const struct form_field *field,
                            enum writ_form_question_purpose purpose, const struct writ_form_question *prepared,
                            const char *note)
{
    struct writ_form *form = walk->form;
    struct writ_form_question question =
        prepared ? *prepared : (struct writ_form_question){.kind = WRIT_FORM_QUESTION_BOOLEAN};
    question.purpose = purpose;
    question.label = form_copy_text(walk, &walk->label);
    question.pointer = form_copy_text(walk, &walk->pointer);
    question.view = form_copy_view(walk, &field->view);
    question.required = field->is_element ? field->list_required : field->required;
    question.index = field->index;
    question.items_min = field->items_min;
    question.secret = purpose != WRIT_FORM_ASK_WHETHER && purpose != WRIT_FORM_ASK_MORE && form_is_secret(walk, field);
    if (purpose == WRIT_FORM_ASK_VALUE)
        fill_value_question(walk, field, &question);
    if (walk->section) {
        question.section = walk->section;
        question.section_view = walk->section_view;
    }
    question.note = note;
    if (walk->failed)
        return form_fail_for_memory(walk);
    form->question = question;
    form->asked_at = walk->at;
    form->pending = true;
    return STEP_PENDING;
}

/* A value given before the form stands in for an answer, once, when its schema takes it. */
static enum form_step take_given(struct form_walk *walk, const struct form_field *field, const char **ret_note)
{
    struct writ_form *form = walk->form;
    struct writ_error fault;
    bool secret = form_is_secret(walk, field) || (form->has_secrets && writ_form_is_compound(field->given));
    int result = writ_form_view_check(&field->view, form->registry, field->given, secret, &fault);
    if (result == WRIT_INPUT_INVALID) {
        *ret_note = writ_arena_copy(&form->walk_arena, fault.message, strlen(fault.message));
        return *ret_note ? STEP_PENDING : form_fail_for_memory(walk);
    }
    if (result < 0) {
        *walk->error = fault;
        return STEP_FAILED;
    }
    char *pointer = writ_arena_copy(&form->answers_arena, writ_buffer_text(&walk->pointer), walk->pointer.length);
    if (!pointer)
        return form_fail_for_memory(walk);
    form->answers[walk->at] = (struct writ_form_entry){.pointer = pointer,
                                                       .purpose = WRIT_FORM_ASK_VALUE,
                                                       .given = {.kind = WRIT_FORM_ANSWER_VALUE, .value = field->given},
                                                       .automatic = true};
    form->answer_count = walk->at + 1;
    return STEP_WRITTEN;
}

enum form_step form_ask(struct form_walk *walk, const struct form_field *field, enum writ_form_question_purpose purpose,
                        const struct writ_form_question *prepared, const struct writ_form_answer **ret_answer)
{
    struct writ_form *form = walk->form;
    const char *note = NULL;
    bool open = false;
    if (walk->at < form->answer_count) {
        const struct writ_form_entry *answer = &form->answers[walk->at];
        open = answer->open;
        if (answer->purpose != purpose || strcmp(answer->pointer, writ_buffer_text(&walk->pointer)) != 0) {
            form->answer_count = walk->at; /* what follows answered other questions */
            open = false;
        }
    }
    if (walk->at == WRIT_FORM_ANSWERS_MAX) {
        (void)writ_error_set(walk->error, WRIT_INTERNAL_LIMIT,
                             "a form takes at most %d answers; give the input with --input", WRIT_FORM_ANSWERS_MAX);
        return STEP_FAILED;
    }
    if (walk->at == form->answer_count && purpose == WRIT_FORM_ASK_VALUE && field->given) {
        enum form_step step = take_given(walk, field, &note);
        if (step == STEP_FAILED)
            return step;
    }
    if (walk->at >= form->answer_count || open)
        return leave(walk, field, purpose, prepared, note);
    *ret_answer = &form->answers[walk->at++].given;
    walk->section = NULL;
    return STEP_WRITTEN;
}

/* ---- secrets ---- */

static void note_pointer(void *context, const char *pointer, size_t length)
{
    struct form_walk *walk = context;
    struct writ_form *form = walk->form;
    walk->has_too_many_secrets = walk->has_too_many_secrets || form->secret_count == FORM_SECRETS_MAX;
    const char *copy = writ_arena_copy(&form->walk_arena, pointer, length);
    walk->failed = walk->failed || !copy || !form->secrets;
    if (!walk->failed && !walk->has_too_many_secrets)
        form->secrets[form->secret_count++] = copy;
}

/* Of the whole document many were noted on the way. */
static void note_pointer_once(void *context, const char *pointer, size_t length)
{
    const struct form_walk *walk = context;
    for (size_t i = 0; i < walk->form->secret_count; i++)
        if (strlen(walk->form->secrets[i]) == length && memcmp(walk->form->secrets[i], pointer, length) == 0)
            return;
    note_pointer(context, pointer, length);
}

void form_note_whole(struct form_walk *walk)
{
    struct writ_form *form = walk->form;
    const struct writ_json *document;
    struct writ_error error;
    if (!form->has_secrets || walk->failed || form->document.failed)
        return;
    if (writ_json_parse(&form->walk_arena, writ_buffer_text(&form->document), form->document.length, &document,
                        &error) == 0)
        writ_form_secrets_find(walk->root, document, &walk->pointer, note_pointer_once, walk);
    else
        walk->failed = true;
}

void form_note_field(struct form_walk *walk, const struct form_field *field)
{
    size_t length = walk->pointer.length;
    while (field->is_element && length > 0 && walk->pointer.data[length - 1] != '/')
        length--;
    length -= field->is_element && length > 0;
    note_pointer(walk, writ_buffer_text(&walk->pointer), length);
}

void form_note_secrets(struct form_walk *walk, const struct form_field *field, const struct writ_json *value)
{
    if (form_is_secret(walk, field))
        form_note_field(walk, field);
    else if (walk->form->has_secrets)
        writ_form_secrets_find(&field->view, value, &walk->pointer, note_pointer, walk);
}

void form_note_given(struct form_walk *walk, const struct writ_form_view *view, const struct writ_json *given)
{
    if (given && walk->form->has_secrets)
        writ_form_secrets_find(view, given, &walk->pointer, note_pointer, walk);
}
