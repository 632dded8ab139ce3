/* scan [TILES]: sums of 1024 values a tile. Prints a number of the result, and the time. */
#include "host.h"

enum { ITEMS = 64, PER = 16, MOST = 1024 };

static void run(const struct host *host, cl_kernel kernel, cl_uint count)
{
    for (cl_uint pass = 0; pass < 3; ++pass) {
        host_number_argument(kernel, 4, pass);
        host_launch(host, kernel, (size_t)(pass == 1 ? 1 : count) * ITEMS, ITEMS);
    }
}

int main(int count, char **arguments)
{
    static cl_uint values[MOST * ITEMS * PER];
    const cl_uint tiles = count > 1 ? (cl_uint)strtoul(arguments[1], NULL, 10) : 64;
    const size_t bytes = sizeof *values * tiles * ITEMS * PER;
    struct host host;
    double best = 1e9;

    if (tiles < 1 || tiles > MOST)
        host_end("scan: expected 1 to 1024 tiles");
    host_open(&host, "scan.cl");
    const cl_kernel kernel = host_kernel(&host, "scan");
    const cl_mem in = host_buffer(&host, bytes), out = host_buffer(&host, bytes);
    const cl_mem sums = host_buffer(&host, tiles * sizeof(cl_uint));
    host_buffer_argument(kernel, 0, in);
    host_buffer_argument(kernel, 1, out);
    host_buffer_argument(kernel, 2, sums);
    host_number_argument(kernel, 3, tiles);
    for (cl_uint i = 0; i < bytes / sizeof *values; ++i)
        values[i] = i * 2654435761u;
    host_write(&host, in, values, bytes);
    for (int i = 0; i < 20; ++i) {
        const double began = host_ms();
        run(&host, kernel, tiles);
        clFinish(host.queue);
        best = host_ms() - began < best ? host_ms() - began : best;
    }
    host_read(&host, out, values, bytes);
    host_print(values, bytes, best);
    return 0;
}
