/* walk: works through 4 chains of values. Prints a number of the result, and the time. */
#include "host.h"

enum { CHAINS = 4, TOTAL = 1200, ITEMS = 64 };

static void run(const struct host *host, cl_kernel kernel, const cl_mem lists[2], cl_mem left)
{
    static const cl_uint first[CHAINS] = {0, 1, 2, 3}, none = 0;
    cl_uint count = CHAINS;

    host_write(host, lists[0], first, sizeof first);
    for (int level = 0; count > 0; ++level) {
        host_buffer_argument(kernel, 0, lists[level % 2]);
        host_buffer_argument(kernel, 1, lists[1 - level % 2]);
        host_write(host, left, &none, sizeof none);
        host_launch(host, kernel, (size_t)count * ITEMS, ITEMS);
        host_read(host, left, &count, sizeof count);
    }
}

int main(void)
{
    static cl_uint results[TOTAL * ITEMS];
    struct host host;
    double best = 1e9;

    host_open(&host, "walk.cl");
    const cl_kernel kernel = host_kernel(&host, "walk");
    const cl_mem out = host_buffer(&host, sizeof results), left = host_buffer(&host, sizeof(cl_uint));
    const cl_mem lists[2] = {host_buffer(&host, TOTAL * sizeof(cl_uint)), host_buffer(&host, TOTAL * sizeof(cl_uint))};
    host_buffer_argument(kernel, 2, left);
    host_buffer_argument(kernel, 3, out);
    host_number_argument(kernel, 4, CHAINS);
    host_number_argument(kernel, 5, TOTAL);
    for (int i = 0; i < 5; ++i) {
        const double began = host_ms();
        run(&host, kernel, lists, left);
        best = host_ms() - began < best ? host_ms() - began : best;
    }
    host_read(&host, out, results, sizeof results);
    host_print(results, sizeof results, best);
    return 0;
}
