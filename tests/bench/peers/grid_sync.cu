// The peer of tests/bench/barrier.py: how long cooperative groups' grid.sync() takes, and the least that any can take.
//
//     nvcc -O3 -arch=sm_90 grid_sync.cu -o grid_sync && ./grid_sync ROUNDS least|THREADS:BLOCKS...
//
// Prints a line for each argument: the argument, and the shortest of five launches in nanoseconds a barrier. With
// `least` two threads on two multiprocessors meet by a relaxed atomic addition each, and relaxed loads until both are
// there.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void barriers(int rounds)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (int round = 0; round < rounds; ++round)
        grid.sync();
}

struct Pair {
    unsigned arrivals, units[2];
};

__global__ void least(int rounds, Pair *pair)
{
    asm("mov.u32 %0, %%smid;" : "=r"(pair->units[blockIdx.x]));
    for (unsigned round = 1; round <= (unsigned)rounds; ++round) {
        atomicAdd(&pair->arrivals, 1);
        while (*(volatile unsigned *)&pair->arrivals < 2 * round)
            ;
    }
}

static void check(cudaError_t code, const char *what)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "grid_sync: %s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

static float launch(const void *kernel, int threads, int blocks, void **arguments)
{
    cudaEvent_t begin, end;
    float ms;

    check(cudaEventCreate(&begin), "cudaEventCreate");
    check(cudaEventCreate(&end), "cudaEventCreate");
    check(cudaEventRecord(begin), "cudaEventRecord");
    check(cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(threads), arguments, 0, 0), "launch");
    check(cudaEventRecord(end), "cudaEventRecord");
    check(cudaEventSynchronize(end), "cudaEventSynchronize");
    check(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return ms;
}

static float launch_barriers(int rounds, int threads, int blocks)
{
    void *arguments[] = {&rounds};
    return launch((const void *)barriers, threads, blocks, arguments);
}

static float launch_least(int rounds)
{
    Pair *device, pair = {};
    void *arguments[] = {&rounds, &device};

    check(cudaMalloc(&device, sizeof pair), "cudaMalloc");
    check(cudaMemcpy(device, &pair, sizeof pair, cudaMemcpyHostToDevice), "cudaMemcpy");
    const float ms = launch((const void *)least, 1, 2, arguments);
    check(cudaMemcpy(&pair, device, sizeof pair, cudaMemcpyDeviceToHost), "cudaMemcpy");
    cudaFree(device);
    if (pair.units[0] == pair.units[1]) {
        fprintf(stderr, "grid_sync: least: both threads ran on multiprocessor %u\n", pair.units[0]);
        exit(1);
    }
    return ms;
}

int main(int count, char **arguments)
{
    const int rounds = count > 1 ? atoi(arguments[1]) : 0;

    if (rounds < 1 || count < 3) {
        fprintf(stderr, "usage: grid_sync ROUNDS least|THREADS:BLOCKS...\n");
        return 2;
    }
    for (int i = 2; i < count; ++i) {
        const bool is_least = strcmp(arguments[i], "least") == 0;
        int threads = 0, blocks = 0;
        float shortest = 0;
        if (!is_least && sscanf(arguments[i], "%d:%d", &threads, &blocks) != 2) {
            fprintf(stderr, "grid_sync: %s is not THREADS:BLOCKS\n", arguments[i]);
            return 2;
        }
        for (int repeat = 0; repeat <= 5; ++repeat) {
            const float ms = is_least ? launch_least(rounds) : launch_barriers(rounds, threads, blocks);
            shortest = repeat <= 1 || ms < shortest ? ms : shortest; // the first one loads the code
        }
        printf("%s %.1f\n", arguments[i], shortest * 1e6 / rounds);
    }
    return 0;
}
