#include "explain/explain_page.h"

#include "base/clock.h"
#include "base/grow.h"
#include "explain/filter.h"
#include "format/escape.h"
#include "format/json_writer.h"

#include <stdlib.h>
#include <string.h>

/* All graphs of a page take it a moment; what takes longer has gone wrong. */
enum { DEADLINE_MS = 30000, GRAPHS_AT_ONCE = 64 };

enum picture_kind { PICTURE_GRAPH, PICTURE_PLAY };

struct picture {
    enum picture_kind kind;
    bool of_surprise;
    const char *text; /* for Graphviz, or JSON */
    char *drawn;      /* by Graphviz, allocated; NULL: not yet */
};

static int no_memory(struct error *error)
{
    return error_set(error, STATUS_HARNESS, "no memory for the page");
}

/* --- pictures: taking --- */

static int keep(struct pictures *pictures, enum picture_kind kind, const char *text, uint32_t *number)
{
    const char *kept = intern_text(&pictures->texts, text);

    if (kept == NULL)
        return -1;
    uint32_t *known = intern_number(kept);
    if (*known == 0) {
        if (GROW(pictures->all, pictures->count) != 0)
            return -1;
        pictures->all[pictures->count++] = (struct picture){.kind = kind, .text = kept};
        *known = pictures->count;
    }
    *number = *known - 1;
    return 0;
}

/* What a writer says of it, allocated; NULL, with the error: it could not be said. */
static char *print(explain_writer *writer, const struct evidence *evidence, struct error *error)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    const int result = stream != NULL ? writer(stream, evidence, error) : -1;

    if (stream == NULL || (fclose(stream) != 0 && result == 0))
        no_memory(error);
    else if (result == 0)
        return text;
    free(text);
    return NULL;
}

/* Takes the graph, or the play of a stall, and gives the number by which pages know it. */
static int take_picture(struct pictures *pictures, enum picture_kind kind, const struct evidence *evidence,
                        uint32_t *number, struct error *error)
{
    explain_writer *const writers[] = {[PICTURE_GRAPH] = explain_graph, [PICTURE_PLAY] = explain_play};
    char *text = print(writers[kind], evidence, error);

    if (text == NULL)
        return -1;
    const int result = keep(pictures, kind, text, number);
    free(text);
    if (result != 0)
        return no_memory(error);
    if (evidence->surprise)
        pictures->all[*number].of_surprise = true;
    return 0;
}

/* --- pictures: drawing --- */

/* Some graphs in one go of Graphviz, which prints an element of SVG for each. */
struct sheet {
    struct picture *graphs[GRAPHS_AT_ONCE];
    size_t count;
};

static int cut_sheet(const struct sheet *sheet, const char *drawn, struct error *error)
{
    static const char end[] = "</svg>";

    for (size_t i = 0; i < sheet->count; ++i) {
        const char *from = strstr(drawn, "<svg"), *to = from != NULL ? strstr(from, end) : NULL;
        if (to == NULL)
            return error_set(error, STATUS_HARNESS, "dot drew less than it was given");
        drawn = to + sizeof end - 1;
        sheet->graphs[i]->drawn = strndup(from, (size_t)(drawn - from));
        if (sheet->graphs[i]->drawn == NULL)
            return no_memory(error);
    }
    return 0;
}

/* As filter_run. */
static int draw_sheet(const struct sheet *sheet, uint64_t deadline_ms, struct error *error)
{
    char *const arguments[] = {"dot", "-Tsvg", NULL};
    char *drawn = NULL;
    size_t size;
    FILE *graphs = filter_file(error), *stream = open_memstream(&drawn, &size);
    int result = -1;

    if (stream == NULL)
        no_memory(error);
    if (graphs != NULL && stream != NULL) {
        for (size_t i = 0; i < sheet->count; ++i)
            fputs(sheet->graphs[i]->text, graphs);
        result = filter_run(arguments, graphs, stream, deadline_ms, error);
    }
    if (graphs != NULL)
        fclose(graphs);
    if (stream != NULL && fclose(stream) != 0 && result == 0)
        result = no_memory(error);
    if (result == 0)
        result = cut_sheet(sheet, drawn, error);
    free(drawn);
    return result;
}

/* Draws those of surprises, or the others; 1: dot was not found. */
static int draw(struct pictures *pictures, bool of_surprises, uint64_t deadline_ns, struct error *error)
{
    struct sheet sheet = {.count = 0};
    int result = 0;

    for (uint32_t i = 0; i < pictures->count && result == 0; ++i) {
        struct picture *picture = &pictures->all[i];
        if (picture->kind == PICTURE_GRAPH && picture->of_surprise == of_surprises)
            sheet.graphs[sheet.count++] = picture;
        if (sheet.count == 0 || (sheet.count < GRAPHS_AT_ONCE && i + 1 < pictures->count))
            continue;
        const uint64_t now_ns = clock_ns(), left_ns = now_ns < deadline_ns ? deadline_ns - now_ns : 0;
        result = draw_sheet(&sheet, (left_ns + 999999) / 1000000, error);
        sheet.count = 0;
    }
    return result;
}

/* --- pictures: writing --- */

struct album {
    struct sieve sieve;
    struct json_writer json;
    size_t room; /* bytes */
    bool full;
};

/* Escaped it may take twice as much, or less. Once it is full nothing follows, be it ever so small. */
static bool has_room(struct album *album, const struct picture *picture)
{
    const char *text = picture->kind == PICTURE_GRAPH ? picture->drawn : picture->text;

    album->full = album->full || album->sieve.bytes + 2 * strlen(text) > album->room;
    return !album->full;
}

static void write_picture(struct album *album, const struct picture *picture, uint32_t number)
{
    json_writer_open(&album->json, NULL, '{');
    json_writer_integer(&album->json, "number", number);
    if (picture->kind == PICTURE_GRAPH)
        json_writer_text(&album->json, "graph", picture->drawn);
    else
        fprintf(album->json.out, ",\"play\":%s", picture->text);
    json_writer_close(&album->json, '}');
    fflush(album->json.out);
}

static void write_pictures(struct album *album, const struct pictures *pictures, bool of_surprises)
{
    for (uint32_t i = 0; i < pictures->count; ++i) {
        const struct picture *picture = &pictures->all[i];
        const bool is_there = picture->kind == PICTURE_PLAY || picture->drawn != NULL;
        if (picture->of_surprise == of_surprises && is_there && has_room(album, picture))
            write_picture(album, picture, i);
    }
}

int pictures_write(struct pictures *pictures, struct html_page *page, struct error *error)
{
    struct album album = {.sieve = {.out = page->out, .json = true}, .room = page->data + page->explanations};
    const uint64_t deadline_ns = clock_ns() + DEADLINE_MS * (uint64_t)1000000;
    struct error why = {.text = "Graphviz's program dot was not found"};
    int drawn = 0;

    album.json.out = sieve_open(&album.sieve);
    if (album.json.out == NULL)
        return no_memory(error);
    fputs("<script type=\"application/json\" data-pictures>", page->out);
    json_writer_open(&album.json, NULL, '{');
    json_writer_open(&album.json, "pictures", '[');
    for (int expected = 0; expected < 2; ++expected) {
        if (drawn == 0)
            drawn = draw(pictures, expected == 0, deadline_ns, &why);
        write_pictures(&album, pictures, expected == 0);
    }
    json_writer_close(&album.json, ']');
    json_writer_text(&album.json, "no_graph", drawn != 0 ? why.text : NULL);
    json_writer_close(&album.json, '}');
    fclose(album.json.out);
    fputs("</script>\n", page->out);
    return 0;
}

void pictures_fini(struct pictures *pictures)
{
    for (uint32_t i = 0; i < pictures->count; ++i)
        free(pictures->all[i].drawn);
    free(pictures->all);
    intern_fini(&pictures->texts);
    *pictures = (struct pictures){.count = 0};
}

/* --- explanations --- */

struct explanations {
    struct pictures *pictures;
    struct sieve sieve;
    struct json_writer json;
    size_t most;       /* bytes */
    bool of_surprises; /* or of other points */
};

/* Its board was kept, and not all groups have ended. */
static bool is_stall(const struct evidence *evidence)
{
    for (uint32_t group = 0; evidence->words != NULL && group < evidence->board.groups; ++group)
        if (!board_ended(&evidence->board, group))
            return true;
    return false;
}

/* Members "graph" and "play"; null: it is no stall. */
static int write_numbers(struct explanations *all, const struct evidence *evidence, struct error *error)
{
    static const char *const names[] = {[PICTURE_GRAPH] = "graph", [PICTURE_PLAY] = "play"};
    const bool stall = is_stall(evidence);

    for (enum picture_kind kind = PICTURE_GRAPH; kind <= PICTURE_PLAY; ++kind) {
        uint32_t number = 0;
        if (stall && take_picture(all->pictures, kind, evidence, &number, error) != 0)
            return -1;
        json_writer_known(&all->json, names[kind], stall, number);
    }
    return 0;
}

static int write_explanation(struct explanations *all, const struct evidence *evidence, size_t device,
                             struct error *error)
{
    char *text = print(explain_text, evidence, error);

    if (text == NULL)
        return -1;
    json_writer_open(&all->json, NULL, '{');
    json_writer_integer(&all->json, "device", device);
    json_writer_text(&all->json, "trial", evidence->name);
    json_writer_bool(&all->json, "surprise", evidence->surprise);
    json_writer_text(&all->json, "says", text);
    const int result = write_numbers(all, evidence, error);
    json_writer_close(&all->json, '}');
    fflush(all->json.out);
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
