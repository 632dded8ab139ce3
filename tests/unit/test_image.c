/* Images and samplers of model devices: what kernels read of them, write to them, and are told about them. */
#include "driver_fixture.h"

#include <stdint.h>
#include <string.h>

enum { COLOUR = 4, COLOURS = 8, LAYERS = 3 };

static float colours[COLOURS][COLOUR]; /* what the kernel says, in a buffer of the host's */

static void begin(const char *source, const char *options)
{
    driver_begin(source, options);
    driver_kernel("k");
    driver_buffer(0, colours, sizeof colours);
    memset(colours, 0, sizeof colours);
}

static void run(void)
{
    driver_run((const size_t[]){1, 1}, (const size_t[]){1, 1});
}

/* An image whose pixels are the host's, as an argument; its reference is the kernel's alone. */
static void set_image(cl_uint index, cl_image_format format, const cl_image_desc *shape, void *pixels)
{
    cl_mem image = cl->clCreateImage(context, CL_MEM_USE_HOST_PTR, &format, shape, pixels, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(cl->clSetKernelArg(kernel, index, sizeof image, &image), CL_SUCCESS);
    ck_assert_int_eq(cl->clReleaseMemObject(image), CL_SUCCESS);
}

static void set_sampler(cl_uint index, cl_bool normalized, cl_addressing_mode addressing, cl_filter_mode filter)
{
    cl_sampler sampler = cl->clCreateSampler(context, normalized, addressing, filter, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(cl->clSetKernelArg(kernel, index, sizeof sampler, &sampler), CL_SUCCESS);
    ck_assert_int_eq(cl->clReleaseSampler(sampler), CL_SUCCESS);
}

static void ck_colour(size_t at, float red, float green, float blue, float alpha)
{
    const float wanted[COLOUR] = {red, green, blue, alpha};
    for (size_t i = 0; i < COLOUR; ++i)
        ck_assert_msg(colours[at][i] == wanted[i], "%zu[%zu]: %a, not %a", at, i, colours[at][i], wanted[i]);
}

static const cl_image_desc line = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 4};

START_TEST(samplers_say_what_is_beside_an_image)
{
    float pixels[4] = {1, 2, 3, 4};
    const cl_image_format reds = {CL_R, CL_FLOAT};
    static const struct {
        cl_bool normalized;
        cl_addressing_mode addressing;
        cl_filter_mode filter;
        float at[3], wanted[3];
    } rows[] = {
        {CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, {-7, 1.9f, 9}, {1, 2, 4}},
        {CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, {-0.5f, 3.5f, 4}, {0, 4, 0}},
        {CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, {0, 1.75f, 4}, {1, 2.25f, 4}},
        {CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, {0, 2, 4}, {0.5f, 2.5f, 2}},
        {CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, {-0.125f, 1.375f, 5}, {4, 2, 1}},
        {CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, {0, 0.5f, 1.9375f}, {2.5f, 2.5f, 3.25f}},
        {CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST, {-0.125f, 1.125f, 1.5f}, {1, 4, 3}},
        {CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR, {0, 1, 1.5f}, {1, 4, 2.5f}},
    };

    begin("kernel void k(global float4 *v, read_only image1d_t i, sampler_t s, float3 at)\n"
          "{ v[0] = read_imagef(i, s, at.x); v[1] = read_imagef(i, s, at.y); v[2] = read_imagef(i, s, at.z); }",
          "");
    set_image(1, reds, &line, pixels);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        set_sampler(2, rows[i].normalized, rows[i].addressing, rows[i].filter);
        const float at[COLOUR] = {rows[i].at[0], rows[i].at[1], rows[i].at[2]};
        ck_assert_int_eq(cl->clSetKernelArg(kernel, 3, sizeof at, at), CL_SUCCESS);
        run();
        for (size_t k = 0; k < 3; ++k)
            ck_colour(k, rows[i].wanted[k], 0, 0, 1);
    }
    driver_end();
}
END_TEST

START_TEST(samplers_of_a_program_are_as_those_of_the_host)
{
    float pixels[2][2][COLOUR] = {{{1, 2, 3, 4}, {5, 6, 7, 8}}, {{9, 10, 11, 12}, {13, 14, 15, 16}}};
    const cl_image_desc square = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 2, .image_height = 2};

    begin("constant sampler_t outside = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
          "kernel void k(global float4 *v, read_only image2d_t i)\n"
          "{ const sampler_t between = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;\n"
          "  v[0] = read_imagef(i, (int2)(1, 0)); v[1] = read_imagef(i, outside, (int2)(0, 1));\n"
          "  v[2] = read_imagef(i, outside, (int2)(2, 0)); v[3] = read_imagef(i, between, (float2)(0.5f)); }",
          "");
    set_image(1, (cl_image_format){CL_RGBA, CL_FLOAT}, &square, pixels);
    run();
    ck_colour(0, 5, 6, 7, 8);
    ck_colour(1, 9, 10, 11, 12);
    ck_colour(2, 0, 0, 0, 0);
    ck_colour(3, 7, 8, 9, 10);
    driver_end();
}
END_TEST

START_TEST(formats_are_read_and_written)
{
    static const struct {
        cl_image_format format;
        size_t pixel_bytes;
        uint8_t bytes[4];   /* that (2, -0.25, 0.5, 1) is written as, */
        float read[COLOUR]; /* and read */
    } rows[] = {
        {{CL_RGBA, CL_UNORM_INT8}, 4, {255, 0, 128, 255}, {1, 0, 128 / 255.0f, 1}},
        {{CL_BGRA, CL_UNORM_INT8}, 4, {128, 0, 255, 255}, {1, 0, 128 / 255.0f, 1}},
        {{CL_ARGB, CL_SNORM_INT8}, 4, {127, 127, 0xe0, 64}, {1, -32 / 127.0f, 64 / 127.0f, 1}},
        {{CL_RG, CL_UNORM_INT16}, 4, {255, 255, 0, 0}, {1, 0, 0, 1}},
        {{CL_RA, CL_SNORM_INT16}, 4, {255, 127, 255, 127}, {1, 0, 0, 1}},
        {{CL_A, CL_HALF_FLOAT}, 2, {0, 0x3c}, {0, 0, 0, 1}},
        {{CL_R, CL_FLOAT}, 4, {0, 0, 0, 0x40}, {2, 0, 0, 1}},
        {{CL_LUMINANCE, CL_HALF_FLOAT}, 2, {0, 0x40}, {2, 2, 2, 1}},
        {{CL_INTENSITY, CL_FLOAT}, 4, {0, 0, 0, 0x40}, {2, 2, 2, 2}},
    };

    begin("kernel void k(global float4 *v, read_only image1d_t from, write_only image1d_t to, float4 colour)\n"
          "{ write_imagef(to, 1, colour); write_imagef(to, 4, colour); write_imagef(to, -1, colour);\n"
          "  v[0] = read_imagef(from, 1); }",
          "");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        uint8_t pixels[4 * 16] = {0}, wanted[4 * 16] = {0};
        set_image(1, rows[i].format, &line, pixels);
        set_image(2, rows[i].format, &line, pixels);
        ck_assert_int_eq(cl->clSetKernelArg(kernel, 3, sizeof(float[4]), (const float[]){2, -0.25f, 0.5f, 1}),
                         CL_SUCCESS);
        run();
        memcpy(wanted + rows[i].pixel_bytes, rows[i].bytes, rows[i].pixel_bytes);
        ck_assert_msg(memcmp(pixels, wanted, sizeof wanted) == 0, "format %zu", i);
        ck_colour(0, rows[i].read[0], rows[i].read[1], rows[i].read[2], rows[i].read[3]);
    }
    driver_end();
}
END_TEST

START_TEST(whole_numbers_are_kept_within_their_type)
{
    int8_t bytes[4 * COLOUR] = {0};
    uint16_t words[4 * COLOUR] = {0};

    begin("kernel void k(global float4 *v, write_only image1d_t i, write_only image1d_t u, read_only image1d_t r)\n"
          "{ write_imagei(i, 1, (int4)(-5, 300, -300, 7)); write_imageui(u, 0, (uint4)(9, 70000, 0xffffffff, 65535));\n"
          "  v[0] = convert_float4(read_imagei(r, 1)); }",
          "");
    set_image(1, (cl_image_format){CL_RGBA, CL_SIGNED_INT8}, &line, bytes);
    set_image(2, (cl_image_format){CL_RGBA, CL_UNSIGNED_INT16}, &line, words);
    set_image(3, (cl_image_format){CL_RGBA, CL_SIGNED_INT8}, &line, bytes);
    run();
    ck_assert_int_eq(memcmp(bytes + COLOUR, (const int8_t[]){-5, 127, -128, 7}, COLOUR), 0);
    ck_assert_int_eq(memcmp(words, (const uint16_t[]){9, 65535, 65535, 65535}, sizeof(uint16_t[COLOUR])), 0);
    ck_colour(0, -5, 127, -128, 7);
    driver_end();
}
END_TEST

START_TEST(images_of_each_shape_say_their_sizes)
{
    float pixels[4 * 3 * LAYERS] = {0};
    const cl_image_desc lines = {.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 4, .image_array_size = 3};
    const cl_image_desc sheets = {
        .image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY, .image_width = 4, .image_height = 3, .image_array_size = LAYERS};
    const cl_image_desc block = {
        .image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 4, .image_height = 3, .image_depth = LAYERS};
    const cl_image_format reds = {CL_R, CL_FLOAT};

    for (size_t i = 0; i < sizeof pixels / sizeof *pixels; ++i)
        pixels[i] = (float)i;
    begin(
        "kernel void k(global float4 *v, read_only image1d_array_t l, read_only image2d_array_t s,\n"
        "              read_only image3d_t b, read_only image2d_array_depth_t d)\n"
        "{ v[0] = (float4)(get_image_width(l), get_image_array_size(l), get_image_dim(s).y, get_image_array_size(s));\n"
        "  v[1] = convert_float4(get_image_dim(b)) + (float4)(0, 0, 0, get_image_depth(b));\n"
        "  v[2] = (float4)(read_imagef(l, (int2)(2, 1)).x, read_imagef(s, (int4)(3, 1, 2, 0)).x,\n"
        "                  read_imagef(b, (int4)(3, 1, 2, 0)).x, read_imagef(d, (int4)(1, 0, 1, 0)));\n"
        "  v[3] = (float4)(get_image_channel_order(b) == CLK_R, get_image_channel_data_type(d) == CLK_FLOAT, 0, 0); }",
        "-cl-std=CL3.0");
    set_image(1, reds, &lines, pixels);
    set_image(2, reds, &sheets, pixels);
    set_image(3, reds, &block, pixels);
    set_image(4, (cl_image_format){CL_DEPTH, CL_FLOAT}, &sheets, pixels);
    run();
    ck_colour(0, 4, 3, 3, LAYERS);
    ck_colour(1, 4, 3, LAYERS, LAYERS);
    ck_colour(2, 6, 31, 31, 13);
    ck_colour(3, 1, 1, 0, 0);
    driver_end();
}
END_TEST

START_TEST(an_image_may_be_of_a_buffer_or_have_rows_that_are_longer)
{
    float pixels[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    const cl_image_format reds = {CL_R, CL_FLOAT};
    const cl_image_desc wide = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 2, .image_height = 2, .image_row_pitch = sizeof pixels[0]};

    begin("kernel void k(global float4 *v, read_only image1d_buffer_t b, read_only image2d_t w)\n"
          "{ v[1] = (float4)(read_imagef(b, 5).x, read_imagef(w, (int2)(1)).x, get_image_width(b), v[0].x); }",
          "");
    cl_image_desc part = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 6, .buffer = buffers[0]};
    colours[1][1] = 3;
    cl_mem image = cl->clCreateImage(context, CL_MEM_READ_ONLY, &reds, &part, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(cl->clSetKernelArg(kernel, 1, sizeof image, &image), CL_SUCCESS);
    ck_assert_int_eq(cl->clReleaseMemObject(image), CL_SUCCESS);
    set_image(2, reds, &wide, pixels);
    run();
    ck_colour(1, 3, 6, 6, 0);
    part.image_width = sizeof colours / sizeof(float) + 1;
    ck_assert_ptr_null(cl->clCreateImage(context, CL_MEM_READ_ONLY, &reds, &part, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_IMAGE_DESCRIPTOR);
    driver_end();
}
END_TEST

START_TEST(what_is_no_image_is_refused)
{
    const cl_image_format reds = {CL_R, CL_FLOAT}, packed = {CL_RGB, CL_UNORM_SHORT_565};
    const cl_image_desc none = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 2};
    cl_kernel_arg_access_qualifier access = 0;

    begin("kernel void k(global float4 *v, read_only image1d_t i, write_only image1d_t o, sampler_t s) { }",
          "-cl-kernel-arg-info");
    ck_assert_ptr_null(cl->clCreateImage(NULL, 0, &reds, &line, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
    ck_assert_ptr_null(cl->clCreateImage(context, 0, &packed, &line, NULL, &code));
    ck_assert_int_eq(code, CL_IMAGE_FORMAT_NOT_SUPPORTED);
    ck_assert_ptr_null(cl->clCreateImage(context, 0, NULL, &line, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    ck_assert_ptr_null(cl->clCreateImage(context, 0, &reds, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_IMAGE_DESCRIPTOR);
    ck_assert_ptr_null(cl->clCreateImage(context, 0, &reds, &none, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_IMAGE_SIZE);
    ck_assert_ptr_null(cl->clCreateSampler(context, 0, 0, CL_FILTER_NEAREST, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_int_eq(cl->clSetKernelArg(kernel, 1, sizeof *buffers, &buffers[0]), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(cl->clSetKernelArg(kernel, 1, 4, &buffers[0]), CL_INVALID_ARG_SIZE);
    ck_assert_int_eq(cl->clSetKernelArg(kernel, 3, sizeof *buffers, &buffers[0]), CL_INVALID_SAMPLER);
    ck_assert_int_eq(cl->clReleaseSampler(NULL), CL_INVALID_SAMPLER);
    ck_assert_int_eq(cl->clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(access, CL_KERNEL_ARG_ACCESS_READ_ONLY);
    cl->clGetKernelArgInfo(kernel, 2, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL);
    ck_assert_uint_eq(access, CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
    cl->clGetKernelArgInfo(kernel, 3, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL);
    ck_assert_uint_eq(access, CL_KERNEL_ARG_ACCESS_NONE);
    driver_end();
}
END_TEST

HARNESS_MAIN("image", samplers_say_what_is_beside_an_image, samplers_of_a_program_are_as_those_of_the_host,
             formats_are_read_and_written, whole_numbers_are_kept_within_their_type,
             images_of_each_shape_say_their_sizes, an_image_may_be_of_a_buffer_or_have_rows_that_are_longer,
             what_is_no_image_is_refused)
