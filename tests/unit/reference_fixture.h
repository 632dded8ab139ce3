/* Regions and results, and whether they are right. */
#pragma once

#include "core/reference.h"

#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LOCAL_SIZE = 2 };

static struct workload work;
static const void *regions[WORKLOAD_REGIONS];

/* The next region of the workload; its index. */
static inline uint32_t add_region(enum element element, const void *bytes, uint64_t count)
{
    const uint32_t index = work.region_count++;
    ck_assert_uint_lt(index, WORKLOAD_REGIONS);
    work.regions[index] = (struct region){.element = element, .count = count};
    regions[index] = bytes;
    return index;
}

#define REGION(element, type, ...)                                                                                     \
    add_region(element, (const type[]){__VA_ARGS__}, sizeof(const type[]){__VA_ARGS__} / sizeof(type))
#define INTS(...) REGION(ELEMENT_INT, int32_t, __VA_ARGS__)
#define UINTS(...) REGION(ELEMENT_UINT, uint32_t, __VA_ARGS__)
#define LONGS(...) REGION(ELEMENT_LONG, int64_t, __VA_ARGS__)
#define ULONGS(...) REGION(ELEMENT_ULONG, uint64_t, __VA_ARGS__)
#define FLOATS(...) REGION(ELEMENT_FLOAT, float, __VA_ARGS__)

static inline struct term value(int64_t number)
{
    return (struct term){.kind = TERM_VALUE, .value = number};
}

static inline struct term element(uint32_t region, uint64_t index)
{
    return (struct term){.kind = TERM_ELEMENT, .a = region, .index = index};
}

static inline struct term of(enum term_kind kind, uint32_t region)
{
    return (struct term){.kind = kind, .a = region, .b = region};
}

static inline struct term dot(uint32_t a, uint32_t b)
{
    return (struct term){.kind = TERM_DOT, .a = a, .b = b};
}

static inline void add_result(struct term left, struct term right)
{
    ck_assert_uint_lt(work.result_count, WORKLOAD_RESULTS);
    work.results[work.result_count++] = (struct result){left, right};
}

static inline struct difference compare(void)
{
    struct error error = {0};
    struct difference difference = {99, 99, 99, 99, 99};
    ck_assert_msg(reference_compare(&work, LOCAL_SIZE, regions, NULL, &difference, &error) == 0, "%s", error.text);
    return difference;
}

static inline void forget_results(void)
{
    work.result_count = 0;
}

/* This one result is right. */
static inline void assert_right(struct term left, struct term right)
{
    forget_results();
    add_result(left, right);
    const struct difference difference = compare();
    ck_assert_uint_eq(difference.count, 0);
    ck_assert_uint_eq(difference.result, 0);
}

/* This one result is wrong in `count` elements, the first of which is `at`. */
static inline void assert_wrong(struct term left, struct term right, uint64_t count, uint64_t at)
{
    forget_results();
    add_result(left, right);
    const struct difference difference = compare();
    ck_assert_uint_eq(difference.count, count);
    ck_assert_uint_eq(difference.result, 1);
    ck_assert_uint_eq(difference.at, at);
}

static inline void assert_senseless(struct term left, struct term right)
{
    struct error error = {0};
    struct difference difference;
    forget_results();
    add_result(value(1), value(1));
    add_result(left, right);
    snprintf(work.kernel, sizeof work.kernel, "toy");
    ck_assert_int_eq(reference_compare(&work, LOCAL_SIZE, regions, NULL, &difference, &error), -1);
    ck_assert_int_eq(error.status, STATUS_HARNESS);
    ck_assert_ptr_nonnull(strstr(error.text, "result 2"));
    ck_assert_ptr_nonnull(strstr(error.text, "toy"));
}
