#include <CL/cl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "layout.inc"

/* What became of a launch. STARVED: it stalled, and a group never started. */
enum outcome { PASSED, STALLED, STARVED, CUT, STALE, WRONG, ANY_FAILURE };

#include "table.h"

enum { EXIT_PASSED, EXIT_SHOWN, EXIT_NO_DEVICE, EXIT_UNDECIDED, EXIT_OTHER };
enum { BUILD_DEADLINE_S = 120, LAUNCH_DEADLINE_S = 15 };
/* A group gives up after so many polls; the launch is made again with twice as many until it has stalled for long. */
enum { FUSE_FIRST = 1 << 14, POLLS_A_S = 50000, STALL_MS = 500, TEXT = 512, LISTED = 16, CLASSES = 16, RANGES = 8 };

static cl_uint groups = GROUPS, board[GL_SYNC((size_t)TIMES * GROUPS) + TIMES * SYNC_WORDS]; /* the host's copy */
static cl_uint (*const entries)[GL_ENTRY_WORDS] = (cl_uint(*)[GL_ENTRY_WORDS])(board + GL_CONTROL_WORDS);
#define WORDS (sizeof board / sizeof *board) /* a driver that fails may leave any number there */
static struct counts {                       /* of groups, in this launch and in the one with half as many polls */
    cl_uint started, done, waiting, cut, steps, checked, stale, wrong;
} counts, before;
static cl_int code;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static cl_mem memories[sizeof buffers / sizeof *buffers]; /* the board, and the buffers */

static void on_deadline(int number)
{
    static const char text[] = "No end was seen before the deadline: undecided. It may hang, or only be late.\n";
    _exit(write(STDERR_FILENO, text, sizeof text - 1) < 0 ? number : EXIT_UNDECIDED);
}

#define CHECK(call) check(call, #call)
#define MAKE(object, call) ((object) = (call), check(code, #call))

/* Leaves without a clean-up, in which a driver that failed may hang. */
static void check(cl_int outcome, const char *call)
{
    if (outcome == CL_SUCCESS)
        return;
    fflush(stdout);
    fprintf(stderr, "%s: OpenCL error %d\n", call, outcome);
    _exit(EXIT_UNDECIDED);
}

#include "device.inc"

static void build(const char *options)
{
    static char text[1 << 20], log[1 << 16];
    FILE *file = fopen("stall.cl", "r");
    cl_program program;

    if (file == NULL || fread(text, 1, sizeof text - 1, file) == 0) {
        fputs("cannot read stall.cl: it must be in the current folder\n", stderr);
        exit(EXIT_NO_DEVICE);
    }
    fclose(file);
    MAKE(program, clCreateProgramWithSource(context, 1, (const char *[]){text}, NULL, &code));
    code = clBuildProgram(program, 1, &device, options, NULL, NULL);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fputs(code != CL_SUCCESS ? log : "", stderr);
    check(code, "clBuildProgram");
    MAKE(kernel, clCreateKernel(program, KERNEL, &code));
}

/* A driver that cannot launch such groups by itself may use fewer registers once it is told their size. */
static void build_to_fit(const char *options)
{
    size_t most = 0;

    build(options);
    CHECK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL));
    if (most != 0 && most < LOCAL_SIZE)
        build(BUILD_OPTIONS REQUIRED_SIZE);
}

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014). */
static cl_ulong scatter(cl_ulong x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* What is drawn by lot is small, or a power of two, so that a float gives the same result in any order. */
static void fill_data(const struct buffer *buffer, cl_uint number, unsigned char *bytes)
{
    const cl_ulong stream = scatter(((cl_ulong)DATA_SEED << 8) + number);
    const bool is_unsigned = buffer->type == 'u' || buffer->type == 'U', product = buffer->fill == '*';

    for (size_t i = 0; i < buffer->count && buffer->fill != '0'; ++i, bytes += buffer->bytes) {
        const cl_ulong lot = scatter(stream + i), small = lot % 17 - 8;
        const float factor = i % (buffer->count / 64 + 1) != 0 ? 1 : lot % 2 == 0 ? 2 : 0.5f;
        const float real = buffer->fill == 'i' ? (float)i : product ? factor : (float)(cl_long)small;
        const cl_ulong wide = buffer->fill == '1'   ? ~(cl_ulong)0
                              : buffer->fill == 'i' ? i
                              : is_unsigned         ? lot | product
                                                    : (product ? 2 * small + 1 : small);
        const cl_uint word = (cl_uint)wide;
        const void *from = buffer->bytes == 8 ? (const void *)&wide : &word;
        memcpy(bytes, buffer->type == 'f' && buffer->fill != '1' ? &real : from, buffer->bytes);
    }
}

static void open_all(void)
{
    MAKE(context, clCreateContext(NULL, 1, &device, NULL, NULL, &code));
    MAKE(queue, clCreateCommandQueue(context, device, 0, &code));
    BUILD(BUILD_OPTIONS);
    for (cl_uint i = 0; i == 0 || buffers[i - 1].count > 0; ++i) {
        const size_t bytes = i == 0 ? sizeof board : TIMES * buffers[i - 1].count * buffers[i - 1].bytes;
        MAKE(memories[i], clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &code));
        CHECK(clSetKernelArg(kernel, i, sizeof(cl_mem), &memories[i]));
    }
    if (LOCAL_BYTES > 0)
        CHECK(clSetKernelArg(kernel, 1, LOCAL_BYTES, NULL));
}

static void write_buffers(void)
{
    for (cl_uint i = 0; buffers[i].count > 0; ++i) {
        const size_t bytes = TIMES * buffers[i].count * buffers[i].bytes;
        unsigned char *data = calloc(1, bytes);
        check(data != NULL ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, "calloc");
        FILL(&buffers[i], i, data);
        CHECK(clEnqueueWriteBuffer(queue, memories[i + 1], CL_TRUE, 0, bytes, data, 0, NULL, NULL));
        free(data);
    }
}

static void count(void)
{
    memset(&counts, 0, sizeof counts);
    for (cl_uint group = 0; group < groups; ++group) {
        const cl_uint *entry = entries[group];
        counts.started += entry[GL_TICKET] != 0;
        counts.done += entry[GL_PHASE] == GL_PHASE_DONE;
        counts.waiting += entry[GL_PHASE] == GL_PHASE_WAITING;
        counts.cut += entry[GL_LEAVING] == GL_LEFT_CUT;
        counts.steps += entry[GL_STEPS];
        counts.checked += entry[GL_CHECKED];
        counts.stale += entry[GL_STALE];
        counts.wrong += entry[GL_WRONG];
    }
}

/* Runs the kernel once, and reads the board; how long the kernel took, in ms. */
static double launch(cl_uint fuse, cl_uint pass, cl_uint stop)
{
    const size_t global = (size_t)groups * LOCAL_SIZE, local = LOCAL_SIZE;
    struct timespec began, ended;

    memset(board, 0, sizeof board);
    memcpy(board, request, sizeof request);
    board[GL_GROUPS] = groups;
    board[GL_FUSE] = fuse;
    board[GL_PASS] = pass;
    board[GL_STOP] = stop;
    CHECK(clEnqueueWriteBuffer(queue, memories[0], CL_TRUE, 0, sizeof board, board, 0, NULL, NULL));
    clock_gettime(CLOCK_MONOTONIC, &began);
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    CHECK(clFinish(queue));
    clock_gettime(CLOCK_MONOTONIC, &ended);
    CHECK(clEnqueueReadBuffer(queue, memories[0], CL_TRUE, 0, sizeof board, board, 0, NULL, NULL));
    count();
    return (double)(ended.tv_sec - began.tv_sec) * 1e3 + (double)(ended.tv_nsec - began.tv_nsec) / 1e6;
}

/* The groups show the same: what they do, and what they wait for. */
static bool are_alike(cl_uint a, cl_uint b)
{
    const cl_uint *one = entries[a], *other = entries[b];
    const size_t words = (one[GL_PHASE] == GL_PHASE_WAITING ? GL_WAIT_LOCK : GL_PHASE) + 1 - GL_ROUND;
    return memcmp(one + GL_ROUND, other + GL_ROUND, words * sizeof *one) == 0 &&
           one[GL_LOCKS_HELD] == other[GL_LOCKS_HELD];
}

/* `other` could end the wait of `group`. */
static bool awaits(cl_uint group, cl_uint other)
{
    const cl_uint *entry = entries[group], *others = entries[other], *held = others + GL_LOCK_NAMES;
    const cl_uint whom = entry[GL_WAIT_GROUP], lock = entry[GL_WAIT_LOCK]; /* 0: it has no name */
    const bool named = held[0] == lock || held[1] == lock || held[2] == lock;

    return whom == GL_GROUP_ALL      ? others[GL_TICKET] == 0 || others[GL_ROUND] < entry[GL_ROUND]
           : whom == GL_GROUP_HOLDER ? others[GL_LOCKS_HELD] != 0 && (lock == 0 || named)
           : whom == GL_GROUP_OWNER  ? board[entry[GL_WAIT_WORD] % WORDS] == other + 1
           : whom == GL_GROUP_ANY    ? other != group && others[GL_PHASE] != GL_PHASE_DONE
                                     : other == (whom == GL_GROUP_SELF ? group : whom);
}

/* Prints the ids of groups that `belongs` says yes to, in ranges. */
static void print_groups(cl_uint group, bool (*belongs)(cl_uint group, cl_uint other))
{
    int ranges = 0;

    for (cl_uint first = 0, end; first < groups; first = end + 1) {
        for (end = first; end < groups && belongs(group, end);)
            ++end;
        if (end > first && ++ranges <= RANGES)
            printf(end - first > 1 ? "%s%u-%u" : "%s%u", ranges > 1 ? ", " : " ", first, end - 1);
    }
    fputs(ranges > RANGES ? " and others" : ranges == 0 ? " none" : "", stdout);
}

static void print_wait(cl_uint group)
{
    static const char *const until[] = {"has reached", "is", "is no longer"};
    const cl_uint *entry = entries[group], word = entry[GL_WAIT_WORD], own = GL_SYNC(groups);
    const cl_uint value = entry[GL_WAIT_VALUE], kind = entry[GL_WAIT_KIND] % 3, whom = entry[GL_WAIT_GROUP];
    const cl_uint seen = board[word % WORDS];
    const bool met[] = {seen - value < 1u << 31, seen == value, seen != value};

    printf(": waiting in round %u", entry[GL_ROUND]);
    if (entry[GL_LOCKS_HELD] != 0)
        printf(", locks held: %u,", entry[GL_LOCKS_HELD]);
    printf(" until word %u of the %s %s %u; it is %u%s\n    for %s", word < own ? word : word - own,
           word < own ? "board" : "kernel's", until[kind], value, seen,
           met[kind] ? ": true in memory, but not seen" : "",
           whom == GL_GROUP_ALL      ? "all groups that have not arrived at this round:"
           : whom == GL_GROUP_HOLDER ? "the group that holds the lock:"
           : whom == GL_GROUP_OWNER  ? "the owner of the lock, whose id plus 1 is the word's value:"
           : whom == GL_GROUP_ANY    ? "any group that has not ended:"
           : whom == GL_GROUP_SELF   ? "another work-item of the same group:"
                                     : "group");
    print_groups(group, awaits);
    putchar('\n');
}

/* Groups that do the same are one class. */
static void print_classes(void)
{
    for (cl_uint group = 0, first = 0, classes = 0; group < groups && classes < CLASSES; ++group) {
        const cl_uint *entry = entries[group], phase = entry[GL_PHASE];
        for (first = 0; !are_alike(group, first);)
            ++first;
        if (first < group)
            continue;
        printf("%s groups", ++classes == CLASSES     ? "  and others, as"
                            : phase == GL_PHASE_NONE ? "  never started:"
                                                     : " ");
        print_groups(group, are_alike);
        if (phase == GL_PHASE_WAITING)
            print_wait(group);
        else if (phase == GL_PHASE_NONE)
            putchar('\n');
        else
            printf(": %s round %u%s\n", phase == GL_PHASE_DONE ? "done, after" : "ended without saying so, in",
                   entry[GL_ROUND],
                   phase == GL_PHASE_DONE && entry[GL_LOCKS_HELD] != 0 ? ", and still holding a lock" : "");
    }
}

static enum outcome find_outcome(void)
{
    const bool made = counts.checked == CHECKS || groups > GROUPS;

    if (counts.cut > 0)
        return CUT;
    if (counts.waiting > 0)
        return counts.started < groups ? STARVED : STALLED;
    return counts.stale > 0 ? STALE : counts.done < groups || !made || counts.wrong > 0 ? WRONG : PASSED;
}

/* It is what was seen where this program comes from. */
static bool is_wanted(enum outcome outcome)
{
    const enum outcome wanted = WANTED;
    return wanted == ANY_FAILURE ? outcome != PASSED : outcome == wanted || (wanted == STALLED && outcome == STARVED);
}

/* Prints what became of the trial. */
static enum outcome conclude(double took_ms)
{
    static const char *const names[] = {"passed", "stalled", "stalled", "stalled", "failed", "failed"};
    const enum outcome outcome = find_outcome();

    printf("%u groups of %u work-items were launched: %u started, %u done, %u waiting, after %.0f ms\n", groups,
           LOCAL_SIZE, counts.started, counts.done, counts.waiting, took_ms);
    if (counts.done < groups)
        print_classes();
    if (counts.cut > 0)
        printf("in %u groups the driver cut a loop that still waited\n", counts.cut);
    else if (counts.waiting > 0 && before.started > 0 && counts.steps > before.steps)
        printf("%u waits ended or locks changed hands, and %u with half as many polls: a livelock, or only slow\n",
               counts.steps, before.steps);
    if (outcome == STALE || outcome == WRONG)
        printf("%u reads of what other groups wrote: %u returned a stale value and %u a wrong one\n", counts.checked,
               counts.stale, counts.wrong);
    printf("It %s.\n", names[outcome]);
    return outcome;
}

/* A group that gave up may only have been too early, so the fuse grows until the trial passes or stalls for long. */
static enum outcome run(void)
{
    cl_uint fuse = FUSE_FIRST / 2;
    double took_ms = 0, stall_ms;

    memset(&counts, 0, sizeof counts);
    do {
        fuse = fuse < FUSE_MOST / 2 ? 2 * fuse : FUSE_MOST;
        before = counts;
        alarm(LAUNCH_DEADLINE_S + fuse / POLLS_A_S * PASSES); /* more of them a second, also on a busy machine */
        write_buffers();
        for (cl_uint pass = 0; pass < PASSES && (pass == 0 || counts.done == groups); ++pass)
            took_ms = launch(fuse, pass, 0);
        const bool same = memcmp(&counts, &before, sizeof counts) == 0;
        stall_ms = STALL_MS * (same ? 1 : counts.done <= before.done ? 4 : 12); /* it may only be slow */
    } while (board[GL_STOP] != 0 && counts.cut == 0 && took_ms < stall_ms && fuse < FUSE_MOST);
    return conclude(took_ms);
}

int main(int argument_count, char **arguments)
{
    const char *part = argument_count > 1 ? arguments[1] : "";
    const bool asks = ASKS(part);
    enum outcome outcome = PASSED;

    signal(SIGALRM, on_deadline);
    alarm(BUILD_DEADLINE_S);
    if (argument_count > 2 || asks || !find_device(part, false)) {
        if (argument_count == 2 && !asks)
            fprintf(stderr, "no device or platform has \"%s\" in its name\n", part);
        fprintf(stderr, "usage: %s [PART OF THE NAME OF A DEVICE OR PLATFORM] of these:\n", arguments[0]);
        find_device("", true);
        return asks ? EXIT_PASSED : EXIT_NO_DEVICE;
    }
    fflush(stdout);
    open_all();
    write_buffers();
    launch(FUSE_FIRST, 0, 1); /* groups leave at once; a driver that builds in the first launch does so now */
    for (int i = 0; i < LAUNCHES && outcome == PASSED; ++i)
        outcome = run();
    for (; outcome == PASSED && 2 * groups <= TIMES * GROUPS; outcome = run()) /* it may need fewer registers */
        printf("Starved before, so once more with %u groups, since more may fit of this kernel.\n", groups *= 2);
    if (WANTED != PASSED && !is_wanted(outcome))
        printf("This program was written for another outcome, which did not show: %s.\n", WANTED_NAME);
    fflush(stdout);
    /* Without a clean-up that may wait for what has stalled. */
    _exit(outcome == PASSED ? EXIT_PASSED : WANTED == PASSED || is_wanted(outcome) ? EXIT_SHOWN : EXIT_OTHER);
}
