#include "scenario/keys.h"

#include "core/text.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

const struct key scenario_keys[] = {
#define TEXT(member) .offset = offsetof(struct scenario, member), .size = sizeof(((struct scenario *)0)->member)
#define NUMBER(member) .is_number = true, .offset = offsetof(struct axis_numbers, member)
    {"scenario", "kernel", KEY_NAME, .required = true, TEXT(kernel),
     .about = "the kernel, named like its .cl file, which is next to the scenario file or built into gridlock"},
    {"scenario", "purpose", KEY_TEXT, .required = true, TEXT(purpose),
     .about = "the question that the scenario answers, in a few words"},
    {"scenario", "teaches", KEY_TEXT, .required = true, TEXT(teaches),
     .about = "a sentence on what waits for whom, and why it stalls above the limit"},
    {"scenario", "live", KEY_FLAG, .words = "only", TEXT(live_only),
     .about = "only: no fuse can end it, so it runs only with --live"},
    {"scenario", "publishes", KEY_FLAG, .words = "yes", TEXT(publication),
     .about = "yes: the question is whether groups see what others wrote; comparisons list it separately"},
    {"scenario", "anti-pattern", KEY_TEXT, TEXT(anti_pattern),
     .about = "a condition, as in a rule: its points show what is not to be done, and reports say so: order = reverse"},
    {"sweep", "groups", KEY_AXIS, .required = true, .axis = AXIS_GROUPS, .of = LAUNCHED_GROUPS, .least = 1,
     .most = 1 << 20, .about = "work-groups in a launch"},
    {"sweep", "local-size", KEY_AXIS, .axis = AXIS_NUMBER, .of = LAUNCHED_GROUPS, .least = 1, .most = 1 << 16,
     .standard = "64", .about = "work-items in a group"},
    {"sweep", "shape", KEY_AXIS, .required = true, .axis = AXIS_SHAPE, .of = LAUNCHED_RANGE,
     .words = "W WxH WxHxD driver-1d driver-2d driver-3d",
     .about = "work-items in a group of a kernel that is launched over a range of work-items, in one, two or three "
              "dimensions; driver: the driver chooses"},
    {"sweep", "edge", KEY_AXIS, .axis = AXIS_WORD, .of = LAUNCHED_RANGE, .words = "padded ragged", .standard = "padded",
     .about = "whether a range that is not a multiple of the shape is rounded up or launched as it is"},
    {"sweep", "dialect", KEY_AXIS, .axis = AXIS_DIALECT, .words = "best all cl30 cl12 ptx", .standard = "best",
     .about = "how atomics and fences are written; best: the best one that works on the device"},
    {"sweep", "poll", KEY_AXIS, .axis = AXIS_WORD, .words = "load pause rmw volatile", .standard = "load",
     .about = "how a word is polled: with an atomic load, an atomic load after a pause of about 100 ns (dialect ptx), "
              "a read-modify-write, or a volatile read"},
    {"sweep", "registers", KEY_AXIS, .axis = AXIS_NUMBER, .least = 0, .most = 255, .standard = "0",
     .about = "most registers per work-item, set with an option of NVIDIA's compiler; 0: no limit"},
    {"sweep", "rounds", KEY_AXIS, .axis = AXIS_NUMBER, .least = 0, .most = 1000000, .standard = "3",
     .about = "how often a launch repeats what the kernel does"},
    {"sweep", "iterations", KEY_AXIS, .axis = AXIS_NUMBER, .least = 1, .most = 1000000, .standard = "3",
     .about = "launches per point"},
    {"sweep", "fuse", KEY_AXIS, .axis = AXIS_NUMBER, NUMBER(fuse), .of = LAUNCHED_GROUPS, .least = 0,
     .most = UINT32_MAX - 1, .standard = "0",
     .about = "polls after which a group gives up and ends the launch; 0: gridlock chooses"},
    {"sweep", "seed", KEY_AXIS, .axis = AXIS_NUMBER, NUMBER(seed), .least = 0, .most = UINT32_MAX, .standard = "1",
     .about = "seed of data, and of the delays and random choices of the first launch; each further launch has its own "
              "seed, derived from this one"},
    {"sweep", "jitter", KEY_AXIS, .axis = AXIS_NUMBER, NUMBER(jitter), .least = 0, .most = 1 << 24, .standard = "0",
     .about = "longest random delay, once per round, in polls"},
    {"sweep", "uneven", KEY_AXIS, .axis = AXIS_NUMBER, NUMBER(uneven), .least = 0, .most = 1 << 24, .standard = "0",
     .about = "delay once per round, in polls, times the group's id modulo 8"},
    {"sweep", "burners", KEY_AXIS, .axis = AXIS_NUMBER, NUMBER(burners), .least = 0, .most = 64, .standard = "0",
     .about = "host threads that keep its processors busy during the launch"},
    {"sweep", "held", KEY_AXIS, .axis = AXIS_NUMBER, NUMBER(held), .least = 0, .most = 65536, .standard = "0",
     .about = "groups of a second queue that stay resident during the launch"},
    {"sweep", "traffic", KEY_AXIS, .axis = AXIS_NUMBER, NUMBER(traffic), .least = 0, .most = 1024, .standard = "0",
     .about = "memory that these groups stream through, in MiB"},
    {"expect", "verdict", KEY_TEXT, .required = true, TEXT(verdict),
     .about = "the verdicts that a point may have: VERDICT or VERDICT when CONDITION and CONDITION; VERDICT otherwise"},
    {"expect", "cause", KEY_TEXT, TEXT(cause),
     .about = "the causes that its failed launches may have, as a rule of the same form: CAUSE when CONDITION; ..."},
    {"expect", "some", KEY_TEXT, TEXT(some),
     .about = "verdicts of which at least one launch of a point must have one, as a rule of the same form: VERDICT "
              "when CONDITION; ..."},
    {"expect", "rate", KEY_TEXT, TEXT(rate),
     .about = "the largest share of a point's launches that may have such a verdict, as a rule of the same form: "
              "VERDICT <= 1/200 when CONDITION; ..."},
#undef TEXT
#undef NUMBER
};
const size_t scenario_key_count = sizeof scenario_keys / sizeof *scenario_keys;
_Static_assert(sizeof scenario_keys / sizeof *scenario_keys <= SCENARIO_KEYS_MOST, "there is room for as many");

const struct key *key_find_axis(const char *name)
{
    for (size_t i = 0; i < scenario_key_count; ++i)
        if (scenario_keys[i].kind == KEY_AXIS && strcmp(scenario_keys[i].name, name) == 0)
            return &scenario_keys[i];
    return NULL;
}

uint32_t *key_number(const struct key *key, struct axis_numbers *numbers)
{
    return key->is_number ? (uint32_t *)((char *)numbers + key->offset) : NULL;
}

bool key_is_for(const struct key *key, const struct kernel_entry *entry)
{
    return key->of == LAUNCHED_ALL || (key->of == LAUNCHED_RANGE) == entry_has_range(entry);
}

/* --- the reference page --- */

static void print_key(FILE *out, const struct key *key)
{
    char text[512], name[48];
    const struct text_page page = {.out = out, .first = name, .margin = "             ", .columns = 80};
    const char *standard = key->standard;

    if (key->kind != KEY_AXIS)
        snprintf(text, sizeof text, "%s%s", key->about, key->required ? " (required)" : "");
    else if (key->words != NULL)
        snprintf(text, sizeof text, "%s (one of %s%s%s)", key->about, key->words,
                 standard != NULL ? "; default " : "; required", standard != NULL ? standard : "");
    else
        snprintf(text, sizeof text, "%s (%" PRId64 " to %" PRId64 "%s%s)", key->about, key->least, key->most,
                 standard != NULL ? "; default " : ", required", standard != NULL ? standard : "");
    snprintf(name, sizeof name, "%-12s ", key->name);
    text_wrap(&page, text);
}

void scenario_print_reference(FILE *out)
{
    const char *section = "";
    for (size_t i = 0; i < scenario_key_count; ++i) {
        if (strcmp(section, scenario_keys[i].section) != 0)
            fprintf(out, "%s[%s]\n", i > 0 ? "\n" : "", scenario_keys[i].section);
        section = scenario_keys[i].section;
        print_key(out, &scenario_keys[i]);
    }
}
