/* RFC 6901, with the document of its section 5 in our own words. */
#include "data/json_pointer.h"
#include "support.h"

#include <string.h>

static struct writ_arena arena;
static const struct writ_json *root;

static const char document[] = "{\"list\":[\"x\",[10,{\"y\":11}]],\"\":0,\"a/b\":1,\"c%d\":2,\"e^f\":3,\"i\\\\j\":5,"
                               "\"k\\\"l\":6,\" \":7,\"m~n\":8,\"~1\":9,\"\\u0000\":12,\"0\":13,\"\xE6\x96\x87\":14,"
                               "\"o\":{\"\":{\"\":15}}}";

static int set_up(void **state)
{
    (void)state;
    writ_arena_init(&arena, 1 << 20);
    struct writ_error error;
    return writ_json_parse(&arena, document, strlen(document), &root, &error);
}

static int tear_down(void **state)
{
    (void)state;
    writ_arena_clear(&arena);
    return 0;
}

static void pointers_find_their_values(void **state)
{
    (void)state;
    static const struct {
        const char *pointer;
        int64_t value;
    } rows[] = {
        {"/list/1/0", 10},     {"/list/1/1/y", 11}, {"/", 0},  {"/a~1b", 1}, {"/c%d", 2}, {"/e^f", 3},
        {"/i\\j", 5},          {"/k\"l", 6},        {"/ ", 7}, {"/m~0n", 8}, {"/~01", 9}, {"/0", 13},
        {"/\xE6\x96\x87", 14}, {"/o//", 15},
    };
    for (size_t at = 0; at < WRIT_COUNT(rows); at++) {
        const struct writ_json *node = writ_json_pointer_get(root, rows[at].pointer, strlen(rows[at].pointer));
        if (!node || node->kind != WRIT_JSON_INTEGER || node->integer != rows[at].value)
            fail_msg("%s does not find %d", rows[at].pointer, (int)rows[at].value);
    }
    assert_ptr_equal(writ_json_pointer_get(root, "", 0), root);
    assert_int_equal(writ_json_pointer_get(root, "/\0", 2)->integer, 12);
}

static void bad_pointers_find_nothing(void **state)
{
    (void)state;
    static const char *const rows[] = {"list",
                                       "/absent",
                                       "/list/2",
                                       "/list/-",
                                       "/list/00",
                                       "/list/01",
                                       "/list/",
                                       "/list/+1",
                                       "/list/ 0",
                                       "/list/0x0",
                                       "/list/1.0",
                                       "/list/0/a",
                                       "/list/1/1/",
                                       "/m~n",
                                       "/m~2n",
                                       "/m~",
                                       "/~1",
                                       "/o///",
                                       "/list/-1",
                                       "#/list",
                                       "/list/4294967296",
                                       "/list/99999999999999999999"};
    for (size_t at = 0; at < WRIT_COUNT(rows); at++) {
        if (writ_json_pointer_get(root, rows[at], strlen(rows[at])))
            fail_msg("%s finds something", rows[at]);
    }
}

/* For every node: the pointer to it leads back to it. */
static void pointers_to_nodes_lead_back(void **state)
{
    (void)state;
    const struct writ_json *end = writ_json_next(root);
    size_t values = 0;
    for (const struct writ_json *node = root; node < end; node++) {
        struct writ_buffer pointer;
        writ_buffer_init(&pointer, 1000);
        writ_json_pointer_to(&pointer, root, node);
        const struct writ_json *found = writ_json_pointer_get(root, writ_buffer_text(&pointer), pointer.length);
        /* A key has its value's pointer. */
        assert_true(found == node || (node->kind == WRIT_JSON_STRING && found == node + 1));
        values += found == node;
        writ_buffer_clear(&pointer);
    }
    assert_int_equal(values, 1 + 14 + 2 + 2 + 1 + 2);
}

static void tokens_are_escaped(void **state)
{
    (void)state;
    struct writ_buffer pointer;
    writ_buffer_init(&pointer, 1000);
    writ_json_pointer_append(&pointer, "", 0);
    writ_json_pointer_append(&pointer, "a/b~c~1/", 8);
    writ_json_pointer_append_index(&pointer, 0);
    writ_json_pointer_append_index(&pointer, 4294967296);
    writ_json_pointer_append(&pointer, "a\0", 2);
    assert_int_equal(pointer.length, strlen("//a~1b~0c~01~1/0/4294967296/a") + 1);
    assert_memory_equal(pointer.data, "//a~1b~0c~01~1/0/4294967296/a", pointer.length);
    writ_buffer_clear(&pointer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pointers_find_their_values),
        cmocka_unit_test(bad_pointers_find_nothing),
        cmocka_unit_test(pointers_to_nodes_lead_back),
        cmocka_unit_test(tokens_are_escaped),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
