/*
 * The configuration file: whatever is read holds values in bounds, whatever is refused says so at a place, and a change
 * of one setting never changes another.  The first byte chooses the setting, the rest is the file.
 */
#include "base/text.h"
#include "skill/settings.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void demand(bool holds)
{
    if (!holds)
        abort();
}

static void check_values(const struct writ_settings *settings)
{
    for (size_t i = 0; i < WRIT_SETTING_COUNT; i++) {
        struct writ_setting_value again;
        struct writ_error error;
        const struct writ_setting_value *value = &settings->values[i];
        demand(writ_setting_parse((enum writ_setting_id)i, value->text, &again, &error) == 0);
        demand(again.number == value->number);
        demand(value->source == WRIT_SETTING_FROM_DEFAULT || value->source == WRIT_SETTING_FROM_FILE);
    }
}

static void check_edit(const char *text, size_t length, enum writ_setting_id id, const char *value,
                       const struct writ_settings *before)
{
    struct writ_settings after;
    struct writ_error error;
    struct writ_buffer out;
    writ_buffer_init(&out, WRIT_SETTINGS_BYTES_MAX);
    int result = writ_settings_edit(text, length, "config.yaml", id, value, &out, &error);
    if (result == 0) {
        demand(writ_settings_parse(writ_buffer_text(&out), out.length, "config.yaml", &after, &error) == 0);
        demand(strcmp(after.values[id].text, value ? value : writ_settings_table[id].default_text) == 0);
        for (size_t i = 0; before && i < WRIT_SETTING_COUNT; i++)
            demand(i == id || strcmp(before->values[i].text, after.values[i].text) == 0);
    } else {
        demand(out.length == 0 && (result == WRIT_CONFIG_INVALID || result == WRIT_INTERNAL_MEMORY));
        demand(error.message[0] && writ_utf8_is_valid(error.message, strlen(error.message)));
    }
    writ_buffer_clear(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct writ_settings settings;
    struct writ_error error;
    if (length == 0)
        return 0;
    enum writ_setting_id id = (enum writ_setting_id)(bytes[0] % WRIT_SETTING_COUNT);
    static const char *const values[WRIT_SETTING_COUNT] = {"7", "never", "never", "1 GiB", "1h 2m", "utc"};
    const char *text = (const char *)bytes + 1;
    int result = writ_settings_parse(text, length - 1, "config.yaml", &settings, &error);
    if (result == 0) {
        check_values(&settings);
    } else {
        demand(result == WRIT_CONFIG_INVALID || result == WRIT_INTERNAL_MEMORY);
        demand(error.message[0] && writ_utf8_is_valid(error.message, strlen(error.message)));
    }
    check_edit(text, length - 1, id, values[id], result == 0 ? &settings : NULL);
    check_edit(text, length - 1, id, NULL, result == 0 ? &settings : NULL);
    return 0;
}
