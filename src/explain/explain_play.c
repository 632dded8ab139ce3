#include "base/alloc.h"
#include "explain/explain.h"
#include "explain/story.h"
#include "explain/timeline.h"
#include "format/json_writer.h"
#include "judge/samples.h"
#include "report/wording.h"

#include <stdlib.h>

/* A page has no room for thousands of groups. Each class has one that is shown. */
enum { GROUPS_SHOWN = 24 };

struct play {
    struct json_writer json;
    const struct evidence *evidence;
    struct story story;
    struct timeline timeline;
    bool *shown;      /* of each group */
    uint32_t *states; /* of each group, in the sample that is told (judge/samples.h) */
    uint32_t *places; /* of each lane: its place among those shown, from 1; 0: no group is shown there */
};

static void show(struct play *play, uint32_t group, uint32_t *left)
{
    *left -= !play->shown[group];
    play->shown[group] = true;
}

/*
 * A group of each class and the one that it waits for, and then the next ones of each class, as long as there is room.
 */
static void choose_groups(struct play *play)
{
    const struct grouping *grouping = &play->story.grouping;
    const uint32_t groups = play->evidence->board.groups;
    const uint32_t most = grouping->count > GROUPS_SHOWN ? grouping->count : GROUPS_SHOWN;
    uint32_t left = groups < most ? groups : most;

    for (uint32_t i = 0; i < grouping->count; ++i)
        show(play, grouping->classes[i].groups[0], &left);
    for (uint32_t i = 0; i < grouping->count && left > 0; ++i) {
        const struct group_class *class = &grouping->classes[i];
        if (class->state == GROUP_WAITING && board_awaited(&play->evidence->board, class->groups[0]) < groups)
            show(play, board_awaited(&play->evidence->board, class->groups[0]), &left);
    }
    for (uint32_t turn = 1; left > 0; ++turn)
        for (uint32_t i = 0; i < grouping->count && left > 0; ++i)
            if (turn < grouping->classes[i].count)
                show(play, grouping->classes[i].groups[turn], &left);
}

static void write_places(struct play *play)
{
    const struct timeline *timeline = &play->timeline;
    uint32_t count = 0;

    for (uint32_t i = 0; i < timeline->count; ++i)
        if (play->shown[timeline->slices[i].group])
            play->places[timeline->slices[i].lane] = 1;
    json_writer_open(&play->json, "places", '[');
    for (uint32_t lane = 0; lane < timeline->lane_count; ++lane) {
        char name[TIMELINE_NAME];
        if (play->places[lane] == 0)
            continue;
        play->places[lane] = ++count;
        timeline_lane_name(timeline, lane, name);
        json_writer_text(&play->json, NULL, name);
    }
    json_writer_close(&play->json, ']');
}

static void open_group(struct play *play, uint32_t group)
{
    json_writer_open(&play->json, NULL, '{');
    json_writer_integer(&play->json, "group", group);
    json_writer_integer(&play->json, "class", play->story.grouping.class_of[group]);
}

static void write_groups(struct play *play)
{
    const struct board *board = &play->evidence->board;

    json_writer_open(&play->json, "groups", '[');
    for (uint32_t i = 0; i < play->timeline.count; ++i) {
        const struct timeline_slice *slice = &play->timeline.slices[i];
        const bool ended = board_ended(board, slice->group);
        if (!play->shown[slice->group])
            continue;
        open_group(play, slice->group);
        json_writer_integer(&play->json, "place", play->places[slice->lane] - 1);
        json_writer_integer(&play->json, "ticket", board_entry(board, slice->group, GL_TICKET));
        json_writer_integer(&play->json, "start_ns", slice->start_ns);
        json_writer_known(&play->json, "end_ns", ended, slice->end_ns);
        json_writer_known_bool(&play->json, "end_known", ended, slice->ended);
        json_writer_close(&play->json, '}');
    }
    for (uint32_t group = 0; group < board->groups; ++group) {
        if (!play->shown[group] || board_started(board, group))
            continue;
        open_group(play, group);
        json_writer_null(&play->json, "place");
        json_writer_close(&play->json, '}');
    }
    json_writer_close(&play->json, ']');
}

static bool awaits(const struct play *play, const struct group_class *class, uint32_t group)
{
    for (uint32_t i = 0; i < class->count; ++i)
        if (board_awaits(&play->evidence->board, class->groups[i], group))
            return true;
    return false;
}

/* What they wait for; null: they do not wait, or each for something of its own. */
static void write_word(struct play *play, const struct group_class *class)
{
    const struct board *board = &play->evidence->board;
    const bool waits = class->state == GROUP_WAITING && !class->mixed;
    const bool is_there = class->wait_word < board_words(board->groups, board->sync_words);
    char name[WORDING_WORD];

    if (!json_writer_open_known(&play->json, "word", waits))
        return;
    wording_word(play->evidence, class->wait_word, name, sizeof name);
    json_writer_text(&play->json, "name", name);
    json_writer_known(&play->json, "is", is_there, is_there ? board->words[class->wait_word] : 0);
    json_writer_text(&play->json, "must", wording_until(class->wait_kind)->must);
    json_writer_integer(&play->json, "value", class->wait_value);
    json_writer_text(&play->json, "duty", wording_awaited(class->wait_group)->duty);
    json_writer_close(&play->json, '}');
}

static void write_class(struct play *play, const struct group_class *class)
{
    char groups[STORY_TEXT], says[STORY_TEXT];

    wording_groups(class, groups, sizeof groups);
    wording_class(play->evidence, class, says, sizeof says);
    json_writer_open(&play->json, NULL, '{');
    json_writer_text(&play->json, "state", group_state_name(class->state));
    json_writer_text(&play->json, "groups", groups);
    json_writer_text(&play->json, "says", says);
    json_writer_integer(&play->json, "locks_held", class->mixed ? 0 : class->locks_held);
    write_word(play, class);
    json_writer_open(&play->json, "awaits", '[');
    for (uint32_t group = 0; group < play->evidence->board.groups; ++group)
        if (class->state == GROUP_WAITING && play->shown[group] && awaits(play, class, group))
            json_writer_integer(&play->json, NULL, group);
    json_writer_close(&play->json, ']');
    json_writer_close(&play->json, '}');
}

static void write_classes(struct play *play)
{
    json_writer_open(&play->json, "classes", '[');
    for (uint32_t i = 0; i < play->story.grouping.count; ++i)
        write_class(play, &play->story.grouping.classes[i]);
    json_writer_close(&play->json, ']');
}

/* --- samples --- */

/* So many are told one by one, those before the stall; what was before these is told as one. */
enum { SAMPLES_SHOWN = 100 };

static uint32_t count_samples(const struct evidence *evidence)
{
    struct sample sample;
    uint32_t count = 0;

    for (size_t at = 0; samples_next(evidence->samples, evidence->samples_words, &at, &sample);)
        ++count;
    return count;
}

/* NULL: it has not started, or the file is damaged. */
static const char *phase_name(uint32_t state)
{
    static const char *const names[] = {[GL_PHASE_RUNNING] = "running",
                                        [GL_PHASE_WAITING] = "waiting",
                                        [GL_PHASE_DONE] = "done",
                                        [GL_PHASE_ITEMS] = "waiting"};
    const uint32_t phase = sample_phase(state);
    return phase < sizeof names / sizeof *names ? names[phase] : NULL;
}

/* Notes the states in a sample, of groups that are shown; says if there were any. */
static bool note_sample(struct play *play, const struct sample *sample, bool *changed)
{
    bool any = false;

    for (uint32_t i = 0; i < sample->count; ++i) {
        const uint32_t group = sample->changes[2 * i], state = sample->changes[2 * i + 1];
        if (group >= play->evidence->board.groups || !play->shown[group] || phase_name(state) == NULL)
            continue;
        play->states[group] = state;
        changed[group] = any = true;
    }
    return any;
}

static void write_change(struct play *play, uint32_t group)
{
    json_writer_open(&play->json, NULL, '{');
    json_writer_integer(&play->json, "group", group);
    json_writer_text(&play->json, "state", phase_name(play->states[group]));
    json_writer_integer(&play->json, "round", sample_round(play->states[group]));
    json_writer_close(&play->json, '}');
}

static void write_sample(struct play *play, uint32_t at_us, bool *changed)
{
    json_writer_open(&play->json, NULL, '{');
    json_writer_integer(&play->json, "at_us", at_us);
    json_writer_open(&play->json, "groups", '[');
    for (uint32_t group = 0; group < play->evidence->board.groups; ++group) {
        if (changed[group])
            write_change(play, group);
        changed[group] = false;
    }
    json_writer_close(&play->json, ']');
    json_writer_close(&play->json, '}');
}

/* Member "samples"; an empty list: none were kept. */
static void write_samples(struct play *play)
{
    const struct evidence *evidence = play->evidence;
    const uint32_t count = count_samples(evidence), alone = count > SAMPLES_SHOWN ? count - SAMPLES_SHOWN : 0;
    bool *changed = xcalloc(evidence->board.groups + (size_t)1, sizeof *changed), any = false;
    struct sample sample;
    size_t at = 0;

    json_writer_open(&play->json, "samples", '[');
    for (uint32_t i = 0; samples_next(evidence->samples, evidence->samples_words, &at, &sample); ++i) {
        any = note_sample(play, &sample, changed) || any;
        if (!any || i < alone)
            continue;
        write_sample(play, sample.at_us, changed);
        any = false;
    }
    json_writer_close(&play->json, ']');
    free(changed);
}

static void make(struct play *play)
{
    story_tell(play->evidence, EXPLAIN_NODES, &play->story);
    timeline_make(play->evidence, &play->timeline);
    play->shown = xcalloc(play->evidence->board.groups + (size_t)1, sizeof *play->shown);
    play->states = xcalloc(play->evidence->board.groups + (size_t)1, sizeof *play->states);
    play->places = xcalloc(play->timeline.lane_count + (size_t)1, sizeof *play->places);
}

int explain_play(FILE *out, const struct evidence *evidence, struct error *error)
{
    static const char *const clocks[] = {
        [TIMELINE_NS] = "device", [TIMELINE_TICKS] = "ticks", [TIMELINE_TICKET] = NULL};
    struct play play = {.json = {.out = out}, .evidence = evidence};

    (void)error;
    make(&play);
    choose_groups(&play);
    json_writer_open(&play.json, NULL, '{');
    json_writer_text(&play.json, "clock", clocks[play.timeline.clock]);
    json_writer_bool(&play.json, "units", play.timeline.has_units);
    json_writer_integer(&play.json, "launched", evidence->board.groups);
    write_places(&play);
    write_groups(&play);
    write_classes(&play);
    write_samples(&play);
    json_writer_close(&play.json, '}');
    free(play.places);
    free(play.states);
    free(play.shown);
    timeline_fini(&play.timeline);
    story_fini(&play.story);
    return 0;
}
