/*
 * Programs whose launches are captured, the last of which is given what cannot be kept: "captured 3 2" is the third,
 * with so many groups.
 */
#define CL_TARGET_OPENCL_VERSION 200
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *source =
    "struct pair { int first; float second; };\n"
    "kernel void fills(global int *out, int value) { out[get_global_id(0)] = value + BASE; }\n"
    "kernel void scales(global int *out, float4 by) { out[get_global_id(0)] = (int)by.w; }\n"
    "kernel void meets(global volatile int *out, int groups)\n"
    "{\n"
    "    if (get_local_id(0) == 0) {\n"
    "        atomic_inc(out);\n"
    "        while (*out < groups)\n"
    "            ;\n"
    "    }\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "}\n"
    "kernel void passes(global volatile int *out, int value) { while (*out != 7 + value) ; }\n"
    "kernel void stays(global volatile int *out, int value) { while (*out == 7 + value) ; }\n"
    "kernel void climbs(global volatile int *out, int value)\n"
    "{\n"
    "    while (*out != 7 + (int)get_group_id(0))\n"
    "        ;\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    if (get_local_id(0) == 0)\n"
    "        atomic_inc(out);\n"
    "}\n"
    "kernel void keeps_lock(global volatile int *out, int value)\n"
    "{\n"
    "    if (get_local_id(0) == 0)\n"
    "        while (atomic_cmpxchg(out, 7, 8) != 7)\n"
    "            ;\n"
    "}\n"
    "kernel void tiles(global int *out, local int *tile, ulong value)\n"
    "{\n"
    "    tile[get_local_id(0)] = (int)value;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] = tile[get_local_size(0) - 1 - get_local_id(0)];\n"
    "}\n"
    "kernel void takes(global int *out, struct pair pair) { out[get_global_id(0)] = pair.first; }\n"
    "kernel void flat(global int *out, uchar value) { out[get_global_id(1) * 4 + get_global_id(0)] = value; }\n"
    "kernel void looks(global volatile int *out, read_only image2d_t in, sampler_t how)\n"
    "{\n"
    "    while (*out >= 0 && read_imagef(in, how, (int2)(9, 1)).x != 5.0f)\n"
    "        ;\n"
    "}\n"
    "kernel void turns(global volatile int *out, read_only image2d_array_t layers, read_only image3d_t solid,\n"
    "                  read_only image1d_buffer_t line)\n"
    "{\n"
    "    while (*out >= 0 && read_imagei(layers, (int4)(3, 1, 1, 0)).x + read_imagei(solid, (int4)(3, 1, 1, 0)).x +\n"
    "                                read_imagei(line, 9).x != 15 + 15 + 9)\n"
    "        ;\n"
    "}\n"
    "kernel void shares(global volatile int *out, global int *in)\n"
    "{\n"
    "    while (*out >= 0 && in[1] != 5)\n"
    "        ;\n"
    "}\n"
    "kernel void unites(global volatile int *out, global int *in)\n"
    "{\n"
    "    while (*out >= 0 && in[1] != 5)\n"
    "        ;\n"
    "}\n"
    "kernel void borrows(global int *out, global int *in) { out[get_global_id(0)] = in[0]; }\n"
    "kernel void twice(global int *out, global int *in) { out[get_global_id(0)] = in[0]; }\n"
    "kernel void parts(global int *out, global int *in) { out[get_global_id(0)] = in[0]; }\n"
    "kernel void leads(global int *out, global ulong *in) { out[get_global_id(0)] = *(global int *)in[1]; }\n";

static const char *const names[] = {"fills",      "scales", "meets",   "passes", "stays", "climbs",
                                    "keeps_lock", "tiles",  "takes",   "flat",   "looks", "turns",
                                    "shares",     "unites", "borrows", "twice",  "parts", "leads"};

static cl_device_id find_device(void)
{
    cl_platform_id platforms[16];
    cl_device_id device = NULL;
    cl_uint count = 0;
    char name[128];
    const char *driver = getenv("CAPTURED_DRIVER");

    clGetPlatformIDs(16, platforms, &count);
    for (cl_uint i = 0; i < count && device == NULL; ++i) {
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (strstr(name, driver != NULL ? driver : "Portable") != NULL)
            clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    }
    return device;
}

static void set_others(cl_kernel kernel, const char *name, int groups)
{
    const cl_float4 by = {{1, 2, 3, 4}};
    const struct {
        int first;
        float second;
    } pair = {1, 2};
    const cl_ulong value = 9;
    const cl_uchar small = 3;
    const cl_int number = strcmp(name, "meets") == 0 ? groups : 0;

    if (strcmp(name, "scales") == 0)
        clSetKernelArg(kernel, 1, sizeof by, &by);
    else if (strcmp(name, "takes") == 0)
        clSetKernelArg(kernel, 1, sizeof pair, &pair);
    else if (strcmp(name, "flat") == 0)
        clSetKernelArg(kernel, 1, sizeof small, &small);
    else if (strcmp(name, "tiles") == 0) {
        clSetKernelArg(kernel, 1, 4 * sizeof(cl_int), NULL);
        clSetKernelArg(kernel, 2, sizeof value, &value);
    } else
        clSetKernelArg(kernel, 1, sizeof number, &number);
}

/* The pixel at 3, 1 is 5: what is beyond it, too, with this sampler. */
static void set_image(cl_context context, cl_kernel kernel)
{
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 2};
    cl_float pixels[2][4][4] = {0};

    pixels[1][3][0] = 5;
    cl_mem image = clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &shape, pixels, NULL);
    cl_sampler sampler = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, NULL);
    clSetKernelArg(kernel, 1, sizeof image, &image);
    clSetKernelArg(kernel, 2, sizeof sampler, &sampler);
}

/* Each pixel has its number. */
static void set_images(cl_context context, cl_kernel kernel)
{
    const cl_image_format format = {CL_R, CL_SIGNED_INT32};
    cl_int pixels[16];
    for (int i = 0; i < 16; ++i)
        pixels[i] = i;
    const cl_mem_flags flags = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
    const cl_image_desc shapes[] = {
        {.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY, .image_width = 4, .image_height = 2, .image_array_size = 2},
        {.image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = 4, .image_height = 2, .image_depth = 2},
        {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER,
         .image_width = 16,
         .buffer = clCreateBuffer(context, flags, sizeof pixels, pixels, NULL)}};

    for (cl_uint i = 0; i < 3; ++i) {
        cl_mem image = clCreateImage(context, i == 2 ? CL_MEM_READ_ONLY : flags, &format, &shapes[i],
                                     i == 2 ? NULL : pixels, NULL);
        clSetKernelArg(kernel, 1 + i, sizeof image, &image);
    }
}

typedef void *CL_API_CALL allocate_function(cl_context, const void *, size_t, cl_uint, cl_int *);
typedef cl_int CL_API_CALL set_function(cl_kernel, cl_uint, const void *);

/* By an extension. */
static int set_unified(cl_context context, cl_kernel kernel)
{
    cl_device_id device = NULL;
    cl_platform_id platform = NULL;
    clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof(cl_device_id), &device, NULL);
    clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), &platform, NULL);
    allocate_function *allocate =
        (allocate_function *)clGetExtensionFunctionAddressForPlatform(platform, "clHostMemAllocINTEL");
    set_function *set =
        (set_function *)clGetExtensionFunctionAddressForPlatform(platform, "clSetKernelArgMemPointerINTEL");
    cl_int *memory = allocate != NULL && set != NULL ? allocate(context, NULL, 64, 0, NULL) : NULL;

    if (memory == NULL)
        exit(77);
    memset(memory, 0, 64);
    memory[3] = 5;
    return set(kernel, 1, memory + 2) == CL_SUCCESS;
}

/* Memory of 64 bytes, and what it has the address of. */
static void set_pointer(cl_context context, cl_command_queue queue, cl_kernel kernel)
{
    cl_ulong *from = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0), *to = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
    void *const reached[] = {to};

    clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, from, 64, 0, NULL, NULL);
    clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, to, 64, 0, NULL, NULL);
    memset(from, 0, 64);
    memset(to, 0, 64);
    from[1] = (cl_ulong)(size_t)to;
    clEnqueueSVMUnmap(queue, from, 0, NULL, NULL);
    clEnqueueSVMUnmap(queue, to, 0, NULL, NULL);
    clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof reached, reached);
    clSetKernelArgSVMPointer(kernel, 1, from);
}

/* The buffer itself once more, or the second half of it. */
static void set_again(cl_mem out, cl_kernel kernel, int part)
{
    const cl_buffer_region half = {.origin = 512, .size = 512};
    const cl_mem memory =
        part ? clCreateSubBuffer(out, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &half, NULL) : out;

    clSetKernelArg(kernel, 1, sizeof memory, &memory);
}

/* What is no buffer and no value. Of what the program has allocated itself nobody knows how large it is. */
static int set_object(cl_context context, cl_command_queue queue, cl_mem out, cl_kernel kernel, const char *name)
{
    static cl_int own[16];

    if (strcmp(name, "looks") == 0)
        set_image(context, kernel);
    else if (strcmp(name, "turns") == 0)
        set_images(context, kernel);
    else if (strcmp(name, "shares") == 0) {
        cl_int *memory = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
        clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, memory, 64, 0, NULL, NULL);
        memset(memory, 0, 64);
        memory[3] = 5;
        clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL);
        clSetKernelArgSVMPointer(kernel, 1, memory + 2);
    } else if (strcmp(name, "unites") == 0)
        return set_unified(context, kernel);
    else if (strcmp(name, "borrows") == 0)
        clSetKernelArgSVMPointer(kernel, 1, own);
    else if (strcmp(name, "twice") == 0 || strcmp(name, "parts") == 0)
        set_again(out, kernel, strcmp(name, "parts") == 0);
    else if (strcmp(name, "leads") == 0)
        set_pointer(context, queue, kernel);
    else
        return 0;
    return 1;
}

/* Compiled and linked, alone or with another one. */
static cl_program link_of(cl_context context, cl_device_id device, cl_program program, int count)
{
    const char *text = "int other(void) { return 1; }\n";
    const cl_program of[2] = {program, clCreateProgramWithSource(context, 1, &text, NULL, NULL)};

    if (clCompileProgram(of[0], 1, &device, "-DBASE=5", 0, NULL, NULL, NULL, NULL) != CL_SUCCESS ||
        clCompileProgram(of[1], 1, &device, "", 0, NULL, NULL, NULL, NULL) != CL_SUCCESS)
        return NULL;
    return clLinkProgram(context, 1, &device, "", (cl_uint)count, of, NULL, NULL, NULL);
}

int main(int count, char **arguments)
{
    const char *name = names[count > 1 ? atoi(arguments[1]) : 0];
    const int groups = count > 2 ? atoi(arguments[2]) : 1;
    const cl_bool ordered = count <= 3;
    cl_int first[256] = {strcmp(name, "meets") == 0 ? 0 : 7};
    cl_device_id device = find_device();

    if (device == NULL)
        return 77;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue =
        clCreateCommandQueue(context, device, ordered ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    if (getenv("CAPTURED_LINKED") != NULL)
        program = link_of(context, device, program, atoi(getenv("CAPTURED_LINKED")));
    else if (clBuildProgram(program, 1, &device, "-DBASE=5", NULL, NULL) != CL_SUCCESS)
        return 2;
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof first, NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, name, NULL);
    clSetKernelArg(kernel, 0, sizeof out, &out);
    if (!set_object(context, queue, out, kernel, name))
        set_others(kernel, name, groups);

    const cl_uint dimensions = strcmp(name, "flat") == 0 ? 2 : 1;
    const size_t global[2] = {4 * (size_t)groups, 3}, local[2] = {4, 1};
    cl_event written;
    clEnqueueWriteBuffer(queue, out, CL_FALSE, 0, sizeof first, first, 0, NULL, &written);
    if (clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, global, local, 1, &written, NULL) != CL_SUCCESS)
        return 3;
    clFinish(queue);
    puts("ended");
    return 0;
}
