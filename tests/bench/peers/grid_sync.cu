// The peer of tests/bench/barrier.py: how long cooperative groups' grid.sync() takes.
//
//     nvcc -O3 -arch=sm_90 grid_sync.cu -o grid_sync && ./grid_sync ROUNDS THREADS:BLOCKS...
//
// Prints a line for each shape: threads, blocks, and the shortest of five launches in nanoseconds a barrier.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>

__global__ void barriers(int rounds)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (int round = 0; round < rounds; ++round)
        grid.sync();
}

static void check(cudaError_t code, const char *what)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "grid_sync: %s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

static float launch(int rounds, int threads, int blocks)
{
    cudaEvent_t begin, end;
    float ms;
    void *arguments[] = {&rounds};

    check(cudaEventCreate(&begin), "cudaEventCreate");
    check(cudaEventCreate(&end), "cudaEventCreate");
    check(cudaEventRecord(begin), "cudaEventRecord");
    check(cudaLaunchCooperativeKernel((void *)barriers, dim3(blocks), dim3(threads), arguments, 0, 0), "launch");
    check(cudaEventRecord(end), "cudaEventRecord");
    check(cudaEventSynchronize(end), "cudaEventSynchronize");
    check(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return ms;
}

int main(int count, char **arguments)
{
    const int rounds = count > 1 ? atoi(arguments[1]) : 0;

    if (rounds < 1 || count < 3) {
        fprintf(stderr, "usage: grid_sync ROUNDS THREADS:BLOCKS...\n");
        return 2;
    }
    for (int i = 2; i < count; ++i) {
        int threads = 0, blocks = 0;
        if (sscanf(arguments[i], "%d:%d", &threads, &blocks) != 2) {
            fprintf(stderr, "grid_sync: %s is not THREADS:BLOCKS\n", arguments[i]);
            return 2;
        }
        launch(rounds, threads, blocks); // the first one loads the code
        float shortest = launch(rounds, threads, blocks);
        for (int repeat = 1; repeat < 5; ++repeat) {
            const float ms = launch(rounds, threads, blocks);
            shortest = ms < shortest ? ms : shortest;
        }
        printf("%d %d %.1f\n", threads, blocks, shortest * 1e6 / rounds);
    }
    return 0;
}
