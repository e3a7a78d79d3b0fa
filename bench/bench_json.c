/*
 * JSON: parse, and parse + print, of one document of about a megabyte with Chinese text, against jansson.
 *
 *     bench_json [--rounds N]
 *
 * Both use the same malloc, told to keep its memory: otherwise the kernel's work for fresh pages is what is measured,
 * and jansson, with its many small blocks, suffers most.  Both refuse duplicate keys.
 */
#include "data/json.h"
#include "row.h"

#include <getopt.h>
#include <jansson.h>
#include <malloc.h>

#define ROUNDS_DEFAULT 200
#define ROUNDS_MAX 100000
#define RECORDS 1750

static void generate(struct writ_buffer *out)
{
    static const char *const names[] = {"文件文本提取", "图像识别", "仓库差异摘要", "数据库查询助手", "发票整理"};
    static const char *const words[] = {
        "从 PDF 和图像中提取文本，逐页返回内容与置信度。", "比较两个提交，给出结构化的变更摘要。",
        "按模板生成报告；支持中文、日文和 English mixed text。", "Extracts the tables of a page."};
    writ_buffer_append_byte(out, '[');
    for (unsigned i = 0; i < RECORDS; i++) {
        writ_buffer_printf(
            out,
            "%s{\"id\":\"com.example.skill-%04u\",\"name\":\"%s\",\"version\":\"%u.%u.%u\",\"description\":\"%s\","
            "\"tags\":"
            "[\"文档\",\"ocr\",\"批处理\"],\"enabled\":%s,\"input\":{\"type\":\"object\",\"properties\":{\"file_path\":"
            "{\"type\":\"string\",\"description\":\"要读取的文件路径\"},\"max_pages\":{\"type\":\"integer\","
            "\"minimum\":1,"
            "\"maximum\":%u}},\"required\":[\"file_path\"]},\"permissions\":[\"filesystem:read:${{ .input.file_path "
            "}}\","
            "\"binary:run:pdftotext\"],\"limits\":{\"timeout_ms\":%u,\"memory_bytes\":%u},\"confidence\":0.%u,\"note\":"
            "\"第 %u 条\\n\\\"引用\\\"\",\"owner\":null}",
            i ? "," : "", i, names[i % 5], i % 7, i % 11, i % 13, words[i % 4], i % 3 ? "true" : "false", 100 + i,
            1000 * (i % 60 + 1), 1048576 * (i % 512 + 1), 9000 + i % 1000, i);
    }
    writ_buffer_append_byte(out, ']');
}

static void fail(const char *what)
{
    (void)fprintf(stderr, "bench_json: %s\n", what);
    exit(1);
}

static double now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* malloc puts off merging what was freed until the next large request: not at the cost of who comes next. */
static double start_clock(void)
{
    void *volatile large = malloc(4 << 20);
    free(large);
    return now_ms();
}

static double run_ours(const struct writ_buffer *text, bool print)
{
    double start = start_clock();
    struct writ_arena arena;
    struct writ_error error;
    const struct writ_json *root;
    writ_arena_init(&arena, (size_t)64 << 20);
    if (writ_json_parse(&arena, text->data, text->length, &root, &error) != 0)
        fail(error.message);
    struct writ_buffer out;
    writ_buffer_init(&out, (size_t)64 << 20);
    if (print) {
        writ_json_print(&out, root, WRIT_JSON_COMPACT);
        if (out.length != text->length)
            fail("the document did not come back");
    }
    writ_buffer_clear(&out);
    writ_arena_clear(&arena);
    return now_ms() - start;
}

static double run_jansson(const struct writ_buffer *text, bool print)
{
    double start = start_clock();
    json_error_t error;
    json_t *root = json_loadb(text->data, text->length, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail(error.text);
    char *out = print ? json_dumps(root, JSON_COMPACT) : NULL;
    if (print && !out)
        fail("jansson does not print");
    free(out);
    json_decref(root);
    return now_ms() - start;
}

int main(int argument_count, char **arguments)
{
    static const struct option options[] = {{"rounds", required_argument, NULL, 'r'}, {NULL, 0, NULL, 0}};
    size_t rounds = ROUNDS_DEFAULT;
    for (int option; (option = getopt_long(argument_count, arguments, "", options, NULL)) != -1;)
        rounds = option == 'r' ? strtoul(optarg, NULL, 10) : 0;
    if (rounds == 0 || rounds > ROUNDS_MAX)
        fail("usage: bench_json [--rounds N]");
    /* 32 MiB is the most that glibc takes for the first. */
    if (!mallopt(M_MMAP_THRESHOLD, 32 << 20) || !mallopt(M_TRIM_THRESHOLD, 1 << 30) || !mallopt(M_TOP_PAD, 64 << 20))
        fail("malloc cannot be told to keep its memory");
    struct writ_buffer text;
    writ_buffer_init(&text, (size_t)64 << 20);
    generate(&text);
    double *ms[4];
    for (size_t i = 0; i < WRIT_COUNT(ms); i++) {
        ms[i] = calloc(rounds, sizeof *ms[i]);
        if (!ms[i])
            fail("no memory for the rounds");
    }
    for (size_t round = 0; round < rounds; round++) {
        ms[0][round] = run_jansson(&text, false);
        ms[1][round] = run_ours(&text, false);
        ms[2][round] = run_jansson(&text, true);
        ms[3][round] = run_ours(&text, true);
    }
    double megabytes = (double)text.length / 1e6;
    printf("JSON document of %.2f MB: writ parses %.0f MB/s, jansson %.0f MB/s\n", megabytes,
           megabytes * 1e3 / row_spread_of(ms[1], rounds).median,
           megabytes * 1e3 / row_spread_of(ms[0], rounds).median);
    row_print("JSON parse, 1 MB with Chinese text", "ms", ms[1], "jansson", ms[0], rounds, 1.0 / 15);
    row_print("JSON parse and print, the same", "ms", ms[3], "jansson", ms[2], rounds, 0);
    for (size_t i = 0; i < WRIT_COUNT(ms); i++)
        free(ms[i]);
    writ_buffer_clear(&text);
    return 0;
}
