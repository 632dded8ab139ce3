/* Promises that atomic functions are atomic, which is all that relaxed ones promise. */
#include "act/promising.h"
#include "device/cl_status.h"

#include <inttypes.h>
#include <string.h>

/* As in promise_functions.cl; a function has the cell of its number. */
enum { CELLS = 16 };
enum { DONE, OLD_SUM, RECEIVED, SWAPPED, WRONG_BITS, TOLD };

enum { GROUP = 64, MOST_GROUPS = 32 };

struct contest {
    struct promising *promising;
    bool apart;                   /* each group has words of its own */
    bool extended, basic;         /* which functions there are */
    uint64_t mask;                /* of a number's bits */
    size_t groups, local, width;  /* of a number, in words */
    struct buffer *shared, *told; /* numbers */
};

/* What cells come to, by what work-items say of themselves. */
struct sums {
    uint64_t cells[FUNCTION_EXCLUSIVE_OR + 1];
    uint64_t old_sum, received, wrong_bits;
};

/* --- numbers of either size --- */

static uint64_t number_at(const struct contest *contest, const struct buffer *buffer, size_t index)
{
    uint64_t number = 0;
    memcpy(&number, buffer->words + index * contest->width, contest->width * sizeof *buffer->words);
    return number;
}

static void set_number(struct contest *contest, struct buffer *buffer, size_t index, uint64_t number)
{
    memcpy(buffer->words + index * contest->width, &number, contest->width * sizeof *buffer->words);
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

static void add_item(const struct contest *contest, size_t me, struct sums *sums)
{
    const uint64_t done = number_at(contest, contest->told, me * TOLD + DONE);

    sums->old_sum += number_at(contest, contest->told, me * TOLD + OLD_SUM);
    sums->received += number_at(contest, contest->told, me * TOLD + RECEIVED);
    sums->wrong_bits += number_at(contest, contest->told, me * TOLD + WRONG_BITS);
    sums->cells[FUNCTION_INCREMENT] += done;
    sums->cells[FUNCTION_COMPARISON] += 3 * number_at(contest, contest->told, me * TOLD + SWAPPED);
    for (uint64_t turn = 0; turn < done; ++turn) {
        const uint64_t value = token(contest, me, turn);
        sums->cells[FUNCTION_ADDITION] += value;
        sums->cells[FUNCTION_MINIMUM] = value < sums->cells[FUNCTION_MINIMUM] ? value : sums->cells[FUNCTION_MINIMUM];
        sums->cells[FUNCTION_MAXIMUM] = value > sums->cells[FUNCTION_MAXIMUM] ? value : sums->cells[FUNCTION_MAXIMUM];
        sums->cells[FUNCTION_EXCLUSIVE_OR] ^= value;
    }
}

/* `what` says in a sentence what the function comes to. */
static int check(struct contest *contest, enum atomic_function function, const char *what, uint64_t got,
                 uint64_t wanted)
{
    if ((got & contest->mask) == (wanted & contest->mask))
        return 1;
    promising_failed_in(contest->promising, atomic_function_name(function));
    return promising_notes(contest->promising, "%s comes to %" PRIu64 " instead of %" PRIu64, what, got & contest->mask,
                           wanted & contest->mask);
}

static int check_basic(struct contest *contest, const uint64_t cells[CELLS], const struct sums *sums)
{
    const uint64_t done = sums->cells[FUNCTION_INCREMENT];

    return check(contest, FUNCTION_INCREMENT, "incrementing", cells[FUNCTION_INCREMENT], done) &&
           check(contest, FUNCTION_INCREMENT, "what incrementing returned", sums->old_sum, done * (done - 1) / 2) &&
           check(contest, FUNCTION_ADDITION, "adding", cells[FUNCTION_ADDITION], sums->cells[FUNCTION_ADDITION]) &&
           check(contest, FUNCTION_DECREMENT, "decrementing", cells[FUNCTION_DECREMENT], UINT64_C(0) - done) &&
           check(contest, FUNCTION_SUBTRACTION, "subtracting", cells[FUNCTION_SUBTRACTION],
                 UINT64_C(0) - sums->cells[FUNCTION_ADDITION]) &&
           check(contest, FUNCTION_EXCHANGE, "exchanging", cells[FUNCTION_EXCHANGE] + sums->received,
                 sums->cells[FUNCTION_ADDITION]) &&
           check(contest, FUNCTION_COMPARISON, "comparing and exchanging", cells[FUNCTION_COMPARISON],
                 sums->cells[FUNCTION_COMPARISON]);
}

static int check_extended(struct contest *contest, const uint64_t cells[CELLS], const struct sums *sums)
{
    return check(contest, FUNCTION_MINIMUM, "the least", cells[FUNCTION_MINIMUM], sums->cells[FUNCTION_MINIMUM]) &&
           check(contest, FUNCTION_MAXIMUM, "the most", cells[FUNCTION_MAXIMUM], sums->cells[FUNCTION_MAXIMUM]) &&
           check(contest, FUNCTION_EXCLUSIVE_OR, "exclusive or", cells[FUNCTION_EXCLUSIVE_OR],
                 sums->cells[FUNCTION_EXCLUSIVE_OR]) &&
           check(contest, FUNCTION_BITS, "bits set and cleared wrongly", sums->wrong_bits, 0);
}

static int check_set(struct contest *contest, size_t set)
{
    const size_t items = contest->groups * contest->local / sets(contest);
    struct sums sums = {.cells = {[FUNCTION_MINIMUM] = contest->mask}};
    uint64_t cells[CELLS];

    for (size_t i = 0; i < CELLS; ++i)
        cells[i] = number_at(contest, contest->shared, set * CELLS + i);
    for (size_t me = set * items; me < (set + 1) * items; ++me) {
        if (number_at(contest, contest->told, me * TOLD + DONE) == 0)
            return promising_notes(contest->promising, "work-item %zu did not run", me);
        add_item(contest, me, &sums);
    }
    return (!contest->basic || check_basic(contest, cells, &sums)) &&
           (!contest->extended || check_extended(contest, cells, &sums));
}

static void clear(struct contest *contest)
{
    buffer_fill(contest->told, 0);
    buffer_fill(contest->shared, 0);
    for (size_t set = 0; set < sets(contest); ++set)
        set_number(contest, contest->shared, set * CELLS + FUNCTION_MINIMUM, contest->mask);
}

/* 1: all came to what it should. 0: not so, as promising->failure says. */
static int try_once(void *context, struct error *error)
{
    struct contest *contest = context;
    struct promising *promising = contest->promising;
    cl_command_queue queue = promising->session->queue;
    const size_t global[3] = {contest->groups * contest->local, 1, 1}, local[3] = {contest->local, 1, 1};

    clear(contest);
    cl_int code = buffer_write(contest->told, queue);
    if (code == CL_SUCCESS)
        code = buffer_write(contest->shared, queue);
    if (code == CL_SUCCESS && !promising_launch(promising, global, local))
        return promising_notes(promising, "the launch fails with %s", promising_failure(promising));
    if (code == CL_SUCCESS)
        code = buffer_read(contest->shared, queue);
    if (code == CL_SUCCESS)
        code = buffer_read(contest->told, queue);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "a transfer of numbers", code);
    int right = 1;
    for (size_t set = 0; right == 1 && set < sets(contest); ++set)
        right = check_set(contest, set);
    return right;
}

/* --- all launches --- */

static int try_all(struct contest *contest, struct error *error)
{
    struct promising *promising = contest->promising;
    struct finding *finding = &promising->finding;

    if (promising_repeat(promising, try_once, contest, error) != 0)
        return -1;
    finding->measured = finding->fails == 0;
    if (finding->fails > 0)
        return promising_says(promising, "In %u of %u launches %s.", finding->fails, finding->tries,
                              promising->failure);
    return promising_says(promising, "All sums are right, of %zu work-items with %d turns in each of %u launches.",
                          contest->groups * contest->local, PROMISE_TURNS, finding->tries);
}

static int prepare(struct contest *contest, struct error *error)
{
    struct promising *promising = contest->promising;
    const uint64_t most = promising_group_size(promising);
    const size_t units = promising->session->info.compute_units;

    contest->local = most != 0 && most < GROUP ? most : GROUP;
    contest->groups = 2 * units < 4 ? 4 : 2 * units < MOST_GROUPS ? 2 * units : MOST_GROUPS;
    contest->shared = &promising->buffers[0];
    contest->told = &promising->buffers[1];
    if (promising_buffer(promising, 0, sets(contest) * CELLS * contest->width, error) != 0)
        return -1;
    return promising_buffer(promising, 1, contest->groups * contest->local * TOLD * contest->width, error);
}

static int measure(struct contest *contest, struct error *error)
{
    contest->width = contest->mask == UINT32_MAX ? 1 : 2;
    const int outcome = promising_compile(contest->promising, "promise_functions", error);
    if (outcome != 1)
        return outcome;
    return prepare(contest, error) == 0 ? try_all(contest, error) : -1;
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
