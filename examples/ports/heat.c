/* heat [GROUPS]: 1000 steps of a plate whose upper edge is hot. Prints a number of the result, and the time. */
#include "host.h"

enum { SIDE = 64, STEPS = 1000, ITEMS = 64 };

static void run(const struct host *host, cl_kernel kernel, const cl_mem buffers[2], cl_uint groups)
{
    for (cl_uint step = 0; step < STEPS; ++step) {
        host_buffer_argument(kernel, 0, buffers[step % 2]);
        host_buffer_argument(kernel, 1, buffers[1 - step % 2]);
        host_launch(host, kernel, (size_t)groups * ITEMS, ITEMS);
    }
}

int main(int count, char **arguments)
{
    static float plate[SIDE * SIDE];
    struct host host;
    cl_uint units = 1;

    host_open(&host, "heat.cl");
    host_check(clGetDeviceInfo(host.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL), "units");
    const cl_uint groups = count > 1 ? (cl_uint)strtoul(arguments[1], NULL, 10) : units;
    const cl_kernel kernel = host_kernel(&host, "heat");
    const cl_mem buffers[2] = {host_buffer(&host, sizeof plate), host_buffer(&host, sizeof plate)};
    for (int x = 0; x < SIDE; ++x)
        plate[x] = 1;
    host_number_argument(kernel, 2, SIDE);
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {
        host_write(&host, buffers[0], plate, sizeof plate);
        host_write(&host, buffers[1], plate, sizeof plate);
        const double began = host_ms();
        run(&host, kernel, buffers, groups);
        clFinish(host.queue);
        best = host_ms() - began < best ? host_ms() - began : best;
    }
    host_read(&host, buffers[STEPS % 2], plate, sizeof plate);
    host_print(plate, sizeof plate, best);
    return 0;
}
