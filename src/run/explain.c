#include "run/explain.h"

#include "data/quantity.h"

static const char *kind_of(const struct writ_mount *mount)
{
    switch (mount->kind) {
    case WRIT_MOUNT_BIND:
        return mount->writable ? "write" : mount->executable ? "run" : "read";
    case WRIT_MOUNT_SYMLINK:
        return "link";
    case WRIT_MOUNT_FILE:
        return "file";
    case WRIT_MOUNT_FOLDER:
        return "folder";
    case WRIT_MOUNT_TMPFS:
        return "scratch";
    case WRIT_MOUNT_DEVICE:
    default:
        return "device";
    }
}

/* On one line, whatever a name holds: a line end in it must not look like a line of ours. */
static void print_name(struct writ_buffer *out, const char *name)
{
    for (; *name; name++)
        writ_buffer_append_byte(out, (unsigned char)*name < 0x20 || *name == 0x7F ? '?' : *name);
}

static void print_list(struct writ_buffer *out, const char *title, const char *const *items)
{
    writ_buffer_printf(out, "%s", title);
    for (; *items; items++) {
        writ_buffer_append_byte(out, ' ');
        print_name(out, *items);
    }
    writ_buffer_append_byte(out, '\n');
}

/* What the contract asks for, where a setting of the person allows less. */
static void print_lowered(struct writ_buffer *out, const struct writ_ceilings *asked)
{
    if (asked->wall_ms) {
        writ_buffer_append_text(out, "             the time by your setting run.timeout-max; the contract asks for ");
        writ_duration_print(out, asked->wall_ms);
        writ_buffer_append_byte(out, '\n');
    }
    if (asked->memory_bytes) {
        writ_buffer_append_text(out, "             the memory by your setting run.memory-max; the contract asks for ");
        writ_size_print(out, asked->memory_bytes);
        writ_buffer_append_byte(out, '\n');
    }
}

static void print_limits(struct writ_buffer *out, const struct writ_limits *limits)
{
    writ_buffer_append_text(out, "limits       ");
    writ_duration_print(out, limits->wall_ms);
    writ_buffer_append_text(out, ", ");
    writ_size_print(out, limits->memory_bytes);
    writ_buffer_printf(out, " of memory, %u processor%s, %u processes, ", limits->cpus, limits->cpus == 1 ? "" : "s",
                       limits->processes);
    writ_size_print(out, limits->output_bytes);
    writ_buffer_append_text(out, " of output\n");
}

void writ_explain_text(struct writ_buffer *out, const struct writ_prepared *prepared)
{
    const struct writ_plan *plan = &prepared->plan;
    print_list(out, "program     ", plan->args);
    print_list(out, "environment ", plan->env);
    writ_buffer_append_text(out, "folder       ");
    print_name(out, plan->working_folder);
    writ_buffer_append_byte(out, '\n');
    print_limits(out, &plan->limits);
    print_lowered(out, &prepared->lowered_from);
    writ_buffer_append_text(out, "network      none\n");
    writ_buffer_printf(out, "input        %.*s", (int)plan->input_length, plan->input);
    writ_buffer_append_text(out, "places       (all else of this machine is absent)\n");
    for (size_t i = 0; i < plan->mount_count; i++) {
        const struct writ_mount *mount = &plan->mounts[i];
        writ_buffer_printf(out, "  %-8s ", kind_of(mount));
        print_name(out, mount->path);
        if (mount->kind == WRIT_MOUNT_SYMLINK) {
            writ_buffer_append_text(out, " -> ");
            print_name(out, mount->content);
        }
        if (mount->kind == WRIT_MOUNT_TMPFS) {
            writ_buffer_append_text(out, " of ");
            writ_size_print(out, mount->size_bytes);
        }
        writ_buffer_append_text(out, "  (");
        print_name(out, mount->reason);
        writ_buffer_append_text(out, ")\n");
    }
}

static void write_texts(struct writ_json_writer *writer, const char *key, const char *const *items)
{
    writ_json_write_key(writer, key);
    writ_json_write_array(writer);
    for (; *items; items++)
        writ_json_write_text(writer, *items);
    writ_json_write_array_end(writer);
}

static void write_mount(struct writ_json_writer *writer, const struct writ_mount *mount)
{
    writ_json_write_object(writer);
    writ_json_write_member_text(writer, "kind", kind_of(mount));
    writ_json_write_member_text(writer, "path", mount->path);
    if (mount->kind == WRIT_MOUNT_SYMLINK) {
        writ_json_write_member_text(writer, "target", mount->content);
    }
    if (mount->kind == WRIT_MOUNT_TMPFS) {
        writ_json_write_member_integer(writer, "bytes_max", (int64_t)mount->size_bytes);
        writ_json_write_member_integer(writer, "files_max", (int64_t)mount->files_max);
    }
    writ_json_write_member_text(writer, "reason", mount->reason);
    writ_json_write_object_end(writer);
}

void writ_explain_json(struct writ_json_writer *writer, const struct writ_prepared *prepared)
{
    const struct writ_plan *plan = &prepared->plan;
    writ_json_write_object(writer);
    writ_json_write_member_text(writer, "program", plan->program);
    write_texts(writer, "arguments", plan->args);
    write_texts(writer, "environment", plan->env);
    writ_json_write_member_text(writer, "working_folder", plan->working_folder);
    writ_json_write_key(writer, "input");
    writ_json_write_text_sized(writer, plan->input, plan->input_length);
    writ_json_write_member_text(writer, "network", "none");
    writ_json_write_key(writer, "limits");
    writ_json_write_object(writer);
    const struct {
        const char *key;
        uint64_t value;
    } limits[] = {{"wall_ms", plan->limits.wall_ms},
                  {"memory_bytes", plan->limits.memory_bytes},
                  {"cpus", plan->limits.cpus},
                  {"processes", plan->limits.processes},
                  {"output_bytes", plan->limits.output_bytes},
                  {"stderr_bytes", plan->limits.stderr_bytes},
                  {"file_bytes", plan->limits.file_bytes},
                  {"open_files", plan->limits.open_files}};
    for (size_t i = 0; i < WRIT_COUNT(limits); i++) {
        writ_json_write_member_integer(writer, limits[i].key, (int64_t)limits[i].value);
    }
    writ_json_write_object_end(writer);
    writ_json_write_key(writer, "places");
    writ_json_write_array(writer);
    for (size_t i = 0; i < plan->mount_count; i++)
        write_mount(writer, &plan->mounts[i]);
    writ_json_write_array_end(writer);
    writ_json_write_object_end(writer);
}
