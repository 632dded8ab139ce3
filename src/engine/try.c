#include "engine/try.h"

#include "base/alloc.h"
#include "core/text.h"
#include "host/orphans.h"
#include "host/remote.h"
#include "look/looking.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- looks, from outside, at a worker whose launch does not end --- */

struct try_look {
    uint64_t deadline_ns;
    struct looking looking;
};

/* The first look is when so long has passed, or this part of the deadline if that is earlier; others, later. */
static const uint64_t first_ns = 500000000;
enum { FIRST_PART = 4 };

/* Where the thread goes round; "": its code does not say. */
static void print_place(const struct looked_thread *thread, char place[STACK_NAME + 16])
{
    const struct frame *frame = look_line(thread);

    place[0] = '\0';
    if (frame != NULL)
        snprintf(place, STACK_NAME + 16, " at %s:%d", frame->file, frame->line);
}

/* How many threads run kernels at the same place as this one, itself among them; 0: one before it does. */
static size_t count_alike(const struct look *look, size_t at)
{
    char place[STACK_NAME + 16], other[STACK_NAME + 16];
    size_t alike = 1;

    print_place(&look->threads[at], place);
    for (size_t i = 0; i < look->count; ++i) {
        print_place(&look->threads[i], other);
        if (i == at || look->threads[i].role != ROLE_KERNEL || strcmp(place, other) != 0)
            continue;
        if (i < at)
            return 0;
        ++alike;
    }
    return alike;
}

/* "2 threads go round at a.cl:12, 1 thread goes round at a.cl:20" */
static void print_rounds(const struct look *look, char *text, size_t size)
{
    char place[STACK_NAME + 16];

    for (size_t i = 0; i < look->count; ++i) {
        const size_t alike = look->threads[i].role == ROLE_KERNEL ? count_alike(look, i) : 0;
        if (alike == 0)
            continue;
        print_place(&look->threads[i], place);
        text_list(text, size, ", ", "%zu thread%s go%s round%s", alike, text_s(alike), alike == 1 ? "es" : "", place);
    }
}

/* What is known of one whose time will be up. */
static const char *words_of(const struct look *look)
{
    switch (look->reason) {
    case LOOK_REASON_MOVES:
        return ": a thread of it does not only go round, so it may be slow, or change memory for ever";
    case LOOK_REASON_BUILDS:
        return ": the driver still compiles it";
    case LOOK_REASON_WAKES:
        return ": the driver is at work";
    case LOOK_REASON_GPU:
        return ": what a GPU does cannot be seen from outside";
    default:
        return "";
    }
}

/* Whatever else this process is a parent of is what workers left behind, and is ended. */
static void step(struct looking *looking, pid_t worker, const struct looking_pace *pace)
{
    const pid_t before = looking->aside.child;

    looking_step(looking, worker, pace);
    if (before != 0)
        orphans_disown(before);
    if (looking->aside.child != 0)
        orphans_own(looking->aside.child);
}

/* The launch is over: nobody looks any more. */
static void try_look_end(struct try_look *looks)
{
    const pid_t child = looks->looking.aside.child;

    looking_forget(&looks->looking);
    looks->looking.next_ns = 0;
    if (child != 0)
        orphans_disown(child);
}

/*
 * As struct remote_looker asks for it; the context is a struct try_look. It looks when the launch has run for a while,
 * and until the deadline.
 */
static bool try_look(void *context, pid_t worker, uint64_t since_ns, char *text, size_t size)
{
    struct try_look *looks = context;
    const uint64_t part_ns = looks->deadline_ns / FIRST_PART;
    const struct looking_pace pace = {part_ns < first_ns ? part_ns : first_ns, 1, LOOK_THOROUGH};

    if (since_ns < pace.pause_ns)
        return false;
    if (since_ns >= looks->deadline_ns) { /* a process that is looked at ends late */
        try_look_end(looks);
        return false;
    }
    step(&looks->looking, worker, &pace);
    const struct look *look = looking_seen(&looks->looking);
    snprintf(text, size, "it did not end within %.3g s%s", (double)looks->deadline_ns / 1e9,
             look != NULL ? words_of(look) : "");
    if (look == NULL || look->verdict != LOOK_DEADLOCK)
        return false;
    char rounds[256] = "";
    print_rounds(look, rounds, sizeof rounds);
    snprintf(text, size, "nothing can end it any more, which is proved: %s, and nobody else can write to memory",
             rounds);
    return true;
}

/* --- the plan --- */

enum { DOUBLED_TO = 1 << 16 };

struct trying {
    struct tries *tries;
    struct runner runner;
    struct trial_list list;
    struct proof_request request; /* of the present launch */
    struct try_look look;
};

static void add_one(struct trying *trying, const struct footprint *footprint, uint32_t groups)
{
    GROW(trying->list.trials, trying->list.count);
    struct trial *trial = &trying->list.trials[trying->list.count++];
    const char *slash = strrchr(footprint->subject.file, '/');

    *trial = (struct trial){.kind = TRIAL_TRY, .groups = groups, .rounds = 1, .repeats = 1, .footprint = *footprint};
    trial->work.range = trying->tries->request->trial.work.range;
    snprintf(trial->work.scenario, sizeof trial->work.scenario, "%.30s:%.30s",
             slash != NULL ? slash + 1 : footprint->subject.file, footprint->subject.kernel);
}

static void add(struct trying *trying, const struct footprint *footprint, uint32_t groups)
{
    for (uint32_t i = 0; i < trying->tries->iterations; ++i)
        add_one(trying, footprint, groups);
}

/* 1, 2, 4 ... below the number of compute units, which is the last but one. */
static void add_usual(struct trying *trying, const struct footprint *footprint, uint32_t units)
{
    const uint32_t most = units < 1 ? 1 : units > DOUBLED_TO ? DOUBLED_TO : units;

    for (uint32_t groups = 1; groups < most; groups *= 2)
        add(trying, footprint, groups);
    add(trying, footprint, most);
    add(trying, footprint, most + 1);
}

static int plan(struct trying *trying, const struct device_info *device, struct error *error)
{
    const struct tries *tries = trying->tries;
    struct footprint *footprints = NULL;
    size_t count = 0;

    if (subjects_plan(tries->subjects, &trying->runner.executor, device, &footprints, &count, error) != 0)
        return -1;
    for (size_t i = 0; i < count; ++i) {
        for (size_t j = 0; j < tries->group_count; ++j)
            add(trying, &footprints[i], (uint32_t)tries->groups[j]);
        if (tries->group_count == 0)
            add_usual(trying, &footprints[i], device->compute_units);
    }
    free(footprints);
    return 0;
}

/* --- launches --- */

static void ask(void *context, size_t index, struct asked *asked)
{
    struct trying *trying = context;

    (void)index;
    trying->request = *trying->tries->request;
    trying->request.trial = asked->trial;
    asked->proof = &trying->request;
    asked->prediction.expected.verdicts = UINT32_C(1) << VERDICT_PASS;
}

static bool has_failed(void *context, const struct asked *asked, const struct remote_result *result)
{
    (void)asked;
    try_look_end(&((struct trying *)context)->look);
    return result->count == 0 || result->observations[0].outcome != OUTCOME_ENDED;
}

int try_device(struct tries *tries, const struct device_info *device, struct error *error)
{
    const struct search_options none = {.repeats = 1};
    struct trying *trying = xcalloc(1, sizeof *trying);
    const struct remote_looker looker = {try_look, &trying->look};

    trying->tries = tries;
    trying->look.deadline_ns = tries->deadline_ns;
    tries->worker->looker = &looker;
    trying->runner = (struct runner){.settings = tries->settings, .executor = executor_of_worker(tries->worker)};
    trying->list = (struct trial_list){
        .ask = ask, .is_bad = has_failed, .context = trying, .ended = tries->launch_ended, .watcher = tries->context};
    int outcome = runner_begin(&trying->runner, device, PROBE_FIRST_DIALECT, &none, error);
    if (outcome == 0)
        outcome = plan(trying, device, error);
    if (outcome == 0)
        outcome = runner_drive_list(&trying->runner, &trying->list, error);
    try_look_end(&trying->look);
    runner_end(&trying->runner);
    tries->worker->looker = NULL;
    free(trying->list.trials);
    free(trying);
    return outcome;
}
