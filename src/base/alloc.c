#include "base/alloc.h"

#include "base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* quick_exit: neither what is left in streams nor the ends of a driver's libraries, which may want memory, too. */
void out_of_memory(size_t bytes)
{
    char line[96], what[48] = "";

    if (bytes != 0)
        snprintf(what, sizeof what, ": %zu bytes could not be had", bytes);
    const int length = snprintf(line, sizeof line, "gridlock: out of memory%s\n", what);
    if (write(STDERR_FILENO, line, (size_t)length) < 0)
        abort();
    quick_exit(STATUS_HARNESS);
}

static void *check(void *memory, size_t bytes)
{
    if (memory == NULL)
        out_of_memory(bytes);
    return memory;
}

void *xmalloc(size_t bytes)
{
    return check(malloc(bytes), bytes);
}

void *xcalloc(size_t count, size_t size)
{
    return check(calloc(count, size), count * size);
}

void *xcalloc_scattered(size_t count, size_t size)
{
    enum { LINE = 64, LARGE_PAGE = 1 << 21 };
    const size_t unit = count * size < LARGE_PAGE ? LINE : LARGE_PAGE;
    const size_t bytes = (count * size + unit - 1) / unit * unit;
    void *memory = check(aligned_alloc(unit, bytes), bytes);

    if (unit == LARGE_PAGE)
        (void)madvise(memory, bytes, MADV_HUGEPAGE); /* without them it goes as well */
    return memset(memory, 0, bytes);
}

void *xrealloc(void *memory, size_t bytes)
{
    return check(realloc(memory, bytes), bytes);
}

char *xstrdup(const char *text)
{
    return xstrndup(text, strlen(text));
}

char *xstrndup(const char *text, size_t length)
{
    return check(strndup(text, length), length + 1);
}

char *xasprintf(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        out_of_memory(0);
    return text;
}

FILE *xopen_memstream(char **text, size_t *size)
{
    static _Thread_local size_t unread; /* by the streams, too */

    return check(open_memstream(text, size != NULL ? size : &unread), 0);
}

/* At last the GNU C library cuts what it had reserved, and where that fails says so by NULL alone. */
char *xclose_memstream(FILE *stream, char *const *text)
{
    const bool lost = ferror(stream) != 0;

    if (fclose(stream) != 0 || lost || *text == NULL)
        out_of_memory(0);
    return *text;
}

/* There is room for the next power of two, so nothing needs to note how much it is. */
void grow(void *items, size_t count, size_t size)
{
    void *memory;

    if ((count & (count - 1)) != 0)
        return;
    memcpy(&memory, items, sizeof memory);
    memory = xrealloc(memory, (count == 0 ? 1 : 2 * count) * size);
    memcpy(items, &memory, sizeof memory);
}
