#include "explain/explain.h"
#include "explain/story.h"
#include "format/devices.h"
#include "format/schedule_json.h"
#include "report/strain.h"
#include "report/wording.h"

/* What they wait for; null: they do not wait, or each for something of its own. */
static void write_wait(struct json_writer *json, const struct evidence *evidence, const struct group_class *class)
{
    const bool waits = class->state == GROUP_WAITING || class->state == GROUP_READY;
    const bool is_word = class->wait_word < board_words(evidence->board.groups, evidence->board.sync_words);

    if (!json_writer_open_known(json, "wait", waits && !class->mixed))
        return;
    json_writer_known(json, "line", class->wait_line != 0, class->wait_line);
    json_writer_integer(json, "word", class->wait_word);
    json_writer_text(json, "until", wording_until(class->wait_kind)->name);
    json_writer_integer(json, "value", class->wait_value);
    json_writer_known(json, "is", is_word, is_word ? evidence->words[class->wait_word] : 0);
    json_writer_known(json, "group", class->wait_group < evidence->board.groups, class->wait_group);
    json_writer_close(json, '}');
}

static void write_class(struct json_writer *json, const struct evidence *evidence, const struct group_class *class)
{
    char text[STORY_TEXT];

    wording_class(evidence, class, text, sizeof text);
    json_writer_open(json, NULL, '{');
    json_writer_text(json, "state", group_state_name(class->state));
    json_writer_integer(json, "round", class->round);
    json_writer_integer(json, "locks_held", class->locks_held);
    write_wait(json, evidence, class);
    json_writer_text(json, "says", text);
    json_writer_open(json, "groups", '[');
    for (uint32_t i = 0; i < class->count; ++i)
        json_writer_integer(json, NULL, class->groups[i]);
    json_writer_close(json, ']');
    json_writer_close(json, '}');
}

/* Who waits for whom: classes by their indexes. */
static void write_graph(struct json_writer *json, const struct evidence *evidence, const struct grouping *grouping)
{
    json_writer_open(json, "classes", '[');
    for (uint32_t i = 0; i < grouping->count; ++i)
        write_class(json, evidence, &grouping->classes[i]);
    json_writer_close(json, ']');
    json_writer_open(json, "waits", '[');
    for (uint32_t i = 0; i < grouping->edge_count; ++i) {
        json_writer_open(json, NULL, '{');
        json_writer_integer(json, "from", grouping->edges[i].from);
        json_writer_integer(json, "to", grouping->edges[i].to);
        json_writer_close(json, '}');
    }
    json_writer_close(json, ']');
}

static void write_story(struct json_writer *json, const struct evidence *evidence, const struct story *story)
{
    const struct device_info *info = &evidence->device.info;
    const struct schedule_view schedule = schedule_view(&evidence->schedule);

    json_writer_text(json, "trial", evidence->name);
    json_writer_known(json, "launch", evidence->has_launch, evidence->launch);
    json_writer_count(json, "seed", evidence->observation.seed);
    json_writer_text(json, "device", info->name);
    devices_json_which(json, info);
    json_writer_text(json, "driver_version", info->driver_version);
    json_writer_text(json, "verdict", evidence->has_launch ? verdict_name(evidence->verdict) : NULL);
    json_writer_text(json, "cause", evidence->cause != CAUSE_NONE ? cause_name(evidence->cause) : NULL);
    json_writer_bool(json, "surprise", evidence->surprise);
    json_writer_known_bool(json, "machine_busy", evidence->strain.known,
                           strain_is_heavy(&evidence->strain, strain_needed_threads(info)));
    story_json(json, story);
    json_writer_text(json, "board_of", evidence->board_of);
    write_graph(json, evidence, &story->grouping);
    schedule_json(json, &schedule);
}

int explain_json(FILE *out, const struct evidence *evidence, struct error *error)
{
    struct story story;
    struct json_writer json = json_writer_begin(out);

    (void)error;
    story_tell(evidence, EXPLAIN_NODES, &story);
    write_story(&json, evidence, &story);
    json_writer_end(&json);
    story_fini(&story);
    return 0;
}
