/* What was seen of a program that was watched: in words, as data, and as a graph of who waits for whom. */
#include "core/text.h"
#include "explain/explain.h"
#include "explain/filter.h"
#include "explain/sketch.h"
#include "format/escape.h"
#include "format/json_writer.h"

#include <string.h>

/* --- which --- */

static bool is_named(const struct watches_row *row, const char *wanted)
{
    const size_t length = strcspn(row->name, "#");

    return strcmp(row->name, wanted) == 0 || strcmp(row->seen.kernel, wanted) == 0 ||
           (strlen(wanted) == length && strncmp(row->name, wanted, length) == 0);
}

/* The worst, and of these the last: more was known then. */
static const struct watches_row *find(const struct report *report, const struct evidence_wanted *wanted,
                                      const struct watches_device **device)
{
    const struct watches_row *best = NULL;

    for (size_t i = 0; i < report->watches.count; ++i) {
        const struct watches_device *of = &report->watches.devices[i];
        for (size_t j = 0; evidence_is_on(wanted, &of->stored.info) && j < of->count; ++j) {
            const struct watches_row *row = &of->rows[j];
            if ((wanted->trial != NULL && !is_named(row, wanted->trial)) ||
                (best != NULL && row->seen.verdict < best->seen.verdict))
                continue;
            best = row;
            *device = of;
        }
    }
    return best;
}

/* --- words --- */

static int write_text(FILE *out, const struct watches_row *row, struct error *error)
{
    const struct sighting *seen = &row->seen;

    (void)error;
    escape_each(escape_text, out, "", row->name, ": ", watch_verdict_name(seen->verdict), "\n\nWhat was seen\n", NULL);
    for (const char *line = seen->told; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        char text[1024];
        snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1), line);
        escape_each(escape_text, out, "  ", text, "\n", NULL);
        line += length + (line[length] == '\n');
    }
    fputs(seen->count > 0 ? "\nWho waits for whom\n" : "", out);
    for (size_t i = 0; i < seen->count; ++i)
        if (seen->items[i].waits[0] != '\0')
            escape_each(escape_text, out, "  ", seen->items[i].name, " waits for ", seen->items[i].waits, "\n", NULL);
    if (seen->fit > 0)
        fprintf(out, "\nWhether it fits\n  %llu groups were launched, and %llu fit at once\n",
                (unsigned long long)seen->groups, (unsigned long long)seen->fit);
    return 0;
}

static int write_json(FILE *out, const struct watches_row *row, struct error *error)
{
    struct json_writer json = json_writer_begin(out);

    (void)error;
    json_writer_text(&json, "id", row->name);
    json_writer_text(&json, "verdict", watch_verdict_name(row->seen.verdict));
    json_writer_text(&json, "told", row->seen.told);
    json_writer_open(&json, "waits", '[');
    for (size_t i = 0; i < row->seen.count; ++i) {
        json_writer_open(&json, NULL, '{');
        json_writer_text(&json, "kind", sighting_kind_name(row->seen.items[i].kind));
        json_writer_text(&json, "name", row->seen.items[i].name);
        json_writer_text(&json, "says", row->seen.items[i].says);
        json_writer_text(&json, "waits_for", row->seen.items[i].waits);
        json_writer_close(&json, '}');
    }
    json_writer_close(&json, ']');
    json_writer_end(&json);
    return 0;
}

/* --- the graph --- */

enum { CLASSES = EXPLAIN_NODES };

static struct sketch_name name_of(const struct sighting *seen, size_t index)
{
    return sketch_name(seen->items[index].kind == SIGHTED_EVENT ? 'w' : 'g', (uint32_t)index);
}

/* Which of them has this name; `count` if none has. */
static size_t find_item(const struct sighting *seen, const char *name, size_t length)
{
    size_t i = 0;

    while (i < seen->count &&
           (strlen(seen->items[i].name) != length || strncmp(seen->items[i].name, name, length) != 0))
        ++i;
    return i;
}

static void draw_waits(const struct sketch *sketch, const struct sighting *seen, size_t from)
{
    for (const char *name = seen->items[from].waits; *name != '\0';) {
        const size_t length = strcspn(name, ",");
        const size_t to = find_item(seen, name, length);
        if (to < seen->count && to < CLASSES) {
            const struct sketch_name ends[] = {name_of(seen, from), name_of(seen, to)};
            sketch_edge(sketch, ends, false, seen->items[from].kind == SIGHTED_EVENT ? "made by" : "waits for");
        }
        name += length + strspn(name + length, ", ");
    }
}

static void draw_item(const struct sketch *sketch, const struct sighting *seen, size_t index)
{
    const struct sighted *item = &seen->items[index];
    const bool names_itself = strncmp(item->says, item->name, strlen(item->name)) == 0;
    char text[sizeof item->name + sizeof item->says + 4];

    snprintf(text, sizeof text, "%s%s%s", item->name, names_itself ? "" : "\n",
             names_itself ? item->says + strlen(item->name) : item->says);
    sketch_node(sketch, name_of(seen, index),
                item->kind == SIGHTED_EVENT   ? GROUP_STATES
                : item->waits[0] != '\0'      ? GROUP_WAITING
                : seen->verdict == WATCH_HOST ? GROUP_READY
                                              : GROUP_RUNNING,
                false, text);
}

static int write_dot(FILE *out, const struct watches_row *row, struct error *error)
{
    const struct sketch sketch = {.out = out};

    if (row->seen.count == 0)
        return error_set(error, STATUS_USAGE, "%.160s: no thread of it was seen, so there is nothing to draw",
                         row->name);
    sketch_begin(out);
    sketch_title(out, row->name);
    sketch_words(out, row->seen.why);
    sketch_look(&sketch);
    for (size_t i = 0; i < row->seen.count && i < CLASSES; ++i)
        draw_item(&sketch, &row->seen, i);
    for (size_t i = 0; i < row->seen.count && i < CLASSES; ++i)
        draw_waits(&sketch, &row->seen, i);
    sketch_end(out);
    return 0;
}

static int write_svg(FILE *out, const struct watches_row *row, struct error *error)
{
    FILE *graph = filter_file(error);
    const int written = graph != NULL ? write_dot(graph, row, error) : -1;

    return sketch_draw(graph, written, out, error);
}

int explain_watch(FILE *out, struct store *store, const struct evidence_wanted *wanted, unsigned format,
                  struct error *error)
{
    static int (*const writers[])(FILE * out, const struct watches_row *row,
                                  struct error *error) = {write_text, write_json, write_dot, write_svg};
    struct report report = {.heads = NULL};
    const struct watches_device *device = NULL;
    int result = report_read(&report, store, error);

    if (result == 0 && format >= sizeof writers / sizeof *writers)
        result = error_set(error, STATUS_USAGE,
                           "programs that were watched can be explained as text, json, dot and svg, not as %s",
                           explain_formats.names[format]);
    const struct watches_row *row = result == 0 ? find(&report, wanted, &device) : NULL;
    if (result == 0 && row == NULL)
        result = error_set(error, STATUS_USAGE, "this run has seen nothing%s%.160s; gridlock report lists what it has",
                           wanted->trial != NULL ? " of " : "", wanted->trial != NULL ? wanted->trial : "");
    if (row != NULL)
        result = writers[format](out, row, error);
    report_fini(&report);
    return result;
}
