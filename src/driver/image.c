#include "driver/objects.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Which channel in memory, or 0 or 1, each component of a colour is. */
static const struct {
    cl_channel_order order;
    unsigned channels;
    const char *places;
} orders[] = {
    {CL_R, 1, "a001"},     {CL_A, 1, "000a"},         {CL_RG, 2, "ab01"},        {CL_RA, 2, "a00b"},
    {CL_RGB, 3, "abc1"},   {CL_RGBA, 4, "abcd"},      {CL_BGRA, 4, "cbad"},      {CL_ARGB, 4, "bcda"},
    {CL_DEPTH, 1, "a001"}, {CL_LUMINANCE, 1, "aaa1"}, {CL_INTENSITY, 1, "aaaa"},
};

static const struct {
    cl_channel_type type;
    unsigned bytes;
} types[] = {
    {CL_SNORM_INT8, 1},     {CL_SNORM_INT16, 2},    {CL_UNORM_INT8, 1},   {CL_UNORM_INT16, 2},
    {CL_SIGNED_INT8, 1},    {CL_SIGNED_INT16, 2},   {CL_SIGNED_INT32, 4}, {CL_UNSIGNED_INT8, 1},
    {CL_UNSIGNED_INT16, 2}, {CL_UNSIGNED_INT32, 4}, {CL_HALF_FLOAT, 2},   {CL_FLOAT, 4},
};

/* How many pixels it may have in each dimension, and how many layers. */
static const struct {
    cl_mem_object_type type;
    unsigned dimensions;
    size_t most[3];
    bool has_layers;
} shapes[] = {
    {CL_MEM_OBJECT_IMAGE1D, 1, {MODEL_IMAGE_SIDE, 1, 1}, false},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, 1, {MODEL_IMAGE_PIXELS, 1, 1}, false},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, 1, {MODEL_IMAGE_SIDE, MODEL_IMAGE_LAYERS, 1}, true},
    {CL_MEM_OBJECT_IMAGE2D, 2, {MODEL_IMAGE_SIDE, MODEL_IMAGE_SIDE, 1}, false},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, 2, {MODEL_IMAGE_SIDE, MODEL_IMAGE_SIDE, MODEL_IMAGE_LAYERS}, true},
    {CL_MEM_OBJECT_IMAGE3D, 3, {MODEL_IMAGE_LAYERS, MODEL_IMAGE_LAYERS, MODEL_IMAGE_LAYERS}, false},
};

static cl_int read_format(const cl_image_format *format, struct gl_picture *picture)
{
    if (format == NULL)
        return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    picture->order = format->image_channel_order;
    picture->type = format->image_channel_data_type;
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        if (types[i].type == format->image_channel_data_type)
            picture->channel_bytes = types[i].bytes;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; ++i)
        if (orders[i].order == format->image_channel_order) {
            picture->places = orders[i].places;
            picture->step[0] = (size_t)orders[i].channels * picture->channel_bytes;
        }
    return picture->step[0] != 0 ? CL_SUCCESS : CL_IMAGE_FORMAT_NOT_SUPPORTED;
}

/* Rows and slices lie as the user says that his are. */
static cl_int read_shape(const cl_image_desc *wanted, struct gl_picture *picture)
{
    size_t shape = 0;

    while (shape < sizeof shapes / sizeof *shapes && (wanted == NULL || wanted->image_type != shapes[shape].type))
        ++shape;
    if (shape == sizeof shapes / sizeof *shapes || wanted->num_mip_levels != 0 || wanted->num_samples != 0)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    size_t sizes[4] = {wanted->image_width, wanted->image_height, wanted->image_depth};
    picture->dimensions = shapes[shape].dimensions;
    if (shapes[shape].has_layers)
        sizes[picture->dimensions] = wanted->image_array_size;
    for (unsigned i = 0; i < 3; ++i) {
        const size_t size = i < picture->dimensions + shapes[shape].has_layers ? sizes[i] : 1;
        if (size == 0 || size > shapes[shape].most[i])
            return CL_INVALID_IMAGE_SIZE;
        picture->size[i] = (unsigned)size;
    }
    const size_t row = picture->size[0] * picture->step[0];
    const size_t pitch = wanted->image_row_pitch != 0 ? wanted->image_row_pitch : row;
    const size_t rows = picture->dimensions == 1 ? 1 : picture->size[1];
    const size_t slice = wanted->image_slice_pitch != 0 ? wanted->image_slice_pitch : pitch * rows;
    if (pitch < row || pitch % picture->step[0] != 0 || slice < pitch * rows || slice % pitch != 0)
        return CL_INVALID_IMAGE_DESCRIPTOR;
    picture->step[1] = picture->dimensions == 1 ? slice : pitch;
    picture->step[2] = picture->dimensions == 1 ? slice * picture->size[1] : slice;
    return CL_SUCCESS;
}

cl_mem model_clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                           const cl_image_desc *wanted, void *host, cl_int *code)
{
    struct gl_picture picture = {0};
    cl_int outcome;

    if ((outcome = read_format(format, &picture)) != CL_SUCCESS ||
        (outcome = read_shape(wanted, &picture)) != CL_SUCCESS)
        return no_object(code, outcome);
    const size_t bytes = picture.step[2] * picture.size[2];
    const bool is_of_buffer = wanted->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    cl_mem buffer = is_of_buffer ? wanted->buffer : NULL;
    if (is_of_buffer && (!object_is(buffer, OBJECT_BUFFER) || bytes > buffer->size))
        return no_object(code, CL_INVALID_IMAGE_DESCRIPTOR);
    cl_mem image = is_of_buffer ? memory_create(context, flags | CL_MEM_USE_HOST_PTR, buffer->size, buffer->bytes, code)
                                : memory_create(context, flags, bytes, host, code);
    if (image == NULL)
        return NULL;
    image->object.kind = OBJECT_IMAGE;
    image->buffer = buffer;
    if (buffer != NULL) {
        object_retain(buffer);
        image->written = buffer->written;
    }
    image->picture = picture;
    image->picture.bytes = (char *)image->bytes;
    return image;
}

cl_sampler model_clCreateSampler(cl_context context, cl_bool normalized, cl_addressing_mode addressing,
                                 cl_filter_mode filter, cl_int *code)
{
    const uint64_t coordinates = normalized ? GL_SAMPLER_NORMALIZED : 0;
    const uint64_t way = (uint64_t)(addressing - CL_ADDRESS_NONE) * GL_SAMPLER_ADDRESSING;

    if (!object_is(context, OBJECT_CONTEXT))
        return no_object(code, CL_INVALID_CONTEXT);
    if (addressing < CL_ADDRESS_NONE || addressing > CL_ADDRESS_MIRRORED_REPEAT ||
        (filter != CL_FILTER_NEAREST && filter != CL_FILTER_LINEAR))
        return no_object(code, CL_INVALID_VALUE);
    cl_sampler sampler = xmalloc(sizeof *sampler);
    *sampler = (struct _cl_sampler){.object = object_made(OBJECT_SAMPLER),
                                    .context = context,
                                    .bits = coordinates | way |
                                            (filter == CL_FILTER_LINEAR ? GL_SAMPLER_LINEAR : GL_SAMPLER_NEAREST)};
    object_retain(context);
    no_object(code, CL_SUCCESS);
    return sampler;
}

cl_int model_clReleaseSampler(cl_sampler sampler)
{
    if (!object_is(sampler, OBJECT_SAMPLER))
        return CL_INVALID_SAMPLER;
    if (object_release(sampler)) {
        model_clReleaseContext(sampler->context);
        free(sampler);
    }
    return CL_SUCCESS;
}
