#include <CL/cl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "proof_table.h"

enum { EXIT_ENDED, EXIT_NO_END, EXIT_USAGE, EXIT_UNDECIDED, EXIT_OTHER_RESULT };
enum { PREPARE_S = 120, BEGIN_S = 60, LAUNCH_S = 30, LISTED = 16, TEXT = 512, ARGUMENTS = 64, OPTIONS = 1 << 15 };
enum { TRIAL_UNIT = 1 << 20, UNIT_MS = 50, UNIT_MOST = 1 << 30, MADE_UP = 1 << 16 };

/* What the process that does it tells the one that watches it. */
enum stage { PREPARING, LAUNCHED, COMPARING };
static _Atomic int *stage;

static struct {
    const char *device, *kernel;
    size_t groups;
    unsigned seconds;
} asked = {.device = "", .kernel = KERNEL, .seconds = LAUNCH_S};

static cl_int code;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

struct launch {
    cl_program program;
    cl_kernel kernel;
    cl_uint count;
    cl_mem buffers[ARGUMENTS];
    size_t bytes[ARGUMENTS]; /* 0: it is no buffer */
    unsigned numbers;        /* that nobody gave */
};

#define CHECK(call) check(call, #call)
#define MAKE(object, call) ((object) = (call), check(code, #call))

/* Leaves without a clean-up, in which a driver that failed may hang. */
static void check(cl_int outcome, const char *call)
{
    if (outcome == CL_SUCCESS)
        return;
    fflush(stdout);
    fprintf(stderr, "%s: OpenCL error %d: undecided\n", call, outcome);
    _exit(EXIT_UNDECIDED);
}

static void refuse(const char *what, const char *which)
{
    fflush(stdout);
    fprintf(stderr, "%s%s\n", what, which);
    _exit(EXIT_USAGE);
}

/* Zeroed. */
static void *allocate(size_t bytes)
{
    void *memory = calloc(1, bytes);

    if (memory == NULL) {
        perror("calloc");
        _exit(EXIT_UNDECIDED);
    }
    return memory;
}

#include "device.inc"

/* --- the kernel --- */

/* A delay is a loop of so many turns. */
static cl_program build(cl_uint unit)
{
    enum { LINES = sizeof lines / sizeof *lines };
    static char options[OPTIONS], log[1 << 16];
    static const char *texts[1 + LINES] = {delays};
    cl_program program;

    for (size_t i = 0; i < LINES; ++i)
        texts[1 + i] = lines[i];
    snprintf(options, sizeof options, "%s -cl-kernel-arg-info -DREPRODUCER_UNIT=%uu", BUILD_OPTIONS, unit);
    MAKE(program, clCreateProgramWithSource(context, 1 + LINES, texts, NULL, &code));
    code = clBuildProgram(program, 1, &device, options, NULL, NULL);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fputs(code != CL_SUCCESS ? log : "", stderr);
    check(code, "clBuildProgram");
    return program;
}

static double clock_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* How many turns of the loop take UNIT_MS: of the second launch, since a driver may build in the first one. */
static cl_uint measure_unit(void)
{
    cl_program program = build(TRIAL_UNIT);
    const size_t one = 1;
    double ms = 0, turns;
    cl_kernel kernel;

    MAKE(kernel, clCreateKernel(program, "reproducer_trial", &code));
    for (int i = 0; i < 2; ++i) {
        const double began = clock_ms();
        CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
        CHECK(clFinish(queue));
        ms = clock_ms() - began;
    }
    turns = TRIAL_UNIT * UNIT_MS / (ms > 0.01 ? ms : 0.01);
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
    return turns < (double)UNIT_MOST ? (cl_uint)turns : UNIT_MOST;
}

/* --- its arguments --- */

static const struct given *find_given(cl_uint index, const char *name)
{
    char number[16];

    snprintf(number, sizeof number, "%u", index);
    for (const struct given *given = arguments; given->name != NULL; ++given)
        if (strcmp(given->name, number) == 0 || strcmp(given->name, name) == 0)
            return given;
    return NULL;
}

/* Of a type such as "atomic_uint*" or "float4" the bytes of an element, and how many elements; 0: not known. */
static size_t element_bytes(const char *type, size_t *count)
{
    static const struct {
        const char *name;
        size_t bytes;
    } types[] = {{"char", 1}, {"short", 2}, {"half", 2}, {"int", 4}, {"float", 4}, {"long", 8}, {"double", 8}};

    type += strncmp(type, "atomic_", 7) == 0 ? 7 : 0;
    type += *type == 'u' ? 1 : 0;
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
        const size_t length = strlen(types[i].name);
        if (strncmp(type, types[i].name, length) != 0)
            continue;
        *count = (size_t)strtoul(type + length, NULL, 10);
        *count = *count == 0 ? 1 : *count == 3 ? 4 : *count;
        return types[i].bytes;
    }
    return *count = 0;
}

/* A buffer has as many bytes for each group as was given for fewer groups. */
static void set_buffer(struct launch *launch, cl_uint index, const struct given *given)
{
    const size_t times = (asked.groups + GROUPS - 1) / GROUPS;
    const size_t bytes = times * (given != NULL ? given->bytes : MADE_UP);
    cl_uint *words = allocate(bytes + sizeof *words);

    for (cl_uint i = 0; given != NULL && given->kind == 's' && (i + (size_t)1) * sizeof i <= bytes; ++i)
        words[i] = i;
    launch->bytes[index] = bytes;
    MAKE(launch->buffers[index],
         clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, words, &code));
    CHECK(clSetKernelArg(launch->kernel, index, sizeof(cl_mem), &launch->buffers[index]));
    free(words);
}

static void set_number(struct launch *launch, cl_uint index, const struct given *given, const char *type)
{
    char made_up[32];
    const int next = NUMBER + APART * (int)launch->numbers;
    snprintf(made_up, sizeof made_up, "%d", next > 0 ? next : 0);
    launch->numbers += given == NULL;
    const char *number = given != NULL ? given->number : made_up;
    const double real = strtod(number, NULL);
    const float single = (float)real;
    const long long whole = *number == '-' ? strtoll(number, NULL, 0) : (long long)strtoull(number, NULL, 0);
    const bool floating = strncmp(type, "float", 5) == 0;
    unsigned char value[128] = {0};
    size_t count, bytes = element_bytes(type, &count);

    for (size_t i = 0; i < count; ++i)
        memcpy(value + i * bytes,
               floating                          ? (const void *)&single
               : strncmp(type, "double", 6) == 0 ? (const void *)&real
                                                 : (const void *)&whole,
               bytes);
    for (size_t at = 0; bytes == 0 && at < sizeof value; at += sizeof(cl_uint))
        memcpy(value + at, &whole, sizeof(cl_uint));
    if (bytes > 0)
        CHECK(clSetKernelArg(launch->kernel, index, count * bytes, value));
    code = bytes > 0 ? CL_SUCCESS : CL_INVALID_ARG_SIZE;
    for (size_t size = 1; code == CL_INVALID_ARG_SIZE && size <= sizeof value; ++size)
        code = clSetKernelArg(launch->kernel, index, size, value);
    check(code, "clSetKernelArg");
}

static void set_argument(struct launch *launch, cl_uint index)
{
    char name[TEXT] = "", type[TEXT] = "";
    cl_kernel_arg_address_qualifier room;
    size_t count;

    CHECK(clGetKernelArgInfo(launch->kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof room, &room, NULL));
    CHECK(clGetKernelArgInfo(launch->kernel, index, CL_KERNEL_ARG_NAME, TEXT - 1, name, NULL));
    CHECK(clGetKernelArgInfo(launch->kernel, index, CL_KERNEL_ARG_TYPE_NAME, TEXT - 1, type, NULL));
    const struct given *given = find_given(index, name);
    if (strncmp(type, "image", 5) == 0 || strncmp(type, "sampler", 7) == 0)
        refuse("this program makes no image and no sampler: ", name);
    if (room == CL_KERNEL_ARG_ADDRESS_LOCAL) {
        const size_t bytes = element_bytes(type, &count), made_up = (bytes > 0 ? bytes * count : 16) * ITEMS;
        CHECK(clSetKernelArg(launch->kernel, index, given != NULL ? given->bytes : made_up, NULL));
    } else if (room == CL_KERNEL_ARG_ADDRESS_PRIVATE) {
        set_number(launch, index, given, type);
    } else {
        set_buffer(launch, index, given);
    }
}

/* --- the launch --- */

/* A driver may build in the launch: the kernel's own time begins when it runs, or so long after it was asked to. */
static void wait_for_begin(cl_event event)
{
    const double until = clock_ms() + BEGIN_S * 1000;

    CHECK(clFlush(queue));
    do {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof code, &code, NULL));
    } while (code > CL_RUNNING && clock_ms() < until);
}

static void run(struct launch *launch, cl_uint unit, enum stage at)
{
    const size_t local[3] = LOCAL_SIZE, global[3] = {asked.groups * local[0], local[1], local[2]};
    cl_event event;

    launch->program = build(unit);
    MAKE(launch->kernel, clCreateKernel(launch->program, asked.kernel, &code));
    CHECK(clGetKernelInfo(launch->kernel, CL_KERNEL_NUM_ARGS, sizeof launch->count, &launch->count, NULL));
    if (launch->count > ARGUMENTS)
        refuse("too many arguments: ", asked.kernel);
    for (cl_uint i = 0; i < launch->count; ++i)
        set_argument(launch, i);
    fflush(stdout);
    CHECK(clEnqueueNDRangeKernel(queue, launch->kernel, DIMENSIONS, NULL, global, local, 0, NULL, &event));
    wait_for_begin(event);
    atomic_store(stage, (int)at);
    CHECK(clFinish(queue));
    CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof code, &code, NULL));
    check(code == CL_COMPLETE ? CL_SUCCESS : code, "the launch");
    atomic_store(stage, PREPARING);
}

static bool are_alike(const struct launch *a, const struct launch *b)
{
    bool alike = true;

    for (cl_uint i = 0; i < a->count && i < b->count; ++i) {
        unsigned char *one = allocate(a->bytes[i] + 1), *other = allocate(b->bytes[i] + 1);
        if (a->bytes[i] > 0) {
            CHECK(clEnqueueReadBuffer(queue, a->buffers[i], CL_TRUE, 0, a->bytes[i], one, 0, NULL, NULL));
            CHECK(clEnqueueReadBuffer(queue, b->buffers[i], CL_TRUE, 0, b->bytes[i], other, 0, NULL, NULL));
        }
        alike = alike && a->bytes[i] == b->bytes[i] && memcmp(one, other, a->bytes[i]) == 0;
        free(one);
        free(other);
    }
    return alike;
}

/* In a process of its own. */
static int work(void)
{
    static struct launch forced, plain;
    cl_uint units = 1, unit = 0;

    if (!find_device(asked.device, false))
        refuse("no device or platform has this in its name: ", asked.device);
    CHECK(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
    if (asked.groups == 0)
        asked.groups = TIMES * units > GROUPS ? TIMES * units : GROUPS;
    MAKE(context, clCreateContext(NULL, 1, &device, NULL, NULL, &code));
    MAKE(queue, clCreateCommandQueue(context, device, 0, &code));
    if (DELAYS > 0)
        unit = measure_unit();
    printf("kernel %s, %zu groups of %d, on %u compute units", asked.kernel, asked.groups, ITEMS, units);
    if (DELAYS > 0)
        printf("; delays of %d ms and more", UNIT_MS);
    puts("");
    fflush(stdout);
    run(&forced, unit, LAUNCHED);
    if (!COMPARES) {
        puts("It ended.");
        return EXIT_ENDED;
    }
    run(&plain, 0, COMPARING);
    const bool alike = are_alike(&forced, &plain);
    puts(alike ? "It ended right: with the same memory as a launch without delays."
               : "It ended with a wrong result: with other memory than a launch without delays.");
    return alike ? EXIT_ENDED : EXIT_OTHER_RESULT;
}

/* --- the watch --- */

/* Waits for its end; false: there is none before the stage that it is in has taken too long. */
static bool await(pid_t child, int *status)
{
    int seen = PREPARING;
    double until = clock_ms() + PREPARE_S * 1000;

    while (waitpid(child, status, WNOHANG) == 0) {
        if (atomic_load(stage) != seen) {
            seen = atomic_load(stage);
            until = clock_ms() + (seen == PREPARING ? PREPARE_S : asked.seconds) * 1e3;
        }
        if (clock_ms() > until)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    return true;
}

static int watch(pid_t child)
{
    int status = 0;

    if (await(child, &status)) {
        if (WIFEXITED(status))
            return WEXITSTATUS(status);
        fprintf(stderr, "The driver crashed, with signal %d: undecided.\n", WTERMSIG(status));
        return EXIT_UNDECIDED;
    }
    kill(child, SIGKILL); /* a driver may not let it go: its end is not waited for */
    if (atomic_load(stage) == COMPARING)
        puts("It ended with delays; the same launch without them:");
    if (atomic_load(stage) == PREPARING) {
        puts("It could not be launched in time: undecided.");
        return EXIT_UNDECIDED;
    }
    printf("It did not end within %u s, and was killed.\n", asked.seconds);
    return EXIT_NO_END;
}

static int print_usage(const char *program)
{
    fprintf(stderr,
            "usage: %s [-d PART OF THE NAME OF A DEVICE OR PLATFORM] [-s SECONDS] [-g GROUPS] [-k KERNEL]\n"
            "       of these devices:\n",
            program);
    find_device("", true);
    return EXIT_USAGE;
}

int main(int count, char **words)
{
    for (int i = 1; i < count; ++i)
        if (ASKS(words[i]))
            return print_usage(words[0]), EXIT_ENDED;
    for (int option; (option = getopt(count, words, "d:s:g:k:")) != -1;) {
        if (option == 'd')
            asked.device = optarg;
        else if (option == 's')
            asked.seconds = (unsigned)strtoul(optarg, NULL, 10);
        else if (option == 'g')
            asked.groups = strtoul(optarg, NULL, 10);
        else if (option == 'k')
            asked.kernel = optarg;
        else
            return print_usage(words[0]);
    }
    if (optind < count || asked.seconds == 0)
        return print_usage(words[0]);
    stage = mmap(NULL, sizeof *stage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const pid_t child = stage != MAP_FAILED ? fork() : -1;
    if (child < 0)
        return perror("fork"), EXIT_UNDECIDED;
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        const int outcome = work();
        fflush(stdout);
        _exit(outcome); /* without a clean-up, in which a driver may hang */
    }
    return watch(child);
}
