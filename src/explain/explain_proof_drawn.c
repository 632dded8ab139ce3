/* The stall of a proof drawn: classes of groups, the words that they wait for, and who could write these. */
#include "core/text.h"
#include "explain/filter.h"
#include "explain/proof_story.h"
#include "explain/sketch.h"

#include <inttypes.h>
#include <string.h>

enum { PLACES_MOST = (int)PROOF_GROUPS * (int)PROOF_CLASS_WAITS };

static const enum group_state looks[PROOF_STANDINGS] = {
    [STANDS_OUTSIDE] = GROUP_NOT_STARTED, [STANDS_WAITING] = GROUP_WAITING, [STANDS_ROUND] = GROUP_RUNNING,
    [STANDS_ALONE] = GROUP_RUNNING,       [STANDS_IDLE] = GROUP_READY,      [STANDS_AT_BARRIER] = GROUP_WAITING,
    [STANDS_ENDED] = GROUP_DONE,
};

static const char *const labels[PROOF_STANDINGS] = {
    [STANDS_OUTSIDE] = "NEVER STARTED", [STANDS_WAITING] = "WAITING",    [STANDS_ROUND] = "goes round",
    [STANDS_ALONE] = "goes round",      [STANDS_IDLE] = "gets no turns", [STANDS_AT_BARRIER] = "WAITING\nat a barrier",
    [STANDS_ENDED] = "ended",
};

/* Waits of different places, each a word of the graph. */
struct proof_places {
    const struct proof_account *account;
    uint32_t waits[PLACES_MOST];
    uint32_t count;
};

static bool is_of_place(const struct proof_places *places, uint32_t wait, uint32_t place)
{
    const struct proof_told *a = proof_account_step(places->account, wait),
                            *b = proof_account_step(places->account, places->waits[place]);
    return a->object == b->object && a->offset == b->offset && a->bytes == b->bytes;
}

/* The place of the wait, which is added if it is new. */
static uint32_t place_of(struct proof_places *places, uint32_t wait)
{
    uint32_t place = 0;

    while (place < places->count && !is_of_place(places, wait, place))
        ++place;
    if (place == places->count)
        places->waits[places->count++] = wait;
    return place;
}

/* From the word to the class of those who could end the wait. */
static void draw_writers(const struct sketch *sketch, const struct proof_account *account, uint32_t wait,
                         uint32_t place)
{
    const uint32_t awaited = proof_account_awaited(account, wait);

    for (uint32_t to = 0; to < account->count; ++to) {
        const struct sketch_name ends[] = {sketch_name('w', place), sketch_name('g', to)};
        const bool never = account->classes[to].standing == STANDS_OUTSIDE;
        char text[STORY_TEXT];
        if ((account->classes[to].groups & awaited) == 0)
            continue;
        snprintf(text, sizeof text, "%s%s",
                 account->result->waits[wait].writers != 0 ? "written by" : "last written by",
                 never ? ",\nwhich never started" : "");
        sketch_edge(sketch, ends, proof_account_on_circle(account, to), text);
    }
}

static void draw_class(const struct sketch *sketch, struct proof_places *places, uint32_t number)
{
    const struct proof_account *account = places->account;
    const struct proof_class *class = &account->classes[number];
    const bool circle = proof_account_on_circle(account, number);
    char text[2 * STORY_TEXT], groups[STORY_TEXT];

    proof_story_groups(class->groups, groups, sizeof groups);
    snprintf(text, sizeof text, "%s\n%s%s", groups, labels[class->standing], circle ? "\npart of the circle" : "");
    sketch_node(sketch, sketch_name('g', number), looks[class->standing], circle, text);
    for (uint32_t i = 0; i < class->wait_count; ++i) {
        const struct proof_told *step = proof_account_step(account, class->waits[i]);
        const uint32_t place = place_of(places, class->waits[i]);
        const struct sketch_name ends[] = {sketch_name('g', number), sketch_name('w', place)};
        snprintf(text, sizeof text, "waits at\n%s for", account->result->texts[step->line]);
        sketch_edge(sketch, ends, circle, text);
    }
}

static void draw_place(const struct sketch *sketch, const struct proof_places *places, uint32_t place)
{
    const struct proof_account *account = places->account;
    const struct proof_told *step = proof_account_step(account, places->waits[place]);
    const bool nobody = proof_account_awaited(account, places->waits[place]) == 0;
    char text[2 * STORY_TEXT], name[STORY_TEXT];

    proof_story_place(account->result, step, name, sizeof name);
    snprintf(text, sizeof text, "%s\nis %" PRIu64 "%s", name, step->before,
             nobody ? "\nnobody writes it\nany more" : "");
    sketch_node(sketch, sketch_name('w', place), GROUP_STATES, false, text);
    draw_writers(sketch, account, places->waits[place], place);
}

int proof_explain_dot(FILE *out, const struct proof_explained *explained, struct error *error)
{
    const struct sketch sketch = {.out = out};
    struct proof_places places = {.account = &explained->account};
    struct story story;

    if (explained->subject != TELL_STALL)
        return error_set(error, STATUS_USAGE,
                         "%.160s: nobody waits for ever in what is told of this launch, so there is no graph; --format "
                         "text shows what was proved",
                         explained->name);
    proof_story_tell(explained, &story);
    sketch_begin(out);
    char launch[PROOF_LAUNCH], title[sizeof explained->name + sizeof launch + 2];
    proof_print_launch(&explained->row->trial, launch);
    snprintf(title, sizeof title, "%s, %s", explained->name, launch);
    sketch_title(out, title);
    sketch_words(out, story.happened);
    sketch_look(&sketch);
    for (uint32_t i = 0; i < explained->account.count; ++i)
        draw_class(&sketch, &places, i);
    for (uint32_t i = 0; i < places.count; ++i)
        draw_place(&sketch, &places, i);
    sketch_end(out);
    story_fini(&story);
    return 0;
}

int proof_explain_svg(FILE *out, const struct proof_explained *explained, struct error *error)
{
    FILE *graph = filter_file(error);
    const int written = graph != NULL ? proof_explain_dot(graph, explained, error) : -1;

    return sketch_draw(graph, written, out, error);
}

/* --- the timeline --- */

enum { COLUMNS = 44, ROW_NAME = 40 };

/* What a step does, a letter each; and what follows a work-item's last one. */
static const char letters[] = {[PROOF_LOAD] = 'r', [PROOF_STORE] = 'w', [PROOF_UPDATE] = 'u', [PROOF_MEETING] = 'b'};

/* The last steps that fit in front of the circle, and its first. */
struct proof_columns {
    const struct proof_explained *explained;
    uint32_t first, circle, end; /* of all that are told */
};

static char letter_of(const struct proof_told *told)
{
    if (told->bytes == 0)
        return 'o';
    return letters[told->kind];
}

static void print_bar(FILE *out, const struct proof_columns *columns, uint32_t item)
{
    const struct proof_told *told = columns->explained->row->result.told;

    fputc('|', out);
    for (uint32_t i = columns->first; i < columns->end; ++i) {
        if (i == columns->circle)
            fputc(':', out);
        fputc(told[i].item == item ? letter_of(&told[i]) : '.', out);
    }
    fputs(columns->circle < columns->end ? ":" : "|", out);
}

static const struct proof_class *class_of(const struct proof_account *account, uint32_t group)
{
    for (uint32_t i = 0; i < account->count; ++i)
        if ((account->classes[i].groups >> group & 1) != 0)
            return &account->classes[i];
    return NULL;
}

static void print_item(FILE *out, const struct proof_columns *columns, uint32_t item, int width)
{
    const struct proof_result *result = &columns->explained->row->result;
    const struct proof_class *class = class_of(&columns->explained->account, item / result->items);
    char name[ROW_NAME], text[STORY_TEXT] = "";

    if (result->items > 1)
        snprintf(name, sizeof name, "group %" PRIu32 ".%" PRIu32, item / result->items, item % result->items);
    else
        snprintf(name, sizeof name, "group %" PRIu32, item);
    fprintf(out, "  %-*s ", width, name);
    print_bar(out, columns, item);
    if (class != NULL)
        snprintf(text, sizeof text, " %s", proof_standing_name(class->standing));
    if (class != NULL && class->standing == STANDS_WAITING && class->wait_count == 1) {
        char place[STORY_TEXT / 2];
        proof_story_place(result, proof_account_step(&columns->explained->account, class->waits[0]), place,
                          sizeof place);
        text_append(text, sizeof text, " for %s", place);
    }
    fprintf(out, "%s\n", text);
}

int proof_explain_timeline(FILE *out, const struct proof_explained *explained, struct error *error)
{
    const struct proof_result *result = &explained->row->result;

    if (proof_need_way(explained, "a timeline", error) != 0)
        return -1;
    const struct proof_way *way = explained->way;
    struct proof_columns columns = {explained, way->first, way->first + way->count - way->circle,
                                    way->first + way->count};
    if (columns.end - columns.circle > COLUMNS / 2)
        columns.end = columns.circle + COLUMNS / 2;
    if (columns.end - columns.first > COLUMNS)
        columns.first = columns.end - COLUMNS;
    proof_print_head(out, explained);
    const uint32_t skipped = columns.first - way->first, left = way->first + way->count - columns.end;
    fputc('\n', out);
    for (uint32_t item = 0; item < result->groups * result->items; ++item)
        print_item(out, &columns, item, result->items > 1 ? 11 : 8);
    fputs("\n  r reads   w writes   u updates", out);
    fputs(way->circle > 0 ? "   :...: again and again\n" : "\n", out);
    if (skipped > 0)
        fprintf(out, "  %" PRIu32 " steps before these are left out.\n", skipped);
    if (left > 0)
        fprintf(out, "  %" PRIu32 " steps of the circle are left out.\n", left);
    return 0;
}
