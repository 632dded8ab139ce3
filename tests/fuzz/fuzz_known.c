/* Lists of --skips, --flakes and --baseline, and their patterns, which are tried on ids and on the lines themselves. */
#include "fuzz.h"
#include "scenario/known.h"

#include <sys/mman.h>
#include <unistd.h>

enum { LONGEST_ID = 300 };

/* A file that has the input, and only that; its name is always the same. */
static const char *file_of(const uint8_t *data, size_t size)
{
    static char path[32];
    static int descriptor = -1;

    if (descriptor < 0) {
        descriptor = memfd_create("list", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    }
    CLAIM(ftruncate(descriptor, 0) == 0 && pwrite(descriptor, data, size, 0) == (ssize_t)size);
    return path;
}

static void ask(const struct known *known, const char *id)
{
    known_patterns_match(&known->skips, id);
    known_patterns_match(&known->flakes, id);
    known_failure(known, id);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct known known = {.failure_count = 0};
    struct error error;
    const char *path = file_of(data, size);
    char *text = fuzz_text(data, size < LONGEST_ID ? size : LONGEST_ID);

    fuzz_accepted(known_load_skips(&known, path, &error), &error);
    fuzz_accepted(known_load_flakes(&known, path, &error), &error);
    if (fuzz_accepted(known_load_baseline(&known, path, &error), &error))
        for (size_t i = 0; i < known.failure_count; ++i)
            CLAIM(known_failure(&known, known.failures[i].id) != 0);
    ask(&known, "barrier_central/groups=3,dialect=cl30,local-size=64");
    ask(&known, text);
    known_fini(&known);
    free(text);
    return 0;
}
