#include "reproducer/recipe.h"

#include "core/text.h"
#include "promise/options.h"
#include "reproducer/files.h"

#include <inttypes.h>
#include <string.h>

static const struct recipe recipes[] = {
    {ASK_GROUP_SIZE, "promise_size", {"promise_size.inc"}, ""},
    {ASK_ITEM_SIZES, "promise_size", {"promise_size.inc"}, "-DOF_SIDE=1"},
    {ASK_CONCURRENT_COUNT, "promise_dispatch", {"promise_dispatch.inc"}, "-DOF_ACT=1"},
    {ASK_CONCURRENT_MORE, "promise_dispatch", {"promise_dispatch.inc"}, "-DOF_ACT=2"},
    {ASK_CONCURRENT_AGAIN, "promise_dispatch", {"promise_dispatch.inc"}, "-DOF_ACT=3"},
    {ASK_BARRIER_VALID, "promise_dispatch", {"promise_dispatch.inc"}, ""},
    {ASK_LOCAL_MEMORY, "promise_local", {"promise_local.inc"}, ""},
    {ASK_KERNEL_LOCAL, "promise_local", {"promise_kernel_local.inc"}, ""},
    {ASK_REQUIRED_SIZE, "promise_group", {"promise_group.inc"}, ""},
    {ASK_RANGE, "promise_range", {"range.inc", "promise_tries.inc"}, ""},
    {ASK_UNEVEN_GROUPS, "promise_group", {"promise_group.inc"}, "-DOF_UNEVEN=1"},
    {ASK_LOOPS, "promise_loop", {"promise_loop.inc"}, ""},
    {ASK_BUFFER_SIZE, "promise_memory", {"promise_memory.inc"}, ""},
    {ASK_PARAMETER_SIZE, "promise_memory", {"promise_memory.inc"}, "-DOF_PARAMETERS=1"},
    {ASK_MOVED, "promise_bytes", {"bytes.inc", "promise_tries.inc"}, ""},
    {ASK_PRINTED, "promise_print", {"print.inc", "promise_tries.inc"}, ""},
    {ASK_EVENT_TIMES, "promise_step", {"step.inc", "promise_seen.inc", "promise_times.inc"}, "-DOF_TIMES=1"},
    {ASK_DURATION, "promise_step", {"step.inc", "promise_seen.inc", "promise_times.inc"}, "-DOF_TIMES=2"},
    {ASK_TIMER_STEP, "promise_step", {"step.inc", "promise_seen.inc", "promise_times.inc"}, "-DOF_TIMES=3"},
    {ASK_USER_EVENT, "promise_step", {"step.inc", "user_event.inc", "promise_tries.inc"}, ""},
    {ASK_EVENT, "promise_step", {"step.inc", "event.inc", "promise_tries.inc"}, ""},
    {ASK_LEAVE, "promise_step", {"step.inc", "promise_leave.inc"}, "-DOF_LEAVES=1"},
    {ASK_HELD_MOVES, "promise_bytes", {"held_moves.inc", "promise_tries.inc"}, ""},
    {ASK_BEYOND, "promise_step", {"step.inc", "beyond.inc", "promise_tries.inc"}, ""},
    {ASK_RUNNING, "promise_step", {"step.inc", "promise_seen.inc", "promise_running.inc"}, ""},
    {ASK_ORDER, "promise_step", {"step.inc", "order.inc", "promise_tries.inc"}, ""},
    {ASK_ATOMIC_ORDER, "promise_handover", {"promise_pairs.inc"}, ""},
    {ASK_ATOMIC_FENCE, "promise_handover", {"promise_pairs.inc"}, ""},
    {ASK_ATOMIC_FLAG, "promise_flag", {"promise_flag.inc"}, ""},
    {ASK_ATOMIC_FUNCTIONS, "promise_functions", {"promise_functions.inc"}, ""},
    {ASK_BARRIER, "promise_barrier", {"promise_pairs.inc"}, "-DOF_BARRIER=1"},
    {ASK_SUB_BARRIER, "promise_sub_barrier", {"promise_pairs.inc"}, "-DOF_BARRIER=1"},
    {ASK_SUB_SHAPE, "promise_sub_shape", {"promise_sub_shape.inc"}, ""},
    {ASK_SUB_VALUES, "promise_sub_values", {"promise_sub_values.inc"}, ""},
    {ASK_SUB_MORE, "promise_sub_more", {"promise_sub_more.inc"}, ""},
    {ASK_SUB_PROGRESS, "promise_sub_progress", {"promise_sub_progress.inc"}, ""},
    {ASK_SVM_COPY, "promise_bytes", {"svm_copy.inc", "promise_tries.inc"}, ""},
    {ASK_SVM_SHARED, "promise_hold", {"promise_seen.inc", "promise_svm_shared.inc"}, ""},
};

/* Where a promise is measured in another way than others of its act. */
static const struct recipe total = {ASK_ATOMIC_ORDER, "promise_total", {"promise_pairs.inc"}, "-DOF_TOTAL=1"};
static const struct recipe relaxed = {ASK_ATOMIC_ORDER, "promise_functions", {"promise_functions.inc"}, ""};

static const struct recipe held = {ASK_DURATION, "promise_hold", {"promise_seen.inc", "promise_duration.inc"}, ""};

bool recipe_has_failed_in(const struct audit_row *row, const char *name)
{
    return strcmp(row->finding.failed_in, name) == 0;
}

static bool has_order(const struct promise *promise)
{
    return promise->act == ASK_ATOMIC_ORDER || promise->act == ASK_ATOMIC_FENCE;
}

/* Of two kernels that measure it, that which says most: the one that found it broken, or the second one. */
static bool is_of_total(const struct audit_row *row)
{
    return has_order(row->promise) && row->promise->of[0] == ORDER_SEQ_CST &&
           (row->finding.fails == 0 || recipe_has_failed_in(row, total.kernel));
}

const struct recipe *recipe_of(const struct audit_row *row)
{
    if (is_of_total(row))
        return &total;
    if (row->promise->act == ASK_ATOMIC_ORDER && row->promise->of[0] == ORDER_RELAXED)
        return &relaxed;
    if (row->promise->act == ASK_DURATION && recipe_has_failed_in(row, held.kernel))
        return &held;
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; ++i)
        if (recipes[i].act == row->promise->act)
            return &recipes[i];
    return NULL;
}

/* --- numbers --- */

enum { PAIRS_LEAST = 8, PAIRS_MOST = 64 };

static uint64_t bounded(uint64_t number, uint64_t least, uint64_t most)
{
    return number < least ? least : number > most ? most : number;
}

static uint64_t local_size(const struct reproduced_promise *reproduced)
{
    const struct promise *promise = reproduced->row->promise;
    const bool group = has_order(promise) ? promise->of[1] == SCOPE_GROUP
                                          : promise->act == ASK_BARRIER || promise->act == ASK_SUB_BARRIER ||
                                                promise->act == ASK_ATOMIC_FLAG;

    if (group)
        return bounded(reproduced->device->info.max_local_size, 2, PROMISE_PAIR_GROUP);
    return has_order(promise) || promise->of[0] == 0 ? 1 : promise->of[0];
}

/* Loops may have so many turns. */
static uint64_t turns_most(const struct device_probe *probe)
{
    return probe->loops_cut_at != 0 ? probe->loops_cut_at / 4 * 3 : UINT32_MAX;
}

/* Turns of a work-item in a launch of a chain, which takes some milliseconds, or long. */
static uint64_t turns(const struct reproduced_promise *reproduced)
{
    enum { ITEMS = 256, SHORT_MS = 4, LONG_MS = 500, SHARED_MS = 300 };
    const struct promise *promise = reproduced->row->promise;
    const struct device_probe *probe = &reproduced->device->probe;
    const uint64_t milliseconds = promise->act == ASK_RUNNING ? LONG_MS : SHORT_MS;

    if (promise->act == ASK_SVM_SHARED || recipe_of(reproduced->row) == &held)
        return bounded(device_polls_a_ms(probe) * (uint64_t)SHARED_MS, 1, turns_most(probe));
    return bounded(device_polls_a_ms(probe) * milliseconds / ITEMS, 1, turns_most(probe));
}

/* What the function comes to depends on the values that work-items put in. */
static bool is_by_token(enum atomic_function function)
{
    return function != FUNCTION_INCREMENT && function != FUNCTION_DECREMENT && function != FUNCTION_COMPARISON &&
           function != FUNCTION_BITS;
}

/* One program has room for one of them: that which was found broken. */
static enum atomic_function function_of(const struct audit_row *row)
{
    const int failed = naming_find(&atomic_function_naming, row->finding.failed_in);

    if (failed >= 0)
        return (enum atomic_function)failed;
    return row->promise->act == ASK_ATOMIC_FUNCTIONS && row->promise->of[0] == ATOMIC_64_EXTENDED ? FUNCTION_MINIMUM
                                                                                                  : FUNCTION_INCREMENT;
}

static void write_functions(const struct reproduced_promise *reproduced, char text[RECIPE_NUMBERS])
{
    const struct promise *promise = reproduced->row->promise;
    const struct device_info *info = &reproduced->device->info;
    const enum atomic_function function = function_of(reproduced->row);
    const uint64_t groups = bounded(2 * (uint64_t)info->compute_units, 4, 32);
    const bool apart = promise->act == ASK_ATOMIC_ORDER ? promise->of[1] == SCOPE_GROUP : promise->of[1] != 0;

    text_append(text, RECIPE_NUMBERS, " -DGL_ONLY=%d -DOF_NAME=\"%s\" -DOF_ITEMS=%" PRIu64 " -DOF_SETS=%" PRIu64,
                (int)function, atomic_function_name(function), bounded(info->max_local_size, 1, PROMISE_PAIR_GROUP),
                apart ? groups : 1);
    text_append(text, RECIPE_NUMBERS, " -DOF_GROUPS=%" PRIu64 "%s%s", groups,
                is_by_token(function) ? " -DOF_TOKENS=1" : "",
                function == FUNCTION_MINIMUM ? " -DOF_START=(number)-1 -DOF_FILL=0xff" : " -DOF_START=0 -DOF_FILL=0");
}

/* Its program tries a promise that is written once (act/script.c) in a function of the promise's name. */
static bool is_script(const struct recipe *recipe)
{
    bool found = false;

    for (int i = 0; i < 3 && recipe->parts[i] != NULL; ++i)
        found = found || strcmp(recipe->parts[i], "promise_tries.inc") == 0;
    return found;
}

static void write_script(const struct promise *promise, const struct device_probe *probe, char text[RECIPE_NUMBERS])
{
    text_append(text, RECIPE_NUMBERS, " -DOF_TURNS_MOST=%" PRIu64 " -DOF_ONCE=", turns_most(probe));
    for (const char *at = promise->name; *at != '\0'; ++at)
        text_append(text, RECIPE_NUMBERS, "%c", *at == '-' ? '_' : *at);
}

/* What is tried several times: the program tries it as often as the audit did, which may have been told to. */
static uint32_t tries_of(const struct audit_row *row, const struct recipe *recipe)
{
    enum { USUAL = 5 };
    return is_script(recipe) && row->finding.tries > USUAL ? row->finding.tries : USUAL;
}

void recipe_write_numbers(const struct reproduced_promise *reproduced, const struct recipe *recipe,
                          char text[RECIPE_NUMBERS])
{
    enum { PATIENCE = 1 << 16, PATIENCE_CUT = 1 << 15, PATIENCE_GROUP = 1 << 9, MOST_GROUPS = 1024 };
    const struct promise *promise = reproduced->row->promise;
    const struct finding *finding = &reproduced->row->finding;
    const struct device_probe *probe = &reproduced->device->probe;
    const uint64_t units = reproduced->device->info.compute_units, local = local_size(reproduced);
    const uint64_t pointer = promise->act == ASK_PARAMETER_SIZE ? reproduced->device->info.address_bits / 8 : 0;
    const uint64_t amount = promise->act == ASK_KERNEL_LOCAL ? PROMISE_LOCAL_BYTES : finding->promised - pointer;

    promise_options(promise, &reproduced->device->info, probe, amount, text);
    text_append(text, RECIPE_NUMBERS, "%s",
                probe->dialect == DIALECT_CL30 ? " -DGL_DIALECT_CL30" : " -DGL_DIALECT_CL12");
    text_append(text, RECIPE_NUMBERS,
                " %s -DOF_KERNEL=\"%s\" -DOF_FIRST=%" PRIu32 " -DOF_SECOND=%" PRIu32 " -DOF_VERSION=%u", recipe->told,
                recipe->kernel, promise->of[0], promise->of[1], device_info_version(&reproduced->device->info));
    text_append(text, RECIPE_NUMBERS, "%s -DOF_TRIES=%" PRIu32, promise->ends ? " -DOF_ENDS=1" : "",
                tries_of(reproduced->row, recipe));
    if (is_script(recipe))
        write_script(promise, probe, text);
    if (reproducer_sets(reproduced->environment))
        text_append(text, RECIPE_NUMBERS, " -DOF_SET=1");
    if (strcmp(recipe->kernel, "promise_functions") == 0)
        write_functions(reproduced, text);
    text_append(text, RECIPE_NUMBERS, " -DOF_PROMISED=%" PRIu64 " -DOF_MEASURED=%" PRIu64 " -DOF_TURNS=%" PRIu64,
                finding->promised, finding->measured, turns(reproduced));
    text_append(text, RECIPE_NUMBERS, " -DOF_LOCAL=%" PRIu64 " -DOF_GROUPS=%" PRIu64 " -DOF_ROUNDS=%" PRIu32, local,
                bounded(4 * (units + 1), 1, MOST_GROUPS), promise_rounds(promise, probe));
    text_append(text, RECIPE_NUMBERS, " -DOF_PLACES=%" PRIu64 " -DOF_PATIENCE=%d",
                local > 1 ? 4 * local : 2 * bounded(units, PAIRS_LEAST, PAIRS_MOST),
                local > 1                  ? PATIENCE_GROUP
                : probe->loops_cut_at != 0 ? PATIENCE_CUT
                                           : PATIENCE);
}
