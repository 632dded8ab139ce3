/* Machines of lanes: what each does is followed a second time here, by recursion and from the definitions. */
#include "litmus/choose.h"
#include "litmus/code.h"
#include "litmus/emulate.h"
#include "litmus/form.h"

#include "harness.h"
#include "litmus_sample.h"

#include <string.h>

static struct error error;

static struct litmus_program read_program(const char *text)
{
    struct litmus_cursor cursor = {.at = text, .line_start = text, .line = 1};
    struct litmus_program program;

    ck_assert_msg(litmus_read_text(&cursor, &program, &error) == 0, "%s: %s", text, error.text);
    return program;
}

/* --- the second way --- */

enum { FUEL = 4000, BRUTE_MOST = 8 };

struct brute_lanes {
    const struct litmus_program *program;
    const uint8_t *order; /* threads, in the order in which an instruction is executed for them */
    bool behind_first;
    int fuel;
    unsigned char memory[2], at[BRUTE_MOST];
};

static void brute_step(struct brute_lanes *b, unsigned thread)
{
    const struct litmus_instruction *in = &b->program->code[b->program->first[thread] + b->at[thread]];
    const unsigned read = b->memory[in->location];

    if (in->exchange < 2)
        b->memory[in->location] = in->exchange;
    b->at[thread] = read == in->check ? in->jump : (unsigned char)(b->at[thread] + 1);
    --b->fuel;
}

static bool brute_has_ended(const struct brute_lanes *b, unsigned thread)
{
    return b->at[thread] == b->program->length[thread];
}

/* The end can be reached from here without the instruction `without`. */
static bool brute_reaches(const struct litmus_program *program, unsigned thread, unsigned at, unsigned without,
                          unsigned seen)
{
    if (at == program->length[thread])
        return true;
    if (at == without || (seen >> at & 1) != 0)
        return false;
    seen |= 1u << at;
    return brute_reaches(program, thread, program->code[program->first[thread] + at].jump, without, seen) ||
           brute_reaches(program, thread, at + 1, without, seen);
}

static bool brute_is_passed(const struct litmus_program *program, unsigned thread, unsigned from, unsigned at)
{
    return from != at && !brute_reaches(program, thread, from, at, 0);
}

/* The first instruction that each way to the end passes. */
static unsigned brute_meeting(const struct litmus_program *program, unsigned thread, unsigned from)
{
    const unsigned length = program->length[thread];

    if (!brute_reaches(program, thread, from, length, 0))
        return length;
    for (unsigned at = 0; at < length; ++at) {
        bool is_first = brute_is_passed(program, thread, from, at);
        for (unsigned other = 0; other < length && is_first; ++other)
            if (other != at && brute_is_passed(program, thread, from, other))
                is_first = brute_is_passed(program, thread, at, other);
        if (is_first)
            return at;
    }
    return length;
}

/* All lanes of the set, which are at one instruction, go on until they are at `until`. False: never. */
static bool brute_region(struct brute_lanes *b, unsigned lanes, unsigned copy, unsigned at, unsigned until)
{
    while (at != until) {
        unsigned jumped = 0, behind = 0;
        const unsigned jump = b->program->code[b->program->first[copy] + at].jump;
        if (b->fuel <= 0)
            return false;
        for (unsigned i = 0; i < b->program->threads; ++i)
            if ((lanes >> b->order[i] & 1) != 0) {
                brute_step(b, b->order[i]);
                *(b->at[b->order[i]] == jump ? &jumped : &behind) |= 1u << b->order[i];
            }
        if (jumped == 0 || behind == 0) {
            at = jumped != 0 ? jump : at + 1;
            continue;
        }
        const unsigned meeting = brute_meeting(b->program, copy, at);
        const unsigned sets[] = {b->behind_first ? behind : jumped, b->behind_first ? jumped : behind};
        const unsigned from[] = {b->behind_first ? at + 1 : jump, b->behind_first ? jump : at + 1};
        if (!brute_region(b, sets[0], copy, from[0], meeting) || !brute_region(b, sets[1], copy, from[1], meeting))
            return false;
        at = meeting;
    }
    return true;
}

static bool brute_same_text(const struct litmus_program *p, unsigned a, unsigned b)
{
    return p->length[a] == p->length[b] &&
           memcmp(&p->code[p->first[a]], &p->code[p->first[b]], p->length[a] * sizeof *p->code) == 0;
}

/* Copies are begun one after the other. */
static bool brute_copies(struct brute_lanes *b, bool shared)
{
    const unsigned threads = b->program->threads;
    unsigned copies[BRUTE_MOST] = {0};

    for (unsigned thread = 0; thread < threads; ++thread) {
        unsigned copy = thread;
        for (unsigned other = thread; shared && other-- > 0;)
            copy = brute_same_text(b->program, other, thread) ? other : copy;
        copies[copy] |= 1u << thread;
    }
    for (unsigned i = 0; i < threads; ++i) {
        const unsigned copy = b->behind_first ? threads - 1 - i : i;
        if (copies[copy] != 0 && !brute_region(b, copies[copy], copy, 0, b->program->length[copy]))
            return false;
    }
    return true;
}

static bool brute_ends(enum lanes_machine machine, enum block_engine form, const struct litmus_program *program,
                       const uint8_t *order)
{
    const bool serial = machine <= LANES_SERIAL_DOWN,
               down = machine == LANES_SERIAL_DOWN || machine > LANES_STEP_UP_FALL;
    struct brute_lanes b = {.program = program, .fuel = FUEL};
    uint8_t turned[BRUTE_MOST];
    bool all = false;

    for (unsigned i = 0; i < program->threads; ++i)
        turned[i] = order[down ? program->threads - 1 - i : i];
    b.order = turned;
    b.behind_first = machine == LANES_STEP_UP_FALL || machine == LANES_STEP_DOWN_FALL;
    if (!serial && form != ENGINE_TABLE)
        return brute_copies(&b, form == ENGINE_SHARED);
    while (!all && b.fuel > 0) {
        all = true;
        for (unsigned i = 0; i < program->threads; ++i) {
            while (serial && !brute_has_ended(&b, turned[i]) && b.fuel > 0)
                brute_step(&b, turned[i]);
            if (!brute_has_ended(&b, turned[i]))
                brute_step(&b, turned[i]);
            all = all && brute_has_ended(&b, turned[i]);
        }
    }
    return all;
}

/* --- the machine's own --- */

/* check notes each of its assertions in a file, and here are more than a million of them. */
#define REQUIRE(condition, ...)                                                                                        \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            ck_abort_msg(__VA_ARGS__);                                                                                 \
    } while (0)

static bool keep(void *context, const struct test_outcome *outcome)
{
    *(struct test_outcome *)context = *outcome;
    return true;
}

static struct test_outcome emulate(const struct model_device *device, const struct block *shape,
                                   const struct litmus_program *program)
{
    struct block block = *shape;
    struct test_outcome outcome = {.ran = 0};

    block.groups = 12;
    block.iterations = 3;
    block.local_size = 1;
    REQUIRE(litmus_block_add(&block, program), "the program does not fit into a block");
    REQUIRE(litmus_emulate(device, &block, 1, &(struct emulate_sink){&outcome, keep, NULL, NULL}, &error) == 0, "%s",
            error.text);
    REQUIRE(outcome.ran == 3, "%u launches", outcome.ran);
    return outcome;
}

static unsigned ended_count, stalled_count;

static void check_machine(const struct model_device *device, const struct block *block,
                          const struct litmus_program *program)
{
    uint8_t order[MAPPING_THREADS];
    char text[LITMUS_TEXT];

    mapping_order(&block->mapping, program->threads, order);
    const bool ends = brute_ends(device->lanes, block->engine, program, order);
    const struct test_outcome outcome = emulate(device, block, program);
    litmus_text(program, text);
    REQUIRE(lanes_ends(device->lanes, block->engine, program, &block->mapping) == ends, "%s: %s, %s, %s", text,
            lanes_machine_name(device->lanes), engine_name(block->engine), mapping_name(block->mapping.kind));
    REQUIRE(outcome.stalled == (ends ? 0 : 3) && outcome.confirmed == !ends, "%s: %s, %s, %s: %u stalls", text,
            lanes_machine_name(device->lanes), engine_name(block->engine), mapping_name(block->mapping.kind),
            outcome.stalled);
    ++*(ends ? &ended_count : &stalled_count);
}

static void check_program(const struct litmus_program *program)
{
    static const enum mapping_kind kinds[] = {MAPPING_ROUND_ROBIN, MAPPING_REVERSED};
    struct block block = {.level = LEVEL_LANE};

    for (enum lanes_machine machine = LANES_SERIAL_UP; machine < LANES_MACHINES; ++machine)
        for (int engine = 0; engine < ENGINE_COUNT; ++engine)
            for (int i = 0; i < 2; ++i) {
                block.engine = (enum block_engine)engine;
                block.mapping = (struct mapping){kinds[i], 7};
                check_machine(&(struct model_device){.lanes = machine}, &block, program);
            }
}

START_TEST(a_launch_ends_where_it_does_in_the_second_way)
{
    sample_programs(2, 2, 1, check_program);
    sample_programs(2, 3, 1, check_program);
    sample_programs(2, 4, 1, check_program);
    sample_programs(3, 3, 1, check_program);
    sample_programs(3, 4, 7, check_program);
    ck_assert_uint_gt(ended_count, 10000);
    ck_assert_uint_gt(stalled_count, 10000);
}
END_TEST

/* Longer ones, whose branches nest. */
START_TEST(branches_within_branches)
{
    static const char *const texts[] = {
        "0,0,1,3;1,0,1,3;0,1,0,0|0,0,1,3;1,0,1,3;0,1,0,0",
        "0,0,1,2;1,0,-,4;1,1,0,0;0,1,-,1|0,0,1,2;1,0,-,4;1,1,0,0;0,1,-,1",
        "0,0,1,4;1,0,1,3;0,1,0,0;1,1,-,1|0,0,1,4;1,0,1,3;0,1,0,0;1,1,-,1|0,0,1,4;1,0,1,3;0,1,0,0;1,1,-,1",
        "0,0,1,3;1,0,-,1;0,0,-,5;1,1,1,5;0,0,0,0|0,0,1,3;1,0,-,1;0,0,-,5;1,1,1,5;0,0,0,0",
        "0,1,1,0;1,0,1,2;0,0,0,3|0,1,1,0;1,0,1,2;0,0,0,3|1,0,-,0",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        const struct litmus_program program = read_program(texts[i]);
        check_program(&program);
    }
}
END_TEST

/* --- each is itself --- */

/* Other machines than which at least one outcome of this one speaks; of mappings that are drawn, or of the others. */
static uint32_t unlike_of(enum lanes_machine machine, enum block_level level, const struct litmus_choices *suite,
                          uint32_t seed, bool drawn)
{
    struct block block = {.level = level};
    uint32_t unlike = 0;

    for (size_t i = 0; i < suite->count * ENGINE_COUNT * MAPPING_KINDS; ++i) {
        const struct litmus_program *program = &suite->all[i % suite->count].program;
        const size_t form = i / suite->count;
        block.engine = (enum block_engine)(form % ENGINE_COUNT);
        block.mapping = (struct mapping){(enum mapping_kind)(form / ENGINE_COUNT), seed};
        if ((block.mapping.kind == MAPPING_RANDOM || block.mapping.kind == MAPPING_SHUFFLED) != drawn)
            continue;
        const bool stalled = emulate(&(struct model_device){.lanes = machine}, &block, program).stalled > 0;
        for (enum lanes_machine other = LANES_SERIAL_UP; other < LANES_MACHINES; ++other)
            if ((unlike >> other & 1) == 0 &&
                stalled != (lanes_ends(other, block.engine, program, &block.mapping) == 0))
                unlike |= 1u << other;
    }
    return unlike;
}

/* Under each of 100 seeds there is a test of the quick suite that speaks against each other machine, and none against
   the machine itself. Only mappings that are drawn hang on the seed. */
START_TEST(each_machine_is_told_from_all_others)
{
    static const enum block_level levels[] = {LEVEL_ITEM, LEVEL_LANE};
    struct litmus_choices suite = {.count = 0};

    ck_assert_int_eq(litmus_choose_quick(&suite, &error), 0);
    for (enum lanes_machine machine = LANES_SERIAL_UP; machine < LANES_MACHINES; ++machine) {
        const uint32_t always[] = {unlike_of(machine, levels[0], &suite, 0, false),
                                   unlike_of(machine, levels[1], &suite, 0, false)};
        for (uint32_t seed = 1; seed <= 100; ++seed) {
            const uint32_t unlike = always[seed % 2] | unlike_of(machine, levels[seed % 2], &suite, seed, true);
            ck_assert_msg(unlike == (((1u << LANES_MACHINES) - 2) & ~(1u << machine)), "%s, seed %u: %x",
                          lanes_machine_name(machine), seed, unlike);
        }
    }
    litmus_choices_fini(&suite);
}
END_TEST

/* --- SIMT-Step: cm_wr of test_simt_step.c, and a lock --- */

/* Where memory is collective, lanes that write their own value to one location then read the same value: here both end
   or none does. One after the other, the first one reads its own. */
START_TEST(collective_memory)
{
    const struct litmus_program program = read_program("0,0,0,1;0,0,-,1|0,0,1,1;0,0,-,1");
    struct block block = {.level = LEVEL_LANE};
    unsigned ended = 0;

    for (enum lanes_machine machine = LANES_STEP_UP_TAKEN; machine < LANES_MACHINES; ++machine) {
        const struct test_outcome outcome = emulate(&(struct model_device){.lanes = machine}, &block, &program);
        ck_assert(outcome.stalled == 0 || outcome.state.ended == 0);
        ended += outcome.stalled == 0;
    }
    ck_assert_uint_eq(ended, 2); /* the last value is that of the last lane */
    const struct test_outcome serial = emulate(&(struct model_device){.lanes = LANES_SERIAL_DOWN}, &block, &program);
    ck_assert_uint_eq(serial.stalled, 3);
    ck_assert_uint_eq(serial.state.ended, 1);
}
END_TEST

/* The lock that every lane takes by the same code: the lane that has it waits where both come together. */
START_TEST(the_naive_lock)
{
    const struct litmus_program program = read_program("0,1,1,0;0,0,0,2|0,1,1,0;0,0,0,2");
    const struct mapping mapping = {MAPPING_PLAIN, 0};

    for (enum lanes_machine machine = LANES_SERIAL_UP; machine < LANES_MACHINES; ++machine)
        for (int form = 0; form < ENGINE_COUNT; ++form)
            ck_assert_int_eq(lanes_ends(machine, (enum block_engine)form, &program, &mapping),
                             machine <= LANES_SERIAL_DOWN || form != ENGINE_SHARED);
}
END_TEST

/* --- names --- */

/* What kernels may rely on there. */
START_TEST(what_each_keeps)
{
    static const struct {
        const char *name;
        enum block_level level;
        model_set kept;
    } cases[] = {
        {"model:serial", LEVEL_ITEM, 1u << LITMUS_HSA | 1u << LITMUS_OBE | 1u << LITMUS_HSA_OBE | 1u << LITMUS_LOBE},
        {"model:serial:down", LEVEL_LANE, 1u << LITMUS_OBE},
        {"model:serial:down,sub-groups=8", LEVEL_SUB_GROUP, 1u << LITMUS_OBE},
        {"model:lockstep", LEVEL_ITEM, 0},
        {"model:hsa", LEVEL_GROUP, 1u << LITMUS_HSA},
        {"model:hsa", LEVEL_ITEM, (1u << LITMUS_MODELS) - 1},
        {"model:unfair", LEVEL_GROUP, 0},
        {"model:unfair", LEVEL_SUB_GROUP, (1u << LITMUS_MODELS) - 1},
        {"pocl", LEVEL_ITEM, 0},
    };
    struct model_device device;
    char name[MODEL_DEVICE_NAME];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        ck_assert_uint_eq(model_device_keeps(cases[i].name, cases[i].level), cases[i].kept);
    ck_assert_int_eq(model_device_parse("model:serial:down,sub-groups=8", &device, &error), 0);
    model_device_name(&device, name);
    ck_assert_str_eq(name, "model:serial:down,sub-groups=8");
    ck_assert_int_eq(model_device_check_litmus(&device, &error), -1);
}
END_TEST

START_TEST(names)
{
    static const char *const cases[][2] = {
        {"model:serial", "model:serial:up"},
        {"model:Serial:UP", "model:serial:up"},
        {"model:serial:down", "model:serial:down"},
        {"model:lockstep", "model:lockstep:up:taken"},
        {"model:lockstep:fall-through", "model:lockstep:up:fall-through"},
        {"model:lockstep:down", "model:lockstep:down:taken"},
        {"MODEL:LOCKSTEP:DOWN:FALL-THROUGH", "model:lockstep:down:fall-through"},
    };
    static const char *const refused[] = {"serial",
                                          "model:serial:",
                                          "model:serial:sideways",
                                          "model:serial:8",
                                          "model:serial:up:taken",
                                          "model:serial,order=up",
                                          "model:serial,sub-groups=0",
                                          "model:serial,sub-groups=8,seed=1",
                                          "model:lockstep,sub-groups=8",
                                          "model:serial:down:weak",
                                          "model:lockstep:taken:down",
                                          "model:lockstep:up:down",
                                          "model:lockstep:fall-through:"};
    struct model_device device;
    char name[MODEL_DEVICE_NAME];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        ck_assert_int_eq(model_device_parse(cases[i][0], &device, &error), 0);
        model_device_name(&device, name);
        ck_assert_str_eq(name, cases[i][1]);
        ck_assert_int_eq(model_device_check_litmus(&device, &error), 0);
        const bool serial = lanes_are_serial(device.lanes);
        ck_assert_int_eq(model_device_check_kernels(&device, &error), serial ? 0 : -1);
        ck_assert(serial || error.status == STATUS_USAGE);
        ck_assert_uint_eq(model_device_keeps(cases[i][0], LEVEL_GROUP), serial ? (1u << LITMUS_MODELS) - 1 : 0);
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i)
        ck_assert_msg(model_device_parse(refused[i], &device, &error) == -1, "%s", refused[i]);
}
END_TEST

HARNESS_MAIN("lanes", a_launch_ends_where_it_does_in_the_second_way, branches_within_branches,
             each_machine_is_told_from_all_others, collective_memory, the_naive_lock, what_each_keeps, names)
