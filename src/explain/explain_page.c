#include "explain/explain_page.h"

#include "base/alloc.h"
#include "explain/story.h"
#include "format/escape.h"
#include "format/json_writer.h"
#include "format/schedule_json.h"

#include <stdlib.h>
#include <string.h>

enum picture_kind { PICTURE_GRAPH, PICTURE_PLAY };

struct picture {
    enum picture_kind kind;
    bool of_surprise;
    const char *text; /* JSON */
};

/* --- pictures: taking --- */

static uint32_t keep(struct pictures *pictures, enum picture_kind kind, const char *text)
{
    const char *kept = intern_text(&pictures->texts, text);
    uint32_t *known = intern_number(kept);

    if (*known == 0) {
        GROW(pictures->all, pictures->count);
        pictures->all[pictures->count++] = (struct picture){.kind = kind, .text = kept};
        *known = pictures->count;
    }
    return *known - 1;
}

/* What a writer says of it, allocated; NULL, with the error: it could not be said. */
static char *print(explain_writer *writer, const struct evidence *evidence, struct error *error)
{
    char *text = NULL;
    FILE *stream = xopen_memstream(&text, NULL);
    const int result = writer(stream, evidence, error);

    xclose_memstream(stream, &text);
    if (result == 0)
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
    *number = keep(pictures, kind, text);
    free(text);
    if (evidence->surprise)
        pictures->all[*number].of_surprise = true;
    return 0;
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
    album->full = album->full || album->sieve.bytes + 2 * strlen(picture->text) > album->room;
    return !album->full;
}

static void write_pictures(struct album *album, const struct pictures *pictures, bool of_surprises)
{
    static const char *const names[] = {[PICTURE_GRAPH] = "graph", [PICTURE_PLAY] = "play"};

    for (uint32_t i = 0; i < pictures->count; ++i) {
        const struct picture *picture = &pictures->all[i];
        if (picture->of_surprise != of_surprises || !has_room(album, picture))
            continue;
        json_writer_open(&album->json, NULL, '{');
        json_writer_integer(&album->json, "number", i);
        fprintf(album->json.out, ",\"%s\":%s", names[picture->kind], picture->text);
        json_writer_close(&album->json, '}');
        fflush(album->json.out);
    }
}

void pictures_write(const struct pictures *pictures, struct html_page *page)
{
    struct album album = {.sieve = {.out = page->out, .json = true}, .room = page->data + page->explanations};

    album.json.out = sieve_open(&album.sieve);
    fputs("<script type=\"application/json\" data-pictures>", page->out);
    json_writer_open(&album.json, NULL, '[');
    write_pictures(&album, pictures, true);
    write_pictures(&album, pictures, false);
    json_writer_close(&album.json, ']');
    fclose(album.json.out);
    fputs("</script>\n", page->out);
}

void pictures_fini(struct pictures *pictures)
{
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
    const struct schedule_view schedule = schedule_view(&evidence->schedule);
    char *text = print(explain_text, evidence, error);

    if (text == NULL)
        return -1;
    json_writer_open(&all->json, NULL, '{');
    json_writer_integer(&all->json, "device", device);
    json_writer_text(&all->json, "trial", evidence->name);
    json_writer_bool(&all->json, "surprise", evidence->surprise);
    json_writer_text(&all->json, "says", text);
    schedule_json(&all->json, &schedule);
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
