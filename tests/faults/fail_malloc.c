/*
 * Loaded before all else: makes the allocation of number FAIL_AT (from 1) fail, and with FAIL_ON all later ones, too.
 * At its end the process writes to FAIL_COUNT how many it asked for.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static _Atomic unsigned long asked;
static unsigned long at;
static bool on;

__attribute__((constructor)) static void begin(void)
{
    const char *number = getenv("FAIL_AT");
    at = number != NULL ? strtoul(number, NULL, 10) : 0;
    on = getenv("FAIL_ON") != NULL;
    atomic_store(&asked, 0); /* what others asked for before is not ours */
}

__attribute__((destructor)) static void end(void)
{
    char text[32];
    const char *path = getenv("FAIL_COUNT");
    const int file = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const int length = snprintf(text, sizeof text, "%lu\n", atomic_load(&asked));

    if (file >= 0 && write(file, text, (size_t)length) != length)
        abort();
}

static bool fails(void)
{
    const unsigned long number = atomic_fetch_add(&asked, 1) + 1;
    const bool chosen = at != 0 && (number == at || (on && number > at));

    if (chosen)
        errno = ENOMEM;
    return chosen;
}

EXPORT void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

EXPORT void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

EXPORT void *realloc(void *memory, size_t size)
{
    return fails() ? NULL : __libc_realloc(memory, size);
}
