/*
 * kernel:  handover_latency
 * purpose: how long it takes from a write of a flag, and of data before it, until the group that waits for it goes on
 * needs:   all groups resident together: they choose their partners once all are there
 * fails:   groups wait for the place of one that cannot start
 * source:  gridlock
 * option:  place = next | same | far
 * option:  pairs = one | all
 * option:  fault = none | no-write
 * param:   units = compute-units in 1..65536  units; a group is on unit %smid modulo this in dialect ptx, else on its
 *          id modulo this
 * param:   payload = 128 in 0..65536  bytes that are handed over, a multiple of 16
 * param:   flags = 8 in 1..64  flags that each group raises in turn, 32 rounds each
 * words:   line*(1+units+groups*flags)+groups
 * names:   groups that are there = 0
 * names:   members of unit {i} = (1+i)*line, i < units
 * names:   flag {f} of group {i} = (1+units+flags*i+f)*line, i < groups, f < flags
 * names:   place of group {i} = line*(1+units+groups*flags)+i, i < groups
 * data:    cells uint groups*(payload/16)*4 zero
 * data:    partners uint groups index
 * data:    trips uint groups*rounds zero
 * result:  permutation(partners) = groups
 * handover: trips
 *
 * Nobody can say where a group is to run, so all that fit are launched, and pairs are made of those that find
 * themselves on the same unit, on units with neighbouring numbers (0 and 1, 2 and 3 ...), or on units that are far
 * apart (the first and the last, the second and the last but one ...). Who has no partner ends. In each round a pair
 * hands the payload there and back. That time is halved: no two units need to have the same clock. Between two rounds a
 * pair lets some time pass, now more and now less: otherwise the polls of both come to keep step, and a launch measures
 * how they happen to do so. For the same reason each group has several flags: the time depends on where in the device's
 * cache a flag lies.
 */
#include "group.h"
#include "ticks.h"
#include "unit.h"

#define PHASES 1024u /* the most ticks that pass between two rounds: more than a poll takes */
#if defined(GL_PROVED)
#define ROUNDS_A_FLAG 1u
#else
#define ROUNDS_A_FLAG 32u
#endif

#if defined(PLACE_SAME) && !defined(GL_DIALECT_PTX)
#error unsupported: only dialect ptx tells on which unit a group runs
#endif

/* Where a group is: its unit, and its number among those of the unit. Of a group that is there it is never 0. */
static uint place(uint unit, uint rank)
{
    return unit << 16 | (rank + 1);
}

/* Of the first flag of this group, among the lines that hold one word each. */
static uint flag_index(const struct gl_self *self, uint group)
{
    return 1 + gl_own(self, PARAM_UNITS) + gl_own(self, PARAM_FLAGS) * group;
}

static uint place_word(const struct gl_self *self, uint group)
{
    return gl_sync(self, GL_LINE * flag_index(self, self->groups) + group);
}

/* The place of the partner of who is at this one; 0: it shall have none. */
static uint place_of_partner(const struct gl_self *self, uint own)
{
    const uint unit = own >> 16;
    const uint rank = (own & 0xffff) - 1;
#if defined(PLACE_SAME)
    const uint other = unit;
    const uint partner = place(unit, rank ^ 1);
    const bool first = rank < 2;
#else
#if defined(PLACE_FAR)
    const uint other = gl_own(self, PARAM_UNITS) - 1 - unit;
#else
    const uint other = unit ^ 1;
#endif
    const uint partner = place(other, rank);
    const bool first = rank == 0;
#endif
#if defined(PAIRS_ONE)
    if (!first || min(unit, other) != 0)
        return 0;
#endif
    return partner != own ? partner : 0;
}

/* The leader takes a place, and waits until all have theirs. */
static void take_place(struct gl_self *self)
{
    const uint all = gl_sync(self, 0);
    const uint unit = unit_of(self, gl_own(self, PARAM_UNITS));
    const uint rank = gl_add(self->board + gl_sync(self, (1 + unit) * GL_LINE), 1);

    gl_store(self->board + place_word(self, self->group), place(unit, rank));
    const uint before = gl_add(self->board + all, 1);
    gl_round(self, 1);
    gl_wait_after(self, all, before, self->groups, GL_GROUP_ALL);
}

/* The group whose place this is notes itself in local memory. All work-items search. */
static void find_group(const struct gl_self *self, uint wanted, local uint *found)
{
    for (uint group = (uint)get_local_id(0); wanted != 0 && group < self->groups; group += GL_LOCAL_SIZE)
        if (gl_load(self->board + place_word(self, group)) == wanted)
            *found = group;
}

/*
 * Both sides of a pair, as a work-item sees them. What follows from parameters is computed once: each wait that
 * acquires empties the cache that they are in, and between two flags there is no time to read them again.
 */
struct pair {
    uint partner;
    uint own_flag; /* words on the board: the leader's, once take_flags has said whose turn it is */
    uint their_flag;
    uint count;        /* vectors that this work-item hands over: every GL_LOCAL_SIZE'th, from its own number on */
    global uint4 *own; /* the first of them */
    global uint4 *theirs;
};

/* Not returned by value: the compiler in Oclgrind 21.10 copies that with an intrinsic that Oclgrind does not have. */
static void pair_init(struct pair *pair, const struct gl_self *self, global uint4 *cells, uint partner)
{
    const uint vectors = gl_own(self, PARAM_PAYLOAD) / 16;
    const uint item = (uint)get_local_id(0);

    pair->partner = partner;
    pair->own_flag = 0;
    pair->their_flag = 0;
    pair->count = item < vectors ? (vectors - item + GL_LOCAL_SIZE - 1) / GL_LOCAL_SIZE : 0;
    pair->own = cells + self->group * vectors + item;
    pair->theirs = cells + partner * vectors + item;
}

/* Where no time passes there is none to be measured: each flag is raised, and the first one again. */
static uint rounds_of(const struct gl_self *self)
{
    const uint rounds = gl_parameter(self->board, GL_ROUNDS);
#if defined(GL_PROVED)
    return min(rounds, gl_own(self, PARAM_FLAGS) + 1);
#else
    return rounds;
#endif
}

/* The flags change every ROUNDS_A_FLAG rounds, and with the first. */
static void take_flags(const struct gl_self *self, struct pair *pair, uint round)
{
    if (!self->leader || (round - 1) % ROUNDS_A_FLAG != 0)
        return;
    const uint flag = (round - 1) / ROUNDS_A_FLAG % gl_own(self, PARAM_FLAGS);
    pair->own_flag = gl_sync(self, GL_LINE * (flag_index(self, self->group) + flag));
    pair->their_flag = gl_sync(self, GL_LINE * (flag_index(self, pair->partner) + flag));
    gl_foretell(self, pair->their_flag, pair->partner);
}

/* What vector i of this work-item is in this round. */
static uint payload_of(uint round, uint i)
{
    return round + (uint)get_local_id(0) + i * GL_LOCAL_SIZE;
}

/* A work-item that is alone has its vectors side by side: it moves four at a time, as wide as its processor can. */
#if GL_LOCAL_SIZE == 1
#define SIDE_BY_SIDE
static uint16 four_of(uint round, uint i)
{
    return (uint16)(payload_of(round, i)) + (uint16)((uint4)(0), (uint4)(1), (uint4)(2), (uint4)(3));
}
#endif

static void write_payload(const struct pair *pair, uint round)
{
#if defined(SIDE_BY_SIDE)
    const uint single = pair->count % 4;
    uint16 four = four_of(round, single);
    GL_UNROLL(1)
    for (uint i = single; i < pair->count; i += 4, four += (uint16)(4))
        vstore16(four, 0, (global uint *)(pair->own + i));
#else
    const uint single = pair->count;
#endif
    GL_UNROLL(1)
    for (uint i = 0; i < single; ++i)
        pair->own[i * GL_LOCAL_SIZE] = (uint4)(payload_of(round, i));
}

/* The round from which a vector is: any that is not the one wanted, if one of its words is not from that. */
static uint round_of(uint4 rounds, uint wanted)
{
    const uint2 odd = rounds.x != wanted || rounds.y != wanted ? rounds.xy : rounds.zw;
    return odd.x != wanted ? odd.x : odd.y;
}

/* Finds what check_payload knows to be there. In a launch that was stopped it may have come too early. */
static void note_wrong(struct gl_self *self, const struct pair *pair, uint round)
{
    if (gl_load(self->board + GL_STOP) != 0)
        return;
    for (uint i = 0; i < pair->count; ++i) {
        const uint shift = payload_of(0, i);
        const uint seen = round_of(pair->theirs[i * GL_LOCAL_SIZE] - (uint4)(shift), round);
        if (seen != round) {
            gl_check(self, shift, seen, round, round - 1);
            return;
        }
    }
}

/* Bits in which vector i differs from what it should be. */
static uint4 difference(const struct pair *pair, uint round, uint i)
{
    return pair->theirs[i * GL_LOCAL_SIZE] ^ (uint4)(payload_of(round, i));
}

/* Four vectors are read before any is used, so that the reads overlap. */
static void check_payload(struct gl_self *self, const struct pair *pair, uint round)
{
    const uint single = pair->count % 4;
    uint4 off = (uint4)(0);

    if (pair->count == 0)
        return;
    GL_UNROLL(1)
    for (uint i = 0; i < single; ++i)
        off |= difference(pair, round, i);
#if defined(SIDE_BY_SIDE)
    uint16 four = four_of(round, single), four_off = (uint16)(0);
    GL_UNROLL(1)
    for (uint i = single; i < pair->count; i += 4, four += (uint16)(4))
        four_off |= vload16(0, (global uint *)(pair->theirs + i)) ^ four;
    off |= four_off.lo.lo | four_off.lo.hi | four_off.hi.lo | four_off.hi.hi;
#else
    GL_UNROLL(1)
    for (uint i = single; i < pair->count; i += 4) {
        const uint4 a = difference(pair, round, i), b = difference(pair, round, i + 1);
        const uint4 c = difference(pair, round, i + 2), d = difference(pair, round, i + 3);
        off |= a | b | c | d;
    }
#endif
    if ((off.x | off.y | off.z | off.w) == 0)
        gl_check(self, payload_of(0, 0), round, round, 0);
    else
        note_wrong(self, pair, round);
}

static void raise_flag(const struct gl_self *self, const struct pair *pair, uint round)
{
    gl_release(self->board + pair->own_flag, round);
}

/* Inlined, for on a CPU a call is a part of the time. */
GL_INLINE void wait_for_flag(struct gl_self *self, const struct pair *pair, uint round)
{
    gl_round(self, round + 1); /* the first one is that in which all take their places */
    gl_wait_foretold(self, pair->their_flag, round, pair->partner);
}

/*
 * In ask and answer the barrier after a wait does not tell the others that it failed, because one that tells takes
 * longer: they learn it at the end of the round. Both return false if the launch was stopped, and the group must leave.
 */
GL_INLINE bool answer(struct gl_self *self, struct pair *pair, uint rounds)
{
#if defined(FAULT_NO_WRITE)
    const uint last = rounds - 1;
#else
    const uint last = rounds;
#endif
    for (uint round = 1; round <= rounds; ++round) {
        take_flags(self, pair, round);
        if (self->leader)
            wait_for_flag(self, pair, round);
        gl_gather(self);
        check_payload(self, pair, round);
        if (round <= last)
            write_payload(pair, round);
        gl_gather(self);
        if (self->leader && !self->left)
            raise_flag(self, pair, round);
        if (!gl_proceed(self))
            return false;
    }
    return true;
}

/* From ticks of a whole trip to picoseconds of half of it. */
static void convert(global uint *trips, uint rounds, float half_tick_ps)
{
    GL_UNROLL(8)
    for (uint i = 0; i < rounds; ++i)
        trips[i] = convert_uint_sat((float)trips[i] * half_tick_ps);
}

/* A trip is stored in the next one, while the group waits anyway: the fence before a flag waits for all stores. */
GL_INLINE bool ask(struct gl_self *self, struct pair *pair, uint rounds, global uint *trips)
{
    const ulong began_ns = ticks_ns();
    const ulong began = ticks_now();
    uint trip = 0;

    for (uint round = 1; round <= rounds; ++round) {
        take_flags(self, pair, round);
        if (self->leader)
            ticks_pass(gl_hash(round) % PHASES);
        if (!gl_proceed(self))
            return false;
        const ulong sent = ticks_now();
        write_payload(pair, round);
        gl_gather(self);
        if (self->leader) {
            raise_flag(self, pair, round);
            if (round > 1)
                trips[round - 2] = trip;
            wait_for_flag(self, pair, round);
        }
        gl_gather(self);
        check_payload(self, pair, round);
        trip = (uint)(ticks_now() - sent); /* modulo 2^32 ticks, some seconds: their median does not mind */
    }
    const ulong ticks = ticks_now() - began;
    if (self->leader && rounds != 0 && ticks != 0) {
        trips[rounds - 1] = trip;
        convert(trips, rounds, 500 * (float)(ticks_ns() - began_ns) / (float)ticks);
    }
    return gl_proceed(self);
}

GL_KERNEL void handover_latency(global uint *board, global uint4 *cells, global uint *partners, global uint *trips)
{
    local uint leaving;
    local uint found;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint rounds = rounds_of(&self);
    gl_gather(&self);
    if (self.leader) {
        found = GL_GROUP_NOBODY;
        take_place(&self);
    }
    if (!gl_proceed(&self))
        return;
    find_group(&self, place_of_partner(&self, gl_load(board + place_word(&self, self.group))), &found);
    gl_gather(&self);
    const uint partner = found;
    if (partner != GL_GROUP_NOBODY) {
        struct pair pair;
        pair_init(&pair, &self, cells, partner);
        if (self.leader)
            partners[self.group] = partner;
        if (self.group < partner && !ask(&self, &pair, rounds, trips + self.group * rounds))
            return;
        if (self.group > partner && !answer(&self, &pair, rounds))
            return;
    }
    gl_leave(&self);
}
