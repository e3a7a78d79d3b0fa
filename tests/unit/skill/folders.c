#include "folders.h"

#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>

char folders_root[64];

int folders_set_up(void **state)
{
    (void)state;
    (void)umask(022);
    (void)snprintf(folders_root, sizeof folders_root, "/tmp/writ-folders-XXXXXX");
    return mkdtemp(folders_root) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

int folders_tear_down(void **state)
{
    (void)state;
    return nftw(folders_root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *folders_path(const char *path)
{
    static char places[8][PATH_MAX];
    static unsigned next;
    char *place = places[next++ % 8];
    (void)snprintf(place, PATH_MAX, "%s%s%s", folders_root, path[0] ? "/" : "", path);
    return place;
}

void folders_make(const char *path)
{
    char whole[PATH_MAX];
    (void)snprintf(whole, sizeof whole, "%s", folders_path(path));
    for (char *slash = whole + strlen(folders_root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        assert_true(mkdir(whole, 0755) == 0 || errno == EEXIST);
        *slash = '/';
    }
    assert_true(mkdir(whole, 0755) == 0 || errno == EEXIST);
}

void folders_write(const char *path, const char *text)
{
    char above[PATH_MAX];
    (void)snprintf(above, sizeof above, "%s", path);
    char *slash = strrchr(above, '/');
    if (slash) {
        *slash = '\0';
        folders_make(above);
    }
    FILE *file = fopen(folders_path(path), "we");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

void folders_link(const char *path, const char *target)
{
    assert_int_equal(symlink(target, folders_path(path)), 0);
}

void folders_mode(const char *path, mode_t mode)
{
    assert_int_equal(chmod(folders_path(path), mode), 0);
}

void folders_remove(const char *path)
{
    assert_int_equal(nftw(folders_path(path), remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

int folders_open(const char *path)
{
    int fd = open(folders_path(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

void folders_skill(const char *folder, const char *id, const char *version)
{
    char path[PATH_MAX], text[1024];
    (void)snprintf(text, sizeof text,
                   "id: %s\nname: A skill\ndescription: Returns the number of lines, words and bytes of a text.\n"
                   "version: %s\nauthor: The writ project\nlicense: Apache-2.0\npermissions: []\nruntime: [sh]\n"
                   "input: {type: object, additionalProperties: false, properties: {}}\n"
                   "output: {type: object, required: [success, data], properties: {success: {type: boolean}, data: {},"
                   " error: {type: string}}}\n"
                   "test: {input: {}, expected_output: {success: true, data: {}}}\n",
                   id, version);
    (void)snprintf(path, sizeof path, "%s/skill.yaml", folder);
    folders_write(path, text);
    (void)snprintf(path, sizeof path, "%s/main.sh", folder);
    folders_write(path, "echo '{\"success\": true, \"data\": {}}'\n");
}
