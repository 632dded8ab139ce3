// The peer of tests/bench/reduce.py: how long CUB's DeviceReduce::Sum takes.
//
//     nvcc -O3 -arch=sm_90 cub_reduce.cu -o cub_reduce && ./cub_reduce ITEMS...
//
// Prints a line for each length: items, and the shortest of seven reductions in nanoseconds, between two events
// around the call.
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

int main(int count, char **arguments)
{
    size_t most = 1, bytes = 0;
    unsigned *input, *output;
    void *scratch;

    for (int i = 1; i < count; ++i)
        most = strtoull(arguments[i], NULL, 10) > most ? strtoull(arguments[i], NULL, 10) : most;
    check(cudaMalloc(&input, most * sizeof *input), "cudaMalloc");
    check(cudaMalloc(&output, sizeof *output), "cudaMalloc");
    check(cudaMemset(input, 1, most * sizeof *input), "cudaMemset");
    check(cub::DeviceReduce::Sum(NULL, bytes, input, output, (int)most), "DeviceReduce::Sum");
    check(cudaMalloc(&scratch, bytes), "cudaMalloc");
    for (int i = 1; i < count; ++i) {
        const size_t items = strtoull(arguments[i], NULL, 10);
        float shortest = reduce(scratch, bytes, input, output, items);
        for (int repeat = 0; repeat < 7; ++repeat) {
            const float ms = reduce(scratch, bytes, input, output, items);
            shortest = ms < shortest ? ms : shortest;
        }
        printf("%zu %.0f\n", items, shortest * 1e6);
    }
    return 0;
}
