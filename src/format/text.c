#include "format/text.h"

#include "format/utf8.h"

void text_clean(FILE *out, const char *text)
{
    while (*text != '\0') {
        size_t length = utf8_length(text);
        if (length == 0 || (unsigned char)*text < ' ' || *text == 0x7f) {
            fputc('?', out);
            ++text;
        } else {
            fwrite(text, 1, length, out);
            text += length;
        }
    }
}

void text_device(FILE *out, const struct device_info *device)
{
    text_clean(out, device->name);
    fputs(" (", out);
    text_clean(out, device->platform);
    fputs(", driver ", out);
    text_clean(out, device->driver_version);
    fputc(')', out);
}
