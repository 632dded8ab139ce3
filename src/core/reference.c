#include "core/reference.h"

#include "base/alloc.h"
#include "core/lots.h"

#include <stdlib.h>
#include <string.h>

static bool is_real(enum element element)
{
    return element == ELEMENT_FLOAT;
}

static struct number load(enum element element, const void *bytes, uint64_t index)
{
    struct number number = {.is_real = is_real(element)};
    uint32_t word;
    float real;

    if (element_bytes(element) == 8) {
        memcpy(&number.bits, (const char *)bytes + 8 * index, 8);
        return number;
    }
    memcpy(&word, (const char *)bytes + 4 * index, 4);
    if (element == ELEMENT_FLOAT) {
        memcpy(&real, &word, 4);
        number.real = (double)real;
    } else {
        number.bits = element == ELEMENT_INT ? (uint64_t)(int64_t)(int32_t)word : word;
    }
    return number;
}

/* The bits of a number as an element; both zeros of a float are the same. */
static uint64_t to_bits(enum element element, const struct number *number)
{
    if (is_real(element)) {
        const float real = (float)(number->is_real ? number->real : (double)(int64_t)number->bits);
        uint32_t word;
        memcpy(&word, &real, 4);
        return word == 0x80000000u ? 0 : word;
    }
    return element_bytes(element) == 8 ? number->bits : (uint32_t)number->bits;
}

static void store(enum element element, void *bytes, uint64_t index, const struct number *number)
{
    const uint64_t bits = to_bits(element, number);
    const uint32_t word = (uint32_t)bits;
    if (element_bytes(element) == 8)
        memcpy((char *)bytes + 8 * index, &bits, 8);
    else
        memcpy((char *)bytes + 4 * index, &word, 4);
}

/* --- before --- */

/* A number for each x, at any of them. */
static uint64_t scatter(uint64_t x)
{
    return lots_draw(&x);
}

/* At most 64 elements of a float product are no 1, so that it stays within 2^-64 ... 2^64 in any order. */
static double factor(uint64_t random, uint64_t index, uint64_t count)
{
    const uint64_t every = count / 64 + 1;
    if (index % every != 0)
        return 1.0;
    return random % 2 == 0 ? 2.0 : 0.5;
}

static struct number seeded(const struct workload *work, const struct region *region, uint64_t random, uint64_t index)
{
    struct number number = {.is_real = is_real(region->element)};
    const int64_t small = (int64_t)(random % 17) - 8;
    const bool product = work->operation == OPERATION_PRODUCT;

    if (number.is_real)
        number.real = product ? factor(random, index, region->count) : (double)small;
    else if (region->element == ELEMENT_UINT || region->element == ELEMENT_ULONG)
        number.bits = product ? random | 1 : random;
    else
        number.bits = (uint64_t)(product ? 2 * small + 1 : small);
    return number;
}

void reference_fill(const struct workload *work, uint32_t index, void *bytes)
{
    const struct region *region = &work->regions[index];
    const uint64_t stream = scatter(((uint64_t)work->numbers.seed << 8) + index);
    struct number number = {0};

    if (region->fill == FILL_ZERO || region->fill == FILL_ONES) {
        memset(bytes, region->fill == FILL_ONES ? 0xff : 0, region->count * element_bytes(region->element));
        return;
    }
    for (uint64_t i = 0; i < region->count; ++i) {
        number.bits = i;
        if (region->fill == FILL_SEEDED)
            number = seeded(work, region, scatter(stream + i), i);
        store(region->element, bytes, i, &number);
    }
}

/* --- afterwards --- */

struct comparison {
    const struct workload *work;
    uint32_t local_size;
    const void *const *regions;
    struct reference_memory *memory; /* or NULL */
    struct difference *difference;
    uint32_t result; /* from 1 */
};

static const struct region *region_of(const struct comparison *comparison, const struct term *term)
{
    return &comparison->work->regions[term->a];
}

static struct number element(const struct comparison *comparison, uint32_t region, uint64_t index)
{
    return load(comparison->work->regions[region].element, comparison->regions[region], index);
}

static bool is_less(enum element element, const struct number *a, const struct number *b)
{
    if (a->is_real)
        return a->real < b->real;
    if (element == ELEMENT_UINT || element == ELEMENT_ULONG)
        return a->bits < b->bits;
    return (int64_t)a->bits < (int64_t)b->bits;
}

static void combine(enum operation operation, enum element element, struct number *sum, const struct number *next)
{
    switch (operation) {
    case OPERATION_SUM:
        sum->real += next->real;
        sum->bits += next->bits;
        break;
    case OPERATION_PRODUCT:
        sum->real *= next->real;
        sum->bits *= next->bits;
        break;
    case OPERATION_MIN:
        if (is_less(element, next, sum))
            *sum = *next;
        break;
    case OPERATION_MAX:
        if (is_less(element, sum, next))
            *sum = *next;
        break;
    case OPERATION_COUNT:
        break;
    }
}

/* Of `count` elements of a region from `first` on; of none it is 0. */
static struct number reduce(const struct comparison *comparison, uint32_t region, uint64_t first, uint64_t count)
{
    if (count == 0)
        return (struct number){.is_real = is_real(comparison->work->regions[region].element)};
    struct number sum = element(comparison, region, first);
    for (uint64_t i = 1; i < count; ++i) {
        const struct number next = element(comparison, region, first + i);
        combine(comparison->work->operation, comparison->work->regions[region].element, &sum, &next);
    }
    return sum;
}

static struct number dot(const struct comparison *comparison, const struct term *term)
{
    struct number sum = {.is_real = is_real(region_of(comparison, term)->element)};
    for (uint64_t i = 0; i < region_of(comparison, term)->count; ++i) {
        struct number a = element(comparison, term->a, i);
        const struct number b = element(comparison, term->b, i);
        combine(OPERATION_PRODUCT, region_of(comparison, term)->element, &a, &b);
        combine(OPERATION_SUM, region_of(comparison, term)->element, &sum, &a);
    }
    return sum;
}

static struct number compute(const struct comparison *comparison, const struct term *term)
{
    switch (term->kind) {
    case TERM_ELEMENT:
        return element(comparison, term->a, term->index);
    case TERM_REDUCE:
        return reduce(comparison, term->a, 0, region_of(comparison, term)->count);
    case TERM_DOT:
        return dot(comparison, term);
    default:
        return (struct number){.bits = (uint64_t)term->value};
    }
}

/* The value of a term that is one number. A reduction of an input is the same each time, and may take long. */
static struct number value_of(const struct comparison *comparison, const struct term *term, bool right)
{
    const bool fixed = (term->kind == TERM_REDUCE || term->kind == TERM_DOT) &&
                       comparison->work->regions[term->a].fill == FILL_SEEDED &&
                       comparison->work->regions[term->b].fill == FILL_SEEDED;

    if (!fixed || comparison->memory == NULL)
        return compute(comparison, term);
    struct reference_value *value = &comparison->memory->sides[comparison->result - 1][right];
    if (!value->known)
        *value = (struct reference_value){true, compute(comparison, term)};
    return value->number;
}

static void differ(struct comparison *comparison, uint64_t at, uint64_t wanted, uint64_t got)
{
    struct difference *difference = comparison->difference;
    if (difference->count++ == 0)
        *difference = (struct difference){1, comparison->result, at, wanted, got};
}

/* Compared as elements of that type, or as floats if one is wanted: it has no integer's bits. */
static void compare_numbers(struct comparison *comparison, enum element element, uint64_t at,
                            const struct number *wanted, const struct number *got)
{
    const enum element type = wanted->is_real ? ELEMENT_FLOAT : element;
    const uint64_t wanted_bits = to_bits(type, wanted);
    const uint64_t got_bits = to_bits(type, got);
    if (wanted_bits != got_bits)
        differ(comparison, at, wanted_bits, got_bits);
}

/* The sum of what a scan has seen is kept from one element to the next. */
static struct number next_of(const struct comparison *comparison, const struct term *term, uint64_t index,
                             struct number *sum)
{
    const bool by_group = term->kind == TERM_GROUP_SCAN || term->kind == TERM_EXCLUSIVE_GROUP_SCAN;
    const bool exclusive = term->kind == TERM_EXCLUSIVE_SCAN || term->kind == TERM_EXCLUSIVE_GROUP_SCAN;
    const uint64_t count = region_of(comparison, term)->count;

    if (term->kind == TERM_GROUP_REDUCE) {
        const uint64_t first = index * comparison->local_size;
        const uint64_t rest = count - first;
        return reduce(comparison, term->a, first, rest < comparison->local_size ? rest : comparison->local_size);
    }
    const struct number here = element(comparison, term->a, index);
    if (term->kind == TERM_REGION)
        return here;
    if (index == 0 || (by_group && index % comparison->local_size == 0))
        *sum = (struct number){.is_real = here.is_real};
    const struct number before = *sum;
    combine(OPERATION_SUM, region_of(comparison, term)->element, sum, &here);
    return exclusive ? before : *sum;
}

static uint64_t length_of(const struct comparison *comparison, const struct term *term)
{
    const uint64_t count = region_of(comparison, term)->count;
    return term->kind == TERM_GROUP_REDUCE ? (count + comparison->local_size - 1) / comparison->local_size : count;
}

static int compare_wholes(struct comparison *comparison, const struct term *got, const struct term *wanted,
                          struct error *error)
{
    struct number sums[2] = {{0}, {0}};

    if (!term_is_whole(got) || !term_is_whole(wanted) || length_of(comparison, wanted) > length_of(comparison, got))
        return error_set(error, STATUS_HARNESS, "result %u of kernel %s compares a whole region with something else",
                         comparison->result, comparison->work->kernel);
    for (uint64_t i = 0; i < length_of(comparison, wanted); ++i) {
        const struct number left = next_of(comparison, got, i, &sums[0]);
        const struct number right = next_of(comparison, wanted, i, &sums[1]);
        compare_numbers(comparison, region_of(comparison, got)->element, i, &right, &left);
    }
    return 0;
}

static void compare_permutation(struct comparison *comparison, const struct term *got, uint64_t count)
{
    const uint64_t length = region_of(comparison, got)->count;

    /* The count may come from the device, and be anything. */
    if (length != count) {
        differ(comparison, length, count, length);
        return;
    }
    unsigned char *seen = xcalloc(count + 1, 1);
    for (uint64_t i = 0; i < length; ++i) {
        const uint64_t value = element(comparison, got->a, i).bits;
        if (value >= count || seen[value])
            differ(comparison, i, value < count ? i : count - 1, value);
        else
            seen[value] = 1;
    }
    free(seen);
}

static int compare(struct comparison *comparison, const struct result *result, struct error *error)
{
    const struct term *got = &result->left;
    const struct term *wanted = &result->right;

    if (term_is_whole(got) || term_is_whole(wanted))
        return compare_wholes(comparison, got, wanted, error);
    if (wanted->kind == TERM_EACH || wanted->kind == TERM_PERMUTATION)
        return error_set(error, STATUS_HARNESS, "result %u of kernel %s compares with something that is not a number",
                         comparison->result, comparison->work->kernel);
    const struct number right = value_of(comparison, wanted, true);
    if (got->kind == TERM_PERMUTATION) {
        compare_permutation(comparison, got, right.bits);
        return 0;
    }
    if (got->kind == TERM_EACH) {
        for (uint64_t i = 0; i < region_of(comparison, got)->count; ++i) {
            const struct number left = element(comparison, got->a, i);
            compare_numbers(comparison, region_of(comparison, got)->element, i, &right, &left);
        }
        return 0;
    }
    const struct number left = value_of(comparison, got, false);
    const enum element type = got->kind == TERM_VALUE ? ELEMENT_LONG : region_of(comparison, got)->element;
    compare_numbers(comparison, type, got->index, &right, &left);
    return 0;
}

int reference_compare(const struct workload *work, uint32_t local_size, const void *const *regions,
                      struct reference_memory *memory, struct difference *difference, struct error *error)
{
    struct comparison comparison = {
        .memory = memory,
        .work = work,
        .local_size = local_size,
        .regions = regions,
        .difference = difference,
    };

    *difference = (struct difference){0};
    for (uint32_t i = 0; i < work->result_count; ++i) {
        comparison.result = i + 1;
        if (compare(&comparison, &work->results[i], error) != 0)
            return -1;
    }
    return 0;
}

static int compare_words(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

uint32_t median_of_known(uint32_t *values, size_t count)
{
    size_t known = 0;

    for (size_t i = 0; i < count; ++i)
        if (values[i] != 0)
            values[known++] = values[i];
    if (known == 0)
        return 0;
    qsort(values, known, sizeof *values, compare_words);
    return values[(known - 1) / 2];
}
