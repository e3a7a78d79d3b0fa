/* S4.3, S4.5: which program a name is, what it needs to load, and which version suits. */
#include "../skill/folders.h"
#include "base/descriptor.h"
#include "calls.h"
#include "run/dependency.h"
#include "support.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct writ_arena arena;
static char search_path[1024];

static int set_up(void **state)
{
    writ_arena_init(&arena, 1 << 20);
    return calls_set_up(state);
}

static int tear_down(void **state)
{
    writ_arena_clear(&arena);
    return calls_tear_down(state);
}

static void put_program(const char *path, const char *text)
{
    folders_write(path, text);
    folders_mode(path, 0755);
}

/* Folders below the temporary one, colon-separated, as the search path. */
static void search(const char *folders)
{
    search_path[0] = '\0';
    size_t used = 0;
    for (const char *at = folders; *at;) {
        size_t length = strcspn(at, ":");
        used += (size_t)snprintf(search_path + used, sizeof search_path - used, "%s%s/%.*s", used ? ":" : "",
                                 folders_root, (int)length, at);
        at += length + (at[length] == ':');
    }
    calls.places.path = search_path;
}

static int find(const char *name, struct writ_program *ret_program, struct writ_error *error)
{
    return writ_program_find(search_path, name, &arena, ret_program, error);
}

static void is_missing(const char *name, const char *part)
{
    struct writ_program program = {.fd = -7};
    struct writ_error error;
    assert_int_equal(find(name, &program, &error), WRIT_DEPENDENCY_MISSING);
    if (!strstr(error.message, part))
        fail_msg("said: %s", error.message);
    assert_int_equal(program.fd, -7);
}

static void is_found(const char *name, const char *found, const char *real)
{
    struct writ_program program;
    struct writ_error error;
    char path[512];
    if (find(name, &program, &error) < 0)
        fail_msg("%s", error.message);
    (void)snprintf(path, sizeof path, "%s/%s", folders_root, found);
    assert_string_equal(program.found, path);
    (void)snprintf(path, sizeof path, "%s/%s", folders_root, real);
    assert_string_equal(program.real, path);
    writ_descriptor_close(&program.fd);
}

static void the_search_path_is_followed_in_its_order(void **state)
{
    (void)state;
    put_program("b/tool", "#!/bin/sh\n");
    folders_write("a/tool", "#!/bin/sh\n"); /* not executable */
    folders_make("c/tool");                 /* no file */
    folders_make("d");
    folders_make("e");
    folders_link("d/tool", "gone");
    search("missing:a:c:d:b");
    is_found("tool", "b/tool", "b/tool");
    folders_link("e/tool", "../b/tool");
    search("e:b");
    is_found("tool", "e/tool", "b/tool");
    is_missing("other", "not found in PATH");
    search("b");
    char relative[sizeof search_path];
    (void)snprintf(relative, sizeof relative, "b:.::%.200s", search_path);
    memcpy(search_path, relative, sizeof search_path);
    is_found("tool", "b/tool", "b/tool");
}

/* A plan takes normalised paths only, and the name it was found by is one of them. */
static void names_are_normalised(void **state)
{
    (void)state;
    put_program("b/tool", "#!/bin/sh\n");
    const char *const spellings[] = {"b/", "b//", "./b/.", "/.//b/./"};
    for (size_t i = 0; i < WRIT_COUNT(spellings); i++) {
        search(spellings[i]);
        is_found("tool", "b/tool", "b/tool");
    }
    search("x/../b");
    is_missing("tool", "not found in PATH");
}

static void only_programs_of_this_machine_are_programs(void **state)
{
    (void)state;
    search("b");
    put_program("b/text", "just text\n");
    is_missing("text", "neither a program nor a script");
    put_program("b/empty", "");
    is_missing("empty", "neither a program nor a script");
    put_program("b/relative", "#!sh\n");
    is_missing("relative", "absolute path");
    Elf64_Ehdr header = {.e_machine = EM_PPC64, .e_phentsize = sizeof(Elf64_Phdr)};
    memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    put_program("b/foreign", "x");
    char path[256];
    (void)snprintf(path, sizeof path, "%s/b/foreign", folders_root);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    assert_int_equal(writ_descriptor_write_all(fd, &header, sizeof header), 0);
    writ_descriptor_close(&fd);
    is_missing("foreign", "another kind of machine");
}

static void a_script_names_its_interpreter(void **state)
{
    (void)state;
    const struct {
        const char *text, *interpreter;
    } cases[] = {{"#!/bin/sh\n", "/bin/sh"}, {"#! /bin/sh -e\n", "/bin/sh"}, {"#!/bin/sh", "/bin/sh"}};
    search("b");
    for (size_t i = 0; i < WRIT_COUNT(cases); i++) {
        struct writ_program program;
        struct writ_error error;
        put_program("b/tool", cases[i].text);
        assert_int_equal(find("tool", &program, &error), 0);
        assert_int_equal(program.format, WRIT_PROGRAM_SCRIPT);
        assert_string_equal(program.script_interpreter, cases[i].interpreter);
        writ_descriptor_close(&program.fd);
    }
    char long_line[400] = "#!/";
    memset(long_line + 3, 'a', 300);
    put_program("b/tool", long_line);
    is_missing("tool", "absolute path");
}

static void a_program_of_an_opened_folder_is_no_link(void **state)
{
    (void)state;
    struct writ_program program = {.fd = -7};
    struct writ_error error;
    put_program("b/tool", "#!/bin/sh\n");
    folders_link("b/link", "tool");
    WRIT_CLEANUP(writ_descriptor_close) int fd = folders_open("b");
    assert_int_equal(writ_program_open_in(fd, "link", "/b/link", &arena, &program, &error), WRIT_DEPENDENCY_MISSING);
    assert_int_equal(error.sys_errno, ELOOP);
    assert_int_equal(program.fd, -7);
    assert_int_equal(writ_program_open_in(fd, "tool", "/b/tool", &arena, &program, &error), 0);
    assert_string_equal(program.found, "/b/tool");
    writ_descriptor_close(&program.fd);
}

static int find_version(const char *range_text, struct writ_program *ret_program, struct writ_error *error)
{
    struct writ_semver_range range;
    assert_int_equal(writ_semver_range_parse(range_text, &range, error), 0);
    const struct writ_dependency dependency = {
        .name = "tool", .shown = "tool", .range = &range, .range_text = range_text};
    return writ_dependency_find(&calls.places, &dependency, &arena, ret_program, error);
}

static void the_first_version_that_fits_is_taken(void **state)
{
    (void)state;
    if (!calls_can_run()) {
        skip();
        return;
    }
    struct writ_program program;
    struct writ_error error;
    put_program("a/tool", "#!/bin/sh\necho tool 1.4.0\n");
    put_program("b/tool", "#!/bin/sh\necho tool 2.1.0 >&2\n");
    put_program("c/tool", "#!/bin/sh\necho tool 2.9.0\n");
    search("a:b:c");
    if (find_version(">=2", &program, &error) < 0)
        fail_msg("%s", error.message);
    assert_non_null(strstr(program.found, "/b/tool"));
    writ_descriptor_close(&program.fd);
    assert_int_equal(find_version(">=3", &program, &error), WRIT_DEPENDENCY_VERSION);
    assert_non_null(strstr(error.message, "1.4.0"));
    search("d");
    assert_int_equal(find_version(">=2", &program, &error), WRIT_DEPENDENCY_MISSING);
    /* What is remembered of a file ends with the file. */
    search("a");
    folders_remove("a/tool");
    put_program("a/tool", "#!/bin/sh\necho tool 3.0.1\n");
    assert_int_equal(find_version(">=3", &program, &error), 0);
    writ_descriptor_close(&program.fd);
    folders_remove("a/tool");
    put_program("a/tool", "#!/bin/sh\necho a tool without a number\n");
    assert_int_equal(find_version(">=3", &program, &error), WRIT_DEPENDENCY_VERSION);
    assert_non_null(strstr(error.message, "does not tell its version"));
}

/* What others may write is not believed, and a wrong answer of a program is not shown raw. */
static void an_answer_that_others_may_have_written_is_not_believed(void **state)
{
    (void)state;
    if (!calls_can_run()) {
        skip();
        return;
    }
    struct writ_program program;
    struct writ_error error;
    put_program("a/tool", "#!/bin/sh\necho tool 1.4.0\n");
    search("a");
    assert_int_equal(find_version(">=1", &program, &error), 0);
    writ_descriptor_close(&program.fd);
    /* The one file of the cache is given another answer. */
    char folder[256], name[512] = "";
    (void)snprintf(folder, sizeof folder, "%s/versions", calls.cache);
    DIR *stream = opendir(folder);
    assert_non_null(stream);
    for (const struct dirent *entry; (entry = readdir(stream));)
        if (entry->d_name[0] != '.')
            (void)snprintf(name, sizeof name, "home/.cache/writ/versions/%s", entry->d_name);
    assert_int_equal(closedir(stream), 0);
    assert_true(name[0] != '\0');
    folders_write(name, "tool 9.0.0\n");
    assert_int_equal(find_version(">=9", &program, &error), 0);
    writ_descriptor_close(&program.fd);
    folders_mode("home/.cache/writ/versions", 0777);
    assert_int_equal(find_version(">=9", &program, &error), WRIT_DEPENDENCY_VERSION);
    put_program("a/tool", "#!/bin/sh\nprintf 'odd\\nwrit: forged\\n'\n");
    assert_int_equal(find_version(">=9", &program, &error), WRIT_DEPENDENCY_VERSION);
    assert_null(strstr(error.message, "forged"));
}

/* Granted programs are found inside by their names, wherever the caller's PATH has them and whatever they link to. */
static void a_granted_program_is_found_inside(void **state)
{
    (void)state;
    if (!calls_can_run()) {
        skip();
        return;
    }
    put_program("tools/libexec/tool-1.2", "#!/bin/sh\necho 7\n");
    folders_make("tools/bin");
    folders_link("tools/bin/tool", "../libexec/tool-1.2");
    search("tools/bin/");
    (void)snprintf(search_path + strlen(search_path), sizeof search_path - strlen(search_path), ":/usr/bin:/bin");
    calls_skill("com.example.a", "'binary:run:tool'", "", "printf '{\"success\": true, \"data\": %s}' \"$(tool)\"\n");
    struct writ_outcome outcome;
    int result = calls_make("com.example.a", "{}", &outcome);
    if (result < 0)
        print_message("%s\n%s\n", outcome.error.message, writ_buffer_text(&outcome.errors));
    assert_int_equal(result, 0);
    int64_t number;
    assert_true(writ_json_int64(writ_json_get(outcome.output, "data"), &number) && number == 7);
    writ_outcome_clear(&outcome);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_search_path_is_followed_in_its_order),
        CASE(names_are_normalised),
        CASE(only_programs_of_this_machine_are_programs),
        CASE(a_script_names_its_interpreter),
        CASE(a_program_of_an_opened_folder_is_no_link),
        CASE(the_first_version_that_fits_is_taken),
        CASE(an_answer_that_others_may_have_written_is_not_believed),
        CASE(a_granted_program_is_found_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
