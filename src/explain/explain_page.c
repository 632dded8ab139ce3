#include "explain/explain_page.h"

#include "format/escape.h"
#include "format/json_writer.h"

#include <stdlib.h>

struct explanations {
    struct pictures *pictures;
    struct sieve sieve;
    struct json_writer json;
    size_t most;       /* bytes */
    bool of_surprises; /* or of other points */
};

static int no_memory(struct error *error)
{
    return error_set(error, STATUS_HARNESS, "no memory for the page");
}

/* Its board was kept, and not all groups have ended. */
static bool is_stall(const struct evidence *evidence)
{
    for (uint32_t group = 0; evidence->words != NULL && group < evidence->board.groups; ++group)
        if (!board_ended(&evidence->board, group))
            return true;
    return false;
}

/* Members "graph" and "play"; null: it is no stall. */
static int write_pictures(struct explanations *all, const struct evidence *evidence, struct error *error)
{
    static const char *const names[] = {[PICTURE_GRAPH] = "graph", [PICTURE_PLAY] = "play"};
    const bool stall = is_stall(evidence);

    for (enum picture_kind kind = PICTURE_GRAPH; kind <= PICTURE_PLAY; ++kind) {
        uint32_t number = 0;
        if (stall && pictures_take(all->pictures, kind, evidence, &number, error) != 0)
            return -1;
        json_writer_known(&all->json, names[kind], stall, number);
    }
    return 0;
}

static int write_explanation(struct explanations *all, const struct evidence *evidence, size_t device,
                             struct error *error)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    if (stream == NULL)
        return no_memory(error);
    int result = explain_text(stream, evidence, error);
    if (fclose(stream) != 0 && result == 0)
        result = no_memory(error);
    if (result == 0) {
        json_writer_open(&all->json, NULL, '{');
        json_writer_integer(&all->json, "device", device);
        json_writer_text(&all->json, "trial", evidence->name);
        json_writer_bool(&all->json, "surprise", evidence->surprise);
        json_writer_text(&all->json, "says", text);
        result = write_pictures(all, evidence, error);
        json_writer_close(&all->json, '}');
        fflush(all->json.out);
    }
    free(text);
    return result;
}

static int take(void *context, const struct evidence *evidence, size_t device, struct error *error)
{
    struct explanations *all = context;

    return all->sieve.bytes < all->most && evidence->surprise == all->of_surprises
               ? write_explanation(all, evidence, device, error)
               : 0;
}

int explain_page(struct html_page *page, struct pictures *pictures, struct store *store, const struct report *report,
                 struct error *error)
{
    struct explanations all = {.pictures = pictures,
                               .sieve = {.out = page->out, .json = true},
                               .most = page->explanations,
                               .of_surprises = true};

    all.json.out = sieve_open(&all.sieve);
    if (all.json.out == NULL)
        return no_memory(error);
    fputs("<script type=\"application/json\" data-explains>", page->out);
    json_writer_open(&all.json, NULL, '[');
    int result = evidence_each(store, &report->run, take, &all, error);
    all.of_surprises = false;
    if (result == 0)
        result = evidence_each(store, &report->run, take, &all, error);
    json_writer_close(&all.json, ']');
    fclose(all.json.out);
    fputs("</script>\n", page->out);
    page->explanations -= all.sieve.bytes < page->explanations ? all.sieve.bytes : page->explanations;
    return result;
}
