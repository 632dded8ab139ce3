#include "explain/drawing.h"

#include "explain/explain.h"

enum { FEW_CLASSES = 20 };

uint32_t drawing_word(const struct drawing *drawing, const struct group_class *class)
{
    const bool waits = class->state == GROUP_WAITING || class->state == GROUP_READY;
    uint32_t word = 0;

    while (word < drawing->word_count && drawing->words[word] != class->wait_word)
        ++word;
    return waits && !class->mixed ? word : drawing->word_count;
}

const struct group_class *drawing_condition(const struct drawing *drawing, uint32_t word)
{
    const struct group_class *only = NULL;

    for (uint32_t i = 0; i < drawing->grouping->count; ++i) {
        const struct group_class *class = &drawing->grouping->classes[i];
        if (drawing_word(drawing, class) != word)
            continue;
        if (only != NULL && (class->wait_kind != only->wait_kind || class->wait_value != only->wait_value))
            return NULL;
        only = class;
    }
    return only;
}

bool drawing_waits_on_circle(const struct drawing *drawing, uint32_t from, uint32_t to)
{
    return drawing->on_circle[from] && drawing->on_circle[to] && grouping_waits(drawing->grouping, from, to);
}

/* Collects the words that classes wait for; false: there is no room for them. */
static bool add_words(struct drawing *drawing)
{
    drawing->word_count = 0;
    for (uint32_t i = 0; i < drawing->grouping->count; ++i) {
        const struct group_class *class = &drawing->grouping->classes[i];
        const bool waits = class->state == GROUP_WAITING || class->state == GROUP_READY;
        if (!waits || class->mixed || drawing_word(drawing, class) < drawing->word_count)
            continue;
        if (drawing->word_count == DRAWN_WORDS || drawing->grouping->count + drawing->word_count >= EXPLAIN_NODES) {
            drawing->word_count = 0;
            return false;
        }
        drawing->words[drawing->word_count++] = class->wait_word;
    }
    return true;
}

/* Marks classes that are reached from those that are marked, along edges or against them. */
static void spread(const struct grouping *grouping, bool backwards, bool *marks)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < grouping->edge_count; ++i) {
            const struct class_edge edge = grouping->edges[i];
            const uint32_t from = backwards ? edge.to : edge.from, to = backwards ? edge.from : edge.to;
            changed = changed || (marks[from] && !marks[to]);
            marks[to] = marks[to] || marks[from];
        }
    }
}

/* Marks the classes through which a group waits for itself. */
static void find_circle(struct drawing *drawing)
{
    const struct grouping *grouping = drawing->grouping;
    const uint32_t at = drawing->evidence->observation.waitfor.circle_at;
    bool behind[EXPLAIN_NODES] = {false}, before[EXPLAIN_NODES] = {false};

    if (at >= drawing->evidence->board.groups)
        return;
    for (uint32_t i = 0; i < grouping->edge_count; ++i) {
        if (grouping->edges[i].from == grouping->class_of[at])
            behind[grouping->edges[i].to] = true;
        if (grouping->edges[i].to == grouping->class_of[at])
            before[grouping->edges[i].from] = true;
    }
    spread(grouping, false, behind);
    spread(grouping, true, before);
    for (uint32_t i = 0; i < grouping->count; ++i)
        drawing->on_circle[i] = behind[i] && before[i];
}

/* There is nothing but a circle of three or more classes: then it is drawn as one. */
static bool is_circle(const struct drawing *drawing)
{
    const struct grouping *grouping = drawing->grouping;

    for (uint32_t i = 0; i < grouping->count; ++i)
        if (!drawing->on_circle[i])
            return false;
    return grouping->count > 2 && grouping->edge_count == grouping->count;
}

static void tell(struct drawing *drawing, uint32_t most_classes)
{
    story_fini(&drawing->story);
    drawing->grouping = &drawing->story.grouping;
    story_tell(drawing->evidence, most_classes, &drawing->story);
}

void drawing_make(struct drawing *drawing)
{
    tell(drawing, EXPLAIN_NODES);
    if (!add_words(drawing) && drawing->grouping->edge_count > 2 * drawing->grouping->count) {
        tell(drawing, FEW_CLASSES);
        add_words(drawing);
    }
    find_circle(drawing);
    drawing->sketch.is_circle = is_circle(drawing);
}
