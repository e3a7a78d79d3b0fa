#include "data/semver.h"
#include "support.h"

#include <string.h>

static struct writ_semver version_of(const char *text)
{
    struct writ_semver version = {0};
    struct writ_error error;
    if (writ_semver_parse(text, &version, &error) != 0)
        fail_msg("%s", error.message);
    return version;
}

/* S4.1: versions are SemVer. */
static void well_formed_versions_are_taken(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0.0.4",
        "1.2.3",
        "10.20.30",
        "1.1.2-prerelease+meta",
        "1.1.2+meta",
        "1.0.0-alpha",
        "1.0.0-alpha.beta.1",
        "1.0.0-alpha0.valid",
        "1.0.0-alpha.0valid",
        "1.0.0-rc.1+build.1",
        "1.2.3----RC-SNAPSHOT.12.9.1--.12+788",
        "1.2.3-0",
        "1.0.0+0.build.1-rc.10000aaa-kk-0.1",
        "18446744073709551615.18446744073709551615.18446744073709551615",
        "1.0.0-0A.is.legal",
        "1.0.0-99999999999999999999999",
        "1.0.0+001",
    };
    for (size_t i = 0; i < WRIT_COUNT(texts); i++)
        (void)version_of(texts[i]);
    struct writ_semver version = version_of("1.2.30-rc.1+b5");
    assert_int_equal(version.major, 1);
    assert_int_equal(version.minor, 2);
    assert_int_equal(version.patch, 30);
    assert_string_equal(version.prerelease, "rc.1");
    assert_string_equal(version.build, "b5");
}

static void malformed_versions_are_refused_with_the_mend(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "`` is not a version: a number is missing; write three numbers, as in 1.2.0"},
        {"1", "`1` is not a version: it needs three numbers, as in 1.2.0"},
        {"1.2", "`1.2` is not a version: it needs three numbers, as in 1.2.0"},
        {"1.2.", "`1.2.` is not a version: a number is missing; write three numbers, as in 1.2.0"},
        {"1..2", "`1..2` is not a version: a number is missing; write three numbers, as in 1.2.0"},
        {"v1.2.3", "`v1.2.3` is not a version: leave out the `v`"},
        {"01.2.3", "`01.2.3` is not a version: a number has a leading zero; write it without"},
        {"1.2.03", "`1.2.03` is not a version: a number has a leading zero; write it without"},
        {"1.2.3.4", "`1.2.3.4` is not a version: `.4` is left over after it; write it as in 1.2.0 or 1.2.0-rc.1"},
        {"1.2.3 ", "`1.2.3 ` is not a version: ` ` is left over after it; write it as in 1.2.0 or 1.2.0-rc.1"},
        {"1.2.3-",
         "`1.2.3-` is not a version: a part after `-` or `+` is empty; use letters, digits and hyphens between "
         "dots"},
        {"1.2.3-a..b",
         "`1.2.3-a..b` is not a version: a part after `-` or `+` is empty; use letters, digits and hyphens "
         "between dots"},
        {"1.2.3+",
         "`1.2.3+` is not a version: a part after `-` or `+` is empty; use letters, digits and hyphens between "
         "dots"},
        {"1.2.3-01", "`1.2.3-01` is not a version: a number in the prerelease has a leading zero; write it without"},
        {"1.2.3-\xE6\x96\x87", "`1.2.3-\xE6\x96\x87` is not a version: a part after `-` or `+` is empty; use letters, "
                               "digits and hyphens between dots"},
        {"1.2.3+a+b", "`1.2.3+a+b` is not a version: `+b` is left over after it; write it as in 1.2.0 or 1.2.0-rc.1"},
        {"-1.2.3", "`-1.2.3` is not a version: a number is missing; write three numbers, as in 1.2.0"},
        {"18446744073709551616.0.0", "`18446744073709551616.0.0` is not a version: a number is too large; at most "
                                     "18446744073709551615"},
    };
    for (size_t i = 0; i < WRIT_COUNT(cases); i++) {
        struct writ_semver version = {.major = 77};
        struct writ_error error;
        assert_int_equal(writ_semver_parse(cases[i].text, &version, &error), WRIT_CONTRACT_INVALID);
        assert_string_equal(error.message, cases[i].message);
        assert_int_equal(version.major, 77);
    }
}

static void long_texts_are_refused(void **state)
{
    (void)state;
    struct writ_semver version;
    struct writ_semver_range range;
    struct writ_error error;
    char text[300] = "1.2.3-";
    memset(text + 6, 'a', 127);
    assert_int_equal(writ_semver_parse(text, &version, &error), 0);
    assert_int_equal(strlen(version.prerelease), 127);
    text[6 + 127] = 'a';
    assert_int_equal(writ_semver_parse(text, &version, &error), WRIT_CONTRACT_INVALID);
    assert_non_null(strstr(error.message, "longer than 127 bytes"));
    memset(text, '1', sizeof text - 1);
    text[299] = '\0';
    assert_int_equal(writ_semver_parse(text, &version, &error), WRIT_CONTRACT_INVALID);
    assert_non_null(strstr(error.message, "longer than 256 bytes"));
    assert_int_equal(writ_semver_range_parse(text, &range, &error), WRIT_CONTRACT_INVALID);
    assert_int_equal(writ_semver_requirement_parse(text, &range, &error), WRIT_CONTRACT_INVALID);
}

static void precedence_is_that_of_the_specification(void **state)
{
    (void)state;
    /* Rising; the prereleases are section 11's own example. */
    static const char *const rising[] = {
        "0.0.0-0",
        "0.0.0",
        "0.0.1",
        "0.1.0",
        "0.9.9",
        "1.0.0-1",
        "1.0.0-2",
        "1.0.0-10",
        "1.0.0-99999999999999999999",
        "1.0.0--",
        "1.0.0-A",
        "1.0.0-alpha",
        "1.0.0-alpha.1",
        "1.0.0-alpha.beta",
        "1.0.0-alpha-a",
        "1.0.0-beta",
        "1.0.0-beta.2",
        "1.0.0-beta.11",
        "1.0.0-rc.1",
        "1.0.0",
        "1.0.1-0",
        "1.2.0",
        "1.10.0",
        "2.0.0",
        "2.1.0",
        "2.1.1",
        "18446744073709551615.0.0",
    };
    for (size_t i = 0; i < WRIT_COUNT(rising); i++) {
        for (size_t j = 0; j < WRIT_COUNT(rising); j++) {
            struct writ_semver a = version_of(rising[i]), b = version_of(rising[j]);
            assert_int_equal(writ_semver_compare(&a, &b), (i > j) - (i < j));
        }
    }
    struct writ_semver built = version_of("1.0.0+a"), other = version_of("1.0.0+b");
    assert_int_equal(writ_semver_compare(&built, &other), 0);
}

static void versions_are_found_in_what_programs_print(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t major, minor, patch;
    } cases[] = {
        {"git version 2.39.5", 2, 39, 5},
        {"3.11", 3, 11, 0},
        {"v20.20.2", 20, 20, 2},
        {"5.3.0-2", 5, 3, 0},
        {"Python 3.11.2\n", 3, 11, 2},
        {"pdftotext version 22.02.0", 22, 2, 0},
        {"bzip2, a block-sorting file compressor.  Version 1.0.8, 13-Jul-2019.", 1, 0, 8},
        {"jq-1.6", 1, 6, 0},
        {"ffmpeg version n4.4.1-3ubuntu5", 4, 4, 1},
        {"perl 5, version 36, subversion 0 (v5.36.0)", 5, 36, 0},
        {"less 590 (PCRE2 regular expressions)", 590, 0, 0},
        {"systemd 252 (252.39-1~deb12u1)", 252, 39, 0},
        {"tool v7", 7, 0, 0},
        {"7", 7, 0, 0},
        {"1.2.3.4", 1, 2, 3},
        {"x 99999999999999999999999.1 then 1.2", 1, 2, 0},
        {"gcc (Debian 12.2.0-14) 12.2.0", 12, 2, 0},
        {"tesseract 5.3.0\n leptonica-1.82.0\n", 5, 3, 0},
    };
    for (size_t i = 0; i < WRIT_COUNT(cases); i++) {
        struct writ_semver version;
        assert_true(writ_semver_scan(cases[i].text, &version));
        assert_int_equal(version.major, cases[i].major);
        assert_int_equal(version.minor, cases[i].minor);
        assert_int_equal(version.patch, cases[i].patch);
        assert_string_equal(version.prerelease, "");
    }
    static const char *const none[] = {"", "no version here", "x86_64", "bzip2", "2.", "99999999999999999999999"};
    for (size_t i = 0; i < WRIT_COUNT(none); i++) {
        struct writ_semver version;
        assert_false(writ_semver_scan(none[i], &version));
    }
}

struct range_case {
    const char *range;
    const char *in;  /* versions separated by spaces that satisfy it */
    const char *out; /* and that do not */
};

typedef int range_parser(const char *, struct writ_semver_range *, struct writ_error *);

static void check_versions(const struct writ_semver_range *range, const char *text, const char *versions, bool wanted)
{
    while (*versions) {
        char one[64];
        size_t length = strcspn(versions, " ");
        memcpy(one, versions, length);
        one[length] = '\0';
        struct writ_semver version = version_of(one);
        if (writ_semver_satisfies(&version, range) != wanted)
            fail_msg("%s %s %s", one, wanted ? "must satisfy" : "must not satisfy", text);
        versions += length + (versions[length] == ' ');
    }
}

static void check_ranges(range_parser *parse, const struct range_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct writ_semver_range range;
        struct writ_error error;
        if (parse(cases[i].range, &range, &error) != 0)
            fail_msg("%s", error.message);
        check_versions(&range, cases[i].range, cases[i].in, true);
        check_versions(&range, cases[i].range, cases[i].out, false);
    }
}

static void ranges_hold_what_they_say(void **state)
{
    (void)state;
    static const struct range_case cases[] = {
        {"1.2.3", "1.2.3 1.2.3+b", "1.2.2 1.2.4 1.2.3-a"},
        {"=1.2.3", "1.2.3", "1.2.4"},
        {"= 1.2.3", "1.2.3", "1.2.4"},
        {"1.2", "1.2.0 1.2.99", "1.1.9 1.3.0 1.2.1-a 1.3.0-a"},
        {"1", "1.0.0 1.99.0", "0.9.0 2.0.0 2.0.0-a"},
        {"1.2.x", "1.2.0 1.2.99", "1.1.9 1.3.0"},
        {"1.X", "1.0.0 1.99.0", "0.9.0 2.0.0"},
        {"1.x.x", "1.0.0 1.99.0", "0.9.0 2.0.0"},
        {"*", "0.0.0 99.0.0", "1.0.0-a"},
        {"x", "0.0.0 99.0.0", ""},
        {">=*", "0.0.0 99.0.0", ""},
        {">=1.2", "1.2.0 9.0.0", "1.1.9 1.2.0-a 2.0.0-a"},
        {">=1.2.3", "1.2.3 9.0.0", "1.2.2"},
        {"> 1.2.3", "1.2.4", "1.2.3"},
        {">1.2", "1.3.0", "1.2.9 1.2.0"},
        {">1", "2.0.0", "1.9.9"},
        {"<2", "1.99.0 0.0.0", "2.0.0 2.0.0-a"},
        {"<1.2.3", "1.2.2", "1.2.3 1.2.3-a"},
        {"<=1.2", "1.2.9 0.1.0", "1.3.0 1.3.0-a"},
        {"<=1.2.3", "1.2.3", "1.2.4"},
        {"^1.2", "1.2.0 1.99.0", "1.1.0 2.0.0 2.0.0-a"},
        {"^1.2.3", "1.2.3 1.3.0", "1.2.2 2.0.0"},
        {"^0.2.3", "0.2.3 0.2.9", "0.2.2 0.3.0"},
        {"^0.0.3", "0.0.3", "0.0.4 0.0.2"},
        {"^0.0", "0.0.0 0.0.9", "0.1.0"},
        {"^0", "0.0.0 0.9.0", "1.0.0"},
        {"^0.0.x", "0.0.9", "0.1.0"},
        {"^1.x", "1.0.0 1.9.0", "2.0.0"},
        {"~1.2.3", "1.2.3 1.2.9", "1.2.2 1.3.0"},
        {"~1.2", "1.2.0 1.2.9", "1.3.0"},
        {"~1", "1.0.0 1.9.0", "2.0.0"},
        {"1.2 - 1.4", "1.2.0 1.4.9", "1.1.9 1.5.0"},
        {"1.2.3 - 1.4.5", "1.2.3 1.4.5", "1.2.2 1.4.6"},
        {"1.2 - *", "1.2.0 9.0.0", "1.1.0"},
        {">=1.2 <1.5", "1.2.0 1.4.9", "1.5.0 1.1.0"},
        {"  >=1.2   <1.5  ", "1.2.0", "1.5.0"},
        {"1.2 || 2.x||>=4", "1.2.5 2.9.0 4.0.0 5.0.0", "1.3.0 3.0.0"},
        {"<1 || >2 <3", "0.9.0", "1.0.0 2.0.0 3.0.0"},
        /* The prerelease rule. */
        {">=1.2.0-rc.1", "1.2.0-rc.1 1.2.0-rc.2 1.2.0 1.3.0", "1.2.0-alpha 1.3.0-rc.1"},
        {"1.2.0-rc.1", "1.2.0-rc.1", "1.2.0-rc.2 1.2.0"},
        {"^1.2.3-beta.2", "1.2.3-beta.2 1.2.3-beta.11 1.2.3 1.9.0", "1.2.3-beta.1 1.2.4-beta.2 2.0.0-beta.3"},
        {"~1.2.3-beta", "1.2.3-beta 1.2.9", "1.3.0 1.2.4-beta"},
        {">=1.0.0-a || >=2.0.0", "1.0.0-b 2.0.0", "2.0.0-b"},
        {">1.2.3-alpha.3 <2.0.0-beta", "1.2.3-alpha.7 1.5.0 2.0.0-alpha", "1.2.4-alpha.9 2.0.0-beta 2.0.0"},
        {"<=1.2.3-rc", "1.2.3-rc 1.2.3-a 1.2.2", "1.2.3 1.2.2-a"},
    };
    check_ranges(writ_semver_range_parse, cases, WRIT_COUNT(cases));
}

static void requirements_have_their_shorthand(void **state)
{
    (void)state;
    static const struct range_case cases[] = {
        {"3.11", "3.11.0 3.11.2 3.99.0", "3.10.9 4.0.0 4.0.0-a 3.12.0-a"},
        {"3", "3.0.0 3.9.0", "2.9.9 4.0.0"},
        {" 3.11.2 ", "3.11.2 3.12.0", "3.11.1 4.0.0"},
        {"0.3", "0.3.0 0.9.0", "0.2.9 1.0.0"},
        {"3.9,3.12", "3.9.0 3.10.4 3.12.99", "3.8.9 3.13.0 3.13.0-a"},
        {"3.9 , 3.12", "3.9.0 3.12.99", "3.8.9 3.13.0"},
        {"3.9,3.12.4", "3.9.0 3.12.4", "3.12.5"},
        {"3.12.5,3.12", "3.12.5 3.12.9", "3.12.4 3.13.0"},
        {"3,4", "3.0.0 4.99.0", "5.0.0 2.0.0"},
        {"3.9,3.9", "3.9.5", "3.10.0"},
        {"=3.11.2", "3.11.2", "3.11.3"},
        {">=3.9 <3.12", "3.9.0 3.11.9", "3.12.0"},
        {"3.x", "3.0.0 3.9.0", "4.0.0"},
        {"3.11.x", "3.11.9", "3.12.0"},
        {"3.11 || 4.1", "3.11.9 4.1.0", "3.12.0"},
        {"*", "1.0.0", ""},
        {"^2.30", "2.39.5", "3.0.0"},
        {"1.0.0-rc.1", "1.0.0-rc.1 1.0.0 1.5.0", "1.0.0-alpha 2.0.0"},
    };
    check_ranges(writ_semver_requirement_parse, cases, WRIT_COUNT(cases));
}

struct refusal {
    const char *text, *reason;
};

static void check_refusals(range_parser *parse, const struct refusal *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct writ_semver_range range = {.count = 77};
        struct writ_error error = {0};
        if (parse(cases[i].text, &range, &error) != WRIT_CONTRACT_INVALID)
            fail_msg("taken: %s", cases[i].text);
        char message[512];
        (void)snprintf(message, sizeof message, "`%s` is not a version range: %s", cases[i].text, cases[i].reason);
        assert_string_equal(error.message, message);
        assert_int_equal(range.count, 77);
    }
}

static void malformed_ranges_are_refused_with_the_mend(void **state)
{
    (void)state;
    static const char behind[] =
        "something stands behind a version that does not belong there; separate comparators by "
        "spaces";
    static const char missing[] = "a version is missing; write it as in >=1.2 or 1.2.x";
    static const char empty[] = "an alternative of `||` is empty; write one on each side";
    static const char top[] = "a number is too large for what it means here";
    const struct refusal cases[] = {
        {"", "it is empty; write * for any version"},
        {"  ", "it is empty; write * for any version"},
        {"||", empty},
        {"1 ||", empty},
        {"|| 1", empty},
        {"1 || || 2", empty},
        {"1 | 2", "alternatives are separated by `||`"},
        {">=", missing},
        {">= <2", missing},
        {"latest", missing},
        {"1.2.", missing},
        {"=>1.2", missing},
        {">==1.2", missing},
        {"1.2 -1.4", missing},
        {"1.2 - ", missing},
        {"1.2 - >3", missing},
        {"v1.2", missing},
        {"1.2.3.4", behind},
        {"1.2.3foo", behind},
        {">=1.2<3", behind},
        {"1.x.2", "a number stands behind `x`; write `x` or nothing there"},
        {"1.2-rc.1", "a prerelease needs three numbers before it, as in 1.2.0-rc.1"},
        {"01.2", "a number has a leading zero; write it without"},
        {">*", "nothing is above or below `*`; write a number"},
        {"<x", "nothing is above or below `*`; write a number"},
        {">=3.9, <3.12", "comparators are separated by spaces, not by a comma"},
        {"18446744073709551616", "a number is too large; at most 18446744073709551615"},
        {"^18446744073709551615.0.0", top},
        {">1.18446744073709551615", top},
        {"18446744073709551615", top},
    };
    check_refusals(writ_semver_range_parse, cases, WRIT_COUNT(cases));
    const struct refusal shorthand[] = {
        {"3.12,3.9", "the first version is above the second; swap them"},
        {"3.9,3.10,3.11", "two versions around one comma are a range, as in 3.9,3.12"},
        {"3.9,", missing},
        {"3.9.1,*", "two versions around one comma are a range, as in 3.9,3.12"},
        {",3.9", "comparators are separated by spaces, not by a comma"},
        {">=3.9,<4", "comparators are separated by spaces, not by a comma"},
        {"", "it is empty; write * for any version"},
        {"18446744073709551615.1", top},
        {"abc", missing},
    };
    check_refusals(writ_semver_requirement_parse, shorthand, WRIT_COUNT(shorthand));
}

static void comparators_are_counted(void **state)
{
    (void)state;
    struct writ_semver_range range;
    struct writ_error error;
    char text[256] = ">1.0.0";
    for (size_t i = 1; i < WRIT_SEMVER_COMPARATORS_MAX; i++)
        memcpy(text + strlen(text), " >1", 4);
    /* `>1` makes one comparator each, so this is exactly the maximum. */
    assert_int_equal(writ_semver_range_parse(text, &range, &error), 0);
    assert_int_equal(range.count, WRIT_SEMVER_COMPARATORS_MAX);
    memcpy(text + strlen(text), " >1", 4);
    assert_int_equal(writ_semver_range_parse(text, &range, &error), WRIT_CONTRACT_INVALID);
    assert_non_null(strstr(error.message, "more than 32 comparators; shorten it"));
}

static void no_range_is_satisfied_by_anything(void **state)
{
    (void)state;
    struct writ_semver_range range = {0};
    struct writ_semver version = version_of("1.0.0-a");
    assert_true(writ_semver_satisfies(&version, &range));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(well_formed_versions_are_taken),
        cmocka_unit_test(malformed_versions_are_refused_with_the_mend),
        cmocka_unit_test(long_texts_are_refused),
        cmocka_unit_test(precedence_is_that_of_the_specification),
        cmocka_unit_test(versions_are_found_in_what_programs_print),
        cmocka_unit_test(ranges_hold_what_they_say),
        cmocka_unit_test(requirements_have_their_shorthand),
        cmocka_unit_test(malformed_ranges_are_refused_with_the_mend),
        cmocka_unit_test(comparators_are_counted),
        cmocka_unit_test(no_range_is_satisfied_by_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
