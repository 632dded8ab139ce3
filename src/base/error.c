#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int error_set(struct error *error, enum status status, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        error->status = status;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return -1;
}

int error_context(struct error *error, const char *format, ...)
{
    if (error != NULL) {
        char context[sizeof error->text];
        char text[2 * sizeof error->text + 2];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(context, sizeof context, format, arguments);
        va_end(arguments);
        snprintf(text, sizeof text, "%s: %s", context, error->text);
        text[sizeof error->text - 1] = '\0';
        memcpy(error->text, text, sizeof error->text);
    }
    return -1;
}
