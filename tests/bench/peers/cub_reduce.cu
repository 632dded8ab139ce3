// The peer of tests/bench/reduce.py: how long CUB's DeviceReduce::Sum takes.
//
//     nvcc -O3 -arch=sm_90 cub_reduce.cu -o cub_reduce && ./cub_reduce ITEMS...
//
// Before each pair of reductions the input is written anew, as gridlock does, so that caches hold the same of it.
// Prints a line for each length: items, the shortest pair of seven, halved, and the shortest first of a pair, in
// nanoseconds between two events around the call.
#include <cub/cub.cuh>

#include <cstdio>
#include <cstdlib>

static void check(cudaError_t code, const char *what)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "cub_reduce: %s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

static float reduce(void *scratch, size_t bytes, const unsigned *input, unsigned *output, size_t items)
{
    cudaEvent_t begin, end;
    float ms;

    check(cudaEventCreate(&begin), "cudaEventCreate");
    check(cudaEventCreate(&end), "cudaEventCreate");
    check(cudaEventRecord(begin), "cudaEventRecord");
    check(cub::DeviceReduce::Sum(scratch, bytes, input, output, (int)items), "DeviceReduce::Sum");
    check(cudaEventRecord(end), "cudaEventRecord");
    check(cudaEventSynchronize(end), "cudaEventSynchronize");
    check(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return ms;
}

// Copies from the host stay below a second; of longer inputs no cache holds much.
static void write_anew(unsigned *input, const unsigned *host, size_t items)
{
    const size_t most_copied = (size_t)1 << 24;
    if (items <= most_copied)
        check(cudaMemcpy(input, host, items * sizeof *input, cudaMemcpyHostToDevice), "cudaMemcpy");
    else
        check(cudaMemset(input, 1, items * sizeof *input), "cudaMemset");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

int main(int count, char **arguments)
{
    const int pairs = 7;
    size_t most = 1, bytes = 0;
    unsigned *input, *output;
    void *scratch;

    for (int i = 1; i < count; ++i)
        most = strtoull(arguments[i], NULL, 10) > most ? strtoull(arguments[i], NULL, 10) : most;
    unsigned *host = (unsigned *)calloc((size_t)1 << 24, sizeof *host);
    check(host == NULL ? cudaErrorMemoryAllocation : cudaSuccess, "calloc");
    check(cudaMalloc(&input, most * sizeof *input), "cudaMalloc");
    check(cudaMalloc(&output, sizeof *output), "cudaMalloc");
    check(cub::DeviceReduce::Sum(NULL, bytes, input, output, (int)most), "DeviceReduce::Sum");
    check(cudaMalloc(&scratch, bytes), "cudaMalloc");
    for (int i = 1; i < count; ++i) {
        const size_t items = strtoull(arguments[i], NULL, 10);
        float pair = 0, first = 0;
        for (int repeat = -1; repeat < pairs; ++repeat) { // the first one loads the code
            write_anew(input, host, items);
            const float one = reduce(scratch, bytes, input, output, items);
            const float two = reduce(scratch, bytes, input, output, items);
            pair = repeat <= 0 || one + two < pair ? one + two : pair;
            first = repeat <= 0 || one < first ? one : first;
        }
        printf("%zu %.0f %.0f\n", items, pair / 2 * 1e6, first * 1e6);
    }
    return 0;
}
