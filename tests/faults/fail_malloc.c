/*
 * Loaded before all else: makes the allocation of number FAIL_AT (from 1) fail, and with FAIL_ON all later ones, too.
 * With FAIL_IN it does so only in processes that have this first argument; with FAIL_OURS only calls from the program
 * itself count, and not those of its libraries; with FAIL_ONCE only the first process fails, which makes this file.
 * At its end the process writes to FAIL_COUNT how many it asked for.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static _Atomic unsigned long asked;
static unsigned long at;
static bool on, concerned;
static const void *program; /* where it is loaded, if only its own calls count */

/* Of constructors, what main() is called with, as glibc hands it over. */
__attribute__((constructor)) static void begin(int count, char **arguments)
{
    const char *number = getenv("FAIL_AT"), *in = getenv("FAIL_IN");
    Dl_info info;

    at = number != NULL ? strtoul(number, NULL, 10) : 0;
    on = getenv("FAIL_ON") != NULL;
    if (getenv("FAIL_OURS") != NULL && dladdr((const void *)getauxval(AT_ENTRY), &info) != 0)
        program = info.dli_fbase;
    concerned = in == NULL || (count > 1 && strcmp(arguments[1], in) == 0);
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

static bool is_first(void)
{
    const char *path = getenv("FAIL_ONCE");
    const int file = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (file >= 0)
        close(file);
    return path == NULL || file >= 0;
}

static bool fails(const void *caller)
{
    Dl_info info;

    if (!concerned || (program != NULL && (dladdr(caller, &info) == 0 || info.dli_fbase != program)))
        return false;
    const unsigned long number = atomic_fetch_add(&asked, 1) + 1;
    if (at == 0 || !(number == at || (on && number > at)) || !is_first())
        return false;
    errno = ENOMEM;
    return true;
}

EXPORT void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

EXPORT void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

EXPORT void *realloc(void *memory, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}
