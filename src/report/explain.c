#include "report/explain.h"

#include <string.h>

explain_writer *explain_format_find(const char *name)
{
    static const struct {
        const char *name;
        explain_writer *write;
    } formats[] = {
        {"text", explain_text},
        {"json", explain_json},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
        if (strcmp(name, formats[i].name) == 0)
            return formats[i].write;
    return NULL;
}
