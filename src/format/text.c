#include "format/text.h"

#include "base/alloc.h"
#include "core/text.h"
#include "format/escape.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int put_clean(FILE *out, const char *word, size_t length)
{
    char *copy = xstrndup(word, length);

    escape_text(out, copy);
    free(copy);
    return (int)length;
}

void text_clean_lines(FILE *out, const char *first, const char *margin, const char *text)
{
    text_wrap(&(struct text_page){.out = out, .first = first, .margin = margin, .columns = 80, .put = put_clean}, text);
}

FILE *text_lines_begin(struct text_lines *lines)
{
    *lines = (struct text_lines){.text = NULL};
    lines->stream = xopen_memstream(&lines->text, NULL);
    return lines->stream;
}

void text_lines_end(struct text_lines *lines, FILE *out, const char *first, const char *margin)
{
    const struct text_page page = {.out = out,
                                   .first = first,
                                   .margin = margin,
                                   .columns = 80,
                                   .used = lines->used,
                                   .open = lines->open,
                                   .put = put_clean};

    xclose_memstream(lines->stream, &lines->text);
    text_wrap(&page, lines->text);
    free(lines->text);
}

void text_cell(FILE *out, int columns, bool known, const char *format, ...)
{
    char text[64] = "-";
    va_list arguments;

    va_start(arguments, format);
    if (known)
        vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(out, " %*s", columns, text);
}

void text_device(FILE *out, const struct device_info *device)
{
    escape_each(escape_text, out, "", DEVICE_LABEL_OF(device), " (", device->platform, ", driver ",
                device->driver_version, ")", NULL);
}

void text_device_lines(FILE *out, const char *first, const char *margin, const struct device_info *device)
{
    struct text_lines lines;

    text_device(text_lines_begin(&lines), device);
    lines.open = true;
    text_lines_end(&lines, out, first, margin);
}

void text_probe(FILE *out, const struct device_info *device, const struct device_probe *probe, const char *dialect)
{
    fprintf(out, "\n%" PRIu32 " compute unit%s, %s %s, channel %s", device->compute_units,
            text_s(device->compute_units), dialect, dialect_name(probe->dialect), channel_name(probe->channel));
    if (probe->loops_cut_at != 0)
        fprintf(out, ", loops cut after %" PRIu64 " iterations", probe->loops_cut_at);
}
