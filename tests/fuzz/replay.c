/*
 * Runs a fuzz target over its seeds without libFuzzer, so that an input that once broke a parser is an ordinary test in
 * every build: one case a file, named as the file.  The target itself aborts when something is wrong.
 * Each input is copied to a block of exactly its size, so that a read past its end is seen by the address sanitizer.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rbe");
    struct stat status;
    if (file == NULL || fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode)) {
        perror(path);
        return -1;
    }
    size_t length = (size_t)status.st_size;
    uint8_t *bytes = malloc(length == 0 ? 1 : length);
    if (bytes == NULL || fread(bytes, 1, length, file) != length) {
        perror(path);
        return -1;
    }
    fclose(file);
    (void)LLVMFuzzerTestOneInput(bytes, length);
    free(bytes);
    return 0;
}

static int is_seed(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int main(int argument_count, char **arguments)
{
    struct dirent **entries = NULL;
    int count = argument_count == 2 ? scandir(arguments[1], &entries, is_seed, alphasort) : -1;
    if (count <= 0) {
        fprintf(stderr, "usage: %s FOLDER-OF-SEEDS (with at least one file)\n", arguments[0]);
        return 1;
    }
    /* The plan comes first: a target that aborts leaves cases missing, and the driver counts that as a failure. */
    printf("1..%d\n", count);
    for (int index = 0; index < count; index++) {
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/%s", arguments[1], entries[index]->d_name);
        printf("# %s\n", entries[index]->d_name);
        fflush(stdout);
        int result = replay_file(path);
        printf("%s %d - %s\n", result == 0 ? "ok" : "not ok", index + 1, entries[index]->d_name);
        free(entries[index]);
    }
    free(entries);
    return 0;
}
