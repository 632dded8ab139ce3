/* scan: sums of many values. Prints a number of the result, and the time. */
#include "host.h"

enum { ITEMS = 64, PER = 16, TILES = 64, VALUES = TILES * ITEMS * PER };

static void run(const struct host *host, cl_kernel kernel)
{
    for (cl_uint pass = 0; pass < 3; ++pass) {
        host_number_argument(kernel, 4, pass);
        host_launch(host, kernel, (size_t)(pass == 1 ? 1 : TILES) * ITEMS, ITEMS);
    }
}

int main(void)
{
    static cl_uint values[VALUES];
    struct host host;
    double best = 1e9;

    host_open(&host, "scan.cl");
    const cl_kernel kernel = host_kernel(&host, "scan");
    const cl_mem in = host_buffer(&host, sizeof values), out = host_buffer(&host, sizeof values);
    const cl_mem tiles = host_buffer(&host, TILES * sizeof(cl_uint));
    host_buffer_argument(kernel, 0, in);
    host_buffer_argument(kernel, 1, out);
    host_buffer_argument(kernel, 2, tiles);
    host_number_argument(kernel, 3, TILES);
    for (cl_uint i = 0; i < VALUES; ++i)
        values[i] = i * 2654435761u;
    host_write(&host, in, values, sizeof values);
    for (int i = 0; i < 20; ++i) {
        const double began = host_ms();
        run(&host, kernel);
        clFinish(host.queue);
        best = host_ms() - began < best ? host_ms() - began : best;
    }
    host_read(&host, out, values, sizeof values);
    host_print(values, sizeof values, best);
    return 0;
}
