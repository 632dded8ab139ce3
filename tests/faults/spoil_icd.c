/*
 * A driver that passes every call on to a real one, SPOIL_DRIVER, and spoils those that it was told to spoil. It puts
 * its own functions into the real driver's table of functions, so that objects need no wrapping.
 *
 *   SPOIL_CALL=NAME:NUMBER:FAULT     the call of that number of that function, from 1 over all processes; NUMBER+ is
 *                                    that and all later ones, NUMBER-LAST those up to another one
 *   SPOIL_RANDOM=SEED:COUNT:FAULT,FAULT,...
 *                                    of a million calls of any function about COUNT, each with one of these faults
 *   SPOIL_WORK=1                     calls count only from the first launch on that does what its scenario is for, or
 *                                    from the first program by which a promise is measured: how many come before varies
 *   SPOIL_TYPE=gpu                   all devices are said to be GPUs
 *   SPOIL_SUB_GROUPS=SIZE:WAITS      the device says that it has sub-groups of so many work-items, which are together
 *                                    in rows, and whether they may wait (0 or 1); programs must bring their functions
 *   SPOIL_EXTENSIONS=NAME NAME...    the device says that it has these extensions as well
 *   SPOIL_GROUPS=N[:device|:says]    groups of a kernel have at most N work-items, as the driver says and sees to; or
 *                                    those of the device; or it only says so
 *   SPOIL_PRIVATE=N                  a kernel has N bytes of private memory for each of its arguments, as the driver
 *   says SPOIL_TEXT=TEXT                  a program text that is a lie begins with this line
 *   SPOIL_DIES_OF=TEXT               the driver crashes when it is given a program that has this text in it;
 *                                    SPOIL_DIES_LATE=1: 3 s after that
 *   SPOIL_CHATTERS=TEXT              the driver prints "2 errors generated." when it is given such a program; (launch):
 *                                    at each launch
 *   SPOIL_PARTS=WHERE:FAULT:WORDS    the fault comes at each build or launch of a program that has all of the WORDS in
 *                                    its options or text, separated by commas; of !WORD, that it has not. A word
 *                                    $NAME=VALUE is of the environment. WHERE is build, launch, or launch=N: in groups
 *                                    of N work-items and more
 *   SPOIL_END=FAULT                  comes when the process ends by exit: it hangs, for example
 *   SPOIL_STATE=FILE                 in which the calls of all processes are counted (struct counter)
 *   SPOIL_LOG=FILE                   gets a line for each call that was spoiled:
 *                                    process, function, number, fault, and the seed on the board of this process, by
 *                                    which a launch is known; 0: it had none yet; and with "launch" for a fault, one
 *                                    before each launch that does what its scenario is for
 *
 * A fault is crash, abort, exit, kill, hang, spin, slow (3 s), lag (0.1 s), skip (success, and nothing done), code=N
 * (that error), lost (all later launches of this process fail), half (half of the groups are launched), flood (of
 * stderr), socket (nonsense to each descriptor), orphans (processes in sessions of their own), leave (exit by the
 * library's function), state (another signal mask, folder, umask and rounding), handlers (for all signals, which do
 * nothing), deaf (these, and it never returns), page=N (that byte all over the head of the page that is shared with the
 * supervisor; page=N-hang: and it never returns), double (an answer twice as large), round (an answer, to a multiple of
 * 1024), drop (the list of events that a launch waits for), or lie (another answer, program text or work-group size;
 * half of an argument of four bytes; a time that is 18 minutes later; a kernel gets other memory than the host shares;
 * a user event does not fail, but completes; a wait succeeds; a callback is called at once). Of a list of events: first
 * or last, which alone is waited for. Of bytes that are moved: short (one is not), even (an offset is made even),
 * origin (it is 0, also that of a sub-buffer). Of a map: stale (what it shows is as at the first map), copy (what is
 * written there is lost; so it is with a stale one). Of a launch: rest (the last group does not run), row (nor
 * does the last one of the second dimension), origin (it begins at 0), flat (it does so but in the first dimension),
 * twice, never (it waits for what nobody sets). Of the time at which a command ended: shrink (half of its duration),
 * alike (one millisecond after its begin), back (before it). Of a callback: twice, status (it is told that the command
 * was submitted). Of an event: submitted (it says so, for ever).
 */
#include "spoil_icd.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CALL_OF(name, ...) CALL_##name,
#define CALL_MADE(type, name, ...) CALL_##name,
#define NAME_OF(name, ...) #name,
#define NAME_MADE(type, name, ...) #name,

enum { SPOIL_FUNCTIONS(CALL_OF, CALL_OF, CALL_OF, CALL_OF, CALL_MADE, CALL_OF) CALL_COUNT, FAULT_BYTES = 32 };

/* What SPOIL_STATE has, of all processes. */
struct state {
    struct counter {
        char name[56];
        _Atomic uint64_t calls;
    } counters[CALL_COUNT];
    _Atomic uint64_t counts; /* whether calls count yet */
};

static const char *const call_names[CALL_COUNT] = {
    SPOIL_FUNCTIONS(NAME_OF, NAME_OF, NAME_OF, NAME_OF, NAME_MADE, NAME_OF)};

static cl_icd_dispatch real; /* the driver's own functions */
static struct state *state;
static _Atomic bool lost; /* all launches of this process fail */

/* --- which call, and how --- */

static void open_state(void)
{
    static struct state own;
    const size_t bytes = sizeof own;
    const char *path = getenv("SPOIL_STATE");
    const int file = path == NULL ? -1 : open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

    void *memory = file < 0 || ftruncate(file, (off_t)bytes) != 0
                       ? MAP_FAILED
                       : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

    state = memory != MAP_FAILED ? memory : &own;
    for (unsigned call = 0; call < CALL_COUNT; ++call)
        snprintf(state->counters[call].name, sizeof state->counters[call].name, "%s", call_names[call]);
    if (getenv("SPOIL_WORK") == NULL)
        atomic_store(&state->counts, true);
    if (file >= 0)
        close(file);
}

static uint64_t scatter(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static bool is_named(const char *name, uint64_t number, char *fault)
{
    char wanted[64] = "", sign[2] = "";
    uint64_t at = 0, last = 0;
    const char *plan = getenv("SPOIL_CALL");

    if (plan == NULL)
        return false;
    if (sscanf(plan, "%63[^:]:%" SCNu64 "-%" SCNu64 ":%31s", wanted, &at, &last, fault) == 4)
        return strcmp(name, wanted) == 0 && number >= at && number <= last;
    if (sscanf(plan, "%63[^:]:%" SCNu64 "%1[+]:%31s", wanted, &at, sign, fault) != 4 &&
        sscanf(plan, "%63[^:]:%" SCNu64 ":%31s", wanted, &at, fault) != 3)
        return false;
    return strcmp(name, wanted) == 0 && (sign[0] == '+' ? number >= at : number == at);
}

static bool is_drawn(unsigned call, uint64_t number, char *fault)
{
    char faults[512];
    uint64_t seed = 0, share = 0;
    const char *plan = getenv("SPOIL_RANDOM");

    if (plan == NULL || sscanf(plan, "%" SCNu64 ":%" SCNu64 ":%511s", &seed, &share, faults) != 3)
        return false;
    const uint64_t lot = scatter(scatter(seed * CALL_COUNT + call + 1) + number);
    if (lot % 1000000 >= share)
        return false;
    uint64_t count = 1;
    for (const char *at = faults; (at = strchr(at, ',')) != NULL; ++at)
        ++count;
    const char *chosen = faults;
    for (uint64_t skipped = lot / 1000000 % count; skipped > 0; --skipped)
        chosen = strchr(chosen, ',') + 1;
    snprintf(fault, FAULT_BYTES, "%.*s", (int)strcspn(chosen, ","), chosen);
    return true;
}

static void note(const char *name, uint64_t number, const char *fault)
{
    char line[160];
    const char *path = getenv("SPOIL_LOG");
    const int file = path == NULL ? -1 : open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

    if (file < 0)
        return;
    const int length = snprintf(line, sizeof line, "%ld %s %" PRIu64 " %s %" PRIu32 "\n", (long)getpid(), name, number,
                                fault, spoil_board_seed());
    if (write(file, line, (size_t)length) < 0)
        abort(); /* the log is the truth */
    close(file);
}

static struct spoiling spoil(unsigned call)
{
    char fault[FAULT_BYTES] = "";

    if (!atomic_load(&state->counts))
        return (struct spoiling){.does_nothing = false};
    const uint64_t number = atomic_fetch_add(&state->counters[call].calls, 1) + 1;
    if (call == CALL_clEnqueueNDRangeKernel && atomic_load(&lost))
        return (struct spoiling){.code = CL_OUT_OF_RESOURCES, .does_nothing = true};
    if (!is_named(call_names[call], number, fault) && !is_drawn(call, number, fault))
        return (struct spoiling){.does_nothing = false};
    if (strcmp(fault, "lost") == 0)
        atomic_store(&lost, true);
    note(call_names[call], number, fault);
    spoil_process(fault);
    const bool fails = strncmp(fault, "code=", 5) == 0;
    struct spoiling spoiling = {
        .code = fails ? atoi(fault + 5) : CL_SUCCESS,
        .does_nothing = fails || strcmp(fault, "skip") == 0,
        .halves = strcmp(fault, "half") == 0,
        .lies = strcmp(fault, "lie") == 0,
        .doubles = strcmp(fault, "double") == 0,
        .drops = strcmp(fault, "drop") == 0,
        .rounds = strcmp(fault, "round") == 0,
    };
    snprintf(spoiling.fault, sizeof spoiling.fault, "%s", fault);
    return spoiling;
}

static bool is(const struct spoiling *spoiling, const char *fault)
{
    return strcmp(spoiling->fault, fault) == 0;
}

static void shorten_list(const struct spoiling *spoiling, cl_uint *count, const cl_event **list)
{
    if (*count > 1 && is(spoiling, "last"))
        *list += *count - 1;
    if (*count > 1 && (is(spoiling, "first") || is(spoiling, "last")))
        *count = 1;
}

static void move_bytes(const struct spoiling *spoiling, size_t *offset, size_t *size)
{
    if (is(spoiling, "short") && *size > 1)
        *size -= 1;
    if (is(spoiling, "even"))
        *offset -= *offset % 2;
    if (is(spoiling, "origin"))
        *offset = 0;
}

/* --- the functions --- */

enum { MOST_SUB_GROUPS = 4096 }; /* as many as PoCL has work-items in a group */

static bool has_sub_groups(unsigned *size, unsigned *waits)
{
    const char *plan = getenv("SPOIL_SUB_GROUPS");
    return plan != NULL && sscanf(plan, "%u:%u", size, waits) == 2;
}

/* 0: as many as the real driver says. */
static size_t most_items(bool of_device)
{
    const char *plan = getenv("SPOIL_GROUPS");
    return plan == NULL || (of_device && strstr(plan, ":device") == NULL) ? 0 : strtoul(plan, NULL, 10);
}

static void limit_groups(unsigned call, cl_uint what, size_t *value)
{
    const bool of_kernel = call == CALL_clGetKernelWorkGroupInfo && what == CL_KERNEL_WORK_GROUP_SIZE;
    const bool of_side = call == CALL_clGetDeviceInfo && what == CL_DEVICE_MAX_WORK_ITEM_SIZES;
    const bool of_device = call == CALL_clGetDeviceInfo && what == CL_DEVICE_MAX_WORK_GROUP_SIZE;
    const size_t most = most_items(!of_kernel);

    for (size_t i = 0; i < (of_side ? 3 : of_kernel || of_device) && most != 0; ++i)
        value[i] = value[i] < most ? value[i] : most;
}

static void add_extensions(size_t size, char *value)
{
    const char *more = getenv("SPOIL_EXTENSIONS");
    const size_t length = strlen(value);

    if (more != NULL && length + strlen(more) + 2 <= size)
        snprintf(value + length, size - length, " %s", more);
}

static void spoil_answer(const struct spoiling *spoiling, unsigned call, cl_uint what, size_t size, void *value)
{
    if (call == CALL_clGetDeviceInfo && what == CL_DEVICE_TYPE && value != NULL && getenv("SPOIL_TYPE") != NULL)
        *(cl_device_type *)value = CL_DEVICE_TYPE_GPU;
    if (value != NULL)
        limit_groups(call, what, value);
    unsigned sub_group = 0, waits = 0;
    if (call == CALL_clGetDeviceInfo && value != NULL && has_sub_groups(&sub_group, &waits)) {
        if (what == CL_DEVICE_MAX_NUM_SUB_GROUPS)
            *(cl_uint *)value = MOST_SUB_GROUPS;
        if (what == CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS)
            *(cl_bool *)value = waits;
    }
    if (call == CALL_clGetDeviceInfo && what == CL_DEVICE_EXTENSIONS && value != NULL)
        add_extensions(size, value);
    if (spoiling->lies && value != NULL && size > 0)
        ++((unsigned char *)value)[call == CALL_clGetEventProfilingInfo ? 5 : 0];
    if (is(spoiling, "submitted") && call == CALL_clGetEventInfo && what == CL_EVENT_COMMAND_EXECUTION_STATUS)
        *(cl_int *)value = CL_SUBMITTED;
    if (spoiling->doubles && value != NULL && size == sizeof(uint64_t))
        *(uint64_t *)value *= 2;
    if (spoiling->rounds && value != NULL && size == sizeof(cl_ulong))
        *(cl_ulong *)value -= *(cl_ulong *)value % 1024;
}

/* A command took half of the time that it took, or all take the same. */
static void spoil_end(const struct spoiling *spoiling, cl_event event, cl_uint what, cl_ulong *end)
{
    cl_ulong begin = 0;

    if (what != CL_PROFILING_COMMAND_END || end == NULL ||
        real.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL) != CL_SUCCESS)
        return;
    if (is(spoiling, "shrink"))
        *end = begin + (*end - begin) / 2;
    if (is(spoiling, "alike"))
        *end = begin + 1000000;
    if (is(spoiling, "back"))
        *end = begin - 1000;
}

#define PLAIN(name, parameters, arguments)                                                                             \
    static cl_int CL_API_CALL spoil_##name parameters                                                                  \
    {                                                                                                                  \
        const struct spoiling spoiling = spoil(CALL_##name);                                                           \
        return spoiling.does_nothing ? spoiling.code : real.name arguments;                                            \
    }

#define WAITS(name, parameters, arguments)                                                                             \
    static cl_int CL_API_CALL spoil_##name parameters                                                                  \
    {                                                                                                                  \
        const struct spoiling spoiling = spoil(CALL_##name);                                                           \
        shorten_list(&spoiling, &count, &list);                                                                        \
        const cl_int code = spoiling.does_nothing ? spoiling.code : real.name arguments;                               \
        return spoiling.lies ? CL_SUCCESS : code;                                                                      \
    }

#define MOVES(name, parameters, arguments)                                                                             \
    static cl_int CL_API_CALL spoil_##name parameters                                                                  \
    {                                                                                                                  \
        const struct spoiling spoiling = spoil(CALL_##name);                                                           \
        move_bytes(&spoiling, &offset, &size);                                                                         \
        shorten_list(&spoiling, &count, &list);                                                                        \
        return spoiling.does_nothing ? spoiling.code : real.name arguments;                                            \
    }

#define QUERY(name, parameters, arguments)                                                                             \
    static cl_int CL_API_CALL spoil_##name parameters                                                                  \
    {                                                                                                                  \
        const struct spoiling spoiling = spoil(CALL_##name);                                                           \
        const cl_int answered = spoiling.does_nothing ? spoiling.code : real.name arguments;                           \
        spoil_answer(&spoiling, CALL_##name, what, size, value);                                                       \
        return answered;                                                                                               \
    }

#define MAKE(type, name, parameters, arguments)                                                                        \
    static type CL_API_CALL spoil_##name parameters                                                                    \
    {                                                                                                                  \
        const struct spoiling spoiling = spoil(CALL_##name);                                                           \
        if (!spoiling.does_nothing)                                                                                    \
            return real.name arguments;                                                                                \
        if (code != NULL)                                                                                              \
            *code = spoiling.code;                                                                                     \
        return NULL;                                                                                                   \
    }

#define WRITTEN_OUT(name)

SPOIL_FUNCTIONS(PLAIN, WAITS, MOVES, QUERY, MAKE, WRITTEN_OUT)

static cl_int CL_API_CALL spoil_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                                         cl_kernel_work_group_info what, size_t size, void *value,
                                                         size_t *needed)
{
    const struct spoiling spoiling = spoil(CALL_clGetKernelWorkGroupInfo);
    const char *each = getenv("SPOIL_PRIVATE");
    cl_uint arguments = 0;
    const cl_int answered = spoiling.does_nothing
                                ? spoiling.code
                                : real.clGetKernelWorkGroupInfo(kernel, device, what, size, value, needed);

    if (what == CL_KERNEL_PRIVATE_MEM_SIZE && value != NULL && each != NULL &&
        real.clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL) == CL_SUCCESS)
        *(cl_ulong *)value = arguments * strtoul(each, NULL, 10);
    spoil_answer(&spoiling, CALL_clGetKernelWorkGroupInfo, what, size, value);
    return answered;
}

static cl_int CL_API_CALL spoil_clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t size,
                                                        void *value, size_t *needed)
{
    const struct spoiling spoiling = spoil(CALL_clGetEventProfilingInfo);
    const cl_int answered =
        spoiling.does_nothing ? spoiling.code : real.clGetEventProfilingInfo(event, what, size, value, needed);

    spoil_answer(&spoiling, CALL_clGetEventProfilingInfo, what, size, value);
    spoil_end(&spoiling, event, what, value);
    return answered;
}

/* Of a device that has none; one that has them answers itself. */
static cl_int CL_API_CALL spoil_clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
                                                        cl_kernel_sub_group_info what, size_t input_size,
                                                        const void *input, size_t size, void *value, size_t *needed)
{
    const struct spoiling spoiling = spoil(CALL_clGetKernelSubGroupInfo);
    const size_t *given = input;
    size_t *answer = value;
    unsigned largest = 0, waits = 0;

    if (spoiling.does_nothing)
        return spoiling.code;
    if (!has_sub_groups(&largest, &waits))
        return real.clGetKernelSubGroupInfo(kernel, device, what, input_size, input, size, value, needed);
    const size_t items = input_size == 3 * sizeof *given ? given[0] * given[1] * given[2] : 1;
    if (what == CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE)
        *answer = largest;
    else if (what == CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE)
        *answer = (items + largest - 1) / largest;
    else if (what == CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT)
        for (int i = 0; i < 3; ++i)
            answer[i] = given[0] * largest > MOST_SUB_GROUPS ? 0 : i == 0 ? given[0] * largest : 1;
    else
        *answer = MOST_SUB_GROUPS / largest;
    spoil_answer(&spoiling, CALL_clGetKernelSubGroupInfo, what, size, value);
    return CL_SUCCESS;
}

static cl_kernel CL_API_CALL spoil_clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    const struct spoiling spoiling = spoil(CALL_clCreateKernel);
    if (!spoiling.does_nothing)
        return real.clCreateKernel(program, name, code);
    *code = spoiling.code;
    return NULL;
}

static void chatter(const char *text)
{
    const char *of = getenv("SPOIL_CHATTERS");

    if (of != NULL && strstr(text, of) != NULL)
        fputs("2 errors generated.\n", stderr);
}

static cl_program CL_API_CALL spoil_clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts,
                                                              const size_t *lengths, cl_int *code)
{
    /* Those who call it here give one text. */
    if (strstr(texts[0], "promise_") != NULL)
        atomic_store(&state->counts, true);
    if (getenv("SPOIL_DIES_OF") != NULL && strstr(texts[0], getenv("SPOIL_DIES_OF")) != NULL) {
        if (getenv("SPOIL_DIES_LATE") != NULL)
            spoil_process("slow");
        spoil_process("crash");
    }
    chatter(texts[0]);
    const struct spoiling spoiling = spoil(CALL_clCreateProgramWithSource);
    const char *text = getenv("SPOIL_TEXT");
    const char *changed[] = {text != NULL ? text : "#define GL_SPOILED 1", "\n", texts[0]};

    if (spoiling.does_nothing) {
        *code = spoiling.code;
        return NULL;
    }
    return spoiling.lies ? real.clCreateProgramWithSource(context, 3, changed, NULL, code)
                         : real.clCreateProgramWithSource(context, count, texts, lengths, code);
}

static cl_int CL_API_CALL spoil_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                                               const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                                               void *data)
{
    const struct spoiling spoiling = spoil(CALL_clBuildProgram);
    const cl_int code = spoil_parts_built(&real, program, options);
    if (code != CL_SUCCESS || spoiling.does_nothing)
        return code != CL_SUCCESS ? code : spoiling.code;
    return real.clBuildProgram(program, count, devices, options, notify, data);
}

/* Nobody sets it. */
static cl_event make_event(cl_command_queue queue)
{
    cl_context context = NULL;

    if (real.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(cl_context), &context, NULL) != CL_SUCCESS)
        abort();
    return real.clCreateUserEvent(context, NULL);
}

/* A launch that is said to be enqueued has an event, which completes. */
static cl_int CL_API_CALL spoil_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                       const size_t *offset, const size_t *global, const size_t *local,
                                                       cl_uint count, const cl_event *list, cl_event *event)
{
    if (spoil_board_is_for_work())
        note(call_names[CALL_clEnqueueNDRangeKernel], 0, "launch");
    const struct spoiling spoiling = spoil(CALL_clEnqueueNDRangeKernel);
    const size_t groups = local == NULL ? global[0] : global[0] / local[0];
    size_t size[3] = {global[0], dimensions > 1 ? global[1] : 1, dimensions > 2 ? global[2] : 1};

    if (spoiling.does_nothing)
        return spoiling.code != CL_SUCCESS ? spoiling.code
                                           : real.clEnqueueMarkerWithWaitList(queue, count, list, event);
    size_t items = 1;
    for (cl_uint i = 0; i < dimensions && local != NULL; ++i)
        items *= local[i];
    chatter("(launch)");
    const cl_int code = spoil_parts_launched(&real, kernel, items);
    if (code != CL_SUCCESS)
        return code;
    if (most_items(false) != 0 && items > most_items(false) && strstr(getenv("SPOIL_GROUPS"), ":says") == NULL)
        return CL_INVALID_WORK_GROUP_SIZE;
    if (spoiling.drops)
        count = 0;
    shorten_list(&spoiling, &count, &list);
    if (spoiling.halves && groups > 1)
        size[0] = groups / 2 * (size[0] / groups);
    if (is(&spoiling, "rest") && groups > 1)
        size[0] -= size[0] / groups;
    const cl_event never = is(&spoiling, "never") ? make_event(queue) : NULL;
    if (never != NULL) {
        count = 1;
        list = &never;
    }
    if (is(&spoiling, "row") && size[1] > 1 && local != NULL && size[1] > local[1])
        size[1] -= local[1];
    if (is(&spoiling, "origin"))
        offset = NULL;
    const size_t flat[3] = {offset != NULL ? offset[0] : 0, 0, 0};
    if (is(&spoiling, "flat") && offset != NULL)
        offset = flat;
    if (is(&spoiling, "twice"))
        real.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, size, local, count, count == 0 ? NULL : list,
                                    NULL);
    return real.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, size, spoiling.lies ? NULL : local, count,
                                       count == 0 ? NULL : list, event);
}

struct callback {
    void(CL_CALLBACK *notify)(cl_event, cl_int, void *);
    void *data;
    bool twice;
};

/* It is called twice, or with the status of a command that has yet to run. */
static void CL_CALLBACK call_falsely(cl_event event, cl_int status, void *data)
{
    const struct callback callback = *(struct callback *)data;

    free(data);
    callback.notify(event, callback.twice ? status : CL_SUBMITTED, callback.data);
    if (callback.twice)
        callback.notify(event, status, callback.data);
}

static void *make_callback(void(CL_CALLBACK *notify)(cl_event, cl_int, void *), void *data, bool twice)
{
    struct callback *callback = malloc(sizeof *callback);

    if (callback == NULL)
        abort();
    *callback = (struct callback){notify, data, twice};
    return callback;
}

/* It may be called at once, which is too early. */
static cl_int CL_API_CALL spoil_clSetEventCallback(cl_event event, cl_int status,
                                                   void(CL_CALLBACK *notify)(cl_event, cl_int, void *), void *data)
{
    const struct spoiling spoiling = spoil(CALL_clSetEventCallback);
    if (spoiling.does_nothing)
        return spoiling.code;
    if (is(&spoiling, "twice") || is(&spoiling, "status"))
        return real.clSetEventCallback(event, status, call_falsely,
                                       make_callback(notify, data, is(&spoiling, "twice")));
    if (!spoiling.lies)
        return real.clSetEventCallback(event, status, notify, data);
    notify(event, status, data);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL spoil_clSetUserEventStatus(cl_event event, cl_int status)
{
    const struct spoiling spoiling = spoil(CALL_clSetUserEventStatus);
    if (spoiling.does_nothing)
        return spoiling.code;
    return real.clSetUserEventStatus(event, spoiling.lies ? CL_COMPLETE : status);
}

/* Memory that nobody else has. */
static const void *make_private(cl_kernel kernel)
{
    enum { BYTES = 1 << 16 };
    cl_context context = NULL;
    void *memory = NULL;

    if (real.clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, sizeof context, &context, NULL) == CL_SUCCESS)
        memory = real.clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, BYTES, 0);
    if (memory == NULL)
        abort();
    return memset(memory, 0, BYTES);
}

static void count_from_work(void)
{
    if (spoil_board_is_for_work())
        atomic_store(&state->counts, true);
}

static cl_int CL_API_CALL spoil_clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    if (index == 0 && size == sizeof(cl_mem) && value != NULL) {
        spoil_board_given_buffer(*(const cl_mem *)value);
        count_from_work();
    }
    const struct spoiling spoiling = spoil(CALL_clSetKernelArg);
    uint32_t half = 0;

    if (spoiling.does_nothing)
        return spoiling.code;
    if (spoiling.lies && value != NULL && size == sizeof half) {
        memcpy(&half, value, size);
        half /= 2;
        value = &half;
    }
    return real.clSetKernelArg(kernel, index, size, value);
}

static cl_int CL_API_CALL spoil_clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *value)
{
    if (index == 0)
        spoil_board_given(value);
    count_from_work();
    const struct spoiling spoiling = spoil(CALL_clSetKernelArgSVMPointer);
    if (spoiling.does_nothing)
        return spoiling.code;
    return real.clSetKernelArgSVMPointer(kernel, index, spoiling.lies ? make_private(kernel) : value);
}

/* What it has mapped stays its own. */
static cl_int CL_API_CALL spoil_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem buffer, void *memory,
                                                        cl_uint count, const cl_event *list, cl_event *event)
{
    const struct spoiling spoiling = spoil(CALL_clEnqueueUnmapMemObject);
    if (spoiling.does_nothing)
        return spoiling.code;
    return spoil_has_mapped(memory) ? real.clEnqueueMarkerWithWaitList(queue, count, list, event)
                                    : real.clEnqueueUnmapMemObject(queue, buffer, memory, count, list, event);
}

static cl_mem CL_API_CALL spoil_clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                                  const void *info, cl_int *code)
{
    const struct spoiling spoiling = spoil(CALL_clCreateSubBuffer);
    cl_buffer_region region = *(const cl_buffer_region *)info;

    if (spoiling.does_nothing) {
        *code = spoiling.code;
        return NULL;
    }
    move_bytes(&spoiling, &region.origin, &region.size);
    return real.clCreateSubBuffer(buffer, flags, type, &region, code);
}

static void *CL_API_CALL spoil_clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                  cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                                                  const cl_event *list, cl_event *event, cl_int *code)
{
    const struct spoiling spoiling = spoil(CALL_clEnqueueMapBuffer);
    if (spoiling.does_nothing) {
        *code = spoiling.code;
        return NULL;
    }
    void *own = is(&spoiling, "stale") || is(&spoiling, "copy")
                    ? spoil_mapped(&real, queue, buffer, is(&spoiling, "stale"), offset)
                    : NULL;
    if (own != NULL) {
        *code = CL_SUCCESS;
        return own;
    }
    void *memory = real.clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, count, list, event, code);
    spoil_board_mapped(buffer, memory);
    return memory;
}

static cl_int CL_API_CALL spoil_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                     size_t offset, size_t size, const void *memory, cl_uint count,
                                                     const cl_event *list, cl_event *event)
{
    const struct spoiling spoiling = spoil(CALL_clEnqueueWriteBuffer);
    if (spoiling.does_nothing)
        return spoiling.code;
    move_bytes(&spoiling, &offset, &size);
    shorten_list(&spoiling, &count, &list);
    spoil_board_written(buffer, offset, size, memory);
    return real.clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, memory, count, list, event);
}

static cl_int CL_API_CALL spoil_clReleaseMemObject(cl_mem buffer)
{
    const struct spoiling spoiling = spoil(CALL_clReleaseMemObject);
    if (spoiling.does_nothing)
        return spoiling.code;
    spoil_board_released(buffer);
    return real.clReleaseMemObject(buffer);
}

static void *CL_API_CALL spoil_clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    const struct spoiling spoiling = spoil(CALL_clSVMAlloc);
    return spoiling.does_nothing ? NULL : real.clSVMAlloc(context, flags, size, alignment);
}

static void CL_API_CALL spoil_clSVMFree(cl_context context, void *memory)
{
    const struct spoiling spoiling = spoil(CALL_clSVMFree);
    if (!spoiling.does_nothing)
        real.clSVMFree(context, memory);
}

/* --- the driver --- */

/* The table may be in memory that is read-only after loading. */
static void replace_functions(cl_icd_dispatch *table)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t begin = (uintptr_t)table / page * page;

    if (real.clGetDeviceIDs != NULL)
        return;
    if (mprotect((void *)begin, (uintptr_t)table + sizeof *table - begin, PROT_READ | PROT_WRITE) != 0)
        abort();
    real = *table;
#define REPLACE(name, ...) table->name = spoil_##name;
#define REPLACE_MADE(type, name, ...) table->name = spoil_##name;
    SPOIL_FUNCTIONS(REPLACE, REPLACE, REPLACE, REPLACE, REPLACE_MADE, REPLACE)
}

/* Each release of the OpenCL headers has a name of its own for it. */
typedef cl_int(CL_API_CALL *list_platforms)(cl_uint room, cl_platform_id *platforms, cl_uint *count);

/* NULL if there is no such driver. */
static list_platforms load_driver(void)
{
    const char *path = getenv("SPOIL_DRIVER");
    void *library = path == NULL ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *(*find)(const char *name) = NULL;

    if (library != NULL)
        *(void **)&find = dlsym(library, "clGetExtensionFunctionAddress");
    return find == NULL ? NULL : (list_platforms)find("clIcdGetPlatformIDsKHR");
}

EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    const list_platforms list = load_driver();
    cl_platform_id first = NULL;

    if (list == NULL)
        return CL_PLATFORM_NOT_FOUND_KHR;
    if (state == NULL)
        open_state();
    if (list(1, &first, NULL) == CL_SUCCESS)
        replace_functions(*(cl_icd_dispatch **)first);
    return list(room, platforms, count);
}

EXPORT cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t size, void *value,
                                            size_t *needed)
{
    return spoil_clGetPlatformInfo(platform, what, size, value, needed);
}

EXPORT void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
    if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0)
        return (void *)clIcdGetPlatformIDsKHR;
    return strcmp(name, "clGetPlatformInfo") == 0 ? (void *)clGetPlatformInfo : NULL;
}
