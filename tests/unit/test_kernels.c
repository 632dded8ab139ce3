/* Kernels of the kinds that libraries have, on a model device: what they compute is what the host computes. */
#include "driver_fixture.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { SIDE = 16, ITEMS = SIDE * SIDE, TILE = 4, BINS = 8, GROUP = 16 };

START_TEST(a_product_by_tiles)
{
    static float left[ITEMS], right[ITEMS], product[ITEMS];
    const int side = SIDE;

    driver_begin("#define TILE 4\n"
                 "kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))\n"
                 "void product(global const float *restrict left, global const float *restrict right,\n"
                 "             global float *restrict to, const int side)\n"
                 "{\n"
                 "    local float l[TILE][TILE + 1], r[TILE][TILE + 1];\n"
                 "    const int x = get_local_id(0), y = get_local_id(1);\n"
                 "    const int column = mad24((int)get_group_id(0), TILE, x), row = get_group_id(1) * TILE + y;\n"
                 "    float sum = 0;\n"
                 "    for (int tile = 0; tile < side; tile += TILE) {\n"
                 "        l[y][x] = left[row * side + tile + x];\n"
                 "        r[x][y] = right[(tile + y) * side + column];\n"
                 "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "        sum += dot(vload4(0, l[y]), vload4(0, r[x]));\n"
                 "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "    }\n"
                 "    to[row * side + column] = sum;\n"
                 "}\n",
                 "-cl-std=CL1.2 -cl-mad-enable");
    for (int i = 0; i < ITEMS; ++i) {
        left[i] = (float)(i % 7 - 3);
        right[i] = (float)(i % 5);
    }
    driver_kernel("product");
    driver_buffer(0, left, sizeof left);
    driver_buffer(1, right, sizeof right);
    driver_buffer(2, product, sizeof product);
    ck_assert_int_eq(cl->clSetKernelArg(kernel, 3, sizeof side, &side), CL_SUCCESS);
    driver_run((const size_t[]){SIDE, SIDE}, (const size_t[]){TILE, TILE});
    for (int i = 0; i < ITEMS; ++i) {
        float wanted = 0;
        for (int k = 0; k < SIDE; ++k)
            wanted += left[i / SIDE * SIDE + k] * right[k * SIDE + i % SIDE];
        ck_assert_msg(product[i] == wanted, "%d: %g, not %g", i, product[i], wanted);
    }
    driver_end();
}
END_TEST

/* The group that is done last adds up what all have left. */
START_TEST(a_histogram_that_the_last_group_ends)
{
    static float values[ITEMS];
    static int parts[ITEMS / GROUP * BINS], bins[BINS], done;
    int wanted[BINS] = {0};

    driver_begin("kernel void histogram(global const float *values, global int *parts, global int *bins,\n"
                 "                      volatile global int *done, local int *own)\n"
                 "{\n"
                 "    local int last;\n"
                 "    const int me = get_local_id(0), group = get_group_id(0), groups = get_num_groups(0);\n"
                 "    if (me < 8)\n"
                 "        own[me] = 0;\n"
                 "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "    atomic_inc(own + clamp(convert_int_rtn(values[get_global_id(0)] * 8), 0, 7));\n"
                 "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "    if (me < 8)\n"
                 "        parts[group * 8 + me] = own[me];\n"
                 "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
                 "    if (me == 0)\n"
                 "        last = atom_inc(done) == groups - 1;\n"
                 "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "    if (!last || me >= 8)\n"
                 "        return;\n"
                 "    for (int i = 0; i < groups; ++i)\n"
                 "        bins[me] += parts[i * 8 + me];\n"
                 "}\n",
                 "");
    for (int i = 0; i < ITEMS; ++i) {
        values[i] = (float)(i * 37 % 300 - 20) / 256;
        const int bin = (int)floorf(values[i] * (float)BINS);
        wanted[bin < 0 ? 0 : bin < BINS ? bin : BINS - 1] += 1;
    }
    driver_kernel("histogram");
    driver_buffer(0, values, sizeof values);
    driver_buffer(1, parts, sizeof parts);
    driver_buffer(2, bins, sizeof bins);
    driver_buffer(3, &done, sizeof done);
    ck_assert_int_eq(cl->clSetKernelArg(kernel, 4, sizeof bins, NULL), CL_SUCCESS);
    driver_run((const size_t[]){ITEMS, 1}, (const size_t[]){GROUP, 1});
    ck_assert_int_eq(done, ITEMS / GROUP);
    ck_assert_int_eq(memcmp(bins, wanted, sizeof bins), 0);
    driver_end();
}
END_TEST

START_TEST(a_blur_from_image_to_image)
{
    static float from[SIDE][SIDE];
    static uint8_t to[SIDE][SIDE][4];
    const cl_image_desc square = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
    const cl_image_format reds = {CL_R, CL_FLOAT}, colours = {CL_RGBA, CL_UNORM_INT8};

    driver_begin(
        "constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
        "kernel void blur(read_only image2d_t from, write_only image2d_t to)\n"
        "{\n"
        "    local float row[4 + 2];\n"
        "    const int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
        "    for (int i = get_local_id(0); i < 6; i += get_local_size(0))\n"
        "        row[i] = read_imagef(from, s, (int2)(get_group_id(0) * 4 + i - 1, at.y)).x;\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    local const float *here = row + get_local_id(0);\n"
        "    const float4 colour = (float4)((here[0] + 2 * here[1] + here[2]) / 4, here[1], 0, 1);\n"
        "    if (all(at < get_image_dim(to)))\n"
        "        write_imagef(to, at, colour);\n"
        "}\n",
        "");
    for (int y = 0; y < SIDE; ++y)
        for (int x = 0; x < SIDE; ++x)
            from[y][x] = (float)(x * 5 % 16 + y) / 32;
    driver_kernel("blur");
    cl_mem source = cl->clCreateImage(context, CL_MEM_USE_HOST_PTR, &reds, &square, from, &code);
    cl_mem target = cl->clCreateImage(context, CL_MEM_USE_HOST_PTR, &colours, &square, to, &code);
    ck_assert_int_eq(cl->clSetKernelArg(kernel, 0, sizeof source, &source), CL_SUCCESS);
    ck_assert_int_eq(cl->clSetKernelArg(kernel, 1, sizeof target, &target), CL_SUCCESS);
    driver_run((const size_t[]){SIDE, SIDE}, (const size_t[]){TILE, 1});
    for (int y = 0; y < SIDE; ++y)
        for (int x = 0; x < SIDE; ++x) {
            const float left = from[y][x > 0 ? x - 1 : 0], right = from[y][x < SIDE - 1 ? x + 1 : x];
            ck_assert_int_eq(to[y][x][0], (int)rintf((left + 2 * from[y][x] + right) / 4 * 255));
            ck_assert_int_eq(to[y][x][1], (int)rintf(from[y][x] * 255));
            ck_assert_int_eq(to[y][x][2], 0);
            ck_assert_int_eq(to[y][x][3], 255);
        }
    ck_assert_int_eq(cl->clReleaseMemObject(source), CL_SUCCESS);
    ck_assert_int_eq(cl->clReleaseMemObject(target), CL_SUCCESS);
    driver_end();
}
END_TEST

START_TEST(a_sort_of_vectors)
{
    static float values[ITEMS];
    float four[4];

    driver_begin("float4 sorted(float4 v)\n"
                 "{\n"
                 "    for (int i = 0; i < 4; ++i) {\n"
                 "        const uint4 other = i % 2 == 0 ? (uint4)(1, 0, 3, 2) : (uint4)(0, 2, 1, 3);\n"
                 "        const float4 beside = shuffle(v, other);\n"
                 "        const int4 is_first = other > (uint4)(0, 1, 2, 3) || other == (uint4)(0, 1, 2, 3);\n"
                 "        v = select(fmax(v, beside), fmin(v, beside), is_first);\n"
                 "    }\n"
                 "    return v;\n"
                 "}\n"
                 "kernel void sort(global float *values)\n"
                 "{\n"
                 "    vstore4(sorted(vload4(get_global_id(0), values)), get_global_id(0), values);\n"
                 "}\n",
                 "");
    for (int i = 0; i < ITEMS; ++i)
        values[i] = (float)(i * 73 % 101);
    driver_kernel("sort");
    driver_buffer(0, values, sizeof values);
    driver_run((const size_t[]){ITEMS / 4, 1}, (const size_t[]){GROUP, 1});
    for (int i = 0; i < ITEMS; i += 4) {
        for (int k = 0; k < 4; ++k)
            four[k] = (float)((i + k) * 73 % 101);
        for (int k = 0; k < 4; ++k) {
            int before = 0;
            for (int m = 0; m < 4; ++m)
                before += values[i + m] == four[k];
            ck_assert_int_eq(before, 1); /* none is lost; */
            ck_assert(k == 0 || values[i + k - 1] < values[i + k]);
        }
    }
    driver_end();
}
END_TEST

struct curve {
    float limit, slope;
    float power[4];
};

START_TEST(colours_by_a_table_to_halves)
{
    static float colours[ITEMS][4];
    static uint16_t halves[ITEMS][4];
    const struct curve curve = {0.25f, 2, {1, 2, 0.5f, 3}};

    driver_begin("constant float bias[4] = {0, 0.5f, 0, 0.25f};\n"
                 "struct curve { float limit, slope; float power[4]; };\n"
                 "kernel void colours(global const float4 *from, global half *to, const struct curve curve)\n"
                 "{\n"
                 "    const int i = get_global_id(0);\n"
                 "    const float4 x = fmax(from[i], 0.0f) + vload4(0, bias), power = vload4(0, curve.power);\n"
                 "    vstore_half4_rte(x > curve.limit ? native_powr(x, power) : x * curve.slope, i, to);\n"
                 "}\n",
                 "");
    for (int i = 0; i < ITEMS; ++i)
        for (int k = 0; k < 4; ++k)
            colours[i][k] = (float)(i * 4 + k - 100) / 512;
    driver_kernel("colours");
    driver_buffer(0, colours, sizeof colours);
    driver_buffer(1, halves, sizeof halves);
    ck_assert_int_eq(cl->clSetKernelArg(kernel, 2, sizeof curve, &curve), CL_SUCCESS);
    driver_run((const size_t[]){ITEMS, 1}, (const size_t[]){GROUP, 1});
    for (int i = 0; i < ITEMS; ++i)
        for (int k = 0; k < 4; ++k) {
            const float x = fmaxf(colours[i][k], 0) + (float[]){0, 0.5f, 0, 0.25f}[k];
            const double wanted = x > curve.limit ? pow((double)x, (double)curve.power[k]) : (double)(x * curve.slope);
            const int exponent = halves[i][k] >> 10, fraction = halves[i][k] & 1023;
            const double got = exponent == 0 ? ldexp(fraction, -24) : ldexp(fraction + 1024, exponent - 25);
            ck_assert_msg(fabs(got - wanted) <= ldexp(1, exponent - 25), "%d: %g, not %g", i, got, wanted);
        }
    driver_end();
}
END_TEST

START_TEST(a_division_has_an_end)
{
    enum { VALUES = 6 };
    static int from[VALUES] = {7, -7, INT32_MIN, 7, INT32_MIN, 0}, by[VALUES] = {2, 2, -1, 0, 0, -1};
    static int to[5 * VALUES];

    driver_begin("kernel void divide(global const int *from, global const int *by, global int *to)\n"
                 "{\n"
                 "    const int i = get_global_id(0), a = from[i], b = by[i];\n"
                 "    const int3 v = (int3)(a, 12, a) / (int3)(b, 5, b);\n"
                 "    to[i * 5] = a / b;\n"
                 "    to[i * 5 + 1] = a % b;\n"
                 "    to[i * 5 + 2] = (uint)a / (uint)b;\n"
                 "    to[i * 5 + 3] = v.x == v.z ? v.y : -1;\n"
                 "    to[i * 5 + 4] = ((long)a << 32) / ((long)b << 32);\n"
                 "}\n",
                 "");
    driver_kernel("divide");
    driver_buffer(0, from, sizeof from);
    driver_buffer(1, by, sizeof by);
    driver_buffer(2, to, sizeof to);
    driver_run((const size_t[]){VALUES, 1}, (const size_t[]){VALUES, 1});
    ck_assert_int_eq(memcmp(to, (const int[]){3, 1, 3, 2, 3}, sizeof(int[5])), 0);
    ck_assert_int_eq(memcmp(to + 5, (const int[]){-3, -1, 0x7ffffffc, 2, -3}, sizeof(int[5])), 0);
    for (int i = 0; i < VALUES; ++i)
        ck_assert_int_eq(to[i * 5 + 3], 2); /* also where others of the vector have no quotient */
    driver_end();
}
END_TEST

START_TEST(a_fault_in_a_function_of_ours_is_of_the_line_that_calls_it)
{
    static int words[ITEMS];

    driver_begin("kernel void k(volatile global int *words)\n"
                 "{\n"
                 "    words[0] = 1;\n"
                 "    atomic_inc(words + get_global_size(0));\n"
                 "}\n",
                 "");
    driver_kernel("k");
    driver_buffer(0, words, sizeof words);
    ck_assert_int_eq(cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, (const size_t[]){ITEMS},
                                                (const size_t[]){GROUP}, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_msg(strstr(model_fault(), "kernel.cl:4: work-item (") == model_fault(), "%s", model_fault());
    ck_assert_int_eq(words[0], 1);
    driver_end();
}
END_TEST

/* Pointers to memory of everybody's, of the group's and of its own: 1, 2 and 4, and 8 by the fence. */
START_TEST(pointers_to_anything_are_told_apart)
{
    static uint32_t words[3 * GROUP];
    const size_t global[2] = {GROUP, 1}, local[2] = {TILE, 1};

    driver_begin("static uint told(uint *p)\n"
                 "{\n"
                 "    return (to_global(p) == (global uint *)p) | (to_local(p) == (local uint *)p) << 1 |\n"
                 "           (to_private(p) == (private uint *)p) << 2 | (get_fence(p) == CLK_GLOBAL_MEM_FENCE) << 3;\n"
                 "}\n"
                 "kernel void k(global uint *out)\n"
                 "{\n"
                 "    local uint shared[4];\n"
                 "    uint mine = 0;\n"
                 "    global uint *to = out + 3 * get_global_id(0);\n"
                 "    to[0] = told(to);\n"
                 "    to[1] = told(&shared[get_local_id(0)]);\n"
                 "    to[2] = told(&mine) + (to_global((uint *)0) != 0);\n"
                 "}\n",
                 "-cl-std=CL2.0");
    driver_kernel("k");
    driver_buffer(0, words, sizeof words);
    driver_run(global, local);
    for (int i = 0; i < GROUP; ++i)
        ck_assert_mem_eq(words + (ptrdiff_t)3 * i, ((uint32_t[3]){1 | 8, 2, 4}), 3 * sizeof *words);
    driver_end();
}
END_TEST

HARNESS_MAIN("kernels", pointers_to_anything_are_told_apart, a_product_by_tiles, a_histogram_that_the_last_group_ends,
             a_blur_from_image_to_image, a_sort_of_vectors, colours_by_a_table_to_halves, a_division_has_an_end,
             a_fault_in_a_function_of_ours_is_of_the_line_that_calls_it)
