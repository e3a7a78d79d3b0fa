/* A command that is shown can be typed again: a shell reads every word back byte for byte. */
#include "cli/shell_quote.h"
#include "support.h"

#include "data/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void quotes(const char *word, const char *expected)
{
    struct writ_buffer out;
    writ_buffer_init(&out, 1 << 16);
    cli_shell_quote(&out, word, strlen(word));
    assert_string_equal(writ_buffer_text(&out), expected);
    writ_buffer_clear(&out);
}

static void words_are_quoted_where_it_takes_it(void **state)
{
    (void)state;
    quotes("com.example.a@1.0", "com.example.a@1.0");
    quotes("", "''");
    quotes("two words", "'two words'");
    quotes("it's", "'it'\\''s'");
    quotes("~", "'~'");
    quotes("=ls", "'=ls'");
    quotes("--a=b", "--a=b");
    quotes("$HOME", "'$HOME'");
    quotes("a\\", "'a\\'");
    quotes("\xe4\xb8\xad", "'\xe4\xb8\xad'");
    quotes("a\nb", "$'a\\012b'");
    quotes("\x1b[31m", "$'\\033[31m'");
    quotes("it's\x01"
           "7",
           "$'it\\'s\\0017'");
    quotes("\\\xff", "$'\\\\\\377'");
    quotes("\xc2\x9b\xe2\x80\xae", "$'\\302\\233\\342\\200\\256'");
}

/* What `bash -c "printf %s WORD"` prints, for a word of every byte but NUL, alone and among others. */
static void bash_reads_them_back(void **state)
{
    (void)state;
    struct writ_buffer script;
    char expected[2048], found[4096];
    size_t length = 0;
    int ends[2];
    writ_buffer_init(&script, 1 << 16);
    writ_buffer_append_text(&script, "printf %s");
    for (unsigned byte = 1; byte < 256; byte++) {
        char word[] = {'a', (char)byte, '0'};
        writ_buffer_append_byte(&script, ' ');
        cli_shell_quote(&script, word, sizeof word);
        memcpy(expected + length, word, sizeof word);
        length += sizeof word;
    }
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)execlp("bash", "bash", "-c", script.data, (char *)NULL);
        _exit(errno == ENOENT ? 77 : 1);
    }
    (void)close(ends[1]);
    size_t got = 0;
    for (ssize_t part; (part = read(ends[0], found + got, sizeof found - got)) > 0;)
        got += (size_t)part;
    (void)close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    writ_buffer_clear(&script);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(got, length);
    assert_memory_equal(found, expected, length);
}

static void json_stays_the_same_document(void **state)
{
    (void)state;
    static const char json[] = "{\"a\":\"x\xc2\x9by\xe2\x80\xaez\x7f\xe4\xb8\xad\xf0\x9f\x98\x80\"}";
    struct writ_buffer out;
    struct writ_arena arena;
    struct writ_error error;
    const struct writ_json *before, *after;
    writ_buffer_init(&out, 1 << 16);
    writ_arena_init(&arena, 1 << 16);
    cli_json_make_printable(&out, json, strlen(json));
    assert_string_equal(writ_buffer_text(&out), "{\"a\":\"x\\u009by\\u202ez\\u007f\xe4\xb8\xad\xf0\x9f\x98\x80\"}");
    assert_int_equal(writ_json_parse(&arena, json, strlen(json), &before, &error), 0);
    assert_int_equal(writ_json_parse(&arena, out.data, out.length, &after, &error), 0);
    assert_true(writ_json_equal(before, after));
    writ_arena_clear(&arena);
    writ_buffer_clear(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_quoted_where_it_takes_it),
        cmocka_unit_test(bash_reads_them_back),
        cmocka_unit_test(json_stays_the_same_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
