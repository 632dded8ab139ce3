#include "format/text.h"

#include "format/escape.h"

void text_clean(FILE *out, const char *text)
{
    escape_text(out, text);
}

void text_device(FILE *out, const struct device_info *device)
{
    escape_each(escape_text, out, "", DEVICE_LABEL_OF(device), " (", device->platform, ", driver ",
                device->driver_version, ")", NULL);
}
