// The peer of tests/bench/hand_over.py: how long a hand-over takes by cuda::atomic_ref at device scope, with a plain
// spin.
//
//     nvcc -O3 -std=c++17 -arch=sm_90 hand_over.cu -o hand_over
//     ./hand_over ROUNDS THREADS BLOCKS LAUNCHES PLACE:PAIRS:PAYLOAD...
//
// PLACE is same, next or far, PAIRS one or all, PAYLOAD in bytes, as in kernels/handover_latency.cl, which it does step
// by step. Prints a line for each: place, pairs, payload, how many pairs, the shortest median of the launches in
// picoseconds (half of a round trip), and how many work-items found a wrong payload.
#include <cuda/atomic>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum { LINE = 32, FLAGS = 8, ROUNDS_A_FLAG = 32, PHASES = 1024, SAME, NEXT, FAR };

struct Words {
    unsigned *met, *members, *places, *flags; // each of its own allocation; a member and a flag have a line each
    uint4 *cells;
    unsigned *trips, *wrong, *partners;
};

struct Shape {
    unsigned rounds, units, payload, place;
    bool one;
};

using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__device__ unsigned place_of(unsigned unit, unsigned rank)
{
    return unit << 16 | (rank + 1);
}

__device__ unsigned place_of_partner(const Shape &shape, unsigned own)
{
    const unsigned unit = own >> 16, rank = (own & 0xffff) - 1;
    const unsigned other = shape.place == SAME ? unit : shape.place == FAR ? shape.units - 1 - unit : unit ^ 1;
    const unsigned partner = place_of(other, shape.place == SAME ? rank ^ 1 : rank);
    const bool first = shape.place == SAME ? rank < 2 : rank == 0;

    if (shape.one && (!first || min(unit, other) != 0))
        return 0;
    return partner != own ? partner : 0;
}

__device__ void take_place(const Words &words)
{
    unsigned unit;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(unit));
    const unsigned rank = atomicAdd(words.members + unit * LINE, 1);

    words.places[blockIdx.x] = place_of(unit, rank);
    Flag(*words.met).fetch_add(1, cuda::memory_order_acq_rel);
    while (Flag(*words.met).load(cuda::memory_order_acquire) < gridDim.x)
        ;
}

struct Pair {
    unsigned partner, *own, *theirs; // the flags whose turn it is
};

// Each block raises its flags in turn. What follows from the number of the round is computed before a trip begins.
__device__ void take_flags(const Words &words, unsigned round, Pair *pair)
{
    if ((round - 1) % ROUNDS_A_FLAG != 0)
        return;
    const unsigned flag = (round - 1) / ROUNDS_A_FLAG % FLAGS;
    pair->own = words.flags + (blockIdx.x * FLAGS + flag) * LINE;
    pair->theirs = words.flags + (pair->partner * FLAGS + flag) * LINE;
}

__device__ void send(const Words &words, const Shape &shape, unsigned round, const Pair &pair)
{
    const unsigned count = shape.payload / 16;
    uint4 *own = words.cells + blockIdx.x * count;

#pragma unroll 4
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        own[i] = make_uint4(round + i, round + i, round + i, round + i);
    __syncthreads();
    if (threadIdx.x == 0)
        Flag(*pair.own).store(round, cuda::memory_order_release);
}

// Returns whether the payload is right.
__device__ bool receive(const Words &words, const Shape &shape, unsigned round, const Pair &pair)
{
    const unsigned count = shape.payload / 16;
    const uint4 *theirs = words.cells + pair.partner * count;
    unsigned bad = 0;

    if (threadIdx.x == 0)
        while (Flag(*pair.theirs).load(cuda::memory_order_acquire) != round)
            ;
    __syncthreads();
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
        const uint4 seen = theirs[i];
        bad |= (seen.x ^ (round + i)) | (seen.y ^ (round + i)) | (seen.z ^ (round + i)) | (seen.w ^ (round + i));
    }
    return bad == 0;
}

__device__ unsigned long long ticks()
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now) : : "memory");
    return now;
}

__device__ unsigned long long nanoseconds()
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now) : : "memory");
    return now;
}

// The same varying times between trips as in the kernel.
__device__ unsigned hash(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

// Lets so many ticks pass.
__device__ void pass(unsigned count)
{
    const unsigned long long began = ticks();
    while (ticks() - began < count)
        ;
}

__device__ unsigned ask(const Words &words, const Shape &shape, Pair pair)
{
    unsigned *trips = words.trips + blockIdx.x * shape.rounds;
    const unsigned long long began_ns = nanoseconds(), began = ticks();
    unsigned trip = 0, wrong = 0;

    for (unsigned round = 1; round <= shape.rounds; ++round) {
        take_flags(words, round, &pair);
        if (threadIdx.x == 0)
            pass(hash(round) % PHASES);
        __syncthreads();
        const unsigned long long sent = ticks();
        send(words, shape, round, pair);
        if (threadIdx.x == 0 && round > 1)
            trips[round - 2] = trip; // while it waits anyway
        wrong += !receive(words, shape, round, pair);
        trip = (unsigned)(ticks() - sent);
    }
    const unsigned long long ended = ticks();
    if (threadIdx.x == 0) {
        trips[shape.rounds - 1] = trip;
        const float half_tick_ps = 500 * (float)(nanoseconds() - began_ns) / (float)(ended - began);
        for (unsigned i = 0; i < shape.rounds; ++i)
            trips[i] = (unsigned)((float)trips[i] * half_tick_ps);
    }
    return wrong;
}

__global__ void hand_over(Words words, Shape shape)
{
    __shared__ unsigned found;

    if (threadIdx.x == 0) {
        found = gridDim.x;
        take_place(words);
    }
    __syncthreads();
    const unsigned wanted = place_of_partner(shape, Flag(words.places[blockIdx.x]).load(cuda::memory_order_relaxed));
    for (unsigned block = threadIdx.x; wanted != 0 && block < gridDim.x; block += blockDim.x)
        if (Flag(words.places[block]).load(cuda::memory_order_relaxed) == wanted)
            found = block;
    __syncthreads();
    const unsigned partner = found;
    unsigned wrong = 0;
    if (partner == gridDim.x)
        return;
    if (threadIdx.x == 0)
        words.partners[blockIdx.x] = 1;
    Pair pair = {partner, nullptr, nullptr};
    if (blockIdx.x < partner)
        wrong = ask(words, shape, pair);
    else
        for (unsigned round = 1; round <= shape.rounds; ++round) {
            take_flags(words, round, &pair);
            wrong += !receive(words, shape, round, pair);
            send(words, shape, round, pair);
        }
    if (wrong != 0)
        atomicAdd(words.wrong, wrong);
}

static void check(cudaError_t code, const char *what)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "hand_over: %s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

template <typename T> static T *zeroed(size_t count)
{
    T *memory;
    check(cudaMalloc(&memory, std::max<size_t>(count, 1) * sizeof(T)), "cudaMalloc");
    check(cudaMemset(memory, 0, std::max<size_t>(count, 1) * sizeof(T)), "cudaMemset");
    return memory;
}

// As launched by the cooperative call, the blocks are all resident, or none is.
static void launch(const Shape &shape, int threads, int blocks, unsigned *median, unsigned *wrong, unsigned *paired)
{
    const size_t count = (size_t)blocks * shape.rounds;
    std::vector<unsigned> trips(count), partners((size_t)blocks);
    Words words = {zeroed<unsigned>(1), zeroed<unsigned>((size_t)shape.units * LINE), zeroed<unsigned>((size_t)blocks),
                   zeroed<unsigned>((size_t)blocks * FLAGS * LINE),
                   zeroed<uint4>((size_t)blocks * (shape.payload / 16)),
                   zeroed<unsigned>(count), zeroed<unsigned>(1), zeroed<unsigned>((size_t)blocks)};
    void *arguments[] = {&words, (void *)&shape};

    check(cudaLaunchCooperativeKernel((void *)hand_over, dim3(blocks), dim3(threads), arguments, 0, 0), "launch");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    check(cudaMemcpy(trips.data(), words.trips, count * sizeof(unsigned), cudaMemcpyDeviceToHost), "cudaMemcpy");
    check(cudaMemcpy(partners.data(), words.partners, partners.size() * 4, cudaMemcpyDeviceToHost), "cudaMemcpy");
    check(cudaMemcpy(wrong, words.wrong, sizeof *wrong, cudaMemcpyDeviceToHost), "cudaMemcpy");
    for (void *memory : {(void *)words.met, (void *)words.members, (void *)words.places, (void *)words.flags,
                         (void *)words.cells, (void *)words.trips, (void *)words.wrong, (void *)words.partners})
        cudaFree(memory);
    trips.erase(std::remove(trips.begin(), trips.end(), 0u), trips.end());
    *paired = (unsigned)std::count(partners.begin(), partners.end(), 1u) / 2;
    *median = 0;
    if (trips.empty())
        return;
    std::nth_element(trips.begin(), trips.begin() + (trips.size() - 1) / 2, trips.end());
    *median = trips[(trips.size() - 1) / 2];
}

static bool parse(const char *text, Shape *shape)
{
    char place[8], pairs[8];

    if (sscanf(text, "%7[a-z]:%7[a-z]:%u", place, pairs, &shape->payload) != 3)
        return false;
    shape->place = strcmp(place, "same") == 0 ? SAME : strcmp(place, "far") == 0 ? FAR : NEXT;
    shape->one = strcmp(pairs, "one") == 0;
    return true;
}

int main(int count, char **arguments)
{
    cudaDeviceProp device;
    Shape shape = {};

    if (count < 6) {
        fprintf(stderr, "usage: hand_over ROUNDS THREADS BLOCKS LAUNCHES PLACE:PAIRS:PAYLOAD...\n");
        return 2;
    }
    check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
    shape.rounds = (unsigned)atoi(arguments[1]);
    shape.units = (unsigned)device.multiProcessorCount;
    for (int i = 5; i < count; ++i) {
        unsigned best = 0, bad = 0, paired = 0;
        if (!parse(arguments[i], &shape)) {
            fprintf(stderr, "hand_over: %s is not PLACE:PAIRS:PAYLOAD\n", arguments[i]);
            return 2;
        }
        for (int repeat = 0; repeat < atoi(arguments[4]); ++repeat) {
            unsigned median, wrong;
            launch(shape, atoi(arguments[2]), atoi(arguments[3]), &median, &wrong, &paired);
            best = best == 0 || (median != 0 && median < best) ? median : best;
            bad += wrong;
        }
        printf("%s %u %u %u\n", arguments[i], paired, best, bad);
    }
    return 0;
}
