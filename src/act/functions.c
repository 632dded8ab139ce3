/* Promises that atomic functions are atomic, which is all that relaxed ones promise. */
#include "act/promising.h"
#include "device/cl_status.h"

#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As in promise_functions.cl. */
enum { INCREASED, ADDED, DECREASED, SUBTRACTED, EXCHANGED, COMPARED, LEAST, MOST, MIXED, CELLS = 16 };
enum { DONE, OLD_SUM, RECEIVED, SWAPPED, WRONG_BITS, TOLD };

enum { TRIES = 5, GROUP = 64, MOST_GROUPS = 32 };

struct contest {
    struct promising *promising;
    struct program *program;
    bool apart;           /* each group has words of its own */
    bool extended, basic; /* which functions there are */
    uint64_t mask;        /* of a number's bits */
    size_t groups, local, bytes_of_number;
    cl_mem shared, told;
    unsigned char *numbers; /* as many bytes as the larger one of these has */
    char failure[160];
};

/* What cells come to, by what work-items say of themselves. */
struct sums {
    uint64_t cells[MIXED + 1];
    uint64_t old_sum, received, wrong_bits;
};

/* --- numbers of either size --- */

static uint64_t number_at(const struct contest *contest, size_t index)
{
    uint64_t number = 0;
    memcpy(&number, contest->numbers + index * contest->bytes_of_number, contest->bytes_of_number);
    return number;
}

static void set_number(struct contest *contest, size_t index, uint64_t number)
{
    memcpy(contest->numbers + index * contest->bytes_of_number, &number, contest->bytes_of_number);
}

static uint64_t token(const struct contest *contest, uint64_t me, uint64_t turn)
{
    return (me * 65537 + turn + 1) * UINT64_C(0x9e3779b97f4a7c15) & contest->mask;
}

/* --- one launch --- */

static size_t sets(const struct contest *contest)
{
    return contest->apart ? contest->groups : 1;
}

/* Numbers for which there is room. */
static size_t room(const struct contest *contest)
{
    return contest->groups * (contest->local * TOLD + CELLS);
}

static void add_item(const struct contest *contest, size_t me, struct sums *sums)
{
    const uint64_t done = number_at(contest, me * TOLD + DONE);

    sums->old_sum += number_at(contest, me * TOLD + OLD_SUM);
    sums->received += number_at(contest, me * TOLD + RECEIVED);
    sums->wrong_bits += number_at(contest, me * TOLD + WRONG_BITS);
    sums->cells[INCREASED] += done;
    sums->cells[COMPARED] += 3 * number_at(contest, me * TOLD + SWAPPED);
    for (uint64_t turn = 0; turn < done; ++turn) {
        const uint64_t value = token(contest, me, turn);
        sums->cells[ADDED] += value;
        sums->cells[LEAST] = value < sums->cells[LEAST] ? value : sums->cells[LEAST];
        sums->cells[MOST] = value > sums->cells[MOST] ? value : sums->cells[MOST];
        sums->cells[MIXED] ^= value;
    }
}

static int check_cell(struct contest *contest, const char *function, uint64_t got, uint64_t wanted)
{
    if ((got & contest->mask) == (wanted & contest->mask))
        return 1;
    snprintf(contest->failure, sizeof contest->failure, "%s comes to %" PRIu64 " instead of %" PRIu64, function,
             got & contest->mask, wanted & contest->mask);
    return 0;
}

static int check_basic(struct contest *contest, const uint64_t cells[CELLS], const struct sums *sums)
{
    const uint64_t done = sums->cells[INCREASED];

    return check_cell(contest, "incrementing", cells[INCREASED], done) &&
           check_cell(contest, "what incrementing returned", sums->old_sum, done * (done - 1) / 2) &&
           check_cell(contest, "adding", cells[ADDED], sums->cells[ADDED]) &&
           check_cell(contest, "decrementing", cells[DECREASED], UINT64_C(0) - done) &&
           check_cell(contest, "subtracting", cells[SUBTRACTED], UINT64_C(0) - sums->cells[ADDED]) &&
           check_cell(contest, "exchanging", cells[EXCHANGED] + sums->received, sums->cells[ADDED]) &&
           check_cell(contest, "comparing and exchanging", cells[COMPARED], sums->cells[COMPARED]);
}

static int check_extended(struct contest *contest, const uint64_t cells[CELLS], const struct sums *sums)
{
    return check_cell(contest, "the least", cells[LEAST], sums->cells[LEAST]) &&
           check_cell(contest, "the most", cells[MOST], sums->cells[MOST]) &&
           check_cell(contest, "exclusive or", cells[MIXED], sums->cells[MIXED]) &&
           check_cell(contest, "bits set and cleared wrongly", sums->wrong_bits, 0);
}

static int check_set(struct contest *contest, size_t set, const uint64_t cells[CELLS])
{
    const size_t items = contest->groups * contest->local / sets(contest);
    struct sums sums = {.cells = {[LEAST] = contest->mask}};

    for (size_t me = set * items; me < (set + 1) * items; ++me) {
        if (number_at(contest, me * TOLD + DONE) == 0) {
            snprintf(contest->failure, sizeof contest->failure, "work-item %zu did not run", me);
            return 0;
        }
        add_item(contest, me, &sums);
    }
    return (!contest->basic || check_basic(contest, cells, &sums)) &&
           (!contest->extended || check_extended(contest, cells, &sums));
}

static int transfer(struct contest *contest, bool write, cl_mem buffer, size_t numbers, struct error *error)
{
    cl_command_queue queue = contest->promising->session->queue;
    const size_t bytes = numbers * contest->bytes_of_number;
    const cl_int code = write ? clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, contest->numbers, 0, NULL, NULL)
                              : clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, contest->numbers, 0, NULL, NULL);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "a transfer of numbers", code);
}

static int clear(struct contest *contest, struct error *error)
{
    memset(contest->numbers, 0, room(contest) * contest->bytes_of_number);
    if (transfer(contest, true, contest->told, contest->groups * contest->local * TOLD, error) != 0)
        return -1;
    for (size_t set = 0; set < sets(contest); ++set)
        set_number(contest, set * CELLS + LEAST, contest->mask);
    return transfer(contest, true, contest->shared, sets(contest) * CELLS, error);
}

/* 1: all came to what it should. 0: not so, as contest->failure says. */
static int judge(struct contest *contest, struct error *error)
{
    uint64_t cells[MOST_GROUPS * CELLS];
    int right = 1;

    if (transfer(contest, false, contest->shared, sets(contest) * CELLS, error) != 0)
        return -1;
    for (size_t i = 0; i < sets(contest) * CELLS; ++i)
        cells[i] = number_at(contest, i);
    if (transfer(contest, false, contest->told, contest->groups * contest->local * TOLD, error) != 0)
        return -1;
    for (size_t set = 0; right == 1 && set < sets(contest); ++set)
        right = check_set(contest, set, cells + set * CELLS);
    return right;
}

static int try_once(struct contest *contest, struct error *error)
{
    const size_t global[3] = {contest->groups * contest->local, 1, 1}, local[3] = {contest->local, 1, 1};
    struct launch_end end;

    if (clear(contest, error) != 0)
        return -1;
    promising_launch(contest->promising, contest->program->kernel, global, local, &end);
    if (end.enqueue_code == CL_SUCCESS && end.finish_code == CL_SUCCESS)
        return judge(contest, error);
    snprintf(contest->failure, sizeof contest->failure, "the launch fails with %s", promising_failure(&end));
    return 0;
}

/* --- all launches --- */

static int try_all(struct contest *contest, struct error *error)
{
    struct promising *promising = contest->promising;
    struct finding *finding = &promising->finding;

    while (finding->tries < TRIES) {
        if (finding->offered && promising_begins(promising, error) != 0)
            return -1;
        const int found = try_once(contest, error);
        if (found < 0)
            return -1;
        finding->tries += 1;
        finding->fails += found == 0;
    }
    finding->measured = finding->fails == 0;
    if (finding->fails > 0)
        snprintf(finding->text, sizeof finding->text, "In %u of %u launches %s.", finding->fails, finding->tries,
                 contest->failure);
    else
        snprintf(finding->text, sizeof finding->text,
                 "All sums are right, of %zu work-items with %d turns in each of %u launches.",
                 contest->groups * contest->local, PROMISE_TURNS, finding->tries);
    return 0;
}

static int prepare(struct contest *contest, struct error *error)
{
    const struct session *session = contest->promising->session;
    const uint64_t most = session_kernel_says(session, contest->program, CL_KERNEL_WORK_GROUP_SIZE);
    const size_t units = session->info.compute_units;
    cl_kernel kernel = contest->program->kernel;

    contest->local = most != 0 && most < GROUP ? most : GROUP;
    contest->groups = 2 * units < 4 ? 4 : 2 * units < MOST_GROUPS ? 2 * units : MOST_GROUPS;
    const size_t items = contest->groups * contest->local;
    contest->numbers = calloc(room(contest), contest->bytes_of_number);
    if (contest->numbers == NULL)
        return error_set(error, STATUS_HARNESS, "no memory for what %zu work-items tell", items);
    contest->shared =
        promising_buffer(contest->promising, kernel, 0, sets(contest) * CELLS * contest->bytes_of_number, error);
    if (contest->shared == NULL)
        return -1;
    contest->told = promising_buffer(contest->promising, kernel, 1, items * TOLD * contest->bytes_of_number, error);
    return contest->told != NULL ? 0 : -1;
}

static int measure(struct contest *contest, struct error *error)
{
    contest->bytes_of_number = contest->mask == UINT32_MAX ? 4 : 8;
    int outcome = promising_compile(contest->promising, "promise_functions", &contest->program, error);
    if (outcome != 1)
        return outcome;
    outcome = prepare(contest, error);
    if (outcome == 0)
        outcome = try_all(contest, error);
    if (contest->shared != NULL)
        clReleaseMemObject(contest->shared);
    if (contest->told != NULL)
        clReleaseMemObject(contest->told);
    free(contest->numbers);
    return outcome;
}

/* --- which functions --- */

int promise_relaxed(struct promising *promising, struct error *error)
{
    const bool group = promising->promise->of[1] == SCOPE_GROUP;
    struct contest contest = {
        .promising = promising, .apart = group, .basic = true, .extended = true, .mask = UINT32_MAX};

    return measure(&contest, error);
}

int promise_atomic_functions(struct promising *promising, struct error *error)
{
    const enum atomic_width width = (enum atomic_width)promising->promise->of[0];
    const bool local = promising->promise->of[1] != 0;
    struct contest contest = {.promising = promising,
                              .apart = local,
                              .basic = width != ATOMIC_64_EXTENDED,
                              .extended = width != ATOMIC_64_BASE,
                              .mask = width == ATOMIC_32 ? UINT32_MAX : UINT64_MAX};

    promising->finding.offered =
        width == ATOMIC_32 ||
        promising_has_extension(promising, width == ATOMIC_64_BASE ? "cl_khr_int64_base_atomics"
                                                                   : "cl_khr_int64_extended_atomics");
    promising->finding.promised = promising->finding.offered;
    return measure(&contest, error);
}
