#include "format/text.h"

#include "format/escape.h"

void text_clean(FILE *out, const char *text)
{
    escape_text(out, text);
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
