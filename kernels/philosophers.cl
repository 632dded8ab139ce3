/*
 * kernel:  philosophers
 * purpose: groups at a round table need two forks each, which they share with their neighbours
 * needs:   ordered, try: a group that holds a fork runs on (OBE); naive: it never works
 * fails:   naive: each group holds its left fork, waits for its right one, in a circle; try: all may give back for ever
 * source:  Dijkstra, Acta Informatica 1971 (hierarchical ordering of sequential processes)
 * option:  order = ordered | naive | try | together
 * option:  access = plain | volatile | atomic
 * words:   (max(groups,2)+2)*line
 * names:   fork {i} = i*line, i < max(groups,2)
 * names:   left forks taken = max(groups,2)*line
 * names:   acts = (max(groups,2)+1)*line
 * data:    cells uint max(groups,2)*local-size zero
 * checks:  rounds*groups*2*(local-size+2)
 * result:  each(cells) = rounds*min(groups,2)
 *
 * Group i has fork i at its left and fork i + 1 at its right; a lone group has both for itself. `ordered` takes
 * the fork with the lower number first. `naive` takes the left one first, and in the first round waits until all
 * groups have done so, which makes its deadlock certain; above the resident limit this wait itself starves. `try` gives
 * the left fork back whenever the right one is taken. `together` does the same, each act of all groups in step, as they
 * may well be on a device: all take the left fork, all find the right one taken, all give the left one back.
 */
#include "group.h"
#include "lock_guarded.h"

struct seat {
    uint left; /* indexes of the forks' words */
    uint right;
    global uint *left_cell;
    global uint *right_cell;
};

static void seat_init(const struct gl_self *self, struct seat *seat, global uint *cells)
{
    const uint right = (self->group + 1) % max(self->groups, 2u);

    seat->left = gl_sync(self, self->group * GL_LINE);
    seat->right = gl_sync(self, right * GL_LINE);
    seat->left_cell = cells + self->group * GL_LOCAL_SIZE + get_local_id(0);
    seat->right_cell = cells + right * GL_LOCAL_SIZE + get_local_id(0);
}

static uint fork_try(const struct gl_self *self, uint fork)
{
    return gl_compare_exchange(self->board + fork, 0, self->group + 1);
}

static void fork_give(struct gl_self *self, uint fork)
{
    gl_drops(self, fork);
    gl_release(self->board + fork, 0);
}

#if defined(ORDER_TRY)

/* One try to get both forks, or none; returns the owner of the one that was missing, plus 1, or 0. */
static uint forks_try(struct gl_self *self, const struct seat *seat)
{
    uint missing = seat->left;
    uint seen = fork_try(self, seat->left);

    if (seen == 0) {
        gl_takes(self, seat->left);
        missing = seat->right;
        seen = fork_try(self, seat->right);
        if (seen != 0)
            fork_give(self, seat->left);
    }
    gl_store(self->entry + GL_WAIT_WORD, missing);
    return seen;
}

static bool forks_take(struct gl_self *self, const struct seat *seat, uint round)
{
    struct gl_spin spin;

    gl_round(self, round);
    gl_spin_begin(self, &spin, seat->left, GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
    do
        gl_spin_look(self, &spin);
    while (gl_spin_goes_on(self, &spin, forks_try(self, seat)));
    if (!gl_spin_end(self, &spin))
        return false;
    gl_takes(self, seat->right);
    return true;
}

#elif defined(ORDER_TOGETHER)

/* What a group does next; all groups do it before any one continues. */
struct dance {
    uint act; /* 0: takes the left fork; 1: tries the right one; 2: gives the left one back */
    bool acted;
    bool left;
    uint all; /* acts of all groups once they have done this one, modulo acts_most */
};

/* The count of acts begins anew at it, so that all can come back to what it was. Groups are an act apart at most. */
static uint acts_most(const struct gl_self *self)
{
    return 6 * self->groups;
}

/* Returns the owner of the right fork plus 1, or 0 once it is ours. */
static uint dance_act(struct gl_self *self, const struct seat *seat, struct dance *dance)
{
    uint seen = self->group + 1;

    if (dance->act == 0) {
        dance->left = fork_try(self, seat->left) == 0;
        if (dance->left)
            gl_takes(self, seat->left);
    } else if (dance->act == 1 && dance->left) {
        seen = fork_try(self, seat->right);
    } else if (dance->act == 2 && dance->left) {
        fork_give(self, seat->left);
    }
    return seen;
}

/* A turn of the loop: the group acts, or looks whether all have. */
static uint dance_turn(struct gl_self *self, const struct seat *seat, struct dance *dance)
{
    global uint *acts = self->board + gl_sync(self, (max(self->groups, 2u) + 1) * GL_LINE);

    const uint most = acts_most(self);

    if (dance->acted) {
        if ((gl_load(acts) + most - dance->all) % most >= most / 2)
            return self->group + 1;
        gl_fence();
        dance->act = (dance->act + 1) % 3;
    }
    const uint seen = dance_act(self, seat, dance);
    if (gl_add(acts, 1) + 1 == most)
        gl_add(acts, 0 - most);
    dance->acted = true;
    dance->all = (dance->all + self->groups) % most;
    return seen;
}

/* Only a lone group gets its right fork, with the second of its acts; the others never begin another round. */
static bool forks_take(struct gl_self *self, const struct seat *seat, uint round)
{
    struct dance dance = {.act = 0, .acted = false, .left = false, .all = (round - 1) * 2 % acts_most(self)};
    struct gl_spin spin;

    gl_round(self, round);
    gl_spin_begin(self, &spin, seat->right, GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
    do
        gl_spin_look(self, &spin);
    while (gl_spin_goes_on(self, &spin, dance_turn(self, seat, &dance)));
    if (!gl_spin_end(self, &spin))
        return false;
    gl_takes(self, seat->right);
    return true;
}

#else

static bool fork_take(struct gl_self *self, uint fork)
{
    struct gl_spin spin;

    gl_spin_begin(self, &spin, fork, GL_UNTIL_EQUAL, 0, GL_GROUP_OWNER);
    do
        gl_spin_look(self, &spin);
    while (gl_spin_goes_on(self, &spin, fork_try(self, fork)));
    if (!gl_spin_end(self, &spin))
        return false;
    gl_takes(self, fork);
    return true;
}

/* In the first round: all groups have their left fork. */
static bool all_hold_one(struct gl_self *self)
{
    const uint holders = gl_sync(self, max(self->groups, 2u) * GL_LINE);

    gl_add(self->board + holders, 1);
    return gl_wait(self, holders, self->groups, GL_GROUP_ALL);
}

static bool forks_take(struct gl_self *self, const struct seat *seat, uint round)
{
#if defined(ORDER_NAIVE)
    if (!fork_take(self, seat->left))
        return false;
    gl_round(self, round);
    if (round == 1 && !all_hold_one(self))
        return false;
    return fork_take(self, seat->right);
#else
    gl_round(self, round);
    return fork_take(self, min(seat->left, seat->right)) && fork_take(self, max(seat->left, seat->right));
#endif
}

#endif

GL_KERNEL void philosophers(global uint *board, global uint *cells)
{
    local uint left_turn;
    local uint right_turn;
    local uint leaving;
    struct gl_self self;
    struct seat seat;

    if (!gl_enter(&self, board, &leaving))
        return;
    seat_init(&self, &seat, cells);
    const uint rounds = gl_parameter(board, GL_ROUNDS);
    for (uint round = 1; round <= rounds; ++round) {
        gl_gather(&self);
        if (self.leader && forks_take(&self, &seat, round)) {
            left_turn = guarded_enter(&self, seat.left + 1);
            right_turn = guarded_enter(&self, seat.right + 1);
        }
        if (!gl_proceed(&self))
            return;
        guarded_use(&self, seat.left_cell, left_turn);
        guarded_use(&self, seat.right_cell, right_turn);
        gl_gather(&self);
        if (self.leader) {
            guarded_exit(&self, seat.left + 1);
            guarded_exit(&self, seat.right + 1);
            fork_give(&self, seat.right);
            fork_give(&self, seat.left);
        }
    }
    gl_leave(&self);
}
