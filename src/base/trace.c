#include "base/trace.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TRACE_BYTES = 1024 };

static int trace_to = -1;

void trace_open(int descriptor)
{
    const char *asked = getenv("GRIDLOCK_TRACE");
    trace_to = asked != NULL && asked[0] != '\0' && strcmp(asked, "0") != 0 ? descriptor : -1;
}

bool trace_is_on(void)
{
    return trace_to >= 0;
}

/* In one call of write, so that the lines of several processes do not mix. */
void trace(const char *format, ...)
{
    char line[TRACE_BYTES];
    va_list arguments;

    if (!trace_is_on())
        return;
    const uint64_t now_us = clock_ns() / 1000;
    const int head = snprintf(line, sizeof line, "gridlock[%ld] %" PRIu64 ".%06" PRIu64 ": ", (long)getpid(),
                              now_us / 1000000, now_us % 1000000);
    va_start(arguments, format);
    vsnprintf(line + head, sizeof line - (size_t)head - 1, format, arguments);
    va_end(arguments);
    const size_t length = strlen(line);
    line[length] = '\n';
    if (write(trace_to, line, length + 1) < 0)
        trace_to = -1;
}
