#include "form/form.h"

#include "form/answer.h"
#include "form/check.h"
#include "form/secret.h"
#include "form/walk.h"

#include "data/json_pointer.h"

#include <stdlib.h>
#include <string.h>

#define ANSWERS_BYTES_MAX ((size_t)128 << 20)
#define DOCUMENT_BYTES_MAX ((size_t)32 << 20)
#define FAULTS_MAX 20
#define POINTER_BYTES_MAX 4096
#define HIDDEN "(hidden)"

int writ_form_new(const struct writ_contract *contract, const struct writ_json *before, bool only_missing,
                  struct writ_form **ret_form, struct writ_error *error)
{
    struct writ_form *form = calloc(1, sizeof *form);
    if (!form)
        return writ_error_memory(error);
    form->contract = contract;
    form->before = before;
    form->only_missing = only_missing;
    form->has_secrets = writ_form_schema_has_secrets(contract->input_node);
    writ_arena_init_secret(&form->answers_arena, ANSWERS_BYTES_MAX);
    writ_arena_init_secret(&form->walk_arena, ANSWERS_BYTES_MAX);
    writ_buffer_init_secret(&form->document, DOCUMENT_BYTES_MAX);
    int result = writ_form_view_registry_new(contract->input_node, &form->registry, error);
    if (result == 0)
        result = writ_form_walk(form, error);
    if (result < 0)
        writ_form_free(form);
    else
        *ret_form = form;
    return result;
}

void writ_form_free(struct writ_form *form)
{
    if (!form)
        return;
    writ_schema_registry_free(form->registry);
    writ_buffer_clear(&form->document);
    writ_arena_clear(&form->walk_arena);
    writ_arena_clear(&form->answers_arena);
    free(form);
}

const struct writ_form_question *writ_form_question(const struct writ_form *form)
{
    return form->pending ? &form->question : NULL;
}

/* ---- answering ---- */

static const struct writ_json *keep_value(struct writ_form *form, const struct writ_json *value)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    const struct writ_json *copy = NULL;
    struct writ_error error;
    writ_buffer_init_secret(&text, DOCUMENT_BYTES_MAX);
    writ_json_print(&text, value, WRIT_JSON_COMPACT);
    if (text.failed || writ_json_parse(&form->answers_arena, writ_buffer_text(&text), text.length, &copy, &error) < 0)
        return NULL;
    return copy;
}

/* The length of the pointer without its last token. */
static size_t parent_length(const char *pointer)
{
    const char *slash = strrchr(pointer, '/');
    return slash ? (size_t)(slash - pointer) : 0;
}

/* An element of a list whose elements must differ. */
static int check_unique(const struct writ_form *form, const struct writ_json *value, struct writ_error *error)
{
    const struct writ_form_question *question = &form->question;
    size_t length = parent_length(question->pointer);
    for (size_t i = 0; i < form->asked_at; i++) {
        const struct writ_form_entry *other = &form->answers[i];
        if (other->purpose == WRIT_FORM_ASK_VALUE && other->given.kind == WRIT_FORM_ANSWER_VALUE &&
            parent_length(other->pointer) == length && memcmp(other->pointer, question->pointer, length) == 0 &&
            writ_json_equal(other->given.value, value))
            return writ_error_set(error, WRIT_INPUT_INVALID, "must differ from the elements before it");
    }
    return 0;
}

static int check_answer(const struct writ_form *form, const struct writ_form_answer *answer, struct writ_error *error)
{
    const struct writ_form_question *question = &form->question;
    bool has_value = answer->kind == WRIT_FORM_ANSWER_VALUE && question->purpose == WRIT_FORM_ASK_VALUE;
    if (!has_value || (question->nullable && answer->value->kind == WRIT_JSON_NULL))
        return 0;
    bool secret = question->secret || (form->has_secrets && writ_form_is_compound(answer->value));
    int result = writ_form_view_check(question->view, form->registry, answer->value, secret, error);
    if (result == 0 && question->unique)
        result = check_unique(form, answer->value, error);
    return result;
}

int writ_form_answer(struct writ_form *form, const char *text, size_t length, struct writ_error *error)
{
    const struct writ_form_question *question = &form->question;
    struct writ_form_answer answer;
    int result = writ_form_answer_read(question, text, length, &form->answers_arena, &answer, error);
    if (result == 0)
        result = check_answer(form, &answer, error);
    if (result < 0)
        return result;
    const char *pointer = writ_arena_copy(&form->answers_arena, question->pointer, strlen(question->pointer));
    if (answer.value)
        answer.value = keep_value(form, answer.value); /* it may be the question's, which goes with it */
    if (!pointer || (answer.kind == WRIT_FORM_ANSWER_VALUE && !answer.value))
        return writ_error_memory(error);
    form->answers[form->asked_at] =
        (struct writ_form_entry){.pointer = pointer, .purpose = question->purpose, .given = answer};
    if (form->asked_at == form->answer_count)
        form->answer_count++;
    return writ_form_walk(form, error);
}

int writ_form_back(struct writ_form *form, bool *ret_moved, struct writ_error *error)
{
    size_t at = form->pending ? form->asked_at : form->answer_count;
    while (at > 0 && form->answers[at - 1].automatic)
        at--;
    *ret_moved = at > 0;
    if (at == 0)
        return 0;
    form->answer_count = at - 1;
    return writ_form_walk(form, error);
}

/* ---- the document ---- */

static int compare_pointer(const void *pointer, const void *secret)
{
    return strcmp(pointer, *(const char *const *)secret);
}

static bool is_secret(const struct writ_form *form, const char *pointer)
{
    return form->secret_count > 0 &&
           bsearch(pointer, form->secrets, form->secret_count, sizeof *form->secrets, compare_pointer);
}

struct copy {
    const struct writ_form *form;
    enum writ_form_document which;
    struct writ_json_writer writer;
    struct writ_buffer pointer;
};

/* Depth is bounded by what the JSON reader took. */
static void write_copy(struct copy *copy, const struct writ_json *node)
{
    size_t length = copy->pointer.length, index = 0;
    if (is_secret(copy->form, writ_buffer_text(&copy->pointer))) {
        if (length == 0 && copy->which == WRIT_FORM_REPEATED) {
            writ_json_write_object(&copy->writer);
            writ_json_write_object_end(&copy->writer);
        } else {
            writ_json_write_text(&copy->writer, HIDDEN);
        }
    } else if (node->kind == WRIT_JSON_OBJECT) {
        writ_json_write_object(&copy->writer);
        WRIT_JSON_EACH_MEMBER(key, node)
        {
            writ_json_pointer_append(&copy->pointer, key->text, key->length);
            if (copy->which != WRIT_FORM_REPEATED || !is_secret(copy->form, writ_buffer_text(&copy->pointer))) {
                writ_json_write_key_sized(&copy->writer, key->text, key->length);
                write_copy(copy, key + 1);
            }
            copy->pointer.length = length;
            copy->pointer.data[length] = '\0';
        }
        writ_json_write_object_end(&copy->writer);
    } else if (node->kind == WRIT_JSON_ARRAY) {
        writ_json_write_array(&copy->writer);
        WRIT_JSON_EACH_ITEM(item, node)
        {
            writ_json_pointer_append_index(&copy->pointer, index++);
            write_copy(copy, item);
            copy->pointer.length = length;
            copy->pointer.data[length] = '\0';
        }
        writ_json_write_array_end(&copy->writer);
    } else {
        writ_json_write_node(&copy->writer, node);
    }
}

static int parse_document(const struct writ_form *form, struct writ_arena *arena, const struct writ_json **ret_document,
                          struct writ_error *error)
{
    return writ_json_parse(arena, writ_buffer_text(&form->document), form->document.length, ret_document, error);
}

int writ_form_print(const struct writ_form *form, enum writ_form_document which, enum writ_json_style style,
                    struct writ_buffer *out, struct writ_error *error)
{
    struct writ_arena arena;
    const struct writ_json *document;
    writ_arena_init_secret(&arena, ANSWERS_BYTES_MAX);
    int result = parse_document(form, &arena, &document, error);
    if (result == 0 && which != WRIT_FORM_WHOLE && form->secret_count > 0) {
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
        writ_buffer_init(&text, DOCUMENT_BYTES_MAX);
        struct copy copy = {.form = form, .which = which};
        writ_json_writer_init(&copy.writer, &text);
        writ_buffer_init(&copy.pointer, DOCUMENT_BYTES_MAX);
        write_copy(&copy, document);
        result = text.failed || copy.pointer.failed
                     ? writ_error_memory(error)
                     : writ_json_parse(&arena, writ_buffer_text(&text), text.length, &document, error);
        writ_buffer_clear(&copy.pointer);
    }
    if (result == 0) {
        writ_json_print(out, document, style);
        if (out->failed)
            result = writ_error_memory(error);
    }
    writ_arena_clear(&arena);
    return result;
}

size_t writ_form_secret_count(const struct writ_form *form)
{
    return form->secret_count;
}

/* ---- the whole ---- */

static bool is_about_secret(const struct writ_form *form, const char *pointer)
{
    char place[POINTER_BYTES_MAX];
    size_t length = strlen(pointer);
    if (form->secret_count == 0)
        return false;
    for (size_t i = 0; i <= length && i < sizeof place; i++) {
        place[i] = '\0';
        if ((pointer[i] == '/' || pointer[i] == '\0') && is_secret(form, place))
            return true;
        place[i] = pointer[i];
    }
    return length >= sizeof place;
}

/* A sentence that tells the value is one for others. */
static int hide_secrets(const struct writ_form *form, struct writ_arena *arena, struct writ_schema_faults *faults,
                        struct writ_error *error)
{
    struct writ_schema_fault *items = writ_arena_zalloc(arena, faults->count, sizeof *items);
    if (!items)
        return writ_error_memory(error);
    for (size_t i = 0; i < faults->count; i++) {
        items[i] = faults->items[i];
        if (!is_about_secret(form, items[i].instance_pointer))
            continue;
        items[i].message = writ_arena_printf(arena, WRIT_FORM_SECRET_FAULT, items[i].keyword);
        if (!items[i].message)
            return writ_error_memory(error);
    }
    faults->items = items;
    return 0;
}

int writ_form_check(const struct writ_form *form, struct writ_arena *arena, struct writ_schema_faults *ret_faults,
                    struct writ_error *error)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer filled;
    const struct writ_json *document;
    writ_buffer_init_secret(&filled, 2 * DOCUMENT_BYTES_MAX);
    int result = parse_document(form, arena, &document, error);
    if (result == 0)
        result = writ_contract_apply_defaults(form->contract, document, &filled, error);
    if (result == 0)
        result = writ_json_parse(arena, writ_buffer_text(&filled), filled.length, &document, error);
    if (result == 0)
        result = writ_schema_explain(form->contract->input, document, FAULTS_MAX, arena, ret_faults, error);
    return result == 0 ? hide_secrets(form, arena, ret_faults, error) : result;
}

/* True when `pointer` is `outer` or lies in it. */
static bool lies_in(const char *pointer, const char *outer)
{
    size_t length = strlen(outer);
    return strncmp(pointer, outer, length) == 0 && (pointer[length] == '\0' || pointer[length] == '/');
}

/* The answer that holds the place of a fault, the nearest to it; SIZE_MAX: none. */
static size_t find_holder(const struct writ_form *form, const char *pointer)
{
    size_t best = SIZE_MAX, longest = 0;
    for (size_t i = 0; i < form->answer_count; i++) {
        const struct writ_form_entry *answer = &form->answers[i];
        size_t length = strlen(answer->pointer);
        if (answer->given.kind == WRIT_FORM_ANSWER_VALUE && answer->purpose == WRIT_FORM_ASK_VALUE &&
            lies_in(pointer, answer->pointer) && (best == SIZE_MAX || length >= longest)) {
            best = i;
            longest = length;
        }
    }
    return best;
}

/* Members of the object `pointer` that were left out; with `message` only those that it names. */
static bool open_left_out(struct writ_form *form, const char *pointer, const char *message)
{
    bool opened = false;
    for (size_t i = 0; i < form->answer_count; i++) {
        struct writ_form_entry *answer = &form->answers[i];
        size_t length = parent_length(answer->pointer);
        bool is_member = strlen(pointer) == length && memcmp(pointer, answer->pointer, length) == 0;
        bool left_out = answer->given.kind == WRIT_FORM_ANSWER_NONE ||
                        (answer->purpose == WRIT_FORM_ASK_WHETHER && answer->given.value->kind == WRIT_JSON_FALSE);
        if (!is_member || !left_out || !answer->pointer[0])
            continue;
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer name;
        writ_buffer_init(&name, 4096);
        writ_buffer_printf(&name, "\"%s\"", answer->pointer + length + 1);
        if (!message || strstr(message, writ_buffer_text(&name)))
            answer->open = opened = true;
    }
    return opened;
}

int writ_form_reopen(struct writ_form *form, const struct writ_schema_fault *fault, bool *ret_reopened,
                     struct writ_error *error)
{
    size_t holder = find_holder(form, fault->instance_pointer);
    if (holder != SIZE_MAX)
        form->answers[holder].open = true;
    /* A fault of an object as a whole: what was left out in it may be what is missing. */
    *ret_reopened = holder != SIZE_MAX || open_left_out(form, fault->instance_pointer, fault->message) ||
                    open_left_out(form, fault->instance_pointer, NULL);
    return *ret_reopened ? writ_form_walk(form, error) : 0;
}
