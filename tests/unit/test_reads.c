/* Reads of what nobody has written, on a device with reads=written. */
#include "driver_fixture.h"

enum { ITEMS = 4 };

/* Each kernel has a line of its own, which the message names. */
static const char source[] =
    "#define OWN get_local_id(0)\n"
    "#define NEXT (OWN + 1) % 4\n"
    "struct gap { char a; int b; };\n"
    "struct large { char a; int b[15]; };\n"
    "kernel void early(global uint *o) { local uint a[4]; a[OWN] = o[OWN]; o[OWN] = a[NEXT]; }\n"
    "kernel void never(global uint *o) { local uint a[8]; a[OWN] = 1; o[OWN] = a[OWN + 4]; }\n"
    "kernel void adds(global uint *o) { local uint a[4]; o[OWN] = atomic_add(&a[OWN], 1); }\n"
    "kernel void argument(global uint *o, local uint *a) { o[OWN] = a[OWN]; }\n"
    "kernel void stale(global uint *o) { local uint a[4]; if (get_group_id(0) == 0) a[OWN] = 1; o[OWN] = a[OWN]; }\n"
    "kernel void meets(global uint *o) { local uint a[4]; a[OWN] = o[OWN]; barrier(1); o[OWN] = a[NEXT]; }\n"
    "kernel void exchanges(global uint *o) { local uint a[4]; atomic_xchg(&a[OWN], o[OWN]); o[OWN] = a[OWN]; }\n"
    "kernel void halves(global uint *o) { local uint2 a[4]; ((local uint *)&a[OWN])[0] = o[OWN];"
    " uint2 b = a[OWN]; o[OWN] = b.x; }\n"
    "kernel void gaps(global uint *o) { local struct gap a[8]; a[OWN].a = 1; a[OWN].b = (int)o[OWN];"
    " a[OWN + 4] = a[OWN]; o[OWN] = (uint)a[OWN + 4].b; }\n"
    "kernel void copies(global uint *o) { local struct large a[8]; a[OWN + 4] = a[OWN]; o[OWN] = 1; }\n"
    "kernel void branches(global uint *o) { local uint a[4]; if (o[OWN] != 4) a[OWN] = 1;"
    " o[OWN] = o[OWN] == 4 ? 2 : a[OWN]; }\n"
    "kernel void loads(global uint *o, global const uint *b) { o[OWN] = b[OWN]; }\n"
    "kernel void stores(global uint *o, global uint *b) { b[OWN] = 1; }\n";

static cl_uint words[2 * ITEMS];

/* By so many groups, with ITEMS in each word. What is wrong; "": nothing. */
static const char *run(const char *name, size_t groups)
{
    const size_t local = ITEMS, global = groups * ITEMS;
    cl_uint argument_count;

    for (size_t i = 0; i < 2 * ITEMS; ++i)
        words[i] = ITEMS;
    driver_kernel(name);
    cl->clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof argument_count, &argument_count, NULL);
    cl->clSetKernelArg(kernel, 0, sizeof *buffers, &buffers[0]);
    if (argument_count == 2 && buffers[1] != NULL)
        ck_assert_int_eq(cl->clSetKernelArg(kernel, 1, sizeof *buffers, &buffers[1]), CL_SUCCESS);
    else if (argument_count == 2)
        ck_assert_int_eq(cl->clSetKernelArg(kernel, 1, ITEMS * sizeof(cl_uint), NULL), CL_SUCCESS);
    ck_assert_int_eq(cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), CL_SUCCESS);
    cl->clFinish(queue);
    return model_fault();
}

static void begin(enum model_reads reads)
{
    driver_reads = reads;
    driver_begin(source, "");
    buffers[0] = cl->clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof words, words, &code);
}

START_TEST(local_memory_that_nobody_wrote_is_no_value)
{
    static const struct {
        const char *kernel, *line;
    } rows[] = {
        {"early", "kernel.cl:5: "},    {"never", "kernel.cl:6: "}, {"adds", "kernel.cl:7: "},
        {"argument", "kernel.cl:8: "}, {"stale", "kernel.cl:9: "},
    };

    begin(MODEL_READS_WRITTEN);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const char *fault = run(rows[i].kernel, 2);
        ck_assert_msg(strstr(fault, "reads what nobody has written") != NULL, "%s: %s", rows[i].kernel, fault);
        ck_assert_msg(strncmp(fault, rows[i].line, strlen(rows[i].line)) == 0, "%s: %s", rows[i].kernel, fault);
    }
    driver_end();
}
END_TEST

START_TEST(what_was_written_may_be_read)
{
    static const char *const kernels[] = {"meets", "exchanges", "halves", "gaps", "copies"};

    begin(MODEL_READS_WRITTEN);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; ++i)
        ck_assert_msg(run(kernels[i], 2)[0] == '\0', "%s: %s", kernels[i], model_fault());
    ck_assert_str_eq(run("branches", 1), "");
    ck_assert_uint_eq(words[0], 2);
    driver_end();
}
END_TEST

START_TEST(nothing_is_asked_where_it_is_not_wanted)
{
    static const char *const kernels[] = {"early", "never", "adds", "argument", "stale"};

    begin(MODEL_READS_ANY);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; ++i)
        ck_assert_str_eq(run(kernels[i], 2), "");
    driver_end();
}
END_TEST

static void new_buffer(void)
{
    if (buffers[1] != NULL)
        ck_assert_int_eq(cl->clReleaseMemObject(buffers[1]), CL_SUCCESS);
    buffers[1] = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof words, NULL, &code);
}

START_TEST(buffers_have_what_host_or_kernels_wrote)
{
    const size_t zeros[3] = {0}, rows[3] = {sizeof(cl_uint), ITEMS, 1};
    const cl_uint zero = 0;
    void *mapped;

    begin(MODEL_READS_WRITTEN);
    new_buffer();
    ck_assert_ptr_nonnull(strstr(run("loads", 1), "kernel.cl:16: "));
    ck_assert_str_eq(run("stores", 1), "");
    ck_assert_str_eq(run("loads", 1), "");
    new_buffer();
    cl->clEnqueueWriteBuffer(queue, buffers[1], CL_TRUE, 0, sizeof zero, &zero, 0, NULL, NULL);
    ck_assert_ptr_nonnull(strstr(run("loads", 1), "work-item (1, 0, 0)"));
    cl->clEnqueueFillBuffer(queue, buffers[1], &zero, sizeof zero, 0, ITEMS * sizeof zero, 0, NULL, NULL);
    ck_assert_str_eq(run("loads", 1), "");
    new_buffer();
    cl->clEnqueueCopyBuffer(queue, buffers[0], buffers[1], 0, 0, sizeof words, 0, NULL, NULL);
    ck_assert_str_eq(run("loads", 1), "");
    new_buffer();
    cl->clEnqueueWriteBufferRect(queue, buffers[1], CL_TRUE, zeros, zeros, rows, 0, 0, 0, 0, words, 0, NULL, NULL);
    ck_assert_str_eq(run("loads", 1), "");
    new_buffer();
    mapped = cl->clEnqueueMapBuffer(queue, buffers[1], CL_TRUE, CL_MAP_READ, 0, sizeof words, 0, NULL, NULL, &code);
    cl->clEnqueueUnmapMemObject(queue, buffers[1], mapped, 0, NULL, NULL);
    ck_assert_str_ne(run("loads", 1), "");
    mapped = cl->clEnqueueMapBuffer(queue, buffers[1], CL_TRUE, CL_MAP_WRITE, 0, sizeof words, 0, NULL, NULL, &code);
    cl->clEnqueueUnmapMemObject(queue, buffers[1], mapped, 0, NULL, NULL);
    ck_assert_str_eq(run("loads", 1), "");
    driver_end();
}
END_TEST

HARNESS_MAIN("reads", local_memory_that_nobody_wrote_is_no_value, what_was_written_may_be_read,
             nothing_is_asked_where_it_is_not_wanted, buffers_have_what_host_or_kernels_wrote)
