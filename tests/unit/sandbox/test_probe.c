/* What the probe says is what a run then finds. */
#include "harness.h"

#include "sandbox/probe.h"

static void test_layers(void **state)
{
    struct harness *harness = *state;
    struct writ_layer layers[WRIT_LAYERS_MAX];
    size_t count = writ_probe_layers(layers, WRIT_COUNT(layers));
    assert_in_range(count, 6, WRIT_LAYERS_MAX);
    bool all_present = true;
    for (size_t i = 0; i < count; i++) {
        assert_non_null(layers[i].name);
        assert_string_not_equal(layers[i].found, "");
        assert_int_equal(layers[i].state == WRIT_LAYER_PRESENT, layers[i].lost[0] == '\0');
        assert_int_equal(layers[i].state == WRIT_LAYER_PRESENT, layers[i].mend[0] == '\0');
        all_present = all_present && layers[i].state != WRIT_LAYER_MISSING;
        print_message("%s: %s\n", layers[i].name, layers[i].found);
    }
    harness_run(harness, "print", "x", NULL);
    assert_int_equal(harness->answer == 0, all_present);
    assert_int_equal(writ_probe_layers(layers, 2), 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, harness_set_up, harness_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_layers)};
    return cmocka_run_group_tests_name("sandbox/probe", tests, NULL, NULL);
}
