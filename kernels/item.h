/*
 * What is reduced and scanned: items of the type that option `type` names, combined by option `op` (by default int, and
 * sums). Integers are computed modulo 2^bits, so that they can be combined in any order with the same result.
 */
#ifndef GRIDLOCK_ITEM_H
#define GRIDLOCK_ITEM_H

#include "group.h"

#if defined(TYPE_LONG)
typedef long item;
typedef long4 item4;
typedef ulong item_ring; /* the type in which it may overflow */
#define ITEM_LEAST LONG_MIN
#define ITEM_MOST LONG_MAX
#elif defined(TYPE_FLOAT)
typedef float item;
typedef float4 item4;
typedef float item_ring;
#define ITEM_LEAST (-INFINITY)
#define ITEM_MOST INFINITY
#else
typedef int item;
typedef int4 item4;
typedef uint item_ring;
#define ITEM_LEAST INT_MIN
#define ITEM_MOST INT_MAX
#endif

#if defined(OP_PRODUCT)
#define ITEM_IDENTITY ((item)1)
#elif defined(OP_MIN)
#define ITEM_IDENTITY ITEM_MOST
#elif defined(OP_MAX)
#define ITEM_IDENTITY ITEM_LEAST
#else
#define ITEM_IDENTITY ((item)0)
#endif

/* 32-bit words that transport an item. */
#define ITEM_WORDS 2u

static item item_add(item a, item b)
{
    return (item)((item_ring)a + (item_ring)b);
}

static item item_multiply(item a, item b)
{
    return (item)((item_ring)a * (item_ring)b);
}

static item item_combine(item a, item b)
{
#if defined(OP_PRODUCT)
    return item_multiply(a, b);
#elif defined(OP_MIN)
    return b < a ? b : a;
#elif defined(OP_MAX)
    return b > a ? b : a;
#else
    return item_add(a, b);
#endif
}

static item4 item_combine4(item4 a, item4 b)
{
    return (item4)(item_combine(a.x, b.x), item_combine(a.y, b.y), item_combine(a.z, b.z), item_combine(a.w, b.w));
}

/* --- items that cross groups within a launch --- */

static uint2 item_to_words(item value)
{
#if defined(TYPE_LONG)
    return as_uint2(value);
#else
    return (uint2)(as_uint(value), 0);
#endif
}

static item item_from_words(uint2 words)
{
#if defined(TYPE_LONG)
    return as_long(words);
#elif defined(TYPE_FLOAT)
    return as_float(words.x);
#else
    return as_int(words.x);
#endif
}

/* Two stores, so that a reader may see half of an item that was not published before. */
static void item_put(global uint *words, item value)
{
    const uint2 pair = item_to_words(value);
    gl_store(words, pair.x);
    gl_store(words + 1, pair.y);
}

static item item_get(global uint *words)
{
    return item_from_words((uint2)(gl_load(words), gl_load(words + 1)));
}

/*
 * A mark that accompanies the item which group or block `place` publishes: a reader that finds the two not to match has
 * not read what was published. 0 is no item's mark.
 */
static uint item_mark(item value, uint place)
{
    const uint2 pair = item_to_words(value);
    return gl_hash(pair.x + gl_hash(pair.y + gl_hash(place))) | 1;
}

#endif
