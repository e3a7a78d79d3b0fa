/* S3.2, S4.7, C3, C4: where a skill is found, what wins, and what is never run. */
#include "folders.h"
#include "skill/catalog_sources.h"
#include "support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ID "com.example.a"

static char home[128], config[128], data[128], shipped[128], working[128];
static struct writ_places places;
static struct writ_catalog_options options;

static int set_up(void **state)
{
    if (folders_set_up(state) != 0)
        return -1;
    (void)snprintf(home, sizeof home, "%s/home", folders_root);
    (void)snprintf(config, sizeof config, "%s/home/.config/writ", folders_root);
    (void)snprintf(data, sizeof data, "%s/home/.local/share/writ", folders_root);
    (void)snprintf(shipped, sizeof shipped, "%s/shipped", folders_root);
    (void)snprintf(working, sizeof working, "%s/home/work/project/sub", folders_root);
    folders_make("home/work/project/sub");
    folders_make("home/work/project/.git");
    folders_make("shipped");
    places = (struct writ_places){
        .home = home, .config = config, .data = data, .shipped = shipped, .working = working, .path = "/usr/bin"};
    options = (struct writ_catalog_options){.places = &places};
    return 0;
}

#define PROJECT "home/work/project/.writ/skills/"
#define USER "home/.config/writ/skills/"
#define INSTALLED "home/.local/share/writ/skills/"

static void trust(const char *path)
{
    struct writ_error error;
    bool changed;
    if (writ_trust_change(&places, folders_path(path), true, &changed, &error) != 0)
        fail_msg("%s", error.message);
}

static int find_in(const char *id, const char *range, struct writ_skill **skill, struct writ_error *error)
{
    struct writ_semver_range parsed;
    *skill = NULL;
    if (range)
        assert_int_equal(writ_semver_range_parse(range, &parsed, error), 0);
    return writ_catalog_find(&options, id, range ? &parsed : NULL, skill, error);
}

static void found(const char *id, const char *range, enum writ_source_kind source, const char *folder,
                  const char *version)
{
    struct writ_skill *skill;
    struct writ_error error;
    if (find_in(id, range, &skill, &error) != 0)
        fail_msg("%s", error.message);
    assert_int_equal(skill->source, source);
    assert_string_equal(skill->folder, folders_path(folder));
    assert_string_equal(skill->id, id);
    assert_string_equal(skill->contract->version_text, version);
    assert_true(skill->trusted);
    assert_true(skill->folder_fd >= 0);
    assert_int_equal(fcntl(skill->folder_fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    writ_skill_free(skill);
}

/* `blamed`: the folder that is handed out with the error, or NULL for none. */
static void refused(const char *id, const char *range, int code, const char *blamed, const char *part)
{
    struct writ_skill *skill;
    struct writ_error error;
    int result = find_in(id, range, &skill, &error);
    if (result != code)
        fail_msg("gave %d: %s", result, result == 0 ? skill->folder : error.message);
    if (!strstr(error.message, part))
        fail_msg("the message lacks `%s`: %s", part, error.message);
    assert_int_equal(blamed != NULL, skill != NULL);
    if (blamed) {
        assert_string_equal(skill->folder, folders_path(blamed));
        assert_null(skill->contract);
        assert_int_equal(skill->fault.code, code);
    }
    writ_skill_free(skill);
}

static void sources_have_an_order(void **state)
{
    (void)state;
    folders_skill("shipped/" ID, ID, "1.0.0");
    found(ID, NULL, WRIT_SOURCE_SHIPPED, "shipped/" ID, "1.0.0");
    folders_skill(INSTALLED ID "/1.1.0", ID, "1.1.0");
    found(ID, NULL, WRIT_SOURCE_INSTALLED, INSTALLED ID "/1.1.0", "1.1.0");
    folders_skill("home/.claude/skills/" ID, ID, "1.2.0");
    found(ID, NULL, WRIT_SOURCE_USER, "home/.claude/skills/" ID, "1.2.0");
    folders_skill("home/.agents/skills/" ID, ID, "1.3.0");
    found(ID, NULL, WRIT_SOURCE_USER, "home/.agents/skills/" ID, "1.3.0");
    folders_skill(USER ID, ID, "1.4.0");
    found(ID, NULL, WRIT_SOURCE_USER, USER ID, "1.4.0");
    trust("home/work/project");
    folders_skill("home/work/project/.agents/skills/" ID, ID, "1.5.0");
    found(ID, NULL, WRIT_SOURCE_PROJECT, "home/work/project/.agents/skills/" ID, "1.5.0");
    folders_skill(PROJECT ID, ID, "1.6.0");
    found(ID, NULL, WRIT_SOURCE_PROJECT, PROJECT ID, "1.6.0");
    folders_skill("named/" ID, ID, "1.7.0");
    char folder[128];
    (void)snprintf(folder, sizeof folder, "%s/named", folders_root);
    const char *const named[] = {folder};
    options.skill_folders = named;
    options.skill_folder_count = 1;
    found(ID, NULL, WRIT_SOURCE_OPTION, "named/" ID, "1.7.0");
}

static void skills_of_the_working_directory_are_never_implied(void **state)
{
    (void)state;
    folders_skill("home/work/project/sub/skills/" ID, ID, "1.0.0");
    folders_skill("home/work/project/skills/" ID, ID, "1.0.0");
    refused(ID, NULL, WRIT_SKILL_NOT_FOUND, NULL, "no source has a skill");
}

/* A version that a local copy does not have is looked for below; S4.7: the caller picks one or a range. */
static void versions_stand_side_by_side(void **state)
{
    (void)state;
    folders_skill(INSTALLED ID "/1.2.0", ID, "1.2.0");
    folders_skill(INSTALLED ID "/1.10.0", ID, "1.10.0");
    folders_skill(INSTALLED ID "/2.0.0", ID, "2.0.0");
    folders_skill(INSTALLED ID "/3.0.0-rc.1", ID, "3.0.0-rc.1");
    folders_make(INSTALLED ID "/.locks");
    found(ID, NULL, WRIT_SOURCE_INSTALLED, INSTALLED ID "/2.0.0", "2.0.0");
    found(ID, "^1.2", WRIT_SOURCE_INSTALLED, INSTALLED ID "/1.10.0", "1.10.0");
    found(ID, "1.2.0", WRIT_SOURCE_INSTALLED, INSTALLED ID "/1.2.0", "1.2.0");
    found(ID, ">=3.0.0-rc.1", WRIT_SOURCE_INSTALLED, INSTALLED ID "/3.0.0-rc.1", "3.0.0-rc.1");
    folders_skill(USER ID, ID, "1.4.0");
    found(ID, NULL, WRIT_SOURCE_USER, USER ID, "1.4.0");
    found(ID, "2.0.0", WRIT_SOURCE_INSTALLED, INSTALLED ID "/2.0.0", "2.0.0");
    refused(ID, "^9", WRIT_SKILL_NOT_FOUND, NULL, "1.4.0");
    refused(ID, "^9", WRIT_SKILL_NOT_FOUND, NULL, "2.0.0 (installed)");
    /* a prerelease alone is taken */
    folders_skill(INSTALLED "com.example.b/1.0.0-rc.1", "com.example.b", "1.0.0-rc.1");
    found("com.example.b", NULL, WRIT_SOURCE_INSTALLED, INSTALLED "com.example.b/1.0.0-rc.1", "1.0.0-rc.1");
    /* what is installed under a version must be that version */
    folders_skill(INSTALLED "com.example.c/1.0.0", "com.example.c", "1.0.1");
    refused("com.example.c", NULL, WRIT_CONTRACT_INVALID, INSTALLED "com.example.c/1.0.0", "holds version 1.0.1");
}

/* S3.2, interfaces: an untrusted project's skills shadow nothing. */
static void untrusted_projects_shadow_nothing(void **state)
{
    (void)state;
    folders_skill(PROJECT ID, ID, "1.6.0");
    refused(ID, NULL, WRIT_SKILL_UNTRUSTED, PROJECT ID, "writ trust");
    folders_skill("shipped/" ID, ID, "1.0.0");
    found(ID, NULL, WRIT_SOURCE_SHIPPED, "shipped/" ID, "1.0.0");
    /* not even with what is wrong with them */
    folders_write(PROJECT ID "/skill.yaml", "id: [");
    found(ID, NULL, WRIT_SOURCE_SHIPPED, "shipped/" ID, "1.0.0");
    folders_skill(PROJECT ID, ID, "1.6.0");
    trust(PROJECT ID); /* the skill alone */
    found(ID, NULL, WRIT_SOURCE_PROJECT, PROJECT ID, "1.6.0");
}

/* Trust is in the folder that a link leads to, not in the name of the link. */
static void links_carry_no_trust(void **state)
{
    (void)state;
    trust("home/work/project");
    folders_skill("elsewhere/" ID, ID, "1.0.0");
    folders_make("home/work/project/.writ");
    folders_link("home/work/project/.writ/skills", folders_path("elsewhere"));
    refused(ID, NULL, WRIT_SKILL_UNTRUSTED, "elsewhere/" ID, "not been trusted");
    trust("elsewhere");
    found(ID, NULL, WRIT_SOURCE_PROJECT, "elsewhere/" ID, "1.0.0");
}

/* A broken copy in a higher source is an error, never a reason to fall to a lower one. */
static void broken_copies_are_errors(void **state)
{
    (void)state;
    folders_skill("shipped/" ID, ID, "1.0.0");
    folders_skill(USER ID, "com.example.other", "1.0.0");
    refused(ID, NULL, WRIT_CONTRACT_INVALID, USER ID, "must equal the folder's name");
    folders_write(USER ID "/skill.yaml", "id: [");
    refused(ID, NULL, WRIT_CONTRACT_INVALID, USER ID, "");
    folders_remove(USER ID "/skill.yaml");
    refused(ID, NULL, WRIT_CONTRACT_INVALID, USER ID, "has no skill.yaml");
    folders_remove(USER ID);
    found(ID, NULL, WRIT_SOURCE_SHIPPED, "shipped/" ID, "1.0.0");
    /* a named folder that is not there is said, not passed over */
    const char *const named[] = {"missing"};
    options.skill_folders = named;
    options.skill_folder_count = 1;
    refused(ID, NULL, WRIT_SKILL_NOT_FOUND, NULL, "there is no folder");
}

static void what_others_could_change_is_refused(void **state)
{
    (void)state;
    folders_skill("shipped/" ID, ID, "1.0.0");
    folders_make(USER);
    folders_skill("real", ID, "1.0.0");
    folders_link(USER ID, folders_path("real"));
    refused(ID, NULL, WRIT_SKILL_UNTRUSTED, NULL, "is a symbolic link");
    folders_remove(USER ID);
    folders_skill(USER ID, ID, "1.0.0");
    found(ID, NULL, WRIT_SOURCE_USER, USER ID, "1.0.0");
    static const char *const parts[] = {USER ID, USER ID "/skill.yaml", USER ID "/main.sh", USER};
    for (size_t i = 0; i < WRIT_COUNT(parts); i++) {
        folders_mode(parts[i], 0777);
        refused(ID, NULL, WRIT_SKILL_UNTRUSTED, USER ID, "can be written by others");
        folders_mode(parts[i], 0755);
    }
    /* a group of the owner's own is the owner */
    folders_mode(USER ID, 0775);
    if (getuid() == getgid())
        found(ID, NULL, WRIT_SOURCE_USER, USER ID, "1.0.0");
    if (getuid() == 0) {
        assert_int_equal(chown(folders_path(USER ID), 0, 12345), 0);
        refused(ID, NULL, WRIT_SKILL_UNTRUSTED, USER ID, "can be written by others");
        folders_mode(USER ID, 0755);
        found(ID, NULL, WRIT_SOURCE_USER, USER ID, "1.0.0");
        assert_int_equal(chown(folders_path(USER ID), 12345, 12345), 0);
        refused(ID, NULL, WRIT_SKILL_UNTRUSTED, USER ID, "belongs to another user");
    }
    folders_remove(USER ID);
    folders_skill(USER ID, ID, "1.0.0");
    folders_write(USER ID "/real.yaml", "");
    folders_remove(USER ID "/skill.yaml");
    folders_link(USER ID "/skill.yaml", "real.yaml");
    refused(ID, NULL, WRIT_CONTRACT_INVALID, USER ID, "is a symbolic link");
}

/* C3: with a SKILL.md beside it, the folder may bear that one's name. */
static void folders_may_bear_the_manifests_name(void **state)
{
    (void)state;
    folders_skill("home/.claude/skills/text-stats", ID, "1.0.0");
    refused(ID, NULL, WRIT_SKILL_NOT_FOUND, NULL, "no source has");
    folders_write("home/.claude/skills/text-stats/SKILL.md", "---\nname: text-stats\n---\n");
    folders_write("home/.claude/skills/other/SKILL.md", "---\nname: other\n---\n");
    folders_write("home/.claude/skills/mentions/skill.yaml", "id: com.example.b\ndependencies: {skills: [" ID "]}\n");
    folders_write("home/.claude/skills/mentions/SKILL.md", "");
    found(ID, NULL, WRIT_SOURCE_USER, "home/.claude/skills/text-stats", "1.0.0");
    /* the order of sources holds for it too */
    folders_skill("shipped/" ID, ID, "2.0.0");
    found(ID, NULL, WRIT_SOURCE_USER, "home/.claude/skills/text-stats", "1.0.0");
    folders_skill(USER ID, ID, "3.0.0");
    found(ID, NULL, WRIT_SOURCE_USER, USER ID, "3.0.0");
}

static void named_at(const char *head, bool wanted)
{
    bool names;
    struct writ_error error;
    folders_write("heads/SKILL.md", head);
    int fd = folders_open("heads");
    assert_int_equal(catalog_manifest_names(fd, "a-b", &names, &error), 0);
    (void)close(fd);
    if (names != wanted)
        fail_msg("%s", head);
}

/* C3: but no other name: a copy under a new name would be found by chance, or not. */
static void folders_bear_no_other_name(void **state)
{
    (void)state;
    folders_skill("home/.claude/skills/b", ID, "1.0.0");
    folders_write("home/.claude/skills/b/SKILL.md", "---\nname: sound\n---\n");
    folders_skill("home/.claude/skills/a", ID, "2.0.0");
    folders_write("home/.claude/skills/a/SKILL.md", "no head\n");
    refused(ID, NULL, WRIT_CONTRACT_INVALID, "home/.claude/skills/a", "the folder `a` bears neither the `name`");
    folders_skill("home/.claude/skills/sound", ID, "3.0.0");
    folders_write("home/.claude/skills/sound/SKILL.md", "---\nname: sound\n---\n");
    found(ID, NULL, WRIT_SOURCE_USER, "home/.claude/skills/sound", "3.0.0");
    struct writ_skill *skill;
    struct writ_error error;
    assert_int_equal(writ_catalog_open_folder(folders_path("home/.claude/skills/b"), &skill, &error),
                     WRIT_CONTRACT_INVALID);
    assert_non_null(strstr(error.message, "the folder `b` bears neither"));
    writ_skill_free(skill);
    struct writ_catalog catalog;
    assert_int_equal(writ_catalog_list(&options, &catalog, &error), 0);
    assert_int_equal(catalog.count, 3);
    unsigned broken = 0;
    for (size_t i = 0; i < catalog.count; i++)
        broken += catalog.skills[i]->fault.code == WRIT_CONTRACT_INVALID;
    assert_int_equal(broken, 2);
    writ_catalog_clear(&catalog);
    named_at("---\nname: a-b\n---\n", true);
    named_at("\xEF\xBB\xBF---\r\ndescription: x\r\nname:   \"a-b\" # so\r\n---\r\n", true);
    named_at("---\nname: 'a-b'\n", true);
    named_at("---\nname: a-b-c\n---\n", false);
    named_at("---\nname: a\n---\n", false);
    named_at("---\nname:\n---\n", false);
    named_at("---\nmetadata:\n  name: a-b\n---\nname: a-b\n", false);
    named_at("name: a-b\n", false);
    named_at("", false);
}

static void unknown_names_get_the_nearest(void **state)
{
    (void)state;
    folders_skill("shipped/com.example.file.text-extract", "com.example.file.text-extract", "1.0.0");
    refused("com.example.file.text-extrcat", NULL, WRIT_SKILL_NOT_FOUND, NULL,
            "did you mean `com.example.file.text-extract`?");
    refused("text-extract", NULL, WRIT_SKILL_NOT_FOUND, NULL, "did you mean `com.example.file.text-extract`?");
    refused("zzz", NULL, WRIT_SKILL_NOT_FOUND, NULL, "`writ list`");
    /* what is no id never reaches the file system */
    refused("../shipped/com.example.file.text-extract", NULL, WRIT_SKILL_NOT_FOUND, NULL, "no source has");
    refused("", NULL, WRIT_SKILL_NOT_FOUND, NULL, "no source has");
    refused(".", NULL, WRIT_SKILL_NOT_FOUND, NULL, "no source has");
}

static void the_projects_root_is_found_by_its_marker(void **state)
{
    (void)state;
    struct writ_arena arena;
    struct writ_error error;
    const char *root;
    writ_arena_init(&arena, 1 << 16);
    assert_int_equal(writ_project_root(&places, &arena, &root, &error), 0);
    assert_string_equal(root, folders_path("home/work/project"));
    folders_remove("home/work/project/.git");
    assert_int_equal(writ_project_root(&places, &arena, &root, &error), 0);
    assert_null(root);
    /* the home folder is no project, though it has the folders of one */
    folders_make("home/.agents");
    assert_int_equal(writ_project_root(&places, &arena, &root, &error), 0);
    assert_null(root);
    /* a client's folder of skills is enough where nothing else tells, and hides no project around it */
    folders_make("home/work/project/.claude/skills");
    assert_int_equal(writ_project_root(&places, &arena, &root, &error), 0);
    assert_string_equal(root, folders_path("home/work/project"));
    folders_write("home/work/.git", "gitdir: elsewhere"); /* as in a work tree */
    assert_int_equal(writ_project_root(&places, &arena, &root, &error), 0);
    assert_string_equal(root, folders_path("home/work"));
    places.working = "/";
    assert_int_equal(writ_project_root(&places, &arena, &root, &error), 0);
    assert_null(root);
    writ_arena_clear(&arena);
}

static void folders_are_opened_by_path(void **state)
{
    (void)state;
    struct writ_skill *skill;
    struct writ_error error;
    folders_skill("here/" ID, ID, "1.0.0");
    folders_mode("here/" ID, 0777); /* naming it is the user's own act */
    assert_int_equal(writ_catalog_open_folder(folders_path("here/" ID "/../" ID), &skill, &error), 0);
    assert_int_equal(skill->source, WRIT_SOURCE_FOLDER);
    assert_string_equal(skill->folder, folders_path("here/" ID));
    assert_true(skill->trusted);
    writ_skill_free(skill);
    assert_int_equal(writ_catalog_open_folder(folders_path("missing"), &skill, &error), WRIT_SKILL_NOT_FOUND);
    assert_int_equal(writ_catalog_open_folder(folders_path("here"), &skill, &error), WRIT_SKILL_NOT_FOUND);
    assert_int_equal(writ_catalog_open_folder("/", &skill, &error), WRIT_SKILL_NOT_FOUND);
    folders_skill("here/wrong", ID, "1.0.0");
    skill = NULL;
    assert_int_equal(writ_catalog_open_folder(folders_path("here/wrong"), &skill, &error), WRIT_CONTRACT_INVALID);
    assert_non_null(skill);
    assert_int_equal(skill->faults.count, 1);
    assert_string_equal(skill->id, "wrong");
    writ_skill_free(skill);
    folders_write("here/wrong/SKILL.md", "---\nname: wrong\n---\n");
    assert_int_equal(writ_catalog_open_folder(folders_path("here/wrong"), &skill, &error), 0);
    writ_skill_free(skill);
}

static const struct writ_skill *listed(const struct writ_catalog *catalog, const char *folder)
{
    for (size_t i = 0; i < catalog->count; i++)
        if (strcmp(catalog->skills[i]->folder, folders_path(folder)) == 0)
            return catalog->skills[i];
    print_error("%s is not listed\n", folder);
    abort();
}

static void the_list_shows_all_and_what_wins(void **state)
{
    (void)state;
    struct writ_catalog catalog;
    struct writ_error error;
    folders_skill("shipped/" ID, ID, "1.0.0");
    folders_skill("shipped/com.example.z", "com.example.z", "1.0.0");
    folders_skill(INSTALLED ID "/1.0.0", ID, "1.0.0");
    folders_skill(INSTALLED ID "/2.0.0", ID, "2.0.0");
    folders_skill(USER ID, ID, "1.4.0");
    folders_skill(PROJECT ID, ID, "1.6.0");
    folders_write(USER "com.example.broken/skill.yaml", "id: 3\n");
    folders_write("home/.claude/skills/plain/SKILL.md", "---\nname: plain\n---\n");
    folders_link("home/.claude/skills/linked", folders_path("shipped"));
    folders_link("home/.claude/skills/com.example.linked", folders_path("shipped/" ID));
    assert_int_equal(writ_catalog_list(&options, &catalog, &error), 0);
    assert_int_equal(catalog.count, 8);
    assert_false(catalog.truncated);
    for (size_t i = 1; i < catalog.count; i++)
        assert_true(strcmp(catalog.skills[i - 1]->id, catalog.skills[i]->id) <= 0);
    for (size_t i = 0; i < catalog.count; i++)
        assert_int_equal(catalog.skills[i]->folder_fd, -1);
    const struct writ_skill *project = listed(&catalog, PROJECT ID), *user = listed(&catalog, USER ID);
    assert_false(project->trusted);
    assert_null(project->shadowed_by);
    assert_null(user->shadowed_by);
    assert_string_equal(listed(&catalog, "shipped/" ID)->shadowed_by, user->folder);
    assert_string_equal(listed(&catalog, INSTALLED ID "/2.0.0")->shadowed_by, user->folder);
    assert_int_equal(listed(&catalog, USER "com.example.broken")->fault.code, WRIT_CONTRACT_INVALID);
    assert_true(listed(&catalog, USER "com.example.broken")->faults.count > 1);
    assert_int_equal(listed(&catalog, "home/.claude/skills/com.example.linked")->fault.code, WRIT_SKILL_UNTRUSTED);
    writ_catalog_clear(&catalog);
    /* installed versions stand beside one another */
    folders_remove(USER ID);
    assert_int_equal(writ_catalog_list(&options, &catalog, &error), 0);
    assert_null(listed(&catalog, INSTALLED ID "/2.0.0")->shadowed_by);
    assert_null(listed(&catalog, INSTALLED ID "/1.0.0")->shadowed_by);
    assert_non_null(listed(&catalog, "shipped/" ID)->shadowed_by);
    writ_catalog_clear(&catalog);
}

static void sources_are_bounded(void **state)
{
    (void)state;
    char path[64];
    struct writ_catalog catalog;
    struct writ_error error;
    for (int i = 0; i < WRIT_CATALOG_FOLDERS_MAX + 5; i++) {
        (void)snprintf(path, sizeof path, "shipped/folder-%d", i);
        folders_make(path);
    }
    assert_int_equal(writ_catalog_list(&options, &catalog, &error), 0);
    assert_true(catalog.truncated);
    writ_catalog_clear(&catalog);
    /* a skill is found by its name among however many */
    folders_skill("shipped/" ID, ID, "1.0.0");
    found(ID, NULL, WRIT_SOURCE_SHIPPED, "shipped/" ID, "1.0.0");
}

static void an_empty_name_of_a_folder_is_not_the_working_directory(void **state)
{
    (void)state;
    const char *const folders[] = {""};
    struct writ_catalog catalog;
    struct writ_error error;
    options.skill_folders = folders;
    options.skill_folder_count = 1;
    folders_skill("home/work/project/sub/" ID, ID, "1.0.0");
    assert_int_equal(writ_catalog_list(&options, &catalog, &error), WRIT_USAGE);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, folders_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(sources_have_an_order),
        TEST(skills_of_the_working_directory_are_never_implied),
        TEST(versions_stand_side_by_side),
        TEST(untrusted_projects_shadow_nothing),
        TEST(links_carry_no_trust),
        TEST(broken_copies_are_errors),
        TEST(what_others_could_change_is_refused),
        TEST(folders_may_bear_the_manifests_name),
        TEST(folders_bear_no_other_name),
        TEST(unknown_names_get_the_nearest),
        TEST(the_projects_root_is_found_by_its_marker),
        TEST(folders_are_opened_by_path),
        TEST(the_list_shows_all_and_what_wins),
        TEST(sources_are_bounded),
        TEST(an_empty_name_of_a_folder_is_not_the_working_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
