/* S4.9, S4.10: what a skill needs of this machine, told one by one; and the plan of a call, printed. */
#include "../skill/folders.h"
#include "calls.h"
#include "run/explain.h"
#include "run/needs.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

#define ID "com.example.a"

static const struct writ_need *need_of(const struct writ_needs *needs, const char *name)
{
    for (size_t i = 0; i < needs->count; i++)
        if (strcmp(needs->items[i].name, name) == 0)
            return &needs->items[i];
    fail_msg("there is no need `%s`", name);
    return &needs->items[0];
}

static void look(const char *folder, struct writ_needs *ret_needs)
{
    char path[256];
    struct writ_skill *skill = NULL;
    struct writ_error error;
    (void)snprintf(path, sizeof path, "%s/%s", folders_root, folder);
    if (writ_catalog_open_folder(path, &skill, &error) < 0)
        fail_msg("%s", error.message);
    writ_needs_check(skill, &calls.places, NULL, ret_needs);
    writ_skill_free(skill);
}

static void is_lacking(const struct writ_needs *needs, const char *name, const char *mend)
{
    const struct writ_need *need = need_of(needs, name);
    assert_false(need->met);
    assert_true(need->found[0] != '\0');
    if (!strstr(need->mend, mend))
        fail_msg("%s: said `%s`", name, need->mend);
}

static void each_need_is_looked_at(void **state)
{
    (void)state;
    calls_skill(ID,
                "'binary:run:cat', 'binary:run:no-such-program', 'filesystem:read:/etc/passwd', "
                "'filesystem:read:/no/such/file', 'network:https://example.com', 'filesystem:read:${{ .input.file }}'",
                "file: {type: string}", "");
    struct writ_needs needs;
    look("skills/" ID, &needs);
    assert_int_equal(needs.count, 6);
    assert_true(need_of(&needs, "sh")->met);
    assert_true(need_of(&needs, "cat")->met);
    assert_true(need_of(&needs, "/etc/passwd")->met);
    is_lacking(&needs, "no-such-program", "install it");
    is_lacking(&needs, "/no/such/file", "install");
    is_lacking(&needs, "network:https://example.com", "refused");
    calls.places.path = "/no/such/folder";
    look("skills/" ID, &needs);
    is_lacking(&needs, "sh", "install it");
}

static void more_needs_than_there_is_room_for_are_not_met(void **state)
{
    (void)state;
    char permissions[12288];
    size_t used = 0;
    for (int i = 0; i < 70; i++)
        used += (size_t)snprintf(permissions + used, sizeof permissions - used, "%s'filesystem:read:/etc/passwd%.*s'",
                                 i ? ", " : "", i,
                                 "0123456789012345678901234567890123456789012345678901234567890123456789");
    char path[256], text[16384];
    (void)snprintf(text, sizeof text,
                   "id: " ID "\nname: A\ndescription: Does nothing.\nversion: 1.0.0\npermissions: [%s]\nruntime: [sh]\n"
                   "input: {type: object}\noutput: {type: object, required: [success, data], properties: {success: "
                   "{type: boolean}, data: {}, error: {type: string}}}\n",
                   permissions);
    (void)snprintf(path, sizeof path, "skills/" ID "/skill.yaml");
    folders_write(path, text);
    folders_write("skills/" ID "/main.sh", "");
    struct writ_needs needs;
    look("skills/" ID, &needs);
    assert_int_equal(needs.count, WRIT_NEEDS_MAX);
    assert_false(needs.items[WRIT_NEEDS_MAX - 1].met);
}

static void a_program_of_its_own_must_be_built(void **state)
{
    (void)state;
    calls_skill(ID, "", "", "");
    folders_remove("skills/" ID "/main.sh");
    folders_write("skills/" ID "/skill.yaml",
                  "id: " ID "\nname: A\ndescription: Does nothing.\nversion: 1.0.0\nruntime: [native]\n"
                  "input: {type: object}\noutput: {type: object, required: [success, data], properties: {success: "
                  "{type: boolean}, data: {}, error: {type: string}}}\n");
    struct writ_needs needs;
    look("skills/" ID, &needs);
    is_lacking(&needs, "native", "build the program");
    folders_write("skills/" ID "/main", "#!/no/such/interpreter\n");
    folders_mode("skills/" ID "/main", 0755);
    look("skills/" ID, &needs);
    is_lacking(&needs, "native", "install it");
    folders_write("skills/" ID "/main", "#!/bin/sh\n");
    look("skills/" ID, &needs);
    assert_true(need_of(&needs, "native")->met);
}

/* Each grant is told with its reason, and nothing of the plan steers a terminal or breaks the JSON. */
static void a_plan_is_told_whole(void **state)
{
    (void)state;
    calls_skill(ID, "'filesystem:read:${{ .input.file }}', 'binary:run:cat'", "file: {type: string}", "exit 1\n");
    folders_write("work/odd\nname", "x");
    struct writ_call call = calls.call;
    struct writ_outcome outcome;
    call.id = ID;
    call.input = "{\"file\": \"odd\\nname\"}";
    call.input_length = strlen(call.input);
    call.explain_only = true;
    assert_int_equal(writ_invoke(&call, &outcome), 0);
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer text;
    writ_buffer_init(&text, 1 << 20);
    writ_explain_text(&text, outcome.prepared);
    assert_false(text.failed);
    assert_non_null(strstr(writ_buffer_text(&text), "filesystem:read:${{ .input.file }}"));
    assert_non_null(strstr(writ_buffer_text(&text), "/cat"));
    writ_buffer_clear(&text);
    struct writ_json_writer writer;
    struct writ_arena arena;
    struct writ_error error;
    const struct writ_json *plan;
    writ_arena_init(&arena, 1 << 20);
    writ_json_writer_init(&writer, &text);
    writ_explain_json(&writer, outcome.prepared);
    assert_int_equal(writ_json_parse(&arena, writ_buffer_text(&text), text.length, &plan, &error), 0);
    const struct writ_json *places = writ_json_get(plan, "places");
    assert_non_null(places);
    char path[256];
    bool found = false;
    (void)snprintf(path, sizeof path, "%s/odd\nname", calls.working);
    WRIT_JSON_EACH_ITEM(place, places)
    if (writ_json_is_text(writ_json_get(place, "path"), path))
        found = writ_json_is_text(writ_json_get(place, "kind"), "read");
    assert_true(found);
    writ_arena_clear(&arena);
    writ_outcome_clear(&outcome);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, calls_set_up, calls_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(each_need_is_looked_at),
        CASE(more_needs_than_there_is_room_for_are_not_met),
        CASE(a_program_of_its_own_must_be_built),
        CASE(a_plan_is_told_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
