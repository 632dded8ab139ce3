#include "worker/litmus_launch.h"

#include "abi.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "core/build_options.h"
#include "core/text.h"
#include "device/cl_status.h"
#include "litmus/code.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORDS_AT_ONCE = 1 << 22,
    PATIENCE = 40,                /* as the judge's, with a livelock, which may end by chance */
    JITTER_PS = 20 * 1000 * 1000, /* at most, of a group alone */
};

/* --- a block --- */

static int fill_codes(struct litmus_launches *launches, struct error *error)
{
    const struct block *block = launches->block;
    const size_t bytes = block->code_count * sizeof(cl_uint);
    cl_uint codes[BLOCK_CODES];

    for (uint32_t i = 0; i < block->code_count; ++i)
        codes[i] = block->codes[i];
    if (memory_make(launches->session, &launches->codes_memory, MEMORY_DEVICE, bytes, error) != 0)
        return -1;
    return memory_write(launches->session->queue, &launches->codes_memory, codes, bytes, error);
}

int litmus_launches_open(struct litmus_launches *launches, struct session *session, const struct block *block,
                         struct error *error)
{
    const size_t groups = block->groups > MAPPING_THREADS ? block->groups : MAPPING_THREADS;

    *launches = (struct litmus_launches){.session = session, .block = block, .outcome = OUTCOME_CL_ERROR};
    launches->slots = xcalloc(groups, sizeof *launches->slots);
    launches->before = xcalloc(groups, sizeof *launches->before);
    launches->instances = xcalloc(groups, sizeof *launches->instances);
    if (memory_make(session, &launches->slots_memory, MEMORY_DEVICE, groups * sizeof *launches->slots, error) != 0)
        return -1;
    if (fill_codes(launches, error) != 0)
        return -1;
    return litmus_shape_find(session, block, &launches->shape, &launches->outcome, error);
}

void litmus_launches_close(struct litmus_launches *launches)
{
    memory_free(launches->session, &launches->slots_memory);
    memory_free(launches->session, &launches->codes_memory);
    free(launches->slots);
    free(launches->before);
    free(launches->instances);
    *launches = (struct litmus_launches){.session = NULL};
}

/* --- a test --- */

/*
 * The test as the option that litmus_compiled.cl is built with: each thread, or each text of threads, with those that
 * have it, a bit each. False: it is too long for one.
 */
static bool append_test(const struct litmus_program *program, bool shared, char options[BUILD_OPTIONS])
{
    text_append(options, BUILD_OPTIONS, " -DTEST=");
    for (unsigned thread = 0; thread < program->threads; ++thread) {
        const uint32_t alike = litmus_threads_alike(program, thread);
        if (shared && (alike & ((1u << thread) - 1)) != 0)
            continue;
        text_append(options, BUILD_OPTIONS, "T(%u,%u,", shared ? alike : 1u << thread, program->length[thread]);
        for (unsigned i = 0; i < program->length[thread]; ++i) {
            const struct litmus_instruction *instruction = litmus_instruction(program, thread, i);
            text_append(options, BUILD_OPTIONS, "I(%u,%u,%u,%u,%u)", i, instruction->location, instruction->check,
                        instruction->exchange, instruction->jump);
        }
        text_append(options, BUILD_OPTIONS, ")");
    }
    return strlen(options) + 1 < BUILD_OPTIONS;
}

static int build(struct litmus_launches *launches, cl_int *code, struct error *error)
{
    const bool compiled = launches->block->engine != ENGINE_TABLE;
    struct program_key key;

    session_key(launches->session, compiled ? "litmus_compiled" : "litmus", &key);
    litmus_level_option(launches->block->level, key.options);
    if (launches->block->guarded)
        text_append(key.options, BUILD_OPTIONS, " -DGL_GUARDED");
    if (compiled && !append_test(&launches->test, launches->block->engine == ENGINE_SHARED, key.options)) {
        *code = CL_INVALID_BUILD_OPTIONS;
        return error_set(error, STATUS_UNSUPPORTED, "the test is too long to be compiled into a kernel");
    }
    return session_kernel(launches->session, &key, &launches->program, code, error);
}

/* Below groups their number is given, and gaps are as wide as there is room for. */
static int choose_groups(struct litmus_launches *launches, struct error *error)
{
    const struct block *block = launches->block;
    const unsigned threads = launches->test.threads;
    const uint32_t room = launches->shape.threads;

    launches->stride = mapping_stride(&block->mapping);
    if (block->level == LEVEL_GROUP) {
        launches->groups = mapping_groups(&block->mapping, threads, block->groups);
        return 0;
    }
    if (room < threads) {
        launches->outcome = OUTCOME_UNSUPPORTED;
        return error_set(error, STATUS_UNSUPPORTED, "the test has %u threads, and a launch can have %" PRIu32, threads,
                         room);
    }
    if (launches->stride > room / threads)
        launches->stride = room / threads;
    launches->groups = mapping_groups(&block->mapping, threads, room / launches->stride);
    return 0;
}

/* Which group is which thread of which instance; the same for all tests of so many threads. */
static int fill_slots(struct litmus_launches *launches, struct error *error)
{
    const struct block *block = launches->block;
    const unsigned threads = launches->test.threads;

    if (threads == launches->slots_threads)
        return 0;
    if (choose_groups(launches, error) != 0)
        return -1;
    launches->slots_threads = threads;
    mapping_fill(&block->mapping, threads, launches->groups, launches->slots);
    return memory_write(launches->session->queue, &launches->slots_memory, launches->slots,
                        launches->groups * sizeof *launches->slots, error);
}

int litmus_launches_take(struct litmus_launches *launches, uint32_t *next_at, cl_int *code, struct error *error)
{
    const struct block *block = launches->block;

    *code = CL_SUCCESS;
    *next_at = launches->test_at;
    launches->launched = 0;
    litmus_block_next(block, next_at, &launches->test);
    if (build(launches, code, error) != 0 || fill_slots(launches, error) != 0)
        return -1;
    launches->judge = (struct stall_judge){
        .suspect_ns = block->suspect_ns,
        .confirm_ns = block->confirm_ns,
        .gap_ns = launches->judge.gap_ns,
        .patience = PATIENCE,
        .proven_groups = block->resident < launches->groups ? block->resident : launches->groups,
    };
    return 0;
}

/* --- pages --- */

size_t litmus_launches_page_words(const struct litmus_launches *launches)
{
    const size_t words = litmus_page_words(launches->test.threads, launches->groups);
    return (words + GL_LINE - 1) / GL_LINE * GL_LINE;
}

struct litmus_page litmus_launches_page(const struct litmus_launches *launches, uint32_t launch)
{
    return (struct litmus_page){
        .program = &launches->test,
        .slots = launches->slots,
        .groups = launches->groups,
        .words = launches->session->pages.copy + launch * litmus_launches_page_words(launches),
    };
}

uint32_t litmus_launches_at_once(const struct litmus_launches *launches, uint32_t count)
{
    const size_t most = WORDS_AT_ONCE / litmus_launches_page_words(launches);
    return most < 1 ? 1 : most < count ? (uint32_t)most : count;
}

/* What is written to the pages of so many launches, and says of each whether it ended. */
static struct board_pages pages_of(const struct litmus_launches *launches, uint32_t count)
{
    return (struct board_pages){
        .count = count, .page_words = litmus_launches_page_words(launches), .words = GL_PAGE_SLOTS};
}

/* Every other launch of a test has jitter, each another one. */
static struct litmus_setting next_setting(struct litmus_launches *launches, uint32_t fuse_idle, uint32_t fuse_total)
{
    const uint64_t poll_ps = launches->session->probe.poll_ps + 1;
    const uint32_t number = launches->launched++;

    return (struct litmus_setting){
        .test = launches->test_at,
        .fuse_idle = fuse_idle,
        .fuse_total = fuse_total,
        .jitter = number % 2 != 0 ? (uint32_t)(JITTER_PS / poll_ps) : 0,
        .seed = number,
        .stride = launches->stride,
        .sub_groups = launches->shape.sub_groups,
        .lanes = launches->shape.lanes,
    };
}

int litmus_launches_prepare(struct litmus_launches *launches, uint32_t count, uint32_t fuse_idle, uint32_t fuse_total,
                            struct error *error)
{
    struct session *session = launches->session;
    const struct board_pages pages = pages_of(launches, count);
    const size_t all = pages.count * pages.page_words;
    cl_kernel kernel = launches->program->kernel;

    if (board_memory_need(session, &session->pages, all, error) != 0 ||
        board_memory_clear(session, &session->pages, all, error) != 0)
        return -1;
    for (uint32_t i = 0; i < count; ++i) {
        const struct litmus_page page = litmus_launches_page(launches, i);
        const struct litmus_setting setting = next_setting(launches, fuse_idle, fuse_total);
        litmus_page_init(&page, &setting);
    }
    if (board_memory_write_pages(session, &session->pages, &pages, error) != 0)
        return -1;
    cl_int code = memory_set_argument(&session->pages.memory, kernel, 0);
    if (code == CL_SUCCESS)
        code = memory_set_argument(&launches->slots_memory, kernel, 1);
    if (code == CL_SUCCESS)
        code = memory_set_argument(&launches->codes_memory, kernel, 2);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clSetKernelArg", code);
}

int litmus_launches_set_page(const struct litmus_launches *launches, uint32_t launch, struct error *error)
{
    const cl_uint base = launch * (cl_uint)litmus_launches_page_words(launches);
    const cl_int code = clSetKernelArg(launches->program->kernel, 3, sizeof base, &base);
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clSetKernelArg", code);
}

/* --- several at once --- */

int litmus_launches_fail(struct litmus_launches *launches, cl_int enqueue_code, cl_int finish_code, struct error *error)
{
    launches->outcome = cl_launch_outcome(enqueue_code, finish_code);
    launches->code = enqueue_code != CL_SUCCESS ? enqueue_code : finish_code;
    return cl_status_error(error, enqueue_code != CL_SUCCESS ? "clEnqueueNDRangeKernel" : "clFinish", launches->code);
}

cl_uint litmus_launches_range(const struct litmus_launches *launches, size_t global_size[2])
{
    const bool of_groups = launches->block->level == LEVEL_GROUP;

    global_size[0] = launches->shape.local[0] * (of_groups ? launches->groups * launches->stride : 1);
    global_size[1] = launches->shape.local[1];
    return global_size[1] > 1 ? 2 : 1;
}

static int enqueue(struct litmus_launches *launches, uint32_t launch, struct error *error)
{
    size_t global_size[2];

    if (litmus_launches_set_page(launches, launch, error) != 0)
        return -1;
    const cl_uint dimensions = litmus_launches_range(launches, global_size);
    const cl_int code = clEnqueueNDRangeKernel(launches->session->queue, launches->program->kernel, dimensions, NULL,
                                               global_size, launches->shape.local, 0, NULL, NULL);
    return code == CL_SUCCESS ? 0 : litmus_launches_fail(launches, code, CL_SUCCESS, error);
}

int litmus_launches_check_shape(struct litmus_launches *launches, uint32_t launch, struct error *error)
{
    if (litmus_launches_page(launches, launch).words[GL_PAGE_CHANGED] == 0)
        return 0;
    launches->outcome = OUTCOME_CL_ERROR;
    return error_set(error, STATUS_SURPRISE, "the sub-groups of a launch are not those of the one before");
}

/* Most tests end in all of their launches, and few words say so. */
static int read_pages(struct litmus_launches *launches, uint32_t count, struct error *error)
{
    struct session *session = launches->session;
    const struct board_pages pages = pages_of(launches, count);
    uint32_t ended = 0;

    if (board_memory_read_pages(session, &session->pages, &pages, error) != 0)
        return -1;
    for (uint32_t i = 0; i < count; ++i) {
        const struct litmus_page page = litmus_launches_page(launches, i);
        ended += litmus_page_has_ended(&page);
        if (litmus_launches_check_shape(launches, i, error) != 0)
            return -1;
    }
    return ended == count ? 0
                          : board_memory_read(session, &session->pages, pages.count * pages.page_words, false, error);
}

int litmus_launch_series(struct litmus_launches *launches, uint32_t count, uint32_t fuse_idle, uint32_t fuse_total,
                         struct error *error)
{
    struct session *session = launches->session;

    launches->judged = false;
    if (litmus_launches_prepare(launches, count, fuse_idle, fuse_total, error) != 0)
        return -1;
    session_stage(session, STAGE_RUNNING);
    const uint64_t began_ns = clock_ns();
    for (uint32_t i = 0; i < count; ++i)
        if (enqueue(launches, i, error) != 0)
            return -1;
    const cl_int code = clFinish(session->queue);
    launches->duration_ns = clock_ns() - began_ns;
    if (code != CL_SUCCESS)
        return litmus_launches_fail(launches, CL_SUCCESS, code, error);
    return read_pages(launches, count, error);
}
