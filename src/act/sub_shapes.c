/* Promises about the number and the size of sub-groups. */
#include "act/gathering.h"
#include "device/cl_status.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <string.h>

enum {
    MOST_ITEMS = 8192, /* of a group whose shape is looked at */
    SHAPE_TOLD = 5,    /* words of each work-item, as in promise_sub_shape.cl */
};

typedef cl_int CL_API_CALL ask_kernel(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info what,
                                      size_t input_size, const void *input, size_t size, void *value, size_t *needed);

/* --- what the driver says --- */

/* The function is of OpenCL 2.1, which loaders may be older than; before, it was of the extension. */
static ask_kernel *find_ask(const struct promising *promising)
{
    cl_platform_id platform = NULL;
    void *found =
        device_info_version(&promising->session->info) >= 201 ? dlsym(RTLD_DEFAULT, "clGetKernelSubGroupInfo") : NULL;
    ask_kernel *ask = NULL;

    clGetDeviceInfo(promising->session->device, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), &platform, NULL);
    if (found == NULL)
        found = clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSubGroupInfoKHR");
    memcpy(&ask, &found, sizeof ask);
    return ask;
}

static int ask_for(const struct promising *promising, cl_kernel_sub_group_info what, const void *input, size_t bytes,
                   size_t answer[3], struct error *error)
{
    const size_t room = what == CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT ? 3 * sizeof *answer : sizeof *answer;

    memset(answer, 0, 3 * sizeof *answer);
    ask_kernel *ask = find_ask(promising);
    if (ask == NULL)
        return error_set(error, STATUS_HARNESS, "the driver has no clGetKernelSubGroupInfo");
    const cl_int code = CALL_BY("clGetKernelSubGroupInfo", ask(promising->program->kernel, promising->session->device,
                                                               what, bytes, input, room, answer, NULL));
    return code == CL_SUCCESS ? 0 : cl_status_error(error, "clGetKernelSubGroupInfo", code);
}

/* --- shapes --- */

static int expect(struct gathering *gathering, const size_t size[3], const char *what, uint64_t got, uint64_t wanted)
{
    if (got == wanted)
        return 1;
    return promising_notes(gathering->promising, "In a group of %zu x %zu x %zu, %s is %" PRIu64 " and not %" PRIu64,
                           size[0], size[1], size[2], what, got, wanted);
}

/* Each work-item has a place of its own, in a sub-group that has as many as it says. */
static int check_places(struct gathering *gathering, const size_t size[3])
{
    const size_t items = size[0] * size[1] * size[2];
    uint32_t members[MOST_ITEMS] = {0}, places[MOST_ITEMS] = {0};

    for (size_t i = 0; i < items; ++i) {
        const uint32_t *told = gathering->told->words + i * SHAPE_TOLD;
        if (expect(gathering, size, "whether get_sub_group_id() is possible", told[1] < items, 1) == 0)
            return 0;
        members[told[1]] += 1;
        places[told[1]] += told[2];
    }
    for (size_t i = 0; i < items; ++i) {
        const uint32_t *told = gathering->told->words + i * SHAPE_TOLD;
        const uint32_t count = members[told[1]];
        if (expect(gathering, size, "get_sub_group_size()", told[3], count) == 0 ||
            expect(gathering, size, "the sum of get_sub_group_local_id()", places[told[1]], count * (count - 1) / 2) ==
                0)
            return 0;
    }
    return 1;
}

/* Each sub-group but the last one is of the same size, which is at most what was said. */
static int check_sizes(struct gathering *gathering, const size_t size[3], size_t largest)
{
    const size_t items = size[0] * size[1] * size[2];

    for (size_t i = 0; i < items; ++i) {
        const uint32_t *told = gathering->told->words + i * SHAPE_TOLD;
        const bool is_last = told[1] + 1 == told[0];
        if (expect(gathering, size, "get_max_sub_group_size()", told[4], largest) == 0 ||
            expect(gathering, size, "whether get_sub_group_size() is at most that", told[3] <= largest, 1) == 0 ||
            expect(gathering, size, "get_sub_group_size() of one that is not the last",
                   is_last ? gathering->told->words[3] : told[3], gathering->told->words[3]) == 0)
            return 0;
    }
    return check_places(gathering, size);
}

static int check_counts(struct gathering *gathering, const size_t size[3], size_t count)
{
    const size_t items = size[0] * size[1] * size[2];

    gathering->most = count > gathering->most ? count : gathering->most;
    for (size_t i = 0; i < items; ++i)
        if (expect(gathering, size, "get_num_sub_groups()", gathering->told->words[i * SHAPE_TOLD], count) == 0 ||
            expect(gathering, size, "whether get_sub_group_id() is below that",
                   gathering->told->words[i * SHAPE_TOLD + 1] < count, 1) == 0)
            return 0;
    return 1;
}

static int check_most(struct gathering *gathering, const size_t size[3])
{
    const struct finding *finding = &gathering->promising->finding;
    const uint64_t seen = gathering->told->words[0];

    return expect(gathering, size, "whether get_num_sub_groups() is at most what was said", seen <= finding->promised,
                  1);
}

static int check_shape(struct gathering *gathering, const size_t size[3], struct error *error)
{
    const enum sub_shape shape = (enum sub_shape)gathering->promising->promise->of[0];
    const cl_kernel_sub_group_info what =
        shape == SUB_SIZE ? CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE : CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE;
    size_t answer[3] = {0};

    if ((shape == SUB_SIZE || shape == SUB_COUNT) &&
        ask_for(gathering->promising, what, size, 3 * sizeof *size, answer, error) != 0)
        return -1;
    if (promising_begins(gathering->promising, error) != 0)
        return -1;
    const int found = gathering_launch(gathering, size, size[0] * size[1] * size[2] * SHAPE_TOLD, error);
    if (found != 1)
        return found;
    gathering->most = gathering->told->words[0] > gathering->most ? gathering->told->words[0] : gathering->most;
    if (shape == SUB_SIZE)
        return check_sizes(gathering, size, answer[0]);
    return shape == SUB_COUNT ? check_counts(gathering, size, answer[0]) : check_most(gathering, size);
}

static int check_shapes(struct gathering *gathering, size_t most, struct error *error)
{
    static const size_t sizes[][3] = {{1, 1, 1},  {3, 1, 1}, {17, 1, 1}, {64, 1, 1}, {100, 1, 1},
                                      {17, 2, 1}, {8, 8, 1}, {5, 7, 1},  {4, 4, 4},  {3, 5, 2}};
    const size_t largest[3] = {most, 1, 1};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        if (sizes[i][0] * sizes[i][1] * sizes[i][2] <= most &&
            gathering_count(gathering, check_shape(gathering, sizes[i], error)) != 0)
            return -1;
    return gathering_count(gathering, check_shape(gathering, largest, error));
}

/* A group of the size that the driver gives for a number of sub-groups has so many; 0 is no size. */
static int check_local_size(struct gathering *gathering, size_t count, size_t allowed, struct error *error)
{
    size_t size[3];

    if (ask_for(gathering->promising, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, &count, sizeof count, size, error) != 0)
        return -1;
    const size_t items = size[0] * size[1] * size[2];
    if (items == 0 || (items > MOST_ITEMS && items <= allowed))
        return 0;
    if (promising_begins(gathering->promising, error) != 0)
        return -1;
    if (items > allowed) {
        promising_notes(gathering->promising, "For %zu sub-groups the driver says %zu work-items", count, items);
        return gathering_count(gathering, 0);
    }
    int found = gathering_launch(gathering, size, items * SHAPE_TOLD, error);
    if (found == 1)
        found = check_counts(gathering, size, count);
    return gathering_count(gathering, found);
}

static int check_local_sizes(struct gathering *gathering, size_t allowed, struct error *error)
{
    for (size_t count = 1; count <= allowed; count = count < 4 ? count + 1 : count * 2)
        if (check_local_size(gathering, count, allowed, error) != 0)
            return -1;
    return 0;
}

static int measure_shapes(struct gathering *gathering, struct error *error)
{
    struct promising *promising = gathering->promising;
    const enum sub_shape shape = (enum sub_shape)promising->promise->of[0];
    const uint64_t allowed = promising_group_size(promising);
    const size_t most = allowed < MOST_ITEMS ? allowed : MOST_ITEMS;
    struct finding *finding = &promising->finding;
    size_t answer[3] = {0};

    if (promising_buffer(promising, 0, most * SHAPE_TOLD, error) != 0)
        return -1;
    if (shape == SUB_KERNEL_MOST &&
        ask_for(gathering->promising, CL_KERNEL_MAX_NUM_SUB_GROUPS, NULL, 0, answer, error) != 0)
        return -1;
    finding->promised = shape == SUB_KERNEL_MOST   ? answer[0]
                        : shape == SUB_DEVICE_MOST ? promising_ask(promising, CL_DEVICE_MAX_NUM_SUB_GROUPS)
                                                   : 1;
    if (finding->promised == 0)
        return error_set(error, STATUS_HARNESS, "the driver does not answer the query");
    if ((shape == SUB_LOCAL_SIZE ? check_local_sizes(gathering, allowed, error)
                                 : check_shapes(gathering, most, error)) != 0)
        return -1;
    gathering_conclude(gathering);
    return 0;
}

int promise_sub_shape(struct promising *promising, struct error *error)
{
    return gathering_measure(promising, "promise_sub_shape", measure_shapes, error);
}
