/* Real interpreters of this machine, dynamically linked, do their ordinary work in the sandbox (S4.2). */
#include "harness.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

/* The program behind the first of some names, bound at its real path; skips the test, loudly, where there is none. */
static const char *find(struct harness *harness, const char *const *names)
{
    static char real[PATH_MAX];
    for (; *names; names++) {
        if (!realpath(*names, real) || access(real, X_OK) < 0)
            continue;
        harness_add_programs(harness);
        harness_add_tmp(harness);
        harness_bind(harness, real, false)->executable = true;
        harness->plan.limits.processes = 64;
        harness->plan.limits.memory_bytes = (uint64_t)1 << 30;
        harness->plan.limits.wall_ms = 60000;
        harness->plan.working_folder = "/tmp";
        return real;
    }
    print_message("SKIPPED: %s is not installed\n", names[-1]);
    skip();
    return NULL;
}

static void test_shell(void **state)
{
    struct harness *harness = *state;
    static const char *const names[] = {"/bin/dash", "/bin/bash", "/bin/sh", NULL};
    const char *shell = find(harness, names);
    harness->plan.input = "{}";
    harness->plan.input_length = 2;
    harness_run_program(
        harness, shell, "-c",
        "read x; echo \"$x\" >/dev/null; echo $x $$ $HOME $(echo sub) | while read y; do echo $y; done; "
        "echo err >&2; echo a > /tmp/b && rm() { :; }; exit 0",
        NULL);
    harness_check(harness, "{} 2 /tmp sub\n", __FILE__, __LINE__);
    assert_string_equal(writ_buffer_text(&harness->result.errors), "err\n");
    assert_true(harness->result.input_taken);
}

static void test_python(void **state)
{
    struct harness *harness = *state;
    static const char *const names[] = {"/usr/bin/python3", NULL};
    const char *python = find(harness, names);
    static const char program[] =
        "import asyncio, json, os, socket, subprocess, sys, tempfile, threading\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "document = json.load(sys.stdin)\n"
        "async def wait():\n"
        "    await asyncio.sleep(0.001)\n"
        "    await asyncio.to_thread(lambda: None)\n"
        "    return document['a']\n"
        "print(asyncio.run(wait()))\n"
        "with ThreadPoolExecutor(3) as pool:\n"
        "    print(sum(pool.map(lambda x: x * x, range(10))))\n"
        "with tempfile.NamedTemporaryFile() as file:\n"
        "    file.write(b'x' * 1000); file.flush(); print(os.stat(file.name).st_size)\n"
        "print(subprocess.run([sys.executable, '-c', 'print(6 * 7)'], capture_output=True, text=True).stdout, end='')\n"
        "try:\n"
        "    socket.create_connection(('127.0.0.1', 9), timeout=1)\n"
        "except OSError as error:\n"
        "    print(type(error).__name__, error.errno)\n"
        "print(os.listdir('/proc/self/fd') != [], len(os.sched_getaffinity(0)) > 0, os.getlogin.__name__)\n";
    harness->plan.input = "{\"a\": \"\xe4\xbd\xa0\xe5\xa5\xbd\"}";
    harness->plan.input_length = strlen(harness->plan.input);
    harness_run_program(harness, python, "-I", "-c", program, NULL);
    harness_check(harness, "\xe4\xbd\xa0\xe5\xa5\xbd\n285\n1000\n42\nOSError 97\nTrue True getlogin\n", __FILE__,
                  __LINE__);
}

static void test_node(void **state)
{
    struct harness *harness = *state;
    static const char *const names[] = {"/usr/bin/node", "/usr/local/bin/node", NULL};
    const char *node = find(harness, names);
    static const char program[] =
        "const fs = require('fs'), os = require('os'), { Worker } = require('worker_threads');\n"
        "let text = ''; process.stdin.on('data', d => text += d).on('end', async () => {\n"
        "  console.log(JSON.parse(text).a);\n"
        "  fs.writeFileSync('/tmp/x', 'abc'); console.log(fs.readFileSync('/tmp/x', 'utf8'));\n"
        "  await new Promise(done => setTimeout(done, 1));\n"
        "  await new Promise(done => new Worker('1+1', { eval: true }).on('exit', done));\n"
        "  const { execFileSync } = require('child_process');\n"
        "  console.log(execFileSync(process.execPath, ['-p', '6*7']).toString().trim());\n"
        "  await fs.promises.readFile('/tmp/x'); console.log(os.hostname());\n"
        "});\n";
    harness->plan.input = "{\"a\": 1}";
    harness->plan.input_length = strlen(harness->plan.input);
    harness->plan.limits.open_files = 256;
    harness_run_program(harness, node, "-e", program, NULL);
    harness_check(harness, "1\nabc\n42\nwrit\n", __FILE__, __LINE__);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, harness_set_up, harness_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_shell), TEST(test_python), TEST(test_node)};
    return cmocka_run_group_tests_name("sandbox/interpreters", tests, NULL, NULL);
}
