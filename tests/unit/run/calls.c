#include "calls.h"

#include "../skill/folders.h"
#include "audit/audit.h"
#include "support.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct calls calls;

int calls_set_up(void **state)
{
    if (folders_set_up(state) != 0)
        return -1;
    const struct {
        char *text;
        const char *name;
    } folders[] = {{calls.home, "home"},
                   {calls.config, "home/.config/writ"},
                   {calls.data, "home/.local/share/writ"},
                   {calls.state, "home/.local/state/writ"},
                   {calls.cache, "home/.cache/writ"},
                   {calls.skills, "skills"},
                   {calls.working, "work"}};
    for (size_t i = 0; i < WRIT_COUNT(folders); i++)
        (void)snprintf(folders[i].text, sizeof calls.home, "%s/%s", folders_root, folders[i].name);
    folders_make("home");
    folders_make("skills");
    folders_make("work");
    calls.places = (struct writ_places){.home = calls.home,
                                        .config = calls.config,
                                        .data = calls.data,
                                        .state = calls.state,
                                        .cache = calls.cache,
                                        .path = "/usr/local/bin:/usr/bin:/bin",
                                        .working = calls.working};
    calls.folders[0] = calls.skills;
    calls.catalog =
        (struct writ_catalog_options){.places = &calls.places, .skill_folders = calls.folders, .skill_folder_count = 1};
    calls.call = (struct writ_call){
        .catalog = &calls.catalog, .caller = "test", .identity_id = "someone", .working_folder = calls.working};
    return 0;
}

int calls_tear_down(void **state)
{
    return folders_tear_down(state);
}

bool calls_can_run(void)
{
    static int answer = -1;
    if (answer < 0) {
        struct writ_sandbox_spare spare = {.begun = NULL};
        struct writ_error error;
        answer = writ_sandbox_begin(&spare, &error) == 0;
        if (!answer)
            print_message("# SKIPPED, no sandbox can be made here: %s\n", error.message);
        writ_sandbox_spare_clear(&spare);
    }
    return answer;
}

void calls_skill(const char *id, const char *permissions, const char *properties, const char *script)
{
    char path[256], text[4096];
    int length = snprintf(text, sizeof text,
                          "id: %s\nname: A skill\ndescription: Does what one test wants to see.\nversion: 1.2.3\n"
                          "permissions: [%s]\nruntime: [sh, 'timeout:20s', 'memory:256MB']\n"
                          "input: {type: object, additionalProperties: false, properties: {%s}}\n"
                          "output: {type: object, required: [success, data], properties: {success: {type: boolean},"
                          " data: {}, error: {type: string}}}\n",
                          id, permissions, properties);
    assert_true(length > 0 && (size_t)length < sizeof text);
    (void)snprintf(path, sizeof path, "skills/%s/skill.yaml", id);
    folders_write(path, text);
    (void)snprintf(path, sizeof path, "skills/%s/main.sh", id);
    folders_write(path, script);
}

int calls_make(const char *id, const char *input, struct writ_outcome *ret_outcome)
{
    struct writ_call call = calls.call;
    call.id = id;
    call.input = input;
    call.input_length = strlen(input);
    int code = writ_invoke(&call, ret_outcome);
    assert_int_equal(code, ret_outcome->error.code);
    return code;
}

struct reading {
    const char *run_id;
    struct writ_arena *arena;
    struct calls_record record;
};

static int visit(void *context, const struct writ_audit_record *record, struct writ_error *error)
{
    struct reading *reading = context;
    if (!writ_json_is_text(writ_json_get(record->json, "run"), reading->run_id))
        return 0;
    const struct writ_json *copy;
    const char *line = writ_arena_copy(reading->arena, record->line, record->length);
    assert_non_null(line);
    assert_int_equal(writ_json_parse(reading->arena, line, record->length, &copy, error), 0);
    bool is_begin = writ_json_is_text(writ_json_get(copy, "type"), "begin");
    *(is_begin ? &reading->record.begin : &reading->record.end) = copy;
    reading->record.records++;
    return 0;
}

struct calls_record calls_record_of(const char *run_id, struct writ_arena *arena)
{
    struct reading reading = {.run_id = run_id, .arena = arena};
    struct writ_error error;
    assert_int_equal(writ_audit_read(calls.state, 1, visit, &reading, &error), 0);
    return reading.record;
}
