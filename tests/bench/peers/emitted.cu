// The peer of tests/bench/emitted.py: a ticket lock of blocks, and CUB's sums up to each value.
//
//     nvcc -O3 -arch=sm_90 emitted.cu -o emitted_cuda && ./emitted_cuda lock|scan ROUNDS THREADS:BLOCKS...
//
// Prints a line for each shape, and the shortest of five launches in nanoseconds: of the lock a hand-over, of the scan,
// whose shape stands for 16 values a thread, the call.
#include <cub/cub.cuh>
#include <cuda/atomic>

#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Lock {
    unsigned next, pad[31], serving, pad2[31], count;
};

__global__ void locks(int rounds, Lock *lock)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> next(lock->next), serving(lock->serving);
    for (int round = 0; round < rounds; ++round) {
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned ticket = next.fetch_add(1, cuda::memory_order_relaxed);
            while (serving.load(cuda::memory_order_acquire) != ticket)
                ;
        }
        __syncthreads();
        if (threadIdx.x == 0)
            lock->count += 1;
        __syncthreads();
        if (threadIdx.x == 0)
            serving.store(serving.load(cuda::memory_order_relaxed) + 1, cuda::memory_order_release);
    }
}

static void check(cudaError_t code, const char *what)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "emitted_cuda: %s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

template <typename Call> static float shortest(Call call)
{
    float least = 0;
    for (int repeat = 0; repeat <= 5; ++repeat) {
        cudaEvent_t begin, end;
        float ms;
        check(cudaEventCreate(&begin), "cudaEventCreate");
        check(cudaEventCreate(&end), "cudaEventCreate");
        check(cudaEventRecord(begin), "cudaEventRecord");
        call();
        check(cudaEventRecord(end), "cudaEventRecord");
        check(cudaEventSynchronize(end), "cudaEventSynchronize");
        check(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime");
        least = repeat <= 1 || ms < least ? ms : least; // the first one loads the code
        cudaEventDestroy(begin);
        cudaEventDestroy(end);
    }
    return least * 1e6f;
}

static float time_lock(int rounds, int threads, int blocks)
{
    Lock *lock;
    check(cudaMalloc(&lock, sizeof *lock), "cudaMalloc");
    check(cudaMemset(lock, 0, sizeof *lock), "cudaMemset");
    const float time = shortest([&] { locks<<<blocks, threads>>>(rounds, lock); });
    cudaFree(lock);
    return time / rounds / blocks;
}

static float time_scan(size_t items)
{
    unsigned *values;
    void *scratch;
    size_t bytes = 0;
    check(cudaMalloc(&values, 2 * items * sizeof *values), "cudaMalloc");
    check(cudaMemset(values, 1, items * sizeof *values), "cudaMemset");
    check(cub::DeviceScan::InclusiveSum(NULL, bytes, values, values + items, items), "InclusiveSum");
    check(cudaMalloc(&scratch, bytes), "cudaMalloc");
    const float time = shortest(
        [&] { check(cub::DeviceScan::InclusiveSum(scratch, bytes, values, values + items, items), "InclusiveSum"); });
    cudaFree(scratch);
    cudaFree(values);
    return time;
}

int main(int count, char **arguments)
{
    const bool is_lock = count > 1 && strcmp(arguments[1], "lock") == 0;
    const int rounds = count > 2 ? atoi(arguments[2]) : 0;

    if (count < 4 || rounds < 1 || (!is_lock && strcmp(arguments[1], "scan") != 0)) {
        fprintf(stderr, "usage: emitted_cuda lock|scan ROUNDS THREADS:BLOCKS...\n");
        return 2;
    }
    for (int i = 3; i < count; ++i) {
        int threads = 0, blocks = 0;
        if (sscanf(arguments[i], "%d:%d", &threads, &blocks) != 2) {
            fprintf(stderr, "emitted_cuda: %s is not THREADS:BLOCKS\n", arguments[i]);
            return 2;
        }
        printf("%s %.1f\n", arguments[i],
               is_lock ? time_lock(rounds, threads, blocks) : time_scan((size_t)threads * blocks * 16));
    }
    return 0;
}
