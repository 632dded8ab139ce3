#include "explain/explain.h"
#include "explain/story.h"
#include "format/json.h"
#include "report/wording.h"

#include <inttypes.h>

static json_t *group_array(const struct group_class *class)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < class->count; ++i)
        json_array_append_new(array, json_integer(class->groups[i]));
    return array;
}

/* What they wait for; null: they do not wait, or each for something of its own. */
static json_t *wait_object(const struct evidence *evidence, const struct group_class *class)
{
    static const char *const kinds[] = {"reached", "equal", "different"};
    const size_t words = board_words(evidence->board.groups, evidence->board.sync_words);
    const bool waits = class->state == GROUP_WAITING || class->state == GROUP_READY;
    json_t *object;

    if (!waits || class->mixed)
        return json_null();
    object = json_object();
    json_object_set_new(object, "word", json_integer(class->wait_word));
    json_object_set_new(object, "until", json_string(class->wait_kind < 3 ? kinds[class->wait_kind] : "equal"));
    json_object_set_new(object, "value", json_integer(class->wait_value));
    json_object_set_new(
        object, "is",
        json_known(class->wait_word < words, class->wait_word < words ? evidence->words[class->wait_word] : 0));
    json_object_set_new(object, "group", json_known(class->wait_group < evidence->board.groups, class->wait_group));
    return object;
}

static json_t *class_object(const struct evidence *evidence, const struct group_class *class)
{
    char text[STORY_TEXT];
    json_t *object = json_object();

    wording_class(evidence, class, text, sizeof text);
    json_object_set_new(object, "state", json_string(group_state_name(class->state)));
    json_object_set_new(object, "round", json_integer(class->round));
    json_object_set_new(object, "locks_held", json_integer(class->locks_held));
    json_object_set_new(object, "wait", wait_object(evidence, class));
    json_object_set_new(object, "says", json_text(text));
    json_object_set_new(object, "groups", group_array(class));
    return object;
}

/* Who waits for whom: classes by their indexes. */
static void add_graph(json_t *object, const struct evidence *evidence, const struct story *story)
{
    json_t *classes = json_array(), *waits = json_array();

    for (uint32_t i = 0; i < story->grouping.count; ++i)
        json_array_append_new(classes, class_object(evidence, &story->grouping.classes[i]));
    for (uint32_t i = 0; i < story->grouping.edge_count; ++i) {
        json_t *edge = json_object();
        json_object_set_new(edge, "from", json_integer(story->grouping.edges[i].from));
        json_object_set_new(edge, "to", json_integer(story->grouping.edges[i].to));
        json_array_append_new(waits, edge);
    }
    json_object_set_new(object, "classes", classes);
    json_object_set_new(object, "waits", waits);
}

static json_t *story_object(const struct evidence *evidence, const struct story *story)
{
    json_t *object = json_object(), *remedies = json_array();

    for (size_t i = 0; i < story->remedy_count; ++i)
        json_array_append_new(remedies, json_text(story->remedies[i]));
    json_object_set_new(object, "schema_version", json_string(JSON_SCHEMA_VERSION));
    json_object_set_new(object, "trial", json_text(evidence->name));
    json_object_set_new(object, "launch", json_known(evidence->has_launch, evidence->launch));
    json_object_set_new(object, "seed", json_known(evidence->observation.seed != 0, evidence->observation.seed));
    json_object_set_new(object, "device", json_text(evidence->device.info.name));
    json_object_set_new(object, "driver_version", json_text(evidence->device.info.driver_version));
    json_object_set_new(object, "verdict",
                        evidence->has_launch ? json_string(verdict_name(evidence->verdict)) : json_null());
    json_object_set_new(object, "cause",
                        evidence->cause != CAUSE_NONE ? json_string(cause_name(evidence->cause)) : json_null());
    json_object_set_new(object, "surprise", json_boolean(evidence->surprise));
    json_object_set_new(object, "happened", json_text(story->happened));
    json_object_set_new(object, "allowed", json_text(story->allowed));
    json_object_set_new(object, "remedies", remedies);
    json_object_set_new(object, "repeat", json_text(story->repeat));
    add_graph(object, evidence, story);
    return object;
}

int explain_json(FILE *out, const struct evidence *evidence, struct error *error)
{
    struct story story;
    int result = story_tell(evidence, EXPLAIN_NODES, &story, error);

    if (result == 0)
        result = json_write(out, story_object(evidence, &story), error);
    story_fini(&story);
    return result;
}
