#include "litmus/lanes.h"

#include "base/alloc.h"
#include "litmus/code.h"

#include <stdlib.h>
#include <string.h>

NAMING_DEFINE(lanes_machine, enum lanes_machine, LANES_MACHINES, "model", "serial:up", "serial:down",
              "lockstep:up:taken", "lockstep:up:fall-through", "lockstep:down:taken", "lockstep:down:fall-through");

/* The steps after which one instance of a program of the published bounds has long come back. */
enum { STEPS_ALONE = 1 << 20 };

static bool is_serial(enum lanes_machine machine)
{
    return machine == LANES_SERIAL_UP || machine == LANES_SERIAL_DOWN;
}

static bool goes_down(enum lanes_machine machine)
{
    return machine == LANES_SERIAL_DOWN || machine >= LANES_STEP_DOWN_TAKEN;
}

static bool has_stack(const struct lanes *lanes)
{
    return !is_serial(lanes->machine) && lanes->form != ENGINE_TABLE;
}

static bool falls_through(enum lanes_machine machine)
{
    return machine == LANES_STEP_UP_FALL || machine == LANES_STEP_DOWN_FALL;
}

bool lanes_are_bound(enum lanes_machine machine, enum block_level level)
{
    return is_serial(machine) || (machine != LANES_OF_A_MODEL && (level == LEVEL_ITEM || level == LEVEL_LANE));
}

/* --- where both sides come together --- */

static unsigned count_bits(uint64_t bits)
{
    return (unsigned)__builtin_popcountll(bits);
}

/* Instructions that are on each way to the end: a bit each. Of those that have no way there, all. */
static void find_dominators(const struct litmus_program *program, unsigned thread, uint64_t *dominators)
{
    const unsigned length = program->length[thread];
    bool changed = true;

    for (unsigned at = 0; at < length; ++at)
        dominators[at] = UINT64_MAX;
    dominators[length] = 0;
    while (changed) {
        changed = false;
        for (unsigned at = length; at-- > 0;) {
            const unsigned jump = litmus_instruction(program, thread, at)->jump;
            const uint64_t found = UINT64_C(1) << at | (dominators[at + 1] & dominators[jump]);
            changed = changed || found != dominators[at];
            dominators[at] = found;
        }
    }
}

/* The one of them, but the instruction itself, that all others come behind; without one, the end. */
static void find_meetings(struct lanes *lanes, unsigned thread)
{
    const struct litmus_program *program = lanes->program;
    const unsigned length = program->length[thread];
    uint64_t dominators[LITMUS_INSTRUCTIONS + 1];

    find_dominators(program, thread, dominators);
    for (unsigned at = 0; at < length; ++at) {
        unsigned nearest = length;
        for (unsigned other = 0; other < length && dominators[at] != UINT64_MAX; ++other)
            if (other != at && (dominators[at] >> other & 1) != 0 &&
                count_bits(dominators[other]) > count_bits(dominators[nearest]))
                nearest = other;
        lanes->after[program->first[thread] + at] = (uint8_t)nearest;
    }
}

/* --- setting up --- */

static void reserve(struct lanes *lanes, uint32_t instances)
{
    const uint32_t count = lanes->count, entries = has_stack(lanes) ? 2 * count + LITMUS_THREADS + 2 : 0;
    const size_t words = entries == 0 ? 0 : entries * sizeof *lanes->entries + (count + 1) * sizeof *lanes->entry;
    const size_t bytes = words + 2 * (size_t)count + instances + 1; /* never none, of which there is no address */

    if (bytes != lanes->bytes) {
        lanes->state = xrealloc(lanes->state, bytes);
        lanes->before = xrealloc(lanes->before, bytes);
        lanes->bytes = bytes;
    }
    memset(lanes->state, 0, bytes);
    lanes->entries = (void *)lanes->state;
    lanes->entry = (void *)(lanes->entries + entries);
    lanes->depth = lanes->entry + count;
    lanes->position = lanes->state + words;
    lanes->started = lanes->position + count;
    lanes->memory = lanes->started + count;
}

static uint16_t push(struct lanes *lanes, struct lanes_entry entry)
{
    lanes->entries[*lanes->depth] = entry;
    return (*lanes->depth)++;
}

static unsigned thread_of(const struct lanes *lanes, uint32_t lane)
{
    return lanes->slots[lane] % lanes->program->threads;
}

/* Those that run the thread's copy; it is written where its first thread stands. */
static uint32_t threads_of_copy(const struct lanes *lanes, unsigned thread)
{
    const uint32_t alike =
        lanes->form == ENGINE_SHARED ? litmus_threads_alike(lanes->program, thread) : UINT32_C(1) << thread;
    return (alike & ((UINT32_C(1) << thread) - 1)) != 0 ? 0 : alike;
}

/* The copies are branched to one after the other. */
static void branch_to_copies(struct lanes *lanes)
{
    const unsigned threads = lanes->program->threads;

    push(lanes, (struct lanes_entry){.at = LANES_END, .until = LANES_END});
    for (unsigned i = 0; i < threads; ++i) {
        const unsigned thread = falls_through(lanes->machine) ? i : threads - 1 - i;
        const uint32_t running = threads_of_copy(lanes, thread);
        if (running == 0)
            continue;
        const uint16_t entry =
            push(lanes, (struct lanes_entry){.copy = (uint8_t)thread, .until = lanes->program->length[thread]});
        for (uint32_t lane = 0; lane < lanes->count; ++lane)
            if ((running >> thread_of(lanes, lane) & 1) != 0)
                lanes->entry[lane] = entry;
    }
}

void lanes_begin(struct lanes *lanes, const struct litmus_program *program, const uint32_t *slots, uint32_t count)
{
    lanes->program = program;
    lanes->slots = slots;
    lanes->count = count;
    lanes->steps = lanes->event = 0;
    lanes->first = 0;
    reserve(lanes, program->threads > 0 ? count / program->threads : 0);
    if (!has_stack(lanes))
        return;
    for (unsigned thread = 0; thread < program->threads; ++thread)
        find_meetings(lanes, thread);
    branch_to_copies(lanes);
}

void lanes_fini(struct lanes *lanes)
{
    free(lanes->state);
    free(lanes->before);
    *lanes = (struct lanes){.count = 0};
}

/* --- steps --- */

/* The i-th lane in the machine's order. */
static uint32_t lane_at(const struct lanes *lanes, uint32_t i)
{
    return goes_down(lanes->machine) ? lanes->count - 1 - i : i;
}

/* The lane executes its instruction. */
static void step_lane(struct lanes *lanes, uint32_t lane)
{
    const unsigned thread = thread_of(lanes, lane), position = lanes->position[lane];
    const struct litmus_instruction *instruction = litmus_instruction(lanes->program, thread, position);
    uint8_t *memory = &lanes->memory[lanes->slots[lane] / lanes->program->threads];

    if (lanes->stepped != NULL)
        lanes->stepped(lanes->context, lane);
    lanes->position[lane] = (uint8_t)litmus_position_after(instruction, *memory, position);
    *memory = (uint8_t)litmus_memory_after(instruction, *memory);
    ++lanes->steps;
    if (lanes->started[lane] == 0 || lanes_has_ended(lanes, lane))
        lanes->event = lanes->steps;
    lanes->started[lane] = 1;
}

/* False: all have ended. */
static bool step_table(struct lanes *lanes)
{
    while (lanes->first < lanes->count && lanes_has_ended(lanes, lane_at(lanes, lanes->first)))
        ++lanes->first;
    const uint32_t end = is_serial(lanes->machine) && lanes->first < lanes->count ? lanes->first + 1 : lanes->count;
    for (uint32_t i = lanes->first; i < end; ++i)
        if (!lanes_has_ended(lanes, lane_at(lanes, i)))
            step_lane(lanes, lane_at(lanes, i));
    return lanes->first < lanes->count;
}

/* --- the stack --- */

static void pop(struct lanes *lanes)
{
    const uint16_t top = (uint16_t)(*lanes->depth - 1);

    for (uint32_t lane = 0; lane < lanes->count; ++lane)
        if (lanes->entry[lane] == top)
            lanes->entry[lane] = lanes->entries[top].parent;
    lanes->entries[top] = (struct lanes_entry){.at = 0};
    *lanes->depth = top;
}

/* A side of a branch that has lanes, and is not where both come together, is pushed. */
static void push_side(struct lanes *lanes, const struct lanes_entry *branching, uint16_t from, uint16_t parent,
                      uint8_t side)
{
    struct lanes_entry entry = {.parent = parent, .copy = branching->copy, .at = side, .until = branching->until};

    if (side == entry.until) {
        for (uint32_t lane = 0; lane < lanes->count; ++lane)
            if (lanes->entry[lane] == from && lanes->position[lane] == side)
                lanes->entry[lane] = parent;
        return;
    }
    const uint16_t pushed = push(lanes, entry);
    for (uint32_t lane = 0; lane < lanes->count; ++lane)
        if (lanes->entry[lane] == from && lanes->position[lane] == side)
            lanes->entry[lane] = pushed;
}

/* The lanes of the active entry, which is left by them, have come to two instructions. */
static void diverge(struct lanes *lanes, uint8_t taken, uint8_t behind, uint8_t meeting)
{
    const uint16_t top = (uint16_t)(*lanes->depth - 1);
    struct lanes_entry branching = lanes->entries[top];
    const uint16_t from = UINT16_MAX;
    uint16_t parent = top;

    for (uint32_t lane = 0; lane < lanes->count; ++lane)
        if (lanes->entry[lane] == top)
            lanes->entry[lane] = from;
    if (meeting == branching.until) { /* they meet where the entry ends in any case */
        parent = branching.parent;
        lanes->entries[top] = (struct lanes_entry){.at = 0};
        *lanes->depth = top;
    } else {
        lanes->entries[top].at = meeting;
    }
    branching.until = meeting;
    push_side(lanes, &branching, from, parent, falls_through(lanes->machine) ? taken : behind);
    push_side(lanes, &branching, from, parent, falls_through(lanes->machine) ? behind : taken);
}

/* An instruction of the active entry. False: all have ended. */
static bool step_stack(struct lanes *lanes)
{
    const uint16_t top = (uint16_t)(*lanes->depth - 1);
    struct lanes_entry *active = &lanes->entries[top];
    const uint8_t at = active->at;
    bool jumped = false, went_on = false;

    if (top == 0)
        return false;
    if (at == active->until) {
        pop(lanes);
        return true;
    }
    const struct litmus_instruction *instruction = litmus_instruction(lanes->program, active->copy, at);
    for (uint32_t i = 0; i < lanes->count; ++i) {
        const uint32_t lane = lane_at(lanes, i);
        if (lanes->entry[lane] != top)
            continue;
        step_lane(lanes, lane);
        if (lanes->position[lane] == instruction->jump)
            jumped = true;
        else
            went_on = true;
    }
    if (jumped && went_on)
        diverge(lanes, instruction->jump, (uint8_t)(at + 1), lanes->after[lanes->program->first[active->copy] + at]);
    else
        active->at = jumped ? instruction->jump : (uint8_t)(at + 1);
    return true;
}

/* --- launches --- */

/* A state that was kept comes again if and only if the launch goes round; it is renewed after ever more steps. */
enum lanes_end lanes_run(struct lanes *lanes, uint64_t steps)
{
    uint64_t turns = 0, renewed = 1;

    memcpy(lanes->before, lanes->state, lanes->bytes);
    while (has_stack(lanes) ? step_stack(lanes) : step_table(lanes)) {
        if (memcmp(lanes->before, lanes->state, lanes->bytes) == 0)
            return LANES_STALLED;
        if (lanes->steps > steps)
            return LANES_LONG;
        if (++turns < renewed)
            continue;
        memcpy(lanes->before, lanes->state, lanes->bytes);
        turns = 0;
        renewed *= 2;
    }
    return LANES_ENDED;
}

int lanes_ends(enum lanes_machine machine, enum block_engine form, const struct litmus_program *program,
               const struct mapping *mapping)
{
    struct lanes lanes = {.machine = machine, .form = form};
    uint8_t order[MAPPING_THREADS];
    uint32_t slots[MAPPING_THREADS];

    mapping_order(mapping, program->threads, order);
    for (unsigned lane = 0; lane < program->threads; ++lane)
        slots[lane] = order[lane];
    lanes_begin(&lanes, program, slots, program->threads);
    const enum lanes_end end = lanes_run(&lanes, STEPS_ALONE);
    lanes_fini(&lanes);
    return end == LANES_LONG ? -1 : end == LANES_ENDED;
}
