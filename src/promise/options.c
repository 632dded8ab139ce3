#include "promise/options.h"

#include "core/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 256,
    ROUNDS_CUT = 48,   /* where the driver cuts loops */
    ROUNDS_LOCAL = 32, /* in local memory */
};

/* What is asked for: a promise, of a device. */
struct asking {
    const struct promise *promise;
    const struct device_info *info;
    const struct device_probe *probe;
    uint64_t amount;
    char *text;
};

#define ADD(asking, ...) text_append((asking)->text, PROMISE_OPTIONS, __VA_ARGS__)

unsigned device_info_version(const struct device_info *info)
{
    static const char before[] = "OpenCL ";
    char *point;

    if (strncmp(info->device_version, before, strlen(before)) != 0)
        return 0;
    const unsigned long major = strtoul(info->device_version + strlen(before), &point, 10);
    const unsigned long minor = *point == '.' ? strtoul(point + 1, NULL, 10) : 0;
    return major < 100 && minor < 100 ? (unsigned)(100 * major + minor) : 0;
}

/*
 * Atomics with orders and scopes, and sub-groups; "": the dialect's options have them, or an extension of OpenCL 1.2.
 */
static const char *standard(const struct asking *asking)
{
    const unsigned version = device_info_version(asking->info);

    if (version < 200)
        return "";
    if (version < 300)
        return "-cl-std=CL2.0 ";
    return asking->probe->dialect == DIALECT_CL30 ? "" : "-cl-std=CL3.0 ";
}

static const char *scope(const struct asking *asking)
{
    static const char *const scopes[] = {"memory_scope_work_group", "memory_scope_device",
                                         "memory_scope_all_svm_devices"};
    return scopes[asking->promise->of[1]];
}

uint32_t promise_rounds(const struct promise *promise, const struct device_probe *probe)
{
    const bool has_order = promise->act == ASK_ATOMIC_ORDER || promise->act == ASK_ATOMIC_FENCE;

    if (!has_order && promise->of[0] != 0)
        return ROUNDS_LOCAL;
    return probe->loops_cut_at != 0 ? ROUNDS_CUT : ROUNDS;
}

static void add_pairs(const struct asking *asking)
{
    ADD(asking, " -DGL_PLACES=%d -DGL_ROUNDS=%" PRIu32, PROMISE_PAIR_GROUP,
        promise_rounds(asking->promise, asking->probe));
}

static void add_order(const struct asking *asking)
{
    static const char *const releases[] = {"memory_order_relaxed", "memory_order_release", "memory_order_seq_cst"};
    static const char *const acquires[] = {"memory_order_relaxed", "memory_order_acquire", "memory_order_seq_cst"};
    static const char *const orders[] = {"memory_order_relaxed", "memory_order_acq_rel", "memory_order_seq_cst"};
    const uint32_t order = asking->promise->of[0];
    const bool group = asking->promise->of[1] == SCOPE_GROUP, fence = asking->promise->act == ASK_ATOMIC_FENCE;

    const bool flag = asking->promise->act == ASK_ATOMIC_FLAG;

    if (flag || (order == ORDER_RELAXED && !fence)) {
        ADD(asking, "%s-DGL_SCOPE=%s%s -DGL_TURNS=%d -DGL_BITS=32", standard(asking), scope(asking),
            group ? " -DGL_GROUP" : "", flag ? PROMISE_FLAGS : PROMISE_TURNS);
        return;
    }
    ADD(asking, "%s%s%s-DGL_SCOPE=%s ", group ? "-DGL_GROUP " : "", standard(asking), fence ? "-DGL_FENCE " : "",
        scope(asking));
    ADD(asking, "-DGL_ORDER=%s -DGL_RELEASE=%s -DGL_ACQUIRE=%s", orders[order], releases[order], acquires[order]);
    add_pairs(asking);
}

static void add_functions(const struct asking *asking)
{
    const enum atomic_width width = (enum atomic_width)asking->promise->of[0];

    ADD(asking, "%s%s -DGL_TURNS=%d -DGL_BITS=%d", asking->promise->of[1] != 0 ? "-DGL_LOCAL" : "",
        width == ATOMIC_64_EXTENDED ? " -DGL_EXTENDED"
        : width == ATOMIC_64_BASE   ? " -DGL_BASIC"
                                    : "",
        PROMISE_TURNS, width == ATOMIC_32 ? 32 : 64);
}

/* Of a promise about what pairs or groups of work-items see. */
static void add_seen(const struct asking *asking)
{
    const bool local = asking->promise->of[0] != 0;

    switch (asking->promise->act) {
    case ASK_MEM_FENCE:
        ADD(asking, "%s-DGL_MEM_FENCE%s", local ? "-DGL_GROUP " : "", local ? " -DGL_LOCAL" : "");
        break;
    case ASK_SUB_BARRIER:
        ADD(asking, "-DGL_GROUP %s%s", standard(asking), local ? "-DGL_LOCAL" : "");
        break;
    default:
        ADD(asking, "-DGL_GROUP %s", local ? "-DGL_LOCAL" : "");
    }
    add_pairs(asking);
}

/* Groups of different sizes are only of OpenCL C 2.0 and later. */
static void add_uneven(const struct asking *asking)
{
    const unsigned version = device_info_version(asking->info);

    if (version >= 200 && asking->probe->dialect != DIALECT_CL30)
        ADD(asking, "%s", version < 300 ? "-cl-std=CL2.0" : "-cl-std=CL3.0");
}

static void add_memory(const struct asking *asking)
{
    const uint32_t kind = asking->promise->of[0];
    const uint64_t words = asking->amount / sizeof(uint32_t);

    switch (asking->promise->act) {
    case ASK_BUFFER_SIZE:
        ADD(asking, "-DGL_PLACES=%d%s", PROMISE_PLACES, kind != 0 ? " -DGL_CONSTANT" : "");
        break;
    case ASK_PARAMETER_SIZE:
        ADD(asking, "-DGL_PLACES=%d -DGL_PARAMETER_WORDS=%" PRIu64, PROMISE_PLACES, words);
        break;
    default:
        if (kind != LOCAL_ARGUMENT)
            ADD(asking, "-DGL_LOCAL_WORDS=%" PRIu64 "%s", words, kind == LOCAL_CALLED ? " -DGL_CALLED" : "");
    }
}

/* The kernels of sizes and of concurrent dispatch, which may have half of the local memory. */
static void add_groups(const struct asking *asking)
{
    const struct promise *promise = asking->promise;
    const bool sizes = promise->act == ASK_GROUP_SIZE || promise->act == ASK_ITEM_SIZES;
    const bool local = promise->act == ASK_GROUP_SIZE ? promise->of[0] == KERNEL_LOCAL
                                                      : promise->act != ASK_ITEM_SIZES && promise->of[1] != 0;
    const uint64_t half = asking->info->local_memory_bytes / 2 / sizeof(uint32_t);

    ADD(asking, "-DGL_LOCAL_WORDS=%" PRIu64, local ? half : 0);
    if (promise->act == ASK_GROUP_SIZE && promise->of[0] == KERNEL_ASSEMBLY)
        ADD(asking, " -DGL_ASSEMBLY");
    if (sizes)
        ADD(asking, " -DGL_VALUES=%d",
            promise->act == ASK_GROUP_SIZE && promise->of[0] == KERNEL_REGISTERS ? PROMISE_VALUES : 0);
    else
        ADD(asking, " -DGL_ATOMICS=%d", promise->act == ASK_CONCURRENT_ATOMICS);
}

static void add_family(const struct asking *asking)
{
    ADD(asking, "%s-DGL_FAMILY=%" PRIu32, standard(asking), asking->promise->of[0]);
}

typedef void add_options(const struct asking *asking);

static void add_loop(const struct asking *asking)
{
    const uint32_t kind = asking->promise->act == ASK_KERNEL_TIME ? LOOP_WHILE : asking->promise->of[0];
    ADD(asking, "-DGL_LOOP=%" PRIu32, kind);
}

static void add_required(const struct asking *asking)
{
    ADD(asking, "-DGL_X=%d -DGL_Y=%d", PROMISE_SIZE_X, PROMISE_SIZE_Y);
}

static void add_standard(const struct asking *asking)
{
    ADD(asking, "%s", standard(asking));
}

void promise_options(const struct promise *promise, const struct device_info *info, const struct device_probe *probe,
                     uint64_t amount, char text[PROMISE_OPTIONS])
{
    static add_options *const adders[PROMISE_ACTS] = {[ASK_GROUP_SIZE] = add_groups,
                                                      [ASK_ITEM_SIZES] = add_groups,
                                                      [ASK_CONCURRENT_COUNT] = add_groups,
                                                      [ASK_CONCURRENT_MORE] = add_groups,
                                                      [ASK_CONCURRENT_AGAIN] = add_groups,
                                                      [ASK_BARRIER_VALID] = add_groups,
                                                      [ASK_CONCURRENT_ATOMICS] = add_groups,
                                                      [ASK_LOCAL_MEMORY] = add_memory,
                                                      [ASK_KERNEL_LOCAL] = add_memory,
                                                      [ASK_BUFFER_SIZE] = add_memory,
                                                      [ASK_PARAMETER_SIZE] = add_memory,
                                                      [ASK_LOOPS] = add_loop,
                                                      [ASK_KERNEL_TIME] = add_loop,
                                                      [ASK_MULTIPLE] = add_loop,
                                                      [ASK_REQUIRED_SIZE] = add_required,
                                                      [ASK_UNEVEN_GROUPS] = add_uneven,
                                                      [ASK_ATOMIC_ORDER] = add_order,
                                                      [ASK_ATOMIC_FENCE] = add_order,
                                                      [ASK_ATOMIC_FLAG] = add_order,
                                                      [ASK_MEM_FENCE] = add_seen,
                                                      [ASK_BARRIER] = add_seen,
                                                      [ASK_SUB_BARRIER] = add_seen,
                                                      [ASK_SUB_SHAPE] = add_standard,
                                                      [ASK_SUB_VALUES] = add_standard,
                                                      [ASK_SUB_MORE] = add_family,
                                                      [ASK_SUB_PROGRESS] = add_standard,
                                                      [ASK_ATOMIC_FUNCTIONS] = add_functions};
    const struct asking asking = {promise, info, probe, amount, text};

    text[0] = '\0';
    if (adders[promise->act] != NULL)
        adders[promise->act](&asking);
}
