#include "data/schema_compiled.h"
#include "data/schema_check.h"
int writ_schema_explain(const struct writ_schema *schema, const struct writ_json *instance, size_t faults_max,
                        struct writ_arena *arena, struct writ_schema_faults *ret_faults, struct writ_error *error)
{
    (void)arena; (void)error; (void)faults_max;
    ret_faults->count = !writ_schema_check(schema, instance);
    return 0;
}
