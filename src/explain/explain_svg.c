#include "explain/explain.h"
#include "explain/filter.h"

/* Forty nodes take it a moment; what takes longer has gone wrong. */
enum { DEADLINE_MS = 30000 };

int explain_svg(FILE *out, const struct evidence *evidence, struct error *error)
{
    char *const arguments[] = {"dot", "-Tsvg", NULL};
    FILE *graph = filter_file(error);

    if (graph == NULL)
        return -1;
    int result = explain_dot(graph, evidence, error);
    if (result == 0)
        result = filter_run(arguments, graph, out, DEADLINE_MS, error);
    if (result == 1)
        result = error_set(
            error, STATUS_USAGE,
            "--format svg needs Graphviz, and its program dot was not found; install graphviz, or use --format dot");
    fclose(graph);
    return result;
}
