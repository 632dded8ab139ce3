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
 * words:   line*(1+units+groups)+groups
 * names:   groups that are there = 0
 * names:   members of unit {i} = (1+i)*line, i < units
 * names:   flag of group {i} = (1+units+i)*line, i < groups
 * names:   place of group {i} = line*(1+units+groups)+i, i < groups
 * data:    cells uint groups*(payload/16)*4 zero
 * data:    partners uint groups index
 * data:    trips uint groups*rounds zero
 * result:  permutation(partners) = groups
 * handover: trips
 *
 * Nobody can say where a group is to run, so all that fit are launched, and pairs are made of those that find themselves
 * on the same unit, on units with neighbouring numbers (0 and 1, 2 and 3 ...), or on units that are far apart (the first and
 * the last, the second and the last but one ...). Who has no partner ends. In each round a pair hands the payload there
 * and back. That time is halved: no two units need to have the same clock.
 */
#include "group.h"
#include "ticks.h"
#include "unit.h"

#if defined(PLACE_SAME) && !defined(GL_DIALECT_PTX)
#error unsupported: only dialect ptx tells on which unit a group runs
#endif

/* Where a group is: its unit, and its number among those of the unit. Of a group that is there it is never 0. */
static uint place(uint unit, uint rank)
{
    return unit << 16 | (rank + 1);
}

static uint place_word(const struct gl_self *self, uint group)
{
    return gl_sync(self, GL_LINE * (1 + gl_own(self, PARAM_UNITS) + self->groups) + group);
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
 * Both sides of a pair. What follows from parameters is computed once: each wait that acquires empties the cache that they
 * are in, and between two flags there is no time to read them again.
 */
struct pair {
    uint own_flag; /* words on the board */
    uint their_flag;
    uint count; /* vectors that are handed over */
    global uint4 *own;
    global uint4 *theirs;
    uint partner;
};

static uint flag_of(const struct gl_self *self, uint group)
{
    return gl_sync(self, GL_LINE * (1 + gl_own(self, PARAM_UNITS) + group));
}

/* Not returned by value: the compiler in Oclgrind 21.10 copies that with an intrinsic that Oclgrind does not have. */
static void pair_init(struct pair *pair, const struct gl_self *self, global uint4 *cells, uint partner)
{
    pair->own_flag = flag_of(self, self->group);
    pair->their_flag = flag_of(self, partner);
    pair->count = gl_own(self, PARAM_PAYLOAD) / 16;
    pair->own = cells + self->group * pair->count;
    pair->theirs = cells + partner * pair->count;
    pair->partner = partner;
}

static void write_payload(const struct pair *pair, uint round)
{
    GL_UNROLL(4)
    for (uint i = (uint)get_local_id(0); i < pair->count; i += GL_LOCAL_SIZE)
        pair->own[i] = (uint4)(round + i);
}

/* The round from which a vector is: any that is not the one wanted, if one of its words is not from that. */
static uint round_of(uint4 rounds, uint wanted)
{
    const uint2 odd = rounds.x != wanted || rounds.y != wanted ? rounds.xy : rounds.zw;
    return odd.x != wanted ? odd.x : odd.y;
}

/* Finds what check_payload knows to be there. */
static void note_wrong(struct gl_self *self, const struct pair *pair, uint round)
{
    uint i = (uint)get_local_id(0);

    while (i + GL_LOCAL_SIZE < pair->count && round_of(pair->theirs[i] - (uint4)(i), round) == round)
        i += GL_LOCAL_SIZE;
    gl_check(self, i, round_of(pair->theirs[i] - (uint4)(i), round), round, round - 1);
}

/* Bits in which four vectors differ from what they should be. All are read before any is used: the reads overlap. */
static uint4 difference(const global uint4 *theirs, uint first)
{
    const uint4 a = theirs[0];
    const uint4 b = theirs[GL_LOCAL_SIZE];
    const uint4 c = theirs[2 * GL_LOCAL_SIZE];
    const uint4 d = theirs[3 * GL_LOCAL_SIZE];

    return (a ^ (uint4)(first)) | (b ^ (uint4)(first + GL_LOCAL_SIZE)) | (c ^ (uint4)(first + 2 * GL_LOCAL_SIZE)) |
           (d ^ (uint4)(first + 3 * GL_LOCAL_SIZE));
}

static void check_payload(struct gl_self *self, const struct pair *pair, uint round)
{
    const uint first = (uint)get_local_id(0);
    uint4 off = (uint4)(0);
    uint i = first;

    if (first >= pair->count)
        return;
    GL_UNROLL(1)
    for (; i + 3 * GL_LOCAL_SIZE < pair->count; i += 4 * GL_LOCAL_SIZE)
        off |= difference(pair->theirs + i, round + i);
    GL_UNROLL(1)
    for (; i < pair->count; i += GL_LOCAL_SIZE)
        off |= pair->theirs[i] ^ (uint4)(round + i);
    if ((off.x | off.y | off.z | off.w) == 0)
        gl_check(self, first, round, round, 0);
    else
        note_wrong(self, pair, round);
}

static void send(struct gl_self *self, const struct pair *pair, uint round, bool writes)
{
    if (writes)
        write_payload(pair, round);
    gl_gather(self);
    if (self->leader)
        gl_release(self->board + pair->own_flag, round);
}

/* False: the launch was stopped, and the group must leave. */
GL_INLINE bool receive(struct gl_self *self, const struct pair *pair, uint round)
{
    if (self->leader) {
        gl_round(self, round + 1); /* the first one is that in which all take their places */
        gl_wait_foretold(self, pair->their_flag, round, pair->partner);
    }
    if (!gl_proceed(self))
        return false;
    check_payload(self, pair, round);
    return true;
}

GL_INLINE bool answer(struct gl_self *self, const struct pair *pair, uint rounds)
{
#if defined(FAULT_NO_WRITE)
    const uint last = rounds - 1;
#else
    const uint last = rounds;
#endif
    for (uint round = 1; round <= rounds; ++round) {
        if (!receive(self, pair, round))
            return false;
        send(self, pair, round, round <= last);
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
GL_INLINE bool ask(struct gl_self *self, const struct pair *pair, uint rounds, global uint *trips)
{
    const ulong began_ns = ticks_ns();
    const ulong began = ticks_now();
    ulong now = began;
    uint trip = 0;

    for (uint round = 1; round <= rounds; ++round) {
        send(self, pair, round, true);
        if (self->leader && round > 1)
            trips[round - 2] = trip;
        if (!receive(self, pair, round))
            return false;
        const ulong before = now;
        now = ticks_now();
        trip = (uint)(now - before); /* modulo 2^32 ticks, some seconds: their median does not mind */
    }
    if (self->leader && now != began) {
        trips[rounds - 1] = trip;
        convert(trips, rounds, 500 * (float)(ticks_ns() - began_ns) / (float)(now - began));
    }
    return true;
}

GL_KERNEL void handover_latency(global uint *board, global uint4 *cells, global uint *partners, global uint *trips)
{
    local uint leaving;
    local uint found;
    struct gl_self self;

    if (!gl_enter(&self, board, &leaving))
        return;
    const uint rounds = gl_parameter(board, GL_ROUNDS);
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
        if (self.leader) {
            partners[self.group] = partner;
            gl_foretell(&self, pair.their_flag, partner);
        }
        if (self.group < partner && !ask(&self, &pair, rounds, trips + self.group * rounds))
            return;
        if (self.group > partner && !answer(&self, &pair, rounds))
            return;
    }
    gl_leave(&self);
}
