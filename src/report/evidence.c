#include "report/evidence.h"

#include "base/alloc.h"
#include "core/footprint_name.h"
#include "core/text.h"
#include "report/batch.h"
#include "report/run.h"
#include "report/run_points.h"
#include "report/wording.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct finder {
    const struct evidence_wanted *wanted;
    struct evidence *evidence;
    struct evidence_tally *tally;
    struct run_report report;   /* says what is a surprise */
    struct store_device device; /* whose trials are being read */
    bool found;
    bool named;        /* the trial is there, even if nothing of it failed */
    int64_t holder;    /* the last device that had it */
    size_t holders;    /* that had it, */
    char labels[1024]; /* and how they are called */
    struct error *error;
};

bool evidence_is_named(const char *stored, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(stored, name, length) == 0 && (stored[length] == '\0' || stored[length] == '#');
}

bool evidence_is_on(const struct evidence_wanted *wanted, const struct device_info *device)
{
    return wanted->device == NULL || device_info_matches(device, wanted->device);
}

/* Older run files have no causes: then what is stored of the launch is judged now. */
static enum cause cause_of(const struct finder *finder, const struct store_trial *stored, uint32_t launch)
{
    const struct store_launch *found = &stored->launches[launch];
    const enum cause cause =
        found->cause != CAUSE_NONE ? found->cause : cause_judge(&stored->trial, &found->observation);
    return wording_cause(&finder->device.probe, cause);
}

static void count_causes(const struct finder *finder, const struct store_trial *stored)
{
    struct evidence_tally *tally = finder->tally;
    bool seen[CAUSE_COUNT] = {false};

    for (uint32_t i = 0; i < stored->count; ++i) {
        const enum cause cause = cause_of(finder, stored, i);
        tally->launches[cause] += 1;
        tally->trials[cause] += !seen[cause];
        seen[cause] = true;
        if (tally->first[cause][0] == '\0')
            memcpy(tally->first[cause], stored->name, sizeof tally->first[cause]);
    }
}

/* The launch that explains the trial: one that failed, if there is one; stored->count: there is none at all. */
static uint32_t telling_launch(const struct store_trial *stored)
{
    if (stored->board != NULL && stored->launches[stored->evidence].verdict != VERDICT_PASS)
        return stored->evidence;
    for (uint32_t i = 0; i < stored->count; ++i)
        if (stored->launches[i].verdict != VERDICT_PASS)
            return i;
    return stored->board != NULL ? stored->evidence : 0;
}

/* The point that the trial is a batch of; NULL: it is none, as of a run of limits. */
static const struct run_point *point_of(const struct finder *finder, const struct store_trial *stored)
{
    const struct run_report *report = &finder->report;

    for (size_t i = 0; i < report->count && stored->trial.kind == TRIAL_WORK; ++i)
        if (report->devices[i].stored.id == finder->device.id)
            return run_points_find(&report->devices[i], stored->trial.work.scenario, stored->name);
    return NULL;
}

/* A run of limits has no points, and makes kernels stall on purpose: what failed in another way is its news. */
static bool is_news(const struct run_point *point, enum verdict verdict)
{
    return point == NULL && verdict_is_failure_of_the_device(verdict);
}

static bool is_surprise(const struct run_point *point, const struct batch_reading *batch)
{
    return point != NULL && run_point_is_surprise(point) && batches_blames(&point->batches, &batch->batches);
}

static char *tell_shortfall(const struct run_point *point)
{
    char *text = NULL;
    FILE *out = xopen_memstream(&text, NULL);

    if (point != NULL && run_point_is_surprise(point))
        run_print_shortfall(out, point, "");
    return xclose_memstream(out, &text);
}

static void take_samples(struct evidence *evidence, const struct store_trial *stored)
{
    evidence->samples = xmalloc(stored->samples_words * sizeof *evidence->samples);
    memcpy(evidence->samples, stored->samples, stored->samples_words * sizeof *evidence->samples);
    evidence->samples_words = stored->samples_words;
}

static void take_board(struct evidence *evidence, const struct store_trial *stored)
{
    if (stored->board == NULL || stored->evidence != evidence->launch ||
        stored->board_words < trial_board_words(&stored->trial))
        return;
    evidence->words = xmalloc(stored->board_words * sizeof *evidence->words);
    memcpy(evidence->words, stored->board, stored->board_words * sizeof *evidence->words);
    evidence->board = trial_board(&evidence->trial, evidence->words);
    snprintf(evidence->board_of, sizeof evidence->board_of, "%s", stored->board_of);
    if (stored->samples != NULL)
        take_samples(evidence, stored);
}

/* The board may tell more than was read from it by whoever wrote the file. */
static void analyse_again(struct evidence *evidence)
{
    if (evidence->words == NULL || !verdict_is_stall(evidence->verdict))
        return;
    waitfor_analyse(&evidence->board, NULL, &evidence->observation.waitfor);
    evidence->cause = cause_judge(&evidence->trial, &evidence->observation);
}

static void take_tried(struct evidence *evidence, const struct subject_tried *tried)
{
    if (tried->text != NULL)
        evidence->tried = (struct subject_tried){xstrdup(tried->text), xstrdup(tried->options), xstrdup(tried->kernel),
                                                 xstrdup(tried->arguments)};
}

static void take_evidence(struct finder *finder, const struct store_trial *stored, uint32_t launch,
                          const struct batch_reading *batch)
{
    const struct run_point *point = point_of(finder, stored);
    struct evidence *evidence = finder->evidence;

    evidence_fini(evidence);
    evidence->device = finder->device;
    evidence->run.id = stored->run;
    evidence->trial_row = stored->id;
    evidence->trial = stored->trial;
    evidence->prediction = stored->prediction;
    evidence->note = xstrdup(stored->note);
    take_tried(evidence, &stored->tried);
    evidence->entry = stored->subject.way;
    evidence->launch = launch;
    evidence->launches = stored->count;
    evidence->surprise = is_surprise(point, batch);
    evidence->superseded = point != NULL && batch->batches.launch_surprise && !evidence->surprise;
    evidence->shortfall = tell_shortfall(point);
    memcpy(evidence->name, stored->name, sizeof evidence->name);
    if (stored->count == 0)
        return;
    evidence->has_launch = true;
    evidence->strain = stored->strain;
    evidence->observation = stored->launches[launch].observation;
    evidence->verdict = stored->launches[launch].verdict;
    evidence->cause = cause_of(finder, stored, launch);
    for (uint32_t i = 0; i < stored->count; ++i)
        evidence->alike +=
            stored->launches[i].verdict == evidence->verdict && cause_of(finder, stored, i) == evidence->cause;
    take_board(evidence, stored);
    if (stored->launches[launch].cause == CAUSE_NONE)
        analyse_again(evidence);
}

static void note_holder(struct finder *finder)
{
    const struct store_device *device = &finder->device;

    if (finder->holder == device->id)
        return;
    finder->holder = device->id;
    finder->holders += 1;
    text_list(finder->labels, sizeof finder->labels, ", ", "%s", DEVICE_LABEL_OF(&device->info));
}

/* By the trial's name, its scenario's or, of limits, the footprint's. */
static bool is_wanted(const struct finder *finder, const struct store_trial *stored)
{
    const char *wanted = finder->wanted->trial;

    if (wanted == NULL || evidence_is_named(stored->name, wanted))
        return true;
    if (wanted[0] == '\0')
        return false;
    return stored->trial.work.scenario[0] == '\0' ? footprint_answers(&stored->trial.footprint, wanted)
                                                  : strcmp(stored->trial.work.scenario, wanted) == 0;
}

static int take_trial(void *context, const struct store_trial *stored)
{
    struct finder *finder = context;
    const char *wanted = finder->wanted->trial;
    struct batch_reading batch;

    if (!trial_has_board(&stored->trial)) {
        if (wanted == NULL || !evidence_is_named(stored->name, wanted))
            return 0;
        return error_set(finder->error, STATUS_USAGE, "%.160s is a block of litmus tests and has no board", wanted);
    }
    if (finder->tally != NULL)
        count_causes(finder, stored);
    if (!is_wanted(finder, stored))
        return 0;
    note_holder(finder);
    if (batch_read(&batch, &finder->device.probe, stored, finder->error) != 0)
        return -1;
    const uint32_t launch = telling_launch(stored);
    const bool failed = launch < stored->count && stored->launches[launch].verdict != VERDICT_PASS;
    const struct run_point *point = point_of(finder, stored);
    const bool surprise = is_surprise(point, &batch);
    /* A trial that was asked for is taken even if it passed; of several batches the first that failed. */
    const bool first = wanted != NULL && !finder->named;
    finder->named = true;
    const struct evidence *now = finder->evidence;
    /* Boards may have been left out: that of another launch with the same verdict tells more. */
    const bool tells_more = wanted == NULL && surprise == now->surprise && now->observation.board_read &&
                            now->words == NULL && stored->board != NULL && launch < stored->count &&
                            stored->launches[launch].verdict == now->verdict;
    const bool news =
        failed && is_news(point, stored->launches[launch].verdict) && !verdict_is_failure_of_the_device(now->verdict);
    const bool outranks = !now->surprise && (surprise || news);
    if (!first && !((failed || surprise) && (!finder->found || outranks || tells_more)))
        return 0;
    finder->found = finder->found || failed || surprise;
    take_evidence(finder, stored, launch, &batch);
    return 0;
}

static int read_devices(struct store *store, struct finder *finder)
{
    struct store_device device = {.id = 0};
    int found;

    while ((found = store_next_device(store, &device, finder->error)) == 1) {
        if (!evidence_is_on(finder->wanted, &device.info))
            continue;
        finder->device = device;
        const struct store_walk walk = {device.id, .take = take_trial, .context = finder};
        if (store_each_trial(store, &walk, finder->error) != 0)
            return -1;
    }
    return found;
}

static void free_schedule(struct evidence *evidence)
{
    free((void *)evidence->schedule.turns);
    free((void *)evidence->schedule.stops);
    evidence->schedule = (struct schedule_kept){.turns = NULL};
}

/* What is known of the run, once a launch was found. */
static int complete(struct store *store, const struct finder *finder, struct evidence *evidence, struct error *error)
{
    const bool several = finder->wanted->trial != NULL && finder->holders > 1;
    const int64_t id = evidence->run.id;

    evidence->run.id = id - 1; /* the one behind it is read */
    const int found = store_next_run(store, &evidence->run, error);
    if (found < 0)
        return -1;
    if (store_read_schedule(store, evidence->trial_row, &evidence->schedule, error) != 0)
        return -1;
    if (evidence->schedule.launch != evidence->launch)
        free_schedule(evidence);
    evidence->holders = several ? xstrdup(finder->labels) : NULL;
    if (found == 0 || evidence->run.id != id)
        return error_set(error, STATUS_HARNESS, "the file lacks run %" PRId64 ", which a trial of it names", id);
    return 0;
}

/* A trial that shows what the board of the one that was found would. */
static int take_other(void *context, const struct store_trial *stored)
{
    struct finder *finder = context;
    struct evidence *evidence = finder->evidence;
    const struct workload *sought = &evidence->trial.work, *work = &stored->trial.work;
    const uint32_t launch = telling_launch(stored);

    if (evidence->shown_by[0] == '\0' && stored->board != NULL && launch == stored->evidence &&
        launch < stored->count && strcmp(work->scenario, sought->scenario) == 0 &&
        strcmp(work->kernel, sought->kernel) == 0 && stored->launches[launch].verdict == evidence->verdict &&
        cause_of(finder, stored, launch) == evidence->cause)
        snprintf(evidence->shown_by, sizeof evidence->shown_by, "%s", stored->name);
    return 0;
}

static int find_other(struct store *store, struct finder *finder)
{
    const struct evidence *evidence = finder->evidence;

    if (!evidence->has_launch || evidence->words != NULL || evidence->observation.waiting == 0)
        return 0;
    const struct store_walk walk = {evidence->device.id, .take = take_other, .context = finder};
    return store_each_trial(store, &walk, finder->error);
}

int evidence_read(struct store *store, const struct evidence_wanted *wanted, struct evidence *evidence,
                  struct evidence_tally *tally, struct error *error)
{
    struct finder finder = {.wanted = wanted, .evidence = evidence, .tally = tally, .error = error};

    *evidence = (struct evidence){.words = NULL};
    int result = run_report_update(&finder.report, store, error);
    if (result == 0)
        result = read_devices(store, &finder);
    if (result == 0)
        result = find_other(store, &finder);
    run_report_fini(&finder.report);
    if (result != 0)
        return -1;
    if (wanted->trial != NULL && !finder.named)
        return error_set(error, STATUS_USAGE, "unknown trial '%.160s' %s (gridlock report --verbose names all)",
                         wanted->trial, wanted->device != NULL ? "on this device" : "in this run");
    if (!finder.named || (wanted->trial == NULL && !finder.found))
        return 1;
    return complete(store, &finder, evidence, error);
}

void evidence_fini(struct evidence *evidence)
{
    free(evidence->holders);
    store_run_fini(&evidence->run);
    free(evidence->note);
    free((void *)evidence->tried.text);
    free((void *)evidence->tried.options);
    free((void *)evidence->tried.kernel);
    free((void *)evidence->tried.arguments);
    free(evidence->shortfall);
    free(evidence->words);
    free(evidence->samples);
    free_schedule(evidence);
    *evidence = (struct evidence){.words = NULL};
}

/* --- of all points --- */

struct teller {
    struct finder finder;
    struct store *store;
    evidence_taker *take;
    void *context;
    size_t device;
};

static int tell_trial(void *context, const struct store_trial *stored)
{
    struct teller *teller = context;
    struct finder *finder = &teller->finder;
    const uint32_t launch = telling_launch(stored);
    struct batch_reading batch;

    if (stored->trial.kind != TRIAL_WORK || launch >= stored->count)
        return 0;
    if (batch_read(&batch, &finder->device.probe, stored, finder->error) != 0)
        return -1;
    if (stored->launches[launch].verdict == VERDICT_PASS && !is_surprise(point_of(finder, stored), &batch))
        return 0;
    take_evidence(finder, stored, launch, &batch);
    if (complete(teller->store, finder, finder->evidence, finder->error) != 0)
        return -1;
    return teller->take(teller->context, finder->evidence, teller->device, finder->error);
}

int evidence_each(struct store *store, const struct run_report *report, evidence_taker *take, void *context,
                  struct error *error)
{
    static const struct evidence_wanted any = {.trial = NULL};
    struct evidence evidence = {.words = NULL};
    struct teller teller = {.finder = {.wanted = &any, .evidence = &evidence, .report = *report, .error = error},
                            .store = store,
                            .take = take,
                            .context = context};
    int result = 0;

    for (size_t i = 0; i < report->count && result == 0; ++i) {
        teller.device = i;
        teller.finder.device = report->devices[i].stored;
        const struct store_walk walk = {teller.finder.device.id, .take = tell_trial, .context = &teller};
        result = store_each_trial(store, &walk, error);
    }
    evidence_fini(&evidence);
    return result;
}
