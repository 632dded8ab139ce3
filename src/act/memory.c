/* Promises about the sizes of buffers and arguments. */
#include "act/promising.h"
#include "device/cl_status.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLACES = PROMISE_PLACES,
    PARAMETERS_MOST = 1 << 16,
    SALT = 0x5eed,
};

struct filling {
    struct promising *promising;
    bool constant;
    uint64_t words; /* of the buffer, or of the structure */
    cl_mem buffer;
};

/* --- what a launch has read --- */

static uint64_t word_at(const struct filling *filling, size_t place)
{
    return place * (filling->words - 1) / (PLACES - 1);
}

static uint32_t value_at(size_t place)
{
    return (uint32_t)(place + 1) * UINT32_C(0x9e3779b9) ^ SALT;
}

static int fails(struct filling *filling, const char *call, const char *why)
{
    return promising_says(filling->promising, "With %" PRIu64 " bytes, %s fails: %.150s.",
                          filling->promising->finding.promised, call, why);
}

/* Memory that cannot be had now may be had at another time. */
static bool lacks_memory(cl_int code)
{
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY;
}

static int differs(struct filling *filling, const char *who, size_t place, uint32_t word)
{
    return promising_says(filling->promising,
                          "Of %" PRIu64 " bytes, word %" PRIu64 " was written as 0x%08" PRIx32
                          ", and %s read 0x%08" PRIx32 ".",
                          filling->promising->finding.promised, word_at(filling, place), value_at(place), who, word);
}

/* Launches the kernel, whose arguments are set. 1: it read the values. */
static int reads(struct filling *filling, struct error *error)
{
    static const size_t one[3] = {1, 1, 1};
    struct promising *promising = filling->promising;
    const struct launch_end *end = &promising->end;
    const struct buffer *results = &promising->buffers[0];
    const int ran = promising_run(promising, one, one, &promising->buffers[0], error);

    if (ran == 0 && filling->buffer != NULL && (lacks_memory(end->enqueue_code) || lacks_memory(end->finish_code)))
        return error_set(error, STATUS_HARNESS, "the launch fails: %s", promising_failure(promising));
    if (ran == 0)
        return fails(filling, "the launch", promising_failure(promising));
    for (size_t i = 0; ran == 1 && i < PLACES; ++i)
        if (results->words[i] != value_at(i))
            return differs(filling, "the kernel", i, results->words[i]);
    return ran;
}

/* --- buffers --- */

static int write_places(const struct filling *filling, struct error *error)
{
    for (size_t i = 0; i < PLACES; ++i) {
        const uint32_t value = value_at(i);
        const cl_int code =
            clEnqueueWriteBuffer(filling->promising->session->queue, filling->buffer, CL_TRUE,
                                 word_at(filling, i) * sizeof value, sizeof value, &value, 0, NULL, NULL);
        if (code != CL_SUCCESS)
            return cl_status_error(error, "clEnqueueWriteBuffer", code);
    }
    return 0;
}

/* The kernel has left the complement of each value. */
static int read_places(struct filling *filling, struct error *error)
{
    for (size_t i = 0; i < PLACES; ++i) {
        uint32_t value = 0;
        const cl_int code =
            clEnqueueReadBuffer(filling->promising->session->queue, filling->buffer, CL_TRUE,
                                word_at(filling, i) * sizeof value, sizeof value, &value, 0, NULL, NULL);
        if (code != CL_SUCCESS)
            return cl_status_error(error, "clEnqueueReadBuffer", code);
        if (value != ~value_at(i))
            return differs(filling, "the host, of its complement,", i, value);
    }
    return 1;
}

static int use_buffer(struct filling *filling, struct error *error)
{
    cl_kernel kernel = filling->promising->program->kernel;
    const cl_ulong words = filling->words;
    cl_int code = clSetKernelArg(kernel, 1, sizeof(cl_mem), &filling->buffer);

    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 2, sizeof words, &words);
    if (code != CL_SUCCESS)
        return cl_status_error(error, "clSetKernelArg", code);
    if (write_places(filling, error) != 0)
        return -1;
    const int found = reads(filling, error);
    return found == 1 && !filling->constant ? read_places(filling, error) : found;
}

/* Drivers may fill a buffer when it is made, so it is made once. */
static int fill_buffer(void *context, struct error *error)
{
    struct filling *filling = context;
    cl_int code = CL_SUCCESS;

    if (filling->buffer == NULL)
        filling->buffer = clCreateBuffer(filling->promising->session->context,
                                         filling->constant ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE,
                                         filling->promising->finding.promised, NULL, &code);
    if (filling->buffer != NULL)
        return use_buffer(filling, error);
    return lacks_memory(code) ? cl_status_error(error, "clCreateBuffer", code)
                              : fails(filling, "clCreateBuffer", cl_status_name(code));
}

/* Of the host, in bytes; 0: not known. */
static uint64_t free_memory(void)
{
    static const char name[] = "MemAvailable:";
    char line[128];
    uint64_t kibibytes = 0;
    FILE *file = fopen("/proc/meminfo", "re");

    while (file != NULL && kibibytes == 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, strlen(name)) == 0)
            kibibytes = strtoull(line + strlen(name), NULL, 10);
    if (file != NULL)
        fclose(file);
    return kibibytes * 1024;
}

static int repeat(struct filling *filling, promise_try *attempt, struct error *error)
{
    struct finding *finding = &filling->promising->finding;
    int outcome = promising_buffer(filling->promising, 0, PLACES, error);

    finding->offered = true;
    if (outcome == 0)
        outcome = promising_repeat(filling->promising, attempt, filling, error);
    if (filling->buffer != NULL)
        clReleaseMemObject(filling->buffer);
    finding->measured = finding->fails < finding->tries ? finding->promised : 0;
    return outcome;
}

int promise_buffer_size(struct promising *promising, struct error *error)
{
    struct filling filling = {.promising = promising, .constant = promising->promise->of[0] != 0};

    if (promising_build(promising, "promise_memory", error) != 0)
        return -1;
    const uint64_t promised =
        promising_ask(promising, filling.constant ? CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE : CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    if (promised < PLACES * sizeof(uint32_t))
        return error_set(error, STATUS_HARNESS, "the driver does not answer the query");
    if (promising->session->info.kind == DEVICE_CPU && promised > free_memory())
        return error_set(error, STATUS_HARNESS, "%" PRIu64 " bytes are more than is free", promised);
    promising->finding.promised = promised;
    filling.words = promised / sizeof(uint32_t);
    return repeat(&filling, fill_buffer, error);
}

/* --- arguments --- */

static int fill_parameters(void *context, struct error *error)
{
    struct filling *filling = context;
    uint32_t words[PARAMETERS_MOST / sizeof(uint32_t)] = {0};

    for (size_t i = 0; i < PLACES; ++i)
        words[word_at(filling, i)] = value_at(i);
    const cl_int code = clSetKernelArg(filling->promising->program->kernel, 1, filling->words * sizeof *words, words);
    return code == CL_SUCCESS ? reads(filling, error) : fails(filling, "clSetKernelArg", cl_status_name(code));
}

/* 1: the kernel is built; 0: it is refused, as the finding says. */
static int build_parameters(struct filling *filling, struct error *error)
{
    struct finding *finding = &filling->promising->finding;
    struct error failure;

    filling->promising->amount = filling->words * sizeof(uint32_t);
    if (promising_begins(filling->promising, error) != 0)
        return -1;
    if (promising_build(filling->promising, "promise_memory", &failure) == 0)
        return 1;
    finding->tries = finding->fails = 1;
    return fails(filling, "building the kernel", failure.text);
}

int promise_parameter_size(struct promising *promising, struct error *error)
{
    struct filling filling = {.promising = promising};
    const uint64_t promised = promising_ask(promising, CL_DEVICE_MAX_PARAMETER_SIZE);
    const uint64_t pointer = promising->session->info.address_bits / 8;

    if (promised < pointer + PLACES * sizeof(uint32_t) || promised > PARAMETERS_MOST)
        return error_set(error, STATUS_HARNESS, "%" PRIu64 " bytes of arguments are not tried", promised);
    filling.words = (promised - pointer) / sizeof(uint32_t);
    promising->finding.offered = true;
    promising->finding.promised = promised;
    const int built = build_parameters(&filling, error);
    return built == 1 ? repeat(&filling, fill_parameters, error) : built;
}
