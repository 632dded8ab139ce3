#include <CL/cl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "table.h"

#include "abi.h"

/* Status: 0 all groups passed, 1 they did not. */
enum { EXIT_PASSED = 0, EXIT_STALLED = 1, EXIT_NO_DEVICE = 2, EXIT_DRIVER = 3 };

/* Deadlines in seconds: what has not ended by then has hung, and the process leaves. */
enum { BUILD_DEADLINE_S = 120, LAUNCH_DEADLINE_S = 15 };

/* A group whose polls show no change gives up after so many; they grow until a launch that stalls lasts this long. */
enum { FUSE_FIRST = 1 << 12, FUSE_MOST = 1 << 28, STALL_MS = 500 };

#if defined(LIVE)
#define OPTIONS BUILD_OPTIONS " -DGL_LIVE"
#else
#define OPTIONS BUILD_OPTIONS
#endif

enum { PLATFORMS = 16, DEVICES = 16, TEXT = 256, CLASSES = 16, RANGES = 8 };

#define ENTRIES GL_CONTROL_WORDS
#define BOARD_WORDS (GL_SYNC((size_t)GROUPS) + SYNC_WORDS)

struct setup {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem board_buffer;
    uint32_t *board; /* the host's copy */
#if BUFFERS > 0
    cl_mem buffers[BUFFERS];
#endif
};

/* --- deadlines and errors --- */

static void on_deadline(int number)
{
    static const char text[] = "The driver did not come back before the deadline: it hangs.\n";
    (void)number;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(EXIT_DRIVER);
    _exit(EXIT_DRIVER);
}

static void check(cl_int code, const char *call)
{
    if (code == CL_SUCCESS)
        return;
    fflush(stdout);
    fprintf(stderr, "%s: OpenCL error %d\n", call, code);
    _exit(EXIT_DRIVER); /* without the driver's own clean-up, which may hang by now */
}

static void *allocate(size_t bytes)
{
    void *memory = calloc(1, bytes);
    if (memory == NULL) {
        fputs("no memory\n", stderr);
        exit(EXIT_DRIVER);
    }
    return memory;
}

/* --- device and kernel --- */

static bool take_device(cl_platform_id platform, cl_device_id device, const char *part)
{
    char name[TEXT] = "", platform_name[TEXT] = "", version[TEXT] = "";

    check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL), "CL_DEVICE_NAME");
    check(clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof version - 1, version, NULL), "CL_DRIVER_VERSION");
    check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof platform_name - 1, platform_name, NULL),
          "CL_PLATFORM_NAME");
    if (part != NULL && strstr(name, part) == NULL && strstr(platform_name, part) == NULL)
        return false;
    printf("%s (%s, driver %s)\n", name, platform_name, version);
    fflush(stdout);
    return true;
}

/* The first device whose name, or whose platform's, contains `part`; NULL: the first one. */
static cl_device_id find_device(const char *part)
{
    cl_platform_id platforms[PLATFORMS];
    cl_device_id devices[DEVICES];
    cl_uint platform_count = 0, count = 0;

    if (clGetPlatformIDs(PLATFORMS, platforms, &platform_count) != CL_SUCCESS)
        platform_count = 0;
    for (cl_uint i = 0; i < platform_count && i < PLATFORMS; ++i) {
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, DEVICES, devices, &count) != CL_SUCCESS)
            continue;
        for (cl_uint j = 0; j < count && j < DEVICES; ++j)
            if (take_device(platforms[i], devices[j], part))
                return devices[j];
    }
    fprintf(stderr, "no OpenCL device%s%s\n", part != NULL ? " whose name contains " : "", part != NULL ? part : "");
    exit(EXIT_NO_DEVICE);
}

static char *read_source(const char *path)
{
    enum { BYTES = 1 << 22 };
    char *text = allocate(BYTES);
    FILE *file = fopen(path, "r");

    if (file == NULL || fread(text, 1, BYTES - 1, file) == 0) {
        fprintf(stderr, "%s cannot be read: it has to be in the present folder\n", path);
        exit(EXIT_NO_DEVICE);
    }
    fclose(file);
    return text;
}

static cl_kernel build(const struct setup *setup, const char *source, const char *options)
{
    static char log[1 << 16];
    cl_int code;
    cl_program program = clCreateProgramWithSource(setup->context, 1, &source, NULL, &code);

    check(code, "clCreateProgramWithSource");
    code = clBuildProgram(program, 1, &setup->device, options, NULL, NULL);
    if (code != CL_SUCCESS &&
        clGetProgramBuildInfo(program, setup->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL) == CL_SUCCESS)
        fprintf(stderr, "%s\n", log);
    check(code, "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, KERNEL, &code);
    check(code, "clCreateKernel");
    return kernel;
}

#if LIMITS
/* A driver that cannot launch such groups by itself may use fewer registers once it is told their size. */
static cl_kernel build_to_fit(const struct setup *setup, const char *source)
{
    char options[TEXT];
    size_t most = 0;
    cl_kernel kernel = build(setup, source, OPTIONS);

    check(clGetKernelWorkGroupInfo(kernel, setup->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL),
          "CL_KERNEL_WORK_GROUP_SIZE");
    snprintf(options, sizeof options, "%s -DGL_REQUIRED_SIZE=%u", OPTIONS, LOCAL_SIZE);
    return most != 0 && most < LOCAL_SIZE ? build(setup, source, options) : kernel;
}
#endif

/* --- data --- */

#if BUFFERS > 0

static size_t element_bytes(const struct buffer *buffer)
{
    return buffer->type == 'U' || buffer->type == 'I' ? 8 : 4;
}

#if COMPUTED_BUFFERS
/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014). */
static uint64_t scatter(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t float_bits(float real)
{
    uint32_t bits;
    memcpy(&bits, &real, sizeof bits);
    return real == 0.0F ? 0 : bits;
}

/* An operand drawn by lot: small, or a power of two, so that a float gives the same result in any order. */
static uint64_t operand(const struct buffer *buffer, uint64_t lot, size_t index)
{
    const int small = (int)(lot % 17) - 8;
    const bool product = buffer->fill == '*', is_one = index % (buffer->count / 64 + 1) != 0;

    if (buffer->type == 'u' || buffer->type == 'U')
        return product ? lot | 1 : lot;
    if (buffer->type != 'f')
        return (uint64_t)(int64_t)(product ? 2 * small + 1 : small);
    if (!product)
        return float_bits((float)small);
    return float_bits(is_one ? 1.0F : lot % 2 == 0 ? 2.0F : 0.5F);
}

static uint64_t element(const struct buffer *buffer, size_t index, uint64_t lot)
{
    if (buffer->fill == '+' || buffer->fill == '*')
        return operand(buffer, lot, index);
    if (buffer->fill != 'i')
        return buffer->fill == '0' ? 0 : UINT64_MAX;
    return buffer->type == 'f' ? float_bits((float)index) : index;
}

static void fill(const struct buffer *buffer, uint64_t number, unsigned char *bytes)
{
    const uint64_t stream = scatter(((uint64_t)DATA_SEED << 8) + number);

    for (size_t i = 0; i < buffer->count; ++i) {
        const uint64_t wide = element(buffer, i, scatter(stream + i));
        const uint32_t word = (uint32_t)wide;
        if (element_bytes(buffer) == 8)
            memcpy(bytes + 8 * i, &wide, 8);
        else
            memcpy(bytes + 4 * i, &word, 4);
    }
}
#endif

static void write_buffers(const struct setup *setup)
{
    for (cl_uint i = 0; i < BUFFERS; ++i) {
        const size_t bytes = (buffers[i].count > 0 ? buffers[i].count : 1) * element_bytes(&buffers[i]);
        unsigned char *data = allocate(bytes);
#if COMPUTED_BUFFERS
        fill(&buffers[i], i, data);
#else
        memset(data, buffers[i].fill == '0' ? 0 : 0xff, bytes);
#endif
        check(clEnqueueWriteBuffer(setup->queue, setup->buffers[i], CL_TRUE, 0, bytes, data, 0, NULL, NULL),
              "clEnqueueWriteBuffer");
        free(data);
    }
}

static void open_buffers(struct setup *setup)
{
    cl_int code;
    for (cl_uint i = 0; i < BUFFERS; ++i) {
        const size_t bytes = (buffers[i].count > 0 ? buffers[i].count : 1) * element_bytes(&buffers[i]);
        setup->buffers[i] = clCreateBuffer(setup->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
        check(code, "clCreateBuffer");
        check(clSetKernelArg(setup->kernel, i + 1, sizeof(cl_mem), &setup->buffers[i]), "clSetKernelArg");
    }
}

#endif

static void open_setup(struct setup *setup, const char *part)
{
    cl_int code;

    setup->device = find_device(part);
    setup->context = clCreateContext(NULL, 1, &setup->device, NULL, NULL, &code);
    check(code, "clCreateContext");
    setup->queue = clCreateCommandQueue(setup->context, setup->device, 0, &code);
    check(code, "clCreateCommandQueue");
    char *source = read_source("stall.cl");
#if LIMITS
    setup->kernel = build_to_fit(setup, source);
#else
    setup->kernel = build(setup, source, OPTIONS);
#endif
    free(source);
    setup->board = allocate(BOARD_WORDS * sizeof *setup->board);
    setup->board_buffer =
        clCreateBuffer(setup->context, CL_MEM_READ_WRITE, BOARD_WORDS * sizeof *setup->board, NULL, &code);
    check(code, "clCreateBuffer");
    check(clSetKernelArg(setup->kernel, 0, sizeof(cl_mem), &setup->board_buffer), "clSetKernelArg");
#if LOCAL_BYTES > 0
    check(clSetKernelArg(setup->kernel, 1, LOCAL_BYTES, NULL), "clSetKernelArg");
#endif
#if BUFFERS > 0
    open_buffers(setup);
#endif
}

/* --- a launch --- */

/* The most polls of a group in one launch, whatever happens. */
static uint32_t total_fuse(uint32_t fuse)
{
#if defined(FUSE)
    return fuse < FUSE / 4 ? 4 * fuse : FUSE;
#else
    return 4 * fuse;
#endif
}

static bool is_longest(uint32_t fuse)
{
#if defined(FUSE)
    return total_fuse(fuse) == FUSE;
#else
    return fuse >= FUSE_MOST;
#endif
}

/* The board: what the kernel is asked for, and room for what each group says of itself. */
static void write_board(const struct setup *setup, uint32_t fuse, uint32_t pass, uint32_t stop)
{
    uint32_t *board = setup->board;
    const uint32_t total = total_fuse(fuse);

    memset(board, 0, BOARD_WORDS * sizeof *board);
    board[GL_STOP] = stop;
    board[GL_MODE] = MODE;
    board[GL_GROUPS] = GROUPS;
    board[GL_ROUNDS] = ROUNDS;
    board[GL_FUSE_IDLE] = fuse < total ? fuse : total;
    board[GL_FUSE_TOTAL] = total;
    board[GL_PASS] = pass;
    board[GL_SEED] = SEED;
    board[GL_JITTER] = JITTER;
    board[GL_UNEVEN] = UNEVEN;
    board[GL_POLLS_A_MS] = POLLS_A_MS;
    memcpy(board + GL_OWN, parameters, sizeof parameters);
    check(clEnqueueWriteBuffer(setup->queue, setup->board_buffer, CL_TRUE, 0, BOARD_WORDS * sizeof *board, board, 0,
                               NULL, NULL),
          "clEnqueueWriteBuffer");
}

static double now_ms(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void run_kernel(const struct setup *setup)
{
    const size_t local = LOCAL_SIZE, global = (size_t)GROUPS * LOCAL_SIZE;

    check(clEnqueueNDRangeKernel(setup->queue, setup->kernel, 1, NULL, &global, &local, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clFinish(setup->queue), "clFinish");
}

/* Groups that find the stop word set leave at once; a driver that builds in the first launch does so now. */
static void rehearse(const struct setup *setup)
{
    write_board(setup, FUSE_FIRST, 0, GL_STOP_HOST);
    run_kernel(setup);
}

/* Runs the kernel once, and reads the board; how long it took, in ms. */
static double launch(const struct setup *setup, uint32_t fuse, uint32_t pass)
{
#if BUFFERS > 0
    if (pass == 0)
        write_buffers(setup);
#endif
    write_board(setup, fuse, pass, 0);
    alarm(LAUNCH_DEADLINE_S);
    const double began_ms = now_ms();
    run_kernel(setup);
    const double took_ms = now_ms() - began_ms;
    check(clEnqueueReadBuffer(setup->queue, setup->board_buffer, CL_TRUE, 0, BOARD_WORDS * sizeof *setup->board,
                              setup->board, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    alarm(0);
    return took_ms;
}

/* --- what became of it --- */

/* A word of what the group says of itself. */
static uint32_t entry(const uint32_t *board, uint32_t group, uint32_t field)
{
    return board[ENTRIES + (size_t)group * GL_ENTRY_WORDS + field];
}

struct counts {
    uint32_t started, done, waiting, unproven;
    uint64_t checked, stale, wrong; /* reads of what other groups wrote */
};

static bool is_waiting(const uint32_t *board, uint32_t group)
{
    const uint32_t phase = entry(board, group, GL_PHASE);
    return phase == GL_PHASE_WAITING || phase == GL_PHASE_ITEMS;
}

static void count(const uint32_t *board, struct counts *counts)
{
    counts->started = counts->done = counts->waiting = counts->unproven = 0;
    for (uint32_t group = 0; group < GROUPS; ++group) {
        const uint32_t phase = entry(board, group, GL_PHASE);
        counts->started += entry(board, group, GL_TICKET) != 0;
        counts->done += phase == GL_PHASE_DONE;
        counts->waiting += is_waiting(board, group);
        counts->unproven += phase == GL_PHASE_DONE && entry(board, group, GL_PROVEN) != entry(board, group, GL_WAITS);
        counts->checked += entry(board, group, GL_CHECKED);
        counts->stale += entry(board, group, GL_STALE);
        counts->wrong += entry(board, group, GL_WRONG);
    }
}

/* The groups show the same: what they do, and what they wait for. */
static bool are_alike(const uint32_t *board, uint32_t a, uint32_t b)
{
    static const uint32_t shown[] = {GL_PHASE,      GL_ROUND,     GL_LOCKS_HELD, GL_WAIT_WORD,
                                     GL_WAIT_VALUE, GL_WAIT_KIND, GL_WAIT_GROUP};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; ++i)
        if (entry(board, a, shown[i]) != entry(board, b, shown[i]))
            return false;
    return true;
}

/* The group holds this lock; without a name (0), any. */
static bool holds(const uint32_t *board, uint32_t group, uint32_t lock)
{
    bool named = false;

    for (uint32_t i = 0; i < GL_NAMED_MOST; ++i)
        named = named || entry(board, group, GL_LOCK_NAMES + i) == lock;
    return entry(board, group, GL_LOCKS_HELD) != 0 && (lock == 0 || named);
}

/* `other` could end the wait of `group`. */
static bool awaits(const uint32_t *board, uint32_t group, uint32_t other)
{
    const uint32_t awaited = entry(board, group, GL_WAIT_GROUP);
    const uint32_t word = entry(board, group, GL_WAIT_WORD);

    switch (awaited) {
    case GL_GROUP_ALL:
        return entry(board, other, GL_TICKET) == 0 || entry(board, other, GL_ROUND) < entry(board, group, GL_ROUND);
    case GL_GROUP_HOLDER:
        return holds(board, other, entry(board, group, GL_WAIT_LOCK));
    case GL_GROUP_OWNER:
        return word < BOARD_WORDS && board[word] == other + 1;
    case GL_GROUP_ANY:
        return other != group && entry(board, other, GL_PHASE) != GL_PHASE_DONE;
    case GL_GROUP_SELF:
        return other == group;
    default:
        return awaited == other;
    }
}

/* Prints the ids of groups that `belongs` says yes to, in ranges; how many they are. */
static uint32_t print_groups(const uint32_t *board, uint32_t group,
                             bool (*belongs)(const uint32_t *board, uint32_t group, uint32_t other))
{
    uint32_t found = 0, ranges = 0, left = 0;

    for (uint32_t first = 0; first < GROUPS; ++first) {
        uint32_t end = first;
        while (end < GROUPS && belongs(board, group, end))
            ++end;
        if (end == first)
            continue;
        found += end - first;
        if (++ranges > RANGES)
            left += end - first;
        else if (end - first > 1)
            printf("%s%u-%u", ranges > 1 ? ", " : " ", first, end - 1);
        else
            printf("%s%u", ranges > 1 ? ", " : " ", first);
        first = end;
    }
    if (left > 0)
        printf(" and %u more", left);
    return found;
}

static bool has_not_started(const uint32_t *board, uint32_t group, uint32_t other)
{
    (void)group;
    return entry(board, other, GL_TICKET) == 0;
}

static void print_awaited(const uint32_t *board, uint32_t group)
{
    static const char *const specials[] = {"another work-item of the same group",
                                           "any group that has not ended",
                                           "the owner of the lock, whose id plus 1 is the word's value",
                                           "the host",
                                           "the group that holds the lock",
                                           "all groups that have not arrived at this round",
                                           "nobody"};
    const uint32_t awaited = entry(board, group, GL_WAIT_GROUP);

    if (awaited >= GL_GROUP_SELF)
        printf("    for %s:", specials[awaited - GL_GROUP_SELF]);
    else
        printf("    for group");
    if (print_groups(board, group, awaits) == 0)
        printf(" there is none");
    if (awaited < GROUPS)
        printf(entry(board, awaited, GL_TICKET) == 0              ? ", which never started"
               : entry(board, awaited, GL_PHASE) == GL_PHASE_DONE ? ", which has ended"
               : is_waiting(board, awaited)                       ? ", which waits itself"
                                                                  : "");
    putchar('\n');
}

static bool is_met(uint32_t kind, uint32_t seen, uint32_t value)
{
    if (kind == GL_UNTIL_EQUAL)
        return seen == value;
    if (kind == GL_UNTIL_DIFFERENT)
        return seen != value;
    return seen - value < GL_REACHED;
}

static void print_wait(const uint32_t *board, uint32_t group)
{
    static const char *const until[] = {"has reached", "is", "is no longer"};
    const uint32_t word = entry(board, group, GL_WAIT_WORD), kind = entry(board, group, GL_WAIT_KIND);
    const uint32_t value = entry(board, group, GL_WAIT_VALUE), seen = word < BOARD_WORDS ? board[word] : 0;

    printf(": waiting in round %u", entry(board, group, GL_ROUND));
    if (entry(board, group, GL_LOCKS_HELD) != 0)
        printf(", locks held: %u,", entry(board, group, GL_LOCKS_HELD));
    if (word >= GL_SYNC(GROUPS))
        printf(" until word %u of the kernel's", word - GL_SYNC(GROUPS));
    else
        printf(" until word %u of the board", word);
    printf(" %s %u; it is %u%s\n", until[kind < 3 ? kind : 0], value, seen,
           is_met(kind, seen, value) ? ": true in memory, and not seen" : "");
    print_awaited(board, group);
}

/* One class of groups: those that do what its first one does. */
static void print_class(const uint32_t *board, uint32_t group)
{
    printf("  groups");
    print_groups(board, group, are_alike);
    if (entry(board, group, GL_TICKET) == 0)
        puts(": never started");
    else if (entry(board, group, GL_PHASE) == GL_PHASE_DONE)
        printf(": done, after round %u%s\n", entry(board, group, GL_ROUND),
               entry(board, group, GL_LOCKS_HELD) != 0 ? ", and still holding a lock" : "");
    else if (is_waiting(board, group))
        print_wait(board, group);
    else
        printf(": running in round %u\n", entry(board, group, GL_ROUND));
}

static void print_classes(const uint32_t *board)
{
    int classes = 0;

    for (uint32_t group = 0; group < GROUPS; ++group) {
        uint32_t first = 0;
        while (!are_alike(board, group, first))
            ++first;
        if (first < group)
            continue;
        if (++classes > CLASSES) {
            puts("  and others");
            return;
        }
        print_class(board, group);
    }
}

static bool has_passed(const struct counts *counts)
{
#if defined(CHECKS)
    if (counts->checked != CHECKS)
        return false;
#endif
    return counts->done == GROUPS && counts->unproven == 0 && counts->stale == 0 && counts->wrong == 0;
}

static void print_outcome(const struct setup *setup, const struct counts *counts, double took_ms)
{
    const uint32_t *board = setup->board;

    printf("%u groups of %u work-items were launched: %u started, %u done, %u waiting, after %.0f ms\n", GROUPS,
           LOCAL_SIZE, counts->started, counts->done, counts->waiting, took_ms);
    if (counts->started < GROUPS) {
        printf("never started: groups");
        print_groups(board, 0, has_not_started);
        putchar('\n');
    }
    if (counts->done < GROUPS)
        print_classes(board);
    if (counts->unproven > 0)
        printf("in %u groups a wait ended although what they waited for was not so\n", counts->unproven);
    if (counts->stale + counts->wrong > 0)
        printf("of %llu reads of what other groups wrote %llu gave an old value and %llu a wrong one\n",
               (unsigned long long)counts->checked, (unsigned long long)counts->stale,
               (unsigned long long)counts->wrong);
#if defined(CHECKS)
    if (counts->done == GROUPS && counts->checked != CHECKS)
        printf("%llu such reads were made, and %llu should have been\n", (unsigned long long)counts->checked,
               (unsigned long long)CHECKS);
#endif
    if ((board[GL_STOP] & GL_STOP_TOTAL) != 0)
        puts("A group spent all its polls while groups went on changing: it is a livelock, or only slow.");
    puts(has_passed(counts) ? "It passed." : counts->done < GROUPS ? "It stalled." : "It failed.");
}

/* --- the trial --- */

/* Its launches, one after another on the same data; the first that does not end is the last. */
static double run_passes(const struct setup *setup, uint32_t fuse, struct counts *counts)
{
    double took_ms = 0;

    *counts = (struct counts){0};
    for (uint32_t pass = 0; pass < PASSES && (pass == 0 || counts->done == GROUPS); ++pass) {
        took_ms = launch(setup, fuse, pass);
        count(setup->board, counts);
    }
    return took_ms;
}

/* It has stalled: for long enough, and as the launch before, or for several times as long. */
static bool is_stall(double took_ms, const struct counts *counts, const struct counts *before)
{
    const bool same =
        counts->started == before->started && counts->done == before->done && counts->waiting == before->waiting;
    return took_ms >= 4 * STALL_MS || (took_ms >= STALL_MS && same);
}

/*
 * A fuse that blows early tells nothing: groups may only be slow. So the trial is run again with a longer one, until it
 * passes, or has stood still for long enough.
 */
static bool run(const struct setup *setup)
{
    struct counts counts = {0}, before;
    double took_ms = 0;

    for (uint32_t fuse = FUSE_FIRST;; fuse *= 2) {
        before = counts;
        took_ms = run_passes(setup, fuse, &counts);
        const bool blew = (setup->board[GL_STOP] & (GL_STOP_IDLE | GL_STOP_TOTAL)) != 0;
        if (!blew || is_stall(took_ms, &counts, &before) || is_longest(fuse))
            break;
    }
    const bool passed = has_passed(&counts);
    print_outcome(setup, &counts, took_ms);
    return passed;
}

int main(int argument_count, char **arguments)
{
    struct setup setup = {0};
    bool passed = true;

    if (argument_count > 2) {
        fprintf(stderr, "usage: %s [PART OF THE NAME OF A DEVICE OR PLATFORM]\n", arguments[0]);
        return EXIT_NO_DEVICE;
    }
    signal(SIGALRM, on_deadline);
    alarm(BUILD_DEADLINE_S);
    open_setup(&setup, arguments[1]);
    rehearse(&setup);
    for (int i = 0; i < LAUNCHES && passed; ++i)
        passed = run(&setup);
    fflush(stdout);
    _exit(passed ? EXIT_PASSED : EXIT_STALLED); /* without a clean-up that may wait for what has stalled */
}
