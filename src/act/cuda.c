/* What NVIDIA promises of who may wait for whom, through CUDA's driver. */
#include "cuda/cuda.h"

#include "act/promising.h"
#include "base/clock.h"
#include "core/text.h"

#include <time.h>

enum {
    WORDS = 8,                /* that are looked at */
    GROUPS_OF_RESIDENT = 4,   /* so many times more than are resident */
    CLUSTER = 8,              /* groups, which each GPU with clusters takes */
    ITEMS_MOST = 1024,        /* of a group, on each GPU */
    TURNS = 1 << 20,          /* of a loop, */
    TURNS_SLEEPING = 1 << 14, /* and of one that gives up its turns */
    ASK_NS = 20000,           /* between two questions */
    LOOK_NS = 500000000,      /* the host looks for a word */
};

/* A launch, whose waits have bounds, has ended by then. */
static const uint64_t launch_ns = UINT64_C(10000000000);

/* The GPU, which stays open for the next promise; and what the last launches left. */
static struct cuda cuda;

struct measuring {
    struct promising *promising;
    uint32_t groups;
    uint32_t words[WORDS];
};

/* Waits for the launches, and reads. */
static int end(struct measuring *measuring, struct error *error)
{
    const int outcome = cuda_wait(&cuda, launch_ns, error);

    if (outcome == 0) {
        measuring->promising->spent = true;
        return error_set(error, STATUS_HARNESS, "a kernel whose waits have a bound did not end");
    }
    return outcome < 0 ? -1 : cuda_read(&cuda, measuring->words, WORDS, error);
}

static int start(const struct cuda_launch *launch, struct error *error)
{
    const char *call;
    const cuda_code code = cuda_start(&cuda, launch, &call);

    return code == 0 ? 0 : cuda_error(&cuda, call, code, error);
}

static int run(struct measuring *measuring, const struct cuda_launch *launch, struct error *error)
{
    if (cuda_clear(&cuda, error) != 0 || start(launch, error) != 0)
        return -1;
    return end(measuring, error);
}

/* All of so many came to their end as wanted. */
static int judge(struct measuring *measuring, const char *what, uint32_t all)
{
    const uint32_t *words = measuring->words;

    promising_says(measuring->promising, "Of %u %s %u got on, and %u waited in vain.", all, what, words[0], words[1]);
    return words[0] == all;
}

/* --- grids and clusters --- */

static int try_cooperative(void *context, struct error *error)
{
    struct measuring *measuring = context;
    const struct cuda_launch launch = {.kernel = "meet",
                                       .groups = measuring->groups,
                                       .items = CUDA_WARP,
                                       .cooperative = true,
                                       .of = {CUDA_POLLS, measuring->groups}};

    return run(measuring, &launch, error) != 0 ? -1 : judge(measuring, "groups", measuring->groups);
}

static int try_more(void *context, struct error *error)
{
    struct measuring *measuring = context;
    const uint32_t more = measuring->groups + 1;
    const struct cuda_launch launch = {
        .kernel = "meet", .groups = more, .items = CUDA_WARP, .cooperative = true, .of = {CUDA_POLLS, more}};
    const char *call;

    if (cuda_clear(&cuda, error) != 0)
        return -1;
    const cuda_code code = cuda_start(&cuda, &launch, &call);
    if (code == CUDA_COOPERATIVE_TOO_LARGE) {
        promising_says(measuring->promising, "%u groups were taken before, and %u were refused.", more - 1, more);
        return 1;
    }
    if (code != 0)
        return cuda_error(&cuda, call, code, error);
    if (end(measuring, error) != 0)
        return -1;
    promising_says(measuring->promising, "%u groups were taken; %u of them met all others, and %u waited in vain.",
                   more, measuring->words[0], measuring->words[1]);
    return 0;
}

/* More than are resident; each has a word. */
static uint32_t many_groups(const struct measuring *measuring)
{
    const uint32_t most = CUDA_WORDS - WORDS;

    return measuring->groups < most / GROUPS_OF_RESIDENT ? measuring->groups * GROUPS_OF_RESIDENT : most;
}

static int try_cluster(void *context, struct error *error)
{
    struct measuring *measuring = context;
    const uint32_t groups = many_groups(measuring) / CLUSTER * CLUSTER;
    const struct cuda_launch launch = {
        .kernel = "meet", .groups = groups, .items = CUDA_WARP, .cluster = CLUSTER, .of = {CUDA_POLLS, CLUSTER}};

    return run(measuring, &launch, error) != 0 ? -1 : judge(measuring, "groups", groups);
}

static int try_chain(void *context, struct error *error)
{
    struct measuring *measuring = context;
    const uint32_t groups = many_groups(measuring);
    const struct cuda_launch launch = {.kernel = "chain", .groups = groups, .items = CUDA_WARP, .of = {CUDA_POLLS}};

    return run(measuring, &launch, error) != 0 ? -1 : judge(measuring, "groups", groups);
}

/* --- threads of a group --- */

/* Those without the bit wait, and then those with it. */
static int try_pairs(void *context, struct error *error)
{
    struct measuring *measuring = context;
    const uint32_t bit = measuring->promising->promise->of[1];
    const uint32_t items = bit < CUDA_WARP ? CUDA_WARP : ITEMS_MOST;
    int found = 1;

    for (uint32_t who = 0; who < 2 && found == 1; ++who) {
        const struct cuda_launch launch = {
            .kernel = "pairs", .groups = 1, .items = items, .of = {CUDA_POLLS, who, bit}};
        found = run(measuring, &launch, error) != 0 ? -1 : judge(measuring, "threads", items);
    }
    return found;
}

static int try_first(void *context, struct error *error)
{
    struct measuring *measuring = context;
    const struct cuda_launch launch = {.kernel = "pairs", .groups = 1, .items = 2, .of = {CUDA_POLLS, 0, 1}};

    return run(measuring, &launch, error) != 0 ? -1 : judge(measuring, "threads", 2);
}

static int try_lock(void *context, struct error *error)
{
    struct measuring *measuring = context;
    const struct cuda_launch launch = {.kernel = "lock", .groups = 1, .items = CUDA_WARP, .of = {CUDA_POLLS}};
    const uint32_t *words = measuring->words;

    if (run(measuring, &launch, error) != 0)
        return -1;
    promising_says(measuring->promising, "Of 32 threads %u had the lock, and %u waited in vain; the count is %u.",
                   words[0], words[1], words[3]);
    return words[0] == CUDA_WARP && words[3] == CUDA_WARP;
}

/* --- kernels that wait for each other --- */

static int try_two(struct measuring *measuring, const struct cuda_launch launches[2], struct error *error)
{
    if (cuda_clear(&cuda, error) != 0 || start(&launches[0], error) != 0 || start(&launches[1], error) != 0 ||
        end(measuring, error) != 0)
        return -1;
    return measuring->words[4] == 2 && measuring->words[5] == 2;
}

static int try_mutual(void *context, struct error *error)
{
    static const struct cuda_launch launches[2] = {
        {.kernel = "flag", .groups = 1, .items = 1, .stream = 0, .of = {CUDA_POLLS, 2, 3, 4}},
        {.kernel = "flag", .groups = 1, .items = 1, .stream = 1, .of = {CUDA_POLLS, 3, 2, 5}}};

    return try_two(context, launches, error);
}

static int try_stream(void *context, struct error *error)
{
    struct measuring *measuring = context;
    const bool same = measuring->promising->promise->of[1] != 0;
    const struct cuda_launch launches[2] = {
        {.kernel = "flag", .groups = 1, .items = 1, .stream = 0, .of = {CUDA_POLLS, 2, 0, 4}},
        {.kernel = "flag", .groups = 1, .items = 1, .stream = same ? 0 : 1, .of = {CUDA_POLLS, 0, 2, 5}}};
    const int found = try_two(measuring, launches, error);

    if (found == 0)
        promising_says(measuring->promising, "The second kernel did not see what the first one writes.");
    return found;
}

/* --- the rest of the examples --- */

static int try_loop(void *context, struct error *error)
{
    struct measuring *measuring = context;
    const uint32_t kind = measuring->promising->promise->of[1], turns = kind == 0 ? TURNS_SLEEPING : TURNS;
    const struct cuda_launch launch = {.kernel = "loop", .groups = 1, .items = 2 * CUDA_WARP, .of = {turns, kind}};

    if (run(measuring, &launch, error) != 0)
        return -1;
    return measuring->words[2] != 0 && measuring->words[3] != 0;
}

static int try_barrier(void *context, struct error *error)
{
    struct measuring *measuring = context;
    const struct cuda_launch launch = {.kernel = "hello", .groups = 1, .items = 2, .of = {0}};

    return run(measuring, &launch, error) != 0 ? -1 : measuring->words[0] == 2;
}

/* Looks for the word, and asks for the stream's status meanwhile. */
static void look(enum cuda_asking asking)
{
    const uint64_t began_ns = clock_ns();
    bool ended = false;

    if (asking == CUDA_ASKS_ONCE)
        cuda.calls.cuStreamQuery(cuda.streams[0]);
    while (cuda.shared[2] == 0 && !ended && clock_ns() - began_ns < LOOK_NS) {
        ended = asking == CUDA_ASKS_ALWAYS && cuda.calls.cuStreamQuery(cuda.streams[0]) == 0;
        nanosleep(&(struct timespec){.tv_nsec = ASK_NS}, NULL);
    }
}

/* Where it asks it goes on asking until the kernel has ended, however late that is. */
static int try_flag(void *context, struct error *error)
{
    struct measuring *measuring = context;
    const enum cuda_asking asking = (enum cuda_asking)measuring->promising->promise->of[1];
    const struct cuda_launch launch = {
        .kernel = "flag", .groups = 1, .items = 1, .on_host = true, .of = {CUDA_POLLS, 2, 0, 4}};

    if (cuda_clear(&cuda, error) != 0 || start(&launch, error) != 0)
        return -1;
    look(asking);
    const bool seen = cuda.shared[2] != 0;
    if (end(measuring, error) != 0)
        return -1;
    if (asking != CUDA_ASKS_ALWAYS || cuda.shared[2] != 0)
        return asking == CUDA_ASKS_ALWAYS || seen;
    return promising_says(measuring->promising, "The kernel ended, and the host did not see its word.");
}

/* --- rows --- */

static const struct row {
    promise_try *once;
    const char *what; /* is so, in a count of what nobody promises */
} rows[CUDA_ROWS] = {
    [CUDA_COOPERATIVE] = {try_cooperative, NULL},
    [CUDA_COOPERATIVE_MORE] = {try_more, NULL},
    [CUDA_CLUSTER] = {try_cluster, NULL},
    [CUDA_PAIRS] = {try_pairs, NULL},
    [CUDA_LOCK] = {try_lock, NULL},
    [CUDA_CHAIN] = {try_chain, "each group saw the one below"},
    [CUDA_MUTUAL] = {try_mutual, "both kernels saw each other"},
    [CUDA_EXAMPLE_PAIR] = {try_first, NULL},
    [CUDA_EXAMPLE_LOOP] = {try_loop, "the other threads had got on when the loop ended"},
    [CUDA_EXAMPLE_BARRIER] = {try_barrier, NULL},
    [CUDA_EXAMPLE_FLAG] = {try_flag, "the host saw the word"},
    [CUDA_EXAMPLE_STREAM] = {try_stream, "the second kernel saw what the first one wrote"},
};

/* Open, and has what the row needs. 1; 0: not, as the finding says. */
static int is_offered(struct promising *promising, struct error *error)
{
    static int opened; /* 1: it is; 0: not yet; what is not there is looked for again */
    const uint32_t row = promising->promise->of[0];
    char reason[CUDA_REASON];

    opened = opened == 1 ? 1 : cuda_open(&cuda, &promising->session->info, reason, error);
    if (opened != 1)
        return opened < 0 ? -1 : promising_says(promising, "%s", reason);
    if ((row == CUDA_COOPERATIVE || row == CUDA_COOPERATIVE_MORE) && !cuda.cooperative)
        return promising_says(promising, "This GPU takes no cooperative launches.");
    if (row == CUDA_CLUSTER && !cuda.clusters)
        return promising_says(promising, "This GPU, or its driver, has no clusters.");
    return 1;
}

static int tell_loop(struct measuring *measuring)
{
    struct finding *finding = &measuring->promising->finding;

    if (measuring->words[1] == 0)
        text_append(finding->text, sizeof finding->text, " The loop was left out, or nearly so.");
    else
        text_append(finding->text, sizeof finding->text, " The loop took %u thousand cycles.",
                    (uint32_t)((uint64_t)measuring->words[1] * 1024 / 1000));
    return 0;
}

int promise_cuda(struct promising *promising, struct error *error)
{
    struct measuring measuring = {.promising = promising};
    const uint32_t number = promising->promise->of[0];
    const struct row *row = &rows[number];
    int outcome = is_offered(promising, error);

    if (outcome != 1)
        return outcome;
    if (number <= CUDA_CLUSTER || number == CUDA_CHAIN)
        measuring.groups = cuda_resident(&cuda, number == CUDA_CHAIN ? "chain" : "meet", CUDA_WARP, error);
    if ((number <= CUDA_CLUSTER || number == CUDA_CHAIN) && measuring.groups == 0)
        return -1;
    outcome = promising->promise->silent ? promising_count(promising, row->once, &measuring, row->what, error)
                                         : promising_settle(promising, row->once, &measuring, error);
    if (promising->spent)
        return promising_undecided(promising, "A kernel whose waits have a bound did not end.");
    return outcome == 0 && number == CUDA_EXAMPLE_LOOP ? tell_loop(&measuring) : outcome;
}
