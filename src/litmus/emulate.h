/*
 * Model devices: devices that do not exist, whose progress model is known. Such a device keeps what its model promises,
 * and is otherwise as nasty as it may be: it steps the threads that lead to a launch that never ends, if there is one.
 *
 * With a bound at most so many groups of a launch have started and not ended, and as long as fewer have, another one
 * starts at some time: under OBE any; under HSA_OBE any, but a place is kept for the lowest that has not ended; under
 * LOBE any, but a place is kept for each with a lower id than one that has started. Under weak fairness each group with
 * fair execution steps again and again, in whatever order is worst; under strong fairness any such step that could lead
 * on is taken at some time.
 *
 * A stall is one that the model allows, always. A stall that it allows is found, but for HSA_OBE with a bound of no
 * more than a program's threads, and for programs of very many threads, where not all ways to one are looked at.
 */
#pragma once

#include "base/error.h"
#include "core/block.h"
#include "core/naming.h"
#include "litmus/lanes.h"
#include "litmus/limit_search.h"
#include "litmus/model.h"

#include <stdbool.h>
#include <stdint.h>

/* The order in which a launch of a kernel takes groups, where the model leaves it open. */
enum model_order {
    MODEL_ORDER_MIXED,   /* neighbours are far from each other */
    MODEL_ORDER_UP,      /* by id, */
    MODEL_ORDER_DOWN,    /* or against it */
    MODEL_ORDER_CHUNKED, /* each place goes through a share of neighbours, rounded up, as the threads of a CPU do */
    MODEL_ORDER_SPLIT,   /* or rounded down */
    MODEL_ORDER_LOT,     /* drawn for each launch */
    MODEL_ORDERS,
};

/* Who is next of those that may have a turn. */
enum model_turns {
    MODEL_TURNS_ROUND, /* one after the other, for a few accesses each */
    MODEL_TURNS_LOT,   /* drawn at each access */
    MODEL_TURNS_PCT, /* by priorities that are drawn, and at a few drawn accesses one falls (Burckhardt et al., 2010) */
    MODEL_TURNS,
};

/* What a work-item of a kernel may read. */
enum model_reads {
    MODEL_READS_ANY,
    MODEL_READS_WRITTEN, /* but not local memory, or a buffer made without contents, that nobody has written */
    MODEL_READS,
};

enum { MODEL_LIKE = 160 };

struct model_device {
    enum lanes_machine lanes; /* what groups do is then FAIR, under weak fairness; kernels run on serial ones alone */
    bool unfair;              /* no group has fair execution; `model` means nothing */
    enum litmus_model model;
    bool weak;              /* only weak fairness */
    uint32_t resident;      /* groups that have started and not ended, at most, of OBE, HSA_OBE and LOBE; 0: no bound */
    enum model_order order; /* of kernels: a litmus test's groups are led */
    enum model_turns turns;
    enum model_reads reads;
    uint32_t sub_groups;   /* work-items of a sub-group; 0: a kernel may have none */
    uint32_t seed;         /* of what is drawn */
    char like[MODEL_LIKE]; /* the name of a device that held groups as this one does (core/holdings.h); or "" */
};

/* What "model:like:RUN" asks for: a device as a run file shows that one was. */
struct model_like {
    char *run;                 /* the file; owned, free with model_like_fini */
    char *kernels;             /* a file with kernels that were measured by themselves; or NULL; owned, too */
    char device[MODEL_LIKE];   /* selects one of those in the file; "": there is one */
    struct model_device model; /* what is said of it, and `resident` 0; */
    unsigned said;             /* parts, as bits of enum model_part: the rest the file has to tell */
};

/* What may stand behind commas; the last three only of what is like another device. */
enum model_part {
    MODEL_PART_ORDER,
    MODEL_PART_TURNS,
    MODEL_PART_READS,
    MODEL_PART_SEED,
    MODEL_PART_SUB_GROUPS,
    MODEL_PART_MODEL,
    MODEL_PART_DEVICE,
    MODEL_PART_KERNELS,
};

NAMING_DECLARE(model_order, enum model_order);
NAMING_DECLARE(model_turns, enum model_turns);
NAMING_DECLARE(model_reads, enum model_reads);

enum {
    MODEL_DEVICE_NAME = 256,
    MODEL_DEVICE_RESIDENT = 8,
    MODEL_DEVICE_RESIDENT_MOST = 1 << 16,
    MODEL_DEVICE_SUB_GROUP_MOST = 128,
    MODEL_DEVICE_TRIED = 64,                            /* groups, where any number has places */
    MODEL_DEVICE_LITMUS_MOST = LIMIT_SEARCH_GROUPS - 1, /* a bound that no launch can exceed does not bind */
};

/* "model:" begins the name of a model device, and of no other one. */
bool model_device_is_named(const char *text);

/*
 * Reads "model:serial[:down]", perhaps with ",sub-groups=N" behind it, or "model:lockstep[:down][:fall-through]",
 * machines of lanes; or "model:unfair", "model:hsa", "model:obe:N", "model:hsa_obe:N", "model:lobe:N" or "model:fair",
 * each with ":weak" or ":strong" behind it, and then with ",order=ORDER", ",turns=TURNS", ",reads=READS", ",seed=N" and
 * ",sub-groups=N" in any order, in lower or upper case. Without N the bound is MODEL_DEVICE_RESIDENT; fairness is
 * strong, and the rest 0, unless it is said. The last part may be "like=NAME", which model_device_name prints: what is
 * read is that device but for its holdings. STATUS_USAGE.
 */
int model_device_parse(const char *text, struct model_device *device, struct error *error);

/* "model:like:" begins the name that the user gives a device of which a run file tells. */
bool model_like_is_named(const char *text);

/* The name of such a device, as model_device_name prints it. */
bool model_like_has(const char *name);

/*
 * Reads "model:like:RUN", with the parts that model_device_parse knows behind it, ",model=MODEL", ",device=SELECTOR"
 * and ",kernels=RUN". RUN may have commas: the parts are those at the end. STATUS_USAGE. Call model_like_fini
 * even on failure.
 */
int model_like_parse(const char *text, struct model_like *like, struct error *error);
void model_like_fini(struct model_like *like);

/* STATUS_USAGE if the device runs no kernels. */
int model_device_check_kernels(const struct model_device *device, struct error *error);

/* STATUS_USAGE if litmus_emulate would not heed all that the device's name says. */
int model_device_check_litmus(const struct model_device *device, struct error *error);

/*
 * The models that a device of this name keeps of what kernels do at this level; 0: it is no model device, or none.
 * Work-items and sub-groups of a kernel's group get their turns, unless the device is a serial machine.
 */
model_set model_device_keeps(const char *name, enum block_level level);

/*
 * The name that is read as this device: in lower case, with the bound if it has one, ":weak" if it is weak, of the rest
 * what is not 0, and at last what it is like.
 */
void model_device_name(const struct model_device *device, char text[MODEL_DEVICE_NAME]);

/* For tests: told of all that a device does, unless it is left out. */
struct emulate_trace {
    void *context;
    /* A launch begins; groups and slots as mapping_fill has them. */
    void (*begin)(void *context, const struct block *block, uint32_t test, uint32_t groups, const uint32_t *slots);
    /* A group executes its next instruction. */
    void (*step)(void *context, uint32_t group);
    /* The launch is over: it ended, or stalled. */
    void (*end)(void *context, bool stalled);
};

/* How many places a launch of so many groups needs; for a model that takes as many as there are, all. */
uint32_t model_device_places(const struct model_device *device, uint32_t groups);

/* How many groups a launch is tried with on a device of this name: at most `most`, few where it holds any number. */
uint32_t model_device_tried(const char *name, uint32_t most);

/*
 * With turns by priorities MODEL_FALLS times a priority falls below all others, in steps that are drawn from so many
 * first ones of a launch with so many work-items at a time.
 */
enum { MODEL_FALLS = 2 };
uint32_t model_device_falls(uint32_t items);

/* Who wants to know what tests come to. */
struct emulate_sink {
    void *context;
    /* What the next test came to; false: that is enough. */
    bool (*take)(void *context, const struct test_outcome *outcome);
    /* Asked many times a second, also within a launch; true: at once. NULL: never. */
    bool (*stopped)(void *context);
    const struct emulate_trace *trace; /* or NULL */
};

/*
 * Runs a checked block (core/block.h). Each test is given to the sink once, in order, until that has enough. A step
 * counts as a nanosecond. What is left to chance follows from the seed: the same block and seed give the same
 * outcomes. STATUS_USAGE if a program has too many states to be judged.
 */
int litmus_emulate(const struct model_device *device, const struct block *block, uint32_t seed,
                   const struct emulate_sink *sink, struct error *error);
