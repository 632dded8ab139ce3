/*
 * kernel:  reduce_levels
 * purpose: a reduction by a tree of groups in one launch: a parent waits until its children have unlocked it
 * needs:   all groups resident together, or fair scheduling; with parent = high, that lower ids run first (HSA)
 * fails:   with parent = low, parents wait for children with higher ids, which cannot start before a parent ends
 * source:  gridlock; a tree whose children each report to their parent, as Mellor-Crummey and Scott, ACM TOCS 1991
 * option:  type = int | long | float
 * option:  op = sum | product | min | max
 * option:  parent = low | high
 * option:  finish = device | host
 * option:  unlock = every | last
 * param:   items = 100003 in 1..1073741824  length of the input, in items
 * param:   fan = 8 in 2..1024  children of a parent
 * words:   (groups+line)*line
 * names:   unlock counter of parent {i} = i*line, i < groups+line
 * data:    input item items seeded
 * data:    partials item 2*groups+line zero
 * data:    output item fan zero
 * checks:  groups
 * result:  reduce(output) = reduce(input)
 *
 * Level 0 of the tree has a node for each group: its share of the input. Node p of a level combines nodes
 * p*fan ... p*fan+fan-1 of the level below, and the group that made node p below makes it: so a group goes up
 * as far as there is a node for it, and ends. A node's lock counts the children that have unlocked it; a child
 * of its own, which only node 0 has, needs no lock. finish = host stops where one parent could do the rest.
 *
 * Who waits? The first ceil(groups/fan) groups become parents, and wait for groups with higher ids, or, with
 * parent = high, which turns the ids round, with lower ones. All others end by themselves. So with parent = low
 * a device that fills each free place at once needs one place more than there are parents, not one for each
 * group. But nothing obliges a device to start a child while its parent waits: a thread of PoCL takes
 * consecutive ids, and the child comes next in its parent's thread.
 *
 * unlock = last is a fault that has been published: only the last child of a block unlocks its parent, and the parent
 * locks its own lock before it waits. If the child was faster, its unlock is lost, and the parent waits for ever.
 * If not, the parent goes on without knowing anything of the other children: it may combine what they have not
 * written yet. In case they were in time, each group checks that it has seen as many unlocks as it has children
 * to wait for: one unlock vouches for one child, and a right result was luck. (Where a block has but one child
 * beside its parent's own, that is the last one, and nothing is missing.)
 */
#include "reduce_local.h"

/*
 * Polls between two looks for a child that is missing: no more than GL_BEAT_POLLS. The judge believes a name that has
 * stood for two beats: by then it must have been looked at, or a parent seems to wait for a child that has ended.
 */
#if defined(GL_PROVED)
#define NAME_POLLS 1u
#else
#define NAME_POLLS 64u
#endif

struct tree {
    uint fan;
    uint most;   /* nodes of the last level, at most */
    uint node;   /* this group's, on each level that has it */
    uint depth;  /* level that the group is on, from 1 */
    uint nodes;  /* nodes on this level */
    uint start;  /* where the level's nodes begin among the partial results */
    uint seen;   /* unlocks that this group has seen */
    uint wanted; /* unlocks that it needs */
    bool delays; /* the launch has parameters for gl_delay: after a wait they would have to be read anew */
};

/* The group that makes the node, or the node that the group makes. */
static uint turned(const struct gl_self *self, uint node)
{
#if defined(PARENT_HIGH)
    return self->groups - 1 - node;
#else
    return node;
#endif
}

/* The lock of a node above level 0, whose place among the partial results is `place`. */
static uint lock_of(const struct gl_self *self, uint place)
{
    return gl_sync(self, (place - self->groups) * GL_LINE);
}

static void unlock_parent(const struct gl_self *self, const struct tree *tree)
{
    const uint parent = tree->node / tree->fan;
#if defined(UNLOCK_LAST)
    const bool unlocks = tree->node == min((parent + 1) * tree->fan, tree->nodes) - 1;
#else
    const bool unlocks = true;
#endif
    if (unlocks && parent != tree->node)
        gl_add_release(self->board + lock_of(self, tree->start + tree->nodes + parent), 1);
}

/* Has the node's group come as far as this one? The board says so; that serves only to name whom we wait for. */
static bool is_there(const struct gl_self *self, const struct tree *tree, uint node)
{
    return gl_load(self->board + GL_CONTROL_WORDS + turned(self, node) * GL_ENTRY_WORDS + GL_ROUND) >= tree->depth;
}

/* Waits until the lock counts all `wanted` children. Now and then the first one that is missing goes to the board. */
static bool wait_for_all(struct gl_self *self, const struct tree *tree, uint lock, uint wanted, uint child, uint last)
{
    struct gl_spin spin;
    uint seen;

    gl_spin_begin(self, &spin, lock, GL_UNTIL_REACHED, wanted, turned(self, last));
    do {
        gl_spin_look(self, &spin);
        if (self->polls % NAME_POLLS == NAME_POLLS - 1) {
            while (child < last && is_there(self, tree, child))
                ++child;
            gl_store(self->entry + GL_WAIT_GROUP, turned(self, child));
        }
        seen = gl_poll(self->board + lock);
    } while (gl_spin_goes_on(self, &spin, seen));
    return gl_spin_end_polled(self, &spin);
}

/* Waits until the nodes first ... end - 1, this group's own excepted, have unlocked this group's lock. */
static bool wait_for_children(struct gl_self *self, struct tree *tree, uint first, uint end)
{
    const uint lock = lock_of(self, tree->start + tree->nodes + tree->node);
    const uint wanted = end - first - (first == tree->node);
#if defined(UNLOCK_LAST)
    gl_store(self->board + lock, 0);
    if (!gl_wait(self, lock, 1, turned(self, end - 1)))
        return false;
#else
    if (wanted != 0 && !wait_for_all(self, tree, lock, wanted, first, end - 1))
        return false;
#endif
    tree->wanted += wanted;
#if defined(UNLOCK_LAST)
    tree->seen += gl_load(self->board + lock); /* it waited for one of them */
#else
    tree->seen += wanted != 0 ? self->seen : 0;
#endif
    return true;
}

/* Goes up: leaves this group's node on each level, and makes the one above. False: a wait failed. */
GL_INLINE bool climb(struct gl_self *self, struct tree *tree, local item *scratch, volatile global item *partials,
                     item *value)
{
    for (;; ++tree->depth) {
        if (tree->delays)
            gl_delay(self, tree->depth);
        if (self->leader) {
            partials[tree->start + tree->node] = *value;
            gl_round(self, tree->depth);
        }
        const uint parents = (tree->nodes + tree->fan - 1) / tree->fan;
        const uint first = tree->node * tree->fan;
        const uint end = min(first + tree->fan, tree->nodes);
        const bool last = tree->nodes <= tree->most;
        gl_gather(self);
        if (self->leader && !last) {
            unlock_parent(self, tree);
            if (tree->node < parents)
                wait_for_children(self, tree, first, end);
        }
        if (!gl_proceed(self))
            return false;
        if (last || tree->node >= parents)
            return true;
        *value = reduce_local(scratch,
                              reduce_shared(partials + tree->start, first + (uint)get_local_id(0), end, GL_LOCAL_SIZE));
        tree->start += tree->nodes;
        tree->nodes = parents;
    }
}

/* The groups on the last level leave their nodes, and the first one the identity behind them. */
static void leave_result(const struct gl_self *self, const struct tree *tree, global item *output, item value)
{
    if (tree->nodes > tree->most || !self->leader)
        return;
    output[tree->node] = value;
    for (uint i = tree->nodes; tree->node == 0 && i < tree->fan; ++i)
        output[i] = ITEM_IDENTITY;
}

GL_KERNEL void reduce_levels(global uint *board, global const item *input, global item *partials, global item *output)
{
    local item scratch[GL_LOCAL_SIZE];
    local uint leaving;
    struct gl_self self;
    struct reduce_reads ahead;
    const uint items = gl_parameter(board, GL_OWN + PARAM_ITEMS);

    reduce_read_ahead(&ahead, board, input, items);
    if (!gl_enter(&self, board, &leaving))
        return;
    const uint fan = gl_own(&self, PARAM_FAN);
    const bool delays = (gl_parameter(board, GL_JITTER) | gl_parameter(board, GL_UNEVEN)) != 0;
#if defined(FINISH_HOST)
    struct tree tree = {fan, fan, turned(&self, self.group), 1, self.groups, 0, 0, 0, delays};
#else
    struct tree tree = {fan, 1, turned(&self, self.group), 1, self.groups, 0, 0, 0, delays};
#endif
    item value = reduce_share(&self, &ahead, scratch, input, items);
    if (!climb(&self, &tree, scratch, partials, &value))
        return;
    leave_result(&self, &tree, output, value);
    if (self.leader)
        gl_check(&self, self.group, tree.seen, tree.wanted, tree.wanted);
    gl_leave(&self);
}
