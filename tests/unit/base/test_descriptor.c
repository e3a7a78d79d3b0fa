#include "base/descriptor.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void closing_twice_and_taking(void **state)
{
    (void)state;
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    int copy = fd;
    int taken = writ_descriptor_take(&fd);
    assert_int_equal(fd, -1);
    assert_int_equal(taken, copy);
    writ_descriptor_close(&fd); /* nothing was left to close */
    assert_true(fcntl(taken, F_GETFD) >= 0);
    errno = EXDEV;
    writ_descriptor_close(&taken);
    assert_int_equal(errno, EXDEV);
    assert_int_equal(taken, -1);
    assert_int_equal(fcntl(copy, F_GETFD), -1);
    writ_descriptor_close(&taken);
}

static int memory_file(const char *bytes, size_t length)
{
    int fd = memfd_create("test", MFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(writ_descriptor_write_all(fd, bytes, length), 0);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

static void reading_stops_at_the_maximum(void **state)
{
    (void)state;
    static char data[200000];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (char)(i % 251);
    static const struct {
        size_t bytes_max;
        int result;
    } cases[] = {
        {sizeof data + 1, 0}, {sizeof data, 0}, {sizeof data - 1, -EFBIG}, {64 * 1024, -EFBIG}, {1, -EFBIG},
        {0, -EFBIG},          {1 << 30, 0},
    };
    for (size_t i = 0; i < WRIT_COUNT(cases); i++) {
        WRIT_CLEANUP(writ_descriptor_close) int fd = memory_file(data, sizeof data);
        WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer buffer;
        writ_buffer_init(&buffer, cases[i].bytes_max);
        assert_int_equal(writ_descriptor_read_all(fd, &buffer), cases[i].result);
        if (cases[i].result == 0) {
            assert_int_equal(buffer.length, sizeof data);
            assert_memory_equal(buffer.data, data, sizeof data);
        }
        assert_true(buffer.length <= cases[i].bytes_max);
        assert_false(buffer.failed);
    }
}

static void an_empty_file_fits_in_nothing(void **state)
{
    (void)state;
    WRIT_CLEANUP(writ_descriptor_close) int fd = memory_file("", 0);
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer buffer;
    writ_buffer_init(&buffer, 0);
    assert_int_equal(writ_descriptor_read_all(fd, &buffer), 0);
    assert_int_equal(buffer.length, 0);
}

static void reading_appends(void **state)
{
    (void)state;
    WRIT_CLEANUP(writ_descriptor_close) int fd = memory_file("tail", 4);
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer buffer;
    writ_buffer_init(&buffer, 8);
    writ_buffer_append_text(&buffer, "head");
    assert_int_equal(writ_descriptor_read_all(fd, &buffer), 0);
    assert_string_equal(writ_buffer_text(&buffer), "headtail");
}

static void bad_descriptors_are_told(void **state)
{
    (void)state;
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer buffer;
    writ_buffer_init(&buffer, 100);
    assert_int_equal(writ_descriptor_read_all(-1, &buffer), -EBADF);
    assert_int_equal(writ_descriptor_write_all(-1, "x", 1), -EBADF);
    assert_int_equal(writ_descriptor_write_all(-1, "", 0), 0);
    WRIT_CLEANUP(writ_descriptor_close) int folder = open("/", O_RDONLY | O_CLOEXEC);
    assert_int_equal(writ_descriptor_read_all(folder, &buffer), -EISDIR);
    WRIT_CLEANUP(writ_descriptor_close) int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    if (full >= 0)
        assert_int_equal(writ_descriptor_write_all(full, "x", 1), -ENOSPC);
}

struct pipe_writer {
    int fd;
    const char *bytes;
    size_t length;
    int result;
};
static void *write_to_pipe(void *argument)
{
    struct pipe_writer *writer = argument;
    writer->result = writ_descriptor_write_all(writer->fd, writer->bytes, writer->length);
    writ_descriptor_close(&writer->fd);
    return NULL;
}

/* A pipe takes and gives less than was asked for. */
static void short_reads_and_writes_go_on(void **state)
{
    (void)state;
    static char data[1 << 20];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (char)(i % 253);
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    struct pipe_writer writer = {.fd = ends[1], .bytes = data, .length = sizeof data, .result = 1};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, write_to_pipe, &writer), 0);
    WRIT_CLEANUP(writ_buffer_clear) struct writ_buffer buffer;
    writ_buffer_init(&buffer, sizeof data);
    int result = writ_descriptor_read_all(ends[0], &buffer);
    assert_int_equal(pthread_join(thread, NULL), 0);
    writ_descriptor_close(&ends[0]);
    assert_int_equal(result, 0);
    assert_int_equal(writer.result, 0);
    assert_int_equal(buffer.length, sizeof data);
    assert_memory_equal(buffer.data, data, sizeof data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closing_twice_and_taking),      cmocka_unit_test(reading_stops_at_the_maximum),
        cmocka_unit_test(an_empty_file_fits_in_nothing), cmocka_unit_test(reading_appends),
        cmocka_unit_test(bad_descriptors_are_told),      cmocka_unit_test(short_reads_and_writes_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
