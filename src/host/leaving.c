#include "host/leaving.h"

#include "base/tally.h"
#include "core/build_options.h"
#include "core/text.h"
#include "host/signals.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what is remembered of kernels --- */

static bool is_among(const uint64_t hashes[REMOTE_HASHES], uint64_t hash)
{
    for (size_t i = 0; hash != 0 && i < REMOTE_HASHES; ++i)
        if (hashes[i] == hash)
            return true;
    return false;
}

static void remember(uint64_t hashes[REMOTE_HASHES], uint64_t hash)
{
    for (size_t i = 0; hash != 0 && !is_among(hashes, hash) && i < REMOTE_HASHES; ++i)
        if (hashes[i] == 0) {
            hashes[i] = hash;
            break;
        }
}

/* --- which parts --- */

/*
 * Notes of 0 work-items are of files of the user's as they are built before any size is known. PoCL's loops are left
 * out only of the kernels that it died of: the other method makes some kernels of the same size slow.
 */
static void take_notes(struct leaving *leaving, uint64_t items)
{
    leaving->noted |=
        optional_noted(leaving->remote->probe.left_out, items) & leaving->may & ~OPTIONAL_BIT(OPTIONAL_LOOPS);
    if (is_among(leaving->remote->other_loops, leaving->kernel))
        leaving->noted |= leaving->may & OPTIONAL_BIT(OPTIONAL_LOOPS);
    leaving->left_out = leaving->noted;
}

/* Not if the user has chosen. */
static bool may_change_loops(const struct remote *remote)
{
    return strcmp(remote->device.platform, "Portable Computing Language") == 0 && getenv(POCL_METHOD) == NULL;
}

void leaving_begin(struct leaving *leaving, struct remote *remote, uint64_t items)
{
    const struct device_probe *probe = &remote->probe;
    struct device_probe plainer = *probe;

    plainer.without = OPTIONAL_BIT(OPTIONAL_DIALECT);

    *leaving = (struct leaving){.remote = remote, .items = items};
    leaving->may = OPTIONAL_BIT(OPTIONAL_HINTS) | (may_change_loops(remote) ? OPTIONAL_BIT(OPTIONAL_LOOPS) : 0) |
                   (probe->yield ? OPTIONAL_BIT(OPTIONAL_YIELD) : 0) |
                   (device_dialect(&plainer) != probe->dialect ? OPTIONAL_BIT(OPTIONAL_DIALECT) : 0);
    take_notes(leaving, items);
}

/* What the driver is asked to tell of a kernel of the user's. */
static void may_do_without_options(struct leaving *leaving)
{
    leaving->may |= OPTIONAL_BIT(OPTIONAL_ARGUMENTS);
    if (remote_is_nvidia(&leaving->remote->device))
        leaving->may |= OPTIONAL_BIT(OPTIONAL_REGISTERS);
}

static uint64_t hash_kernel(const struct trial *trial)
{
    const struct subject *subject = &trial->footprint.subject;
    const uint64_t hashes[] = {tally_hash(trial->work.folder), tally_hash(trial->work.kernel),
                               tally_hash(subject->file), tally_hash(subject->kernel), trial_items(trial)};

    return tally_hash_bytes((const char *)hashes, sizeof hashes) | 1;
}

/* Of what the driver builds for a trial, in groups of its size. */
static uint64_t hash_trial(const struct remote *remote, const struct trial *trial)
{
    char options[BUILD_OPTIONS], footprint[512];

    build_options_trial(remote->device.kind, &remote->probe, trial, options);
    footprint_print(&trial->footprint, footprint, sizeof footprint);
    const uint64_t hashes[] = {hash_kernel(trial), tally_hash(options), tally_hash(footprint)};
    return tally_hash_bytes((const char *)hashes, sizeof hashes) | 1;
}

void leaving_begin_trial(struct leaving *leaving, struct remote *remote, const struct trial *trial)
{
    const bool of_user = trial->footprint.subject.file[0] != '\0';

    leaving_begin(leaving, remote, trial_items(trial));
    leaving->trial = trial;
    leaving->hash = hash_trial(remote, trial);
    leaving->kernel = hash_kernel(trial);
    if (trial->work.kernel[0] != '\0' || (of_user && !remote->probe.dialect_works[DIALECT_PTX]))
        leaving->may &= ~OPTIONAL_BIT(OPTIONAL_DIALECT);
    leaving->noted &= leaving->may;
    if (of_user)
        may_do_without_options(leaving);
    take_notes(leaving, leaving->items);
    if (!of_user)
        return;
    take_notes(leaving, 0);
    leaving->may &=
        ~OPTIONAL_BIT(OPTIONAL_ARGUMENTS); /* without it the kernel could not be measured, which is no cure */
}

void leaving_begin_source(struct leaving *leaving, struct remote *remote)
{
    leaving_begin(leaving, remote, 0);
    leaving->may = 0;
    may_do_without_options(leaving);
    take_notes(leaving, 0);
}

/* In all but a few kernels of promises nothing is optional: what the driver dies of there is what was promised. */
void leaving_begin_promise(struct leaving *leaving, struct remote *remote, const struct promise *promise)
{
    const bool yields =
        promise->act == ASK_ATOMIC_ORDER || promise->act == ASK_ATOMIC_FENCE || promise->act == ASK_MEM_FENCE;

    leaving_begin(leaving, remote, 0);
    leaving->may &= yields ? OPTIONAL_BIT(OPTIONAL_YIELD) : 0;
    leaving->left_out = leaving->noted &= leaving->may;
    leaving->waits = true;
}

/* --- what may be their fault --- */

/* No group of the launch is known to have started: a driver may compile when it is to run a kernel. */
static bool never_began(const struct leaving *leaving, const struct remote_result *result)
{
    const struct mirror *mirror = supervisor_mirror(leaving->remote->supervisor);

    if (leaving->waits)
        return false;
    if (result->suspected)
        return result->suspect.board_read && result->suspect.started == 0;
    if (leaving->trial != NULL && atomic_load(&mirror->live_words) == trial_board_words(leaving->trial))
        return mirror->live[GL_STARTED] == 0;
    return leaving->remote->device.kind == DEVICE_CPU;
}

/* Before a launch had ended: after that, the compiler has done its work. */
static bool died_early(const struct leaving *leaving, const struct remote_result *result)
{
    const struct supervisor_end *end = &result->end;

    if (result->count > 0 || result->test_count > 0 || signals_received() != 0)
        return false;
    if (end->reply == REPLY_DIED)
        return end->signal != SIGKILL && !end->out_of_memory; /* that was somebody else */
    return end->reply == REPLY_KILLED &&
           (end->stage == STAGE_BUILDING ||
            ((end->stage == STAGE_RUNNING || end->stage == STAGE_STOPPING) && never_began(leaving, result)));
}

static bool failed_early(const struct leaving *leaving, const struct wire_done *done,
                         const struct remote_result *result)
{
    const bool launched = done->outcome == OUTCOME_CL_ERROR || done->outcome == OUTCOME_DEVICE_LOST;
    return done->outcome == OUTCOME_BUILD_FAILED ||
           (launched && leaving->trial != NULL && result->test_count == 0 && result->count <= 1);
}

static bool may_be_optional(const struct leaving *leaving, enum answer answer, const struct wire_done *done,
                            const struct remote_result *result)
{
    if (answer == ANSWER_DEATH)
        return died_early(leaving, result);
    return answer == ANSWER_DONE && failed_early(leaving, done, result);
}

/* --- what becomes of them --- */

/* What is told of groups of this size was not told before. */
static void tell(const struct leaving *leaving)
{
    const uint32_t told = optional_noted(leaving->remote->probe.left_out, leaving->items);
    char parts[OPTIONAL_WORDS], of[64] = "";

    if ((leaving->left_out & ~told) == 0)
        return;
    optional_say(leaving->left_out & ~leaving->noted, parts);
    if (leaving->items != 0)
        snprintf(of, sizeof of, " in groups of %" PRIu64 " work-item%s", leaving->items, text_s(leaving->items));
    fprintf(stderr, "gridlock: %s; going on without %s%s\n", leaving->failure, parts, of);
}

static void note(struct leaving *leaving)
{
    char *notes = leaving->remote->probe.left_out;

    tell(leaving);
    if ((leaving->left_out & OPTIONAL_BIT(OPTIONAL_LOOPS)) != 0)
        remember(leaving->remote->other_loops, leaving->kernel);
    leaving->noted = leaving->left_out;
    if (!leaving->waits)
        optional_note(notes, leaving->items, optional_noted(notes, leaving->items) | leaving->left_out);
}

static void give_up(struct leaving *leaving)
{
    remember(leaving->remote->hopeless, leaving->hash);
    leaving->left_out = leaving->noted;
    leaving->may = 0;
}

/* One part fewer, if there is one. */
static bool leave_out(struct leaving *leaving, const char *failure)
{
    const uint32_t next = is_among(leaving->remote->hopeless, leaving->hash)
                              ? leaving->left_out
                              : optional_next(leaving->may, leaving->left_out);

    if (next == leaving->left_out)
        return false;
    if (leaving->failure[0] == '\0')
        snprintf(leaving->failure, sizeof leaving->failure, "%s", failure);
    leaving->left_out = next;
    return true;
}

/*
 * The text of the user's may be what does not build; of ours before it, what is left out first. What never builds says
 * nothing of any part.
 */
static bool may_help(const struct leaving *leaving, const struct wire_done *done)
{
    const bool of_user = leaving->trial != NULL && leaving->trial->footprint.subject.file[0] != '\0';
    return !of_user || done->outcome != OUTCOME_BUILD_FAILED ||
           (leaving->may & ~leaving->left_out & OPTIONAL_BIT(OPTIONAL_YIELD)) != 0;
}

/* Some drivers compile at the launch. */
static void doubt_step(const struct leaving *leaving, enum answer answer, struct remote_result *result)
{
    const struct supervisor_end *end = &result->end;

    if (answer == ANSWER_DEATH && signals_received() == 0 && end->text != TEXT_NONE && result->count == 0 &&
        (end->stage == STAGE_RUNNING || end->stage == STAGE_STOPPING) && never_began(leaving, result))
        text_append(result->text, sizeof result->text,
                    "; no group is known to have started, so it may have been the driver's compiler");
}

/* Of what gridlock puts into texts, none is in a file as it is. */
static void say_tried(const struct leaving *leaving, struct remote_result *result)
{
    const uint32_t in_file =
        OPTIONAL_BIT(OPTIONAL_YIELD) | OPTIONAL_BIT(OPTIONAL_HINTS) | OPTIONAL_BIT(OPTIONAL_DIALECT);
    char parts[OPTIONAL_WORDS];

    optional_say(result->end.text == TEXT_AS_IS ? leaving->may & ~in_file : leaving->may, parts);
    if (parts[0] != '\0')
        text_append(result->text, sizeof result->text, "; so it does without %s", parts);
}

bool leaving_goes_on(struct leaving *leaving, enum answer answer, const struct wire_done *done,
                     struct remote_result *result)
{
    const bool fails = may_be_optional(leaving, answer, done, result);

    doubt_step(leaving, answer, result);
    if (fails && may_help(leaving, done) && leave_out(leaving, result->text))
        return true;
    result->left_out = fails ? leaving->noted : leaving->left_out;
    if (answer == ANSWER_LOSS || signals_received() != 0)
        return false;
    if (!fails && leaving->left_out != leaving->noted)
        note(leaving);
    if (!fails)
        return false;
    if (answer == ANSWER_DEATH)
        say_tried(leaving, result);
    give_up(leaving);
    return false;
}

bool leaving_tries(struct leaving *leaving, int outcome, const struct error *error)
{
    if (outcome == 0) {
        if (leaving->left_out != leaving->noted)
            note(leaving);
        return false;
    }
    return outcome == -1 && remote_lost_worker(leaving->remote, error) && leave_out(leaving, error->text);
}
