/*
 * kernel:  promise_functions
 * purpose: many work-items change the same words by atomic functions, and say what they did and got
 * needs:   nothing
 * fails:   a change that was lost, or made twice, is in the sums that the host compares
 * source:  gridlock
 *
 * GL_SCOPE: the functions with an order, relaxed, and this scope; else those of OpenCL C 1.2, and GL_BITS of 64 those
 * of cl_khr_int64_base_atomics, with GL_EXTENDED of cl_khr_int64_extended_atomics. GL_LOCAL: words of local memory;
 * GL_GROUP: each group has words of its own, as it has there. GL_ONLY: one of the functions, by its number.
 */
#if GL_BITS == 64
#if defined(GL_EXTENDED)
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#else
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
typedef ulong number;
#else
typedef uint number;
#endif

#if defined(GL_LOCAL)
#define MEMORY local
#else
#define MEMORY global
#endif

enum { INCREASED, ADDED, DECREASED, SUBTRACTED, EXCHANGED, COMPARED, LEAST, MOST, MIXED, BITS, CELLS = 16 };
enum { DONE, OLD_SUM, RECEIVED, SWAPPED, WRONG_BITS, TOLD };

#if defined(GL_SCOPE)

#define SHARED(cell) ((volatile MEMORY atomic_uint *)(cell))
#define RELAXED memory_order_relaxed, GL_SCOPE
#define INCREASE(cell) atomic_fetch_add_explicit(SHARED(cell), 1u, RELAXED)
#define DECREASE(cell) atomic_fetch_sub_explicit(SHARED(cell), 1u, RELAXED)
#define ADD(cell, value) atomic_fetch_add_explicit(SHARED(cell), value, RELAXED)
#define SUBTRACT(cell, value) atomic_fetch_sub_explicit(SHARED(cell), value, RELAXED)
#define EXCHANGE(cell, value) atomic_exchange_explicit(SHARED(cell), value, RELAXED)
#define LOWER(cell, value) atomic_fetch_min_explicit(SHARED(cell), value, RELAXED)
#define RAISE(cell, value) atomic_fetch_max_explicit(SHARED(cell), value, RELAXED)
#define MIX(cell, value) atomic_fetch_xor_explicit(SHARED(cell), value, RELAXED)
#define SET(cell, value) atomic_fetch_or_explicit(SHARED(cell), value, RELAXED)
#define KEEP(cell, value) atomic_fetch_and_explicit(SHARED(cell), value, RELAXED)
static number compare_exchange(MEMORY number *cell, number expected, number value)
{
    atomic_compare_exchange_strong_explicit(SHARED(cell), &expected, value, memory_order_relaxed, RELAXED);
    return expected;
}

#else

#if GL_BITS == 64
#define NAMED(name) atom_##name
#else
#define NAMED(name) atomic_##name
#endif
#define SHARED(cell) ((volatile MEMORY number *)(cell))
#define INCREASE(cell) NAMED(inc)(SHARED(cell))
#define DECREASE(cell) NAMED(dec)(SHARED(cell))
#define ADD(cell, value) NAMED(add)(SHARED(cell), value)
#define SUBTRACT(cell, value) NAMED(sub)(SHARED(cell), value)
#define EXCHANGE(cell, value) NAMED(xchg)(SHARED(cell), value)
#define LOWER(cell, value) NAMED(min)(SHARED(cell), value)
#define RAISE(cell, value) NAMED(max)(SHARED(cell), value)
#define MIX(cell, value) NAMED (xor)(SHARED(cell), value)
#define SET(cell, value) NAMED(or)(SHARED(cell), value)
#define KEEP(cell, value) NAMED (and)(SHARED(cell), value)
static number compare_exchange(MEMORY number *cell, number expected, number value)
{
    return NAMED(cmpxchg)(SHARED(cell), expected, value);
}

#endif

/* Something of all bits for work-item `me` and its turn: a change of the upper half alone would be missed otherwise. */
static number token(uint me, uint turn)
{
    return ((number)me * 65537 + turn + 1) * (number)0x9e3779b97f4a7c15UL;
}

#if GL_BITS == 32 || defined(GL_EXTENDED)

/* Whose bit is the one in this place is alone to change it; others of the same word change theirs at the same time. */
static number change_bit(MEMORY number *cells, uint place)
{
    MEMORY number *cell = cells + BITS + place / GL_BITS;
    const number mine = (number)1 << place % GL_BITS;
    const bool was_set = (SET(cell, mine) & mine) != 0;
    return (KEEP(cell, ~mine) & mine) == 0 || was_set;
}

/* The functions of cl_khr_int64_extended_atomics, which others have among theirs. Returns a number of wrong bits. */
static number change_more(MEMORY number *cells, uint me, uint turn)
{
    number wrong_bits = 0;

#if !defined(GL_ONLY) || GL_ONLY == 6
    LOWER(cells + LEAST, token(me, turn));
#endif
#if !defined(GL_ONLY) || GL_ONLY == 7
    RAISE(cells + MOST, token(me, turn));
#endif
#if !defined(GL_ONLY) || GL_ONLY == 8
    MIX(cells + MIXED, token(me, turn));
#endif
#if !defined(GL_ONLY) || GL_ONLY == 9
#if defined(GL_LOCAL) || defined(GL_GROUP)
    const uint place = (uint)get_local_id(0);
#else
    const uint place = (uint)(get_local_id(0) * get_num_groups(0) + get_group_id(0));
#endif
    if (place < (CELLS - BITS) * GL_BITS)
        wrong_bits = change_bit(cells, place);
#endif
    return wrong_bits;
}

#endif

kernel void promise_functions(global number *shared, global number *told)
{
    const uint me = (uint)get_global_id(0);
#if defined(GL_LOCAL)
    local number cells[CELLS];
    shared += get_group_id(0) * CELLS;
    for (uint i = (uint)get_local_id(0); i < CELLS; i += (uint)get_local_size(0))
        cells[i] = shared[i];
    barrier(CLK_LOCAL_MEM_FENCE);
#elif defined(GL_GROUP)
    global number *cells = shared + get_group_id(0) * CELLS;
#else
    global number *cells = shared;
#endif
    number old_sum = 0, received = 0, swapped = 0, wrong_bits = 0, guess = 0;

    for (uint turn = 0; turn < GL_TURNS; ++turn) {
#if !defined(GL_EXTENDED)
#if !defined(GL_ONLY) || GL_ONLY == 0
        old_sum += INCREASE(cells + INCREASED);
#endif
#if !defined(GL_ONLY) || GL_ONLY == 1
        ADD(cells + ADDED, token(me, turn));
#endif
#if !defined(GL_ONLY) || GL_ONLY == 2
        DECREASE(cells + DECREASED);
#endif
#if !defined(GL_ONLY) || GL_ONLY == 3
        SUBTRACT(cells + SUBTRACTED, token(me, turn));
#endif
#if !defined(GL_ONLY) || GL_ONLY == 4
        received += EXCHANGE(cells + EXCHANGED, token(me, turn));
#endif
#if !defined(GL_ONLY) || GL_ONLY == 5
        const number found = compare_exchange(cells + COMPARED, guess, guess + 3);
        swapped += found == guess;
        guess = found == guess ? guess + 3 : found;
#endif
#endif
#if GL_BITS == 32 || defined(GL_EXTENDED)
        wrong_bits += change_more(cells, me, turn);
#endif
    }
    told += me * TOLD;
    told[DONE] = GL_TURNS;
#if !defined(GL_ONLY) || GL_ONLY == 0
    told[OLD_SUM] = old_sum;
#endif
#if !defined(GL_ONLY) || GL_ONLY == 4
    told[RECEIVED] = received;
#endif
#if !defined(GL_ONLY) || GL_ONLY == 5
    told[SWAPPED] = swapped;
#endif
#if !defined(GL_ONLY) || GL_ONLY == 9
    told[WRONG_BITS] = wrong_bits;
#endif
#if defined(GL_LOCAL)
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = (uint)get_local_id(0); i < CELLS; i += (uint)get_local_size(0))
        shared[i] = cells[i];
#endif
}
