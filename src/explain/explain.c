#include "explain/explain.h"

#include <string.h>

int explain_need_board(const struct evidence *evidence, const char *format, struct error *error)
{
    if (evidence->words != NULL)
        return 0;
    return error_set(error, STATUS_USAGE,
                     "%.160s: no board was kept of this launch, so there are no groups to draw as %s; --format text "
                     "says what is known",
                     evidence->name, format);
}

explain_writer *explain_format_find(const char *name)
{
    static const struct {
        const char *name;
        explain_writer *write;
    } formats[] = {
        {"text", explain_text}, {"json", explain_json},   {"dot", explain_dot},
        {"svg", explain_svg},   {"trace", explain_trace},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
        if (strcmp(name, formats[i].name) == 0)
            return formats[i].write;
    return NULL;
}
