#include "explain/explain.h"

int explain_need_board(const struct evidence *evidence, const char *format, struct error *error)
{
    if (evidence->words != NULL)
        return 0;
    return error_set(
        error, STATUS_USAGE,
        "%.160s: this launch has no stored board, so there is nothing to draw as %s; --format text shows what is known",
        evidence->name, format);
}

const struct naming explain_formats = NAMING("text", "json", "dot", "svg", "trace", "timeline");
explain_writer *const explain_writers[] = {explain_text, explain_json,  explain_dot,
                                           explain_svg,  explain_trace, explain_timeline};
