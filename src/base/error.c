#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* More than a path and build options together. */
enum { WHOLE_BYTES = 1 << 15 };

/* Of a longer text, which has something of the user's in it, its beginning and its end. */
static void take(struct error *error, const char *text)
{
    static const char between[] = " ... ";
    enum { ROOM = sizeof error->text - 1, END = ROOM / 2, BEGIN = ROOM - END - (sizeof between - 1) };
    const size_t length = strlen(text);

    if (length <= ROOM)
        memcpy(error->text, text, length + 1);
    else
        snprintf(error->text, sizeof error->text, "%.*s%s%s", BEGIN, text, between, text + length - END);
}

static void take_format(struct error *error, const char *format, va_list arguments)
{
    char text[WHOLE_BYTES];

    vsnprintf(text, sizeof text, format, arguments);
    take(error, text);
}

int error_set(struct error *error, enum status status, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        error->status = status;
        va_start(arguments, format);
        take_format(error, format, arguments);
        va_end(arguments);
    }
    return -1;
}

int error_context(struct error *error, const char *format, ...)
{
    if (error != NULL) {
        struct error context;
        char text[2 * sizeof error->text + 2];
        va_list arguments;
        va_start(arguments, format);
        take_format(&context, format, arguments);
        va_end(arguments);
        snprintf(text, sizeof text, "%s: %s", context.text, error->text);
        take(error, text);
    }
    return -1;
}
