#include "core/fuse.h"

#include "abi.h"

enum {
    FIRST = 1 << 16, /* polls, until a launch has told what a poll costs */
    LEAST = 1 << 10,
    CONFIRMS = 8,      /* times that a stall must stand to be confirmed: the least total fuse */
    WALL_GPU_MS = 500, /* half of the second that is promised */
    WALL_CPU_MS = 20000,
    LIMIT_SHARE = 3, /* of the time after which it is killed, on a CPU that runs nothing else; */
    BEGINS = 16,     /* and a launch that nobody watches begins with so small a part of that, and grows */
    LOOKS_MOST = 2 * FUSE_LOOKS_IDLE_MOST,
    LOOKS_LONGER = 16,        /* times the short fuse: the least long one */
    LOOKS_TOTAL = 64,         /* times the idle fuse: the total one; at least ... */
    LOOKS_TOTAL_LEAST = 4096, /* ... so many looks, and at most ... */
    LOOKS_WALL_GPU_MS = 400,  /* ... this time, once it is known what a look costs, unless this is less than ... */
    LOOKS_TOTAL_MARGIN = 2,   /* ... so many times the idle fuse, which is to end what stands still */
};

static const uint64_t ns_a_ms = 1000000;

static uint32_t clamp(uint64_t value, uint64_t least, uint64_t most)
{
    return (uint32_t)(value < least ? least : value > most ? most : value);
}

static uint64_t polls_in(uint64_t ns, uint64_t poll_ps)
{
    return poll_ps == 0 ? FIRST : ns / poll_ps * 1000 + ns % poll_ps * 1000 / poll_ps;
}

/*
 * On a GPU contention makes polls slow, so the slowest launch counts. On a CPU a launch may last because its threads
 * wait for their turn, and the fuse is there against kernels that run, so the poll of one group alone counts.
 */
static uint64_t poll_ps(const struct fuse_terms *terms)
{
    return terms->cpu || terms->worst_ps < terms->alone_ps ? terms->alone_ps : terms->worst_ps;
}

/* How long a total fuse lasts where it is as long as it can be. */
static uint64_t wall_ns(const struct fuse_terms *terms)
{
    const uint64_t wall = (terms->cpu ? WALL_CPU_MS : WALL_GPU_MS) * ns_a_ms, share = terms->limit_ns / LIMIT_SHARE;

    return terms->limit_ns == 0 ? wall : (wall < share ? wall : share) / BEGINS;
}

/*
 * On a GPU it begins small, because the polls of many groups may cost many times what one group's do, and grows once a
 * launch has told; but the stall judge must have its time.
 */
uint32_t fuse_total(const struct fuse_terms *terms)
{
    const uint64_t judged = polls_in(CONFIRMS * terms->confirm_ns, terms->alone_ps);
    uint64_t polls = polls_in(wall_ns(terms), poll_ps(terms));

    if (!terms->cpu && terms->worst_ps == 0 && polls > FIRST)
        polls = FIRST;
    polls = polls > judged ? polls : judged;
    const uint32_t fuse = clamp(polls << terms->shift, LEAST, UINT32_MAX - 1);
    if (terms->asked != 0) /* no longer than is safe on a GPU */
        return terms->cpu || terms->asked < fuse ? terms->asked : fuse;
    if (terms->loops_cut_at == 0)
        return fuse;
    /* Well below the cut: loops within a loop, and those not taken, may draw on the same budget. */
    const uint64_t below = terms->loops_cut_at / 4;
    return clamp(fuse, 1, below > 0 ? below : 1);
}

uint32_t fuse_idle(const struct fuse_terms *terms)
{
    if (terms->watched)
        return FUSE_NONE; /* the total fuse is the net below the host */
    const uint32_t total = fuse_total(terms);
    const uint32_t fuse =
        clamp(polls_in(terms->suspect_ns, poll_ps(terms)) * terms->idle_factor, LEAST < total ? LEAST : total, total);
    return terms->idle_most == 0 ? fuse : clamp((uint64_t)terms->idle_most * terms->idle_factor, 1, fuse);
}

uint32_t fuse_close(const struct fuse_terms *terms, uint64_t close_ns)
{
    const uint32_t total = fuse_total(terms);
    return clamp(polls_in(close_ns, poll_ps(terms)), LEAST < total ? LEAST : total, total);
}

bool fuse_has_time(const struct fuse_terms *terms, uint64_t lasted_ns, uint64_t times)
{
    return terms->limit_ns == 0 || lasted_ns <= terms->limit_ns / 2 / times;
}

bool fuse_may_grow(const struct fuse_terms *terms, uint64_t lasted_ns)
{
    if (terms->asked != 0)
        return false;
    return terms->limit_ns != 0 ? fuse_has_time(terms, lasted_ns, 1 << FUSE_LONGER)
                                : !terms->cpu && terms->watched && lasted_ns << FUSE_LONGER <= WALL_GPU_MS * ns_a_ms;
}

/* --- litmus tests --- */

uint32_t fuse_looks_at_most(const struct fuse_looks *terms, uint64_t looks)
{
    const uint64_t below = terms->loops_cut_at / GL_LOOK_STEPS / 2; /* well below the cut */
    const uint64_t most = terms->loops_cut_at != 0 ? below : LOOKS_MOST;
    return (uint32_t)(looks < most ? looks : most > 0 ? most : 1);
}

uint32_t fuse_looks_total(const struct fuse_looks *terms, uint32_t idle)
{
    const uint64_t wall_ns = (terms->cpu ? WALL_CPU_MS : LOOKS_WALL_GPU_MS) * ns_a_ms;
    const uint64_t wall = terms->look_ns > 0 ? wall_ns / terms->look_ns : LOOKS_MOST;
    const uint64_t least = (uint64_t)idle * LOOKS_TOTAL_MARGIN;
    uint64_t total = (uint64_t)idle * LOOKS_TOTAL;

    total = total > LOOKS_TOTAL_LEAST ? total : LOOKS_TOTAL_LEAST;
    total = total < wall ? total : wall;
    return fuse_looks_at_most(terms, total > least ? total : least);
}

uint32_t fuse_looks_net(const struct fuse_looks *terms, uint64_t poll_ps)
{
    const uint64_t looks = WALL_CPU_MS * ns_a_ms * 1000 / ((poll_ps + 1) * GL_LOOK_STEPS);
    return terms->loops_cut_at != 0 ? fuse_looks_at_most(terms, looks) : clamp(looks, 0, UINT32_MAX - 1);
}

uint32_t fuse_looks_guess(uint32_t idle, uint64_t took_ns, uint64_t stand_ns)
{
    const uint64_t longer = (uint64_t)idle * LOOKS_LONGER;
    const uint64_t guess = stand_ns * 3 / 2 * idle / (took_ns + 1);
    return clamp(longer > guess ? longer : guess, 0, FUSE_LOOKS_IDLE_MOST);
}

uint32_t fuse_looks_lengthen(uint32_t looks, uint64_t took_ns, uint64_t stand_ns)
{
    const uint64_t scaled = looks * stand_ns / (took_ns + 1);
    return clamp(scaled + scaled / 8 + 1, 0, FUSE_LOOKS_IDLE_MOST);
}

bool fuse_was_short(uint32_t blown, uint32_t longest)
{
    return longest >= blown / 2;
}
