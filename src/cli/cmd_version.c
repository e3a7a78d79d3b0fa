/* `writ version` and `writ --version`: what was compiled in, and where this writ looks by itself. */
#include "base/text.h"
#include "cli/handlers.h"
#include "data/json.h"
#include "sandbox/probe.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <sodium/version.h>
#include <string.h>
#include <utf8proc.h>
#include <yaml.h>

#if defined(__x86_64__)
#define ARCHITECTURE "x86_64"
#elif defined(__aarch64__)
#define ARCHITECTURE "aarch64"
#endif
#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif
#define LABEL_COLUMNS 11

/* commit.c, which tools/commit.sh makes: the commit, empty when this was not built from a clone, and whether files that
 * git tracks were changed since. */
extern const char cli_build_commit[];
extern const bool cli_build_changed;

struct library {
    const char *name, *version;
};
struct version {
    char compiler[128], pcre2[64];
    uint32_t has_jit;
    struct library libraries[4];
    int landlock_abi; /* of the kernel that this runs on */
};

static const char *const limits[] = {
    "rlimits for each process",
    "memory by watching the process tree",
    "a deadline by the clock",
};

static void fill(struct version *version)
{
    /* Some compilers end their version in a space. */
    (void)snprintf(version->compiler, sizeof version->compiler, "%s", COMPILER);
    for (size_t end = strlen(version->compiler); end > 0 && version->compiler[end - 1] == ' '; end--)
        version->compiler[end - 1] = '\0';
    (void)pcre2_config(PCRE2_CONFIG_VERSION, version->pcre2);
    (void)pcre2_config(PCRE2_CONFIG_JIT, &version->has_jit);
    version->libraries[0] = (struct library){"libyaml", yaml_get_version_string()};
    version->libraries[1] = (struct library){"pcre2", version->pcre2};
    version->libraries[2] = (struct library){"libsodium", sodium_version_string()};
    version->libraries[3] = (struct library){"utf8proc", utf8proc_version()};
    version->landlock_abi = writ_probe_landlock_abi();
}

/* ---- for people ---- */

static void print_label(const char *label)
{
    (void)printf("%-*s ", LABEL_COLUMNS, label);
}

static void print_place(const char *label, const char *place, const char *otherwise)
{
    print_label(label);
    cli_print_safe_text(stdout, place ? place : otherwise);
    (void)putchar('\n');
}

static int print_text(const struct cli_context *context, const struct version *version)
{
    static const char unknown[] = "not known here; `writ list` says why";
    const struct writ_places *places = &context->places;
    (void)printf("writ %s\n", WRIT_VERSION);
    print_label("commit");
    (void)printf("%s%s\n", cli_build_commit[0] ? cli_build_commit : "unknown: not built from a clone",
                 cli_build_changed ? ", with changes" : "");
    print_label("built");
    (void)printf("for Linux on %s by %s, %s\n", ARCHITECTURE, version->compiler, WRIT_LINKING);
    print_label("libraries");
    for (size_t i = 0; i < WRIT_COUNT(version->libraries); i++)
        (void)printf("%s%s %s%s", i > 0 ? ", " : "", version->libraries[i].name, version->libraries[i].version,
                     version->libraries[i].version != version->pcre2 ? ""
                     : version->has_jit                              ? " with JIT"
                                                                     : " without JIT");
    (void)putchar('\n');
    print_label("kernel");
    (void)printf("namespaces, seccomp for %s, Landlock up to ABI %d (this kernel: ", ARCHITECTURE,
                 WRIT_LANDLOCK_ABI_KNOWN);
    (void)printf(version->landlock_abi > 0 ? "%d)\n" : "none)\n", version->landlock_abi);
    print_label("limits");
    for (size_t i = 0; i < WRIT_COUNT(limits); i++)
        (void)printf("%s%s", i > 0 ? ", " : "", limits[i]);
    (void)putchar('\n');
    print_place("settings", places->config, unknown);
    print_place("data", places->data, unknown);
    print_place("records", places->state, unknown);
    print_place("cache", places->cache, unknown);
    print_place("runtime", places->runtime, "nowhere: XDG_RUNTIME_DIR is not set");
    print_place("skills", places->shipped, unknown);
    return 0;
}

/* ---- for programs ---- */

static void write_libraries(struct writ_json_writer *writer, const struct version *version)
{
    writ_json_write_key(writer, "libraries");
    writ_json_write_object(writer);
    for (size_t i = 0; i < WRIT_COUNT(version->libraries); i++)
        writ_json_write_member_text(writer, version->libraries[i].name, version->libraries[i].version);
    writ_json_write_object_end(writer);
    writ_json_write_member_bool(writer, "pcre2_jit", version->has_jit != 0);
}

static void write_places(struct writ_json_writer *writer, const struct writ_places *places)
{
    writ_json_write_key(writer, "places");
    writ_json_write_object(writer);
    writ_json_write_member_text(writer, "config", places->config);
    writ_json_write_member_text(writer, "data", places->data);
    writ_json_write_member_text(writer, "state", places->state);
    writ_json_write_member_text(writer, "cache", places->cache);
    writ_json_write_member_text(writer, "runtime", places->runtime);
    writ_json_write_member_text(writer, "shipped", places->shipped);
    writ_json_write_object_end(writer);
}

static int print_json(const struct cli_context *context, const struct version *version)
{
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer out;
    struct writ_json_writer writer;
    writ_buffer_init(&out, 1 << 16);
    writ_json_writer_init(&writer, &out);
    writ_json_write_object(&writer);
    writ_json_write_member_text(&writer, "writ", WRIT_VERSION);
    writ_json_write_member_text(&writer, "commit", cli_build_commit[0] ? cli_build_commit : NULL);
    writ_json_write_member_bool(&writer, "commit_changed", cli_build_changed);
    writ_json_write_member_text(&writer, "architecture", ARCHITECTURE);
    writ_json_write_member_text(&writer, "compiler", version->compiler);
    writ_json_write_member_text(&writer, "linking", WRIT_LINKING);
    write_libraries(&writer, version);
    writ_json_write_member_integer(&writer, "landlock_abi_known", WRIT_LANDLOCK_ABI_KNOWN);
    writ_json_write_member_integer(&writer, "landlock_abi", version->landlock_abi);
    writ_json_write_key(&writer, "limits");
    writ_json_write_array(&writer);
    for (size_t i = 0; i < WRIT_COUNT(limits); i++)
        writ_json_write_text(&writer, limits[i]);
    writ_json_write_array_end(&writer);
    write_places(&writer, &context->places);
    writ_json_write_object_end(&writer);
    return cli_finish_document(context, &out, 0);
}

static int handle(struct cli_context *context, const struct cli_arguments *arguments)
{
    struct version version = {.compiler = ""};
    fill(&version);
    return cli_option_is_set(arguments, "json") ? print_json(context, &version) : print_text(context, &version);
}

static const struct cli_option options[] = {
    CLI_OPTION_JSON,
};

static const struct cli_example examples[] = {
    {"writ --version", "the version, on the first line"},
};

const struct cli_command cli_command_version = {
    .name = "version",
    .group = CLI_GROUP_WRIT,
    .usage = "",
    .summary = "the version of writ, what it is built with and where it looks",
    .options = options,
    .option_count = WRIT_COUNT(options),
    .examples = examples,
    .example_count = WRIT_COUNT(examples),
    .works_anywhere = true,
    .needs_no_settings = true,
    .handler = handle,
};
