/*
 * kernel:  promise_sub_more
 * purpose: each work-item computes what functions of its sub-group must give, from what the others put in, and compares
 * needs:   nothing
 * fails:   it tells the number of the first function that gave something else, what it gave, and what is right
 * source:  gridlock
 *
 * GL_FAMILY: the functions of one extension, by its number in promise/promise.h.
 * The size of a sub-group is counted, and its places are seen: what the device says of them is judged elsewhere.
 */
#include "promise_sub_group.h"

#if GL_FAMILY == 0
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
#elif GL_FAMILY == 1
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#elif GL_FAMILY == 2
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle_relative : enable
#elif GL_FAMILY == 3
#pragma OPENCL EXTENSION cl_khr_subgroup_rotate : enable
#elif GL_FAMILY == 4
#pragma OPENCL EXTENSION cl_khr_subgroup_non_uniform_vote : enable
#elif GL_FAMILY == 5
#pragma OPENCL EXTENSION cl_khr_subgroup_non_uniform_arithmetic : enable
#elif GL_FAMILY == 6
#pragma OPENCL EXTENSION cl_khr_subgroup_clustered_reduce : enable
#else
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#endif

enum { WRONG, GOT, WANTED, COMPARED, SUB_GROUP, TOLD, GROUP = 64 };

/* What a function gave is compared with what is right, if that is defined. */
static void compare(global uint *told, bool defined, uint function, uint got, uint wanted)
{
    told[COMPARED] += defined;
    if (defined && got != wanted && told[WRONG] == 0)
        told[WRONG] = function, told[GOT] = got, told[WANTED] = wanted;
}

/* Compares all that they gave this work-item; `of`: what those of its sub-group put in, by their places. */
#if GL_FAMILY == 0

static void compare_all(global uint *told, uint value, uint place, uint size, private const uint *of)
{
    uint bits = 0, before = 0, lowest = size, highest = 0;
    for (uint i = 0; i < size; ++i) {
        bits += of[i] & 1;
        before += i < place ? of[i] & 1 : 0;
        lowest = (of[i] & 1) != 0 && lowest == size ? i : lowest;
        highest = (of[i] & 1) != 0 ? i : highest;
    }
    const uint4 ballot = sub_group_ballot((int)(value & 1));
    const uint other = (place * 5 + 3) % size;
    compare(told, place < 32, 1, ballot.x >> place % 32 & 1, value & 1);
    compare(told, true, 2, sub_group_inverse_ballot(ballot) != 0, value & 1);
    compare(told, true, 3, sub_group_ballot_bit_extract(ballot, other) != 0, of[other] & 1);
    compare(told, true, 4, sub_group_ballot_bit_count(ballot), bits);
    compare(told, true, 5, sub_group_ballot_inclusive_scan(ballot), before + (value & 1));
    compare(told, true, 6, sub_group_ballot_exclusive_scan(ballot), before);
    compare(told, bits > 0, 7, sub_group_ballot_find_lsb(ballot), lowest);
    compare(told, bits > 0, 8, sub_group_ballot_find_msb(ballot), highest);
    compare(told, true, 9, sub_group_non_uniform_broadcast(value, size - 1), of[size - 1]);
    if ((value & 1) != 0)
        compare(told, true, 10, sub_group_broadcast_first(value), of[lowest]);
}

#elif GL_FAMILY == 1

static void compare_all(global uint *told, uint value, uint place, uint size, private const uint *of)
{
    const uint other = (place * 5 + 3) % size;
    compare(told, true, 1, sub_group_shuffle(value, other), of[other]);
    compare(told, true, 2, sub_group_shuffle(value, size - 1 - place), of[size - 1 - place]);
    for (uint mask = 1; mask < size; mask *= 2) {
        const uint got = sub_group_shuffle_xor(value, mask);
        compare(told, (place ^ mask) < size, 3, got, of[(place ^ mask) % GROUP]);
    }
}

#elif GL_FAMILY == 2

static void compare_all(global uint *told, uint value, uint place, uint size, private const uint *of)
{
    for (uint delta = 0; delta < size; delta = 2 * delta + 1) {
        const uint above = sub_group_shuffle_up(value, delta), below = sub_group_shuffle_down(value, delta);
        compare(told, place >= delta, 1, above, of[(place - delta) % GROUP]);
        compare(told, place + delta < size, 2, below, of[(place + delta) % GROUP]);
    }
}

#elif GL_FAMILY == 3

static void compare_all(global uint *told, uint value, uint place, uint size, private const uint *of)
{
    for (uint delta = 0; delta < size; delta = 2 * delta + 1) {
        const uint got = sub_group_rotate(value, (int)delta);
        compare(told, size == get_max_sub_group_size(), 1, got, of[(place + delta) % size]);
    }
}

#elif GL_FAMILY == 4

static void compare_all(global uint *told, uint value, uint place, uint size, private const uint *of)
{
    uint first = size, all = 1, any = 0, both = 0;
    for (uint i = 0; i < size; ++i) {
        if ((of[i] & 1) == 0)
            continue;
        first = first == size ? i : first;
        all &= of[i] >> 1 & 1;
        any |= of[i] >> 1 & 1;
        both |= of[i] & 2 ? 1 : 2;
    }
    compare(told, true, 1, sub_group_elect() != 0, place == 0);
    if ((value & 1) != 0) {
        compare(told, true, 2, sub_group_elect() != 0, place == first);
        compare(told, true, 3, sub_group_non_uniform_all((int)(value & 2)) != 0, all);
        compare(told, true, 4, sub_group_non_uniform_any((int)(value & 2)) != 0, any);
        compare(told, true, 5, sub_group_non_uniform_all_equal(value & 2) != 0, both != 3);
    }
}

#elif GL_FAMILY == 5 || GL_FAMILY == 6

static void compare_all(global uint *told, uint value, uint place, uint size, private const uint *of)
{
#if GL_FAMILY == 5
    const bool part = (value & 1) != 0; /* others are not in the call */
#define IS_IN(i) ((of[i] & 1) != 0)
#define REDUCE(name) sub_group_non_uniform_reduce_##name(value)
#else
#if !defined(CLUSTER)
#define CLUSTER 4 /* work-items, where sub-groups have as many */
#endif
    const bool part = size % CLUSTER == 0;
#define IS_IN(i) ((i) / CLUSTER == place / CLUSTER)
#define REDUCE(name) sub_group_clustered_reduce_##name(value, CLUSTER)
#endif
    uint sum = 0, product = 1, least = 0xffffffffu, most = 0, all = 0xffffffffu, any = 0, odd = 0, before = 0;
    for (uint i = 0; i < size; ++i)
        if (IS_IN(i)) {
            sum += of[i], product *= of[i], least = min(least, of[i]), most = max(most, of[i]);
            all &= of[i], any |= of[i], odd ^= of[i], before += i < place ? of[i] : 0;
        }
    if (part) {
        compare(told, true, 1, REDUCE(add), sum);
        compare(told, true, 2, REDUCE(mul), product);
        compare(told, true, 3, REDUCE(min), least);
        compare(told, true, 4, REDUCE(max), most);
        compare(told, true, 5, REDUCE(and), all);
        compare(told, true, 6, REDUCE(or), any);
        compare(told, true, 7, REDUCE(xor), odd);
#if GL_FAMILY == 5
        compare(told, true, 8, sub_group_non_uniform_scan_inclusive_add(value), before + value);
        compare(told, true, 9, sub_group_non_uniform_scan_exclusive_add(value), before);
#endif
    }
}

#else

static void compare_all(global uint *told, uint value, uint place, uint size, private const uint *of)
{
    const uint other = (place * 5 + 3) % size;
    compare(told, true, 1, intel_sub_group_shuffle(value, other), of[other]);
    for (uint mask = 1; mask < size; mask *= 2) {
        const uint got = intel_sub_group_shuffle_xor(value, mask);
        compare(told, (place ^ mask) < size, 2, got, of[(place ^ mask) % GROUP]);
    }
    for (uint delta = 0; delta < size; delta = 2 * delta + 1) {
        const uint above = intel_sub_group_shuffle_up(0u, value, delta);
        const uint below = intel_sub_group_shuffle_down(value, 0u, delta);
        compare(told, place >= delta, 3, above, of[(place - delta) % GROUP]);
        compare(told, place + delta < size, 4, below, of[(place + delta) % GROUP]);
    }
}

#endif

kernel void promise_sub_more(global const uint *given, global uint *told)
{
    const uint value = given[get_local_id(0)], group = get_sub_group_id(), place = get_sub_group_local_id();
    local uint4 put[GROUP];
    uint of[GROUP], size = 0; /* what the work-items of this sub-group put in, by their places; how many they are */
    ulong places = 0;         /* a bit each */

    told += get_local_id(0) * TOLD, told[WRONG] = told[COMPARED] = 0, told[SUB_GROUP] = group;
    put[get_local_id(0)] = (uint4)(group, place % GROUP, value, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < get_local_size(0); ++i)
        if (put[i].x == group)
            of[put[i].y] = put[i].z, places |= 1ul << put[i].y, ++size;
    if (places != ~0ul >> (GROUP - size))
        return; /* without places of their own nothing is defined */
    compare_all(told, value, place, size, of);
}
