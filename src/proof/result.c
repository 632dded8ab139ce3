#include "proof/result.h"

#include "base/alloc.h"
#include "proof/race.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void proof_result_fini(struct proof_result *result)
{
    for (uint32_t i = 0; result->texts != NULL && i < result->text_count; ++i)
        free(result->texts[i]);
    free(result->texts);
    free(result->told);
    free(result->ways);
    free(result->stalls);
    free(result->waits);
    free(result->raced);
    free(result->differences);
    *result = (struct proof_result){0};
}

uint32_t proof_result_text(struct proof_result *result, const char *text)
{
    for (uint32_t i = 0; i < result->text_count; ++i)
        if (strcmp(result->texts[i], text) == 0)
            return i;
    GROW(result->texts, result->text_count);
    result->texts[result->text_count] = xstrdup(text);
    return result->text_count++;
}

const char *proof_number_text(const struct proof_wrong *wrong, uint64_t number, char text[PROOF_NUMBER_TEXT])
{
    const unsigned unused = 64 - 8 * wrong->bytes;
    float single;
    double real;

    memcpy(&single, &number, sizeof single);
    memcpy(&real, &number, sizeof real);
    if (wrong->number == PROOF_FLOATING)
        snprintf(text, PROOF_NUMBER_TEXT, "%.*g", wrong->bytes == sizeof single ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG,
                 wrong->bytes == sizeof single ? (double)single : real);
    else if (wrong->number == PROOF_SIGNED && wrong->bytes > 0)
        snprintf(text, PROOF_NUMBER_TEXT, "%" PRId64, (int64_t)(number << unused) >> unused);
    else
        snprintf(text, PROOF_NUMBER_TEXT, "%" PRIu64, number);
    return text;
}

/* --- packed --- */

/* The arrays of the result, one behind the other; texts follow them, each up to a 0. */
#define ARRAYS(result, apply)                                                                                          \
    apply((result)->told, (result)->told_count);                                                                       \
    apply((result)->ways, (result)->way_count);                                                                        \
    apply((result)->stalls, (result)->stall_count);                                                                    \
    apply((result)->waits, (result)->wait_count);                                                                      \
    apply((result)->raced, (result)->raced_count);                                                                     \
    apply((result)->differences, (result)->difference_count)

uint32_t *proof_result_pack(const struct proof_result *result, size_t *count)
{
    struct proof_result head = *result;
    char *bytes;
    size_t size;
    FILE *out = xopen_memstream(&bytes, &size);

    static const char ending[sizeof(uint32_t) - 1] = ""; /* to whole words */

    head.texts = NULL;
    head.told = NULL;
    head.ways = NULL;
    head.stalls = NULL;
    head.waits = NULL;
    head.raced = NULL;
    head.differences = NULL;
    fwrite(&head, sizeof head, 1, out);
#define PUT(array, count)                                                                                              \
    if ((count) > 0)                                                                                                   \
    fwrite(array, sizeof *(array), count, out)
    ARRAYS(result, PUT);
    for (uint32_t i = 0; i < result->text_count; ++i)
        fwrite(result->texts[i], strlen(result->texts[i]) + 1, 1, out);
    fwrite(ending, sizeof ending, 1, out);
    xclose_memstream(out, &bytes);
    *count = size / sizeof(uint32_t);
    return (uint32_t *)(void *)bytes;
}

/* What is left of the bytes. */
struct rest {
    const unsigned char *at;
    size_t size;
    bool wrong;
};

static void *take(struct rest *rest, uint32_t count, size_t each)
{
    if (rest->wrong || count > rest->size / each) {
        rest->wrong = true;
        return NULL;
    }
    void *array = xcalloc((size_t)count + 1, each);
    if (count > 0)
        memcpy(array, rest->at, count * each);
    rest->at += count * each;
    rest->size -= count * each;
    return array;
}

static void take_texts(struct rest *rest, struct proof_result *result)
{
    const uint32_t count = result->text_count;

    result->text_count = 0;
    if (rest->wrong || count > rest->size) {
        rest->wrong = true;
        return;
    }
    result->texts = xcalloc((size_t)count + 1, sizeof *result->texts);
    for (; result->text_count < count; ++result->text_count) {
        const unsigned char *end = memchr(rest->at, 0, rest->size);
        if (end == NULL) {
            rest->wrong = true;
            return;
        }
        const size_t length = (size_t)(end - rest->at);
        result->texts[result->text_count] = xstrndup((const char *)rest->at, length);
        rest->at += length + 1;
        rest->size -= length + 1;
    }
}

/* All that refers to something refers to what is there. */

static bool is_way(const struct proof_result *result, uint32_t way)
{
    return way < result->way_count;
}

static bool is_well_told(const struct proof_result *result, const struct proof_told *told)
{
    return told->item < result->groups * result->items && told->line < result->text_count &&
           told->object < result->text_count && told->kind <= PROOF_MEETING && told->order <= PROOF_SEQ_CST &&
           told->scope <= PROOF_SCOPE_ALL;
}

static bool is_well_way(const struct proof_result *result, const struct proof_way *way)
{
    return way->first <= result->told_count && way->count <= result->told_count - way->first &&
           way->circle <= way->count;
}

static bool is_well_stall(const struct proof_result *result, const struct proof_stall *stall)
{
    const struct proof_promise *promise = &stall->promise;

    return promise->model < PROOF_PROMISES && promise->fairness < LITMUS_FAIRNESSES && promise->places >= 1 &&
           promise->places <= result->groups && is_way(result, stall->way);
}

static bool is_well_race(const struct proof_result *result, const struct proof_race_told *race)
{
    return race->why < PROOF_RACE_CAUSES && is_way(result, race->way) && is_well_told(result, &race->first) &&
           is_well_told(result, &race->second);
}

static bool is_well_difference(const struct proof_result *result, const struct proof_difference *difference)
{
    return difference->object < result->text_count && is_way(result, difference->ways[0]) &&
           is_way(result, difference->ways[1]);
}

static bool is_well_wrong(const struct proof_result *result)
{
    const struct proof_wrong *wrong = &result->wrong;

    return is_way(result, wrong->way) && wrong->object < result->text_count && wrong->number < PROOF_NUMBERS &&
           wrong->bytes <= sizeof wrong->is;
}

static bool is_well_head(const struct proof_result *result)
{
    return result->groups >= 1 && result->groups <= PROOF_GROUPS && result->items >= 1 &&
           result->items <= PROOF_ITEMS_APART / result->groups && result->extent < PROOF_EXTENTS &&
           result->progress.groups == result->groups && result->fault_line < result->text_count &&
           memchr(result->fault, 0, sizeof result->fault) != NULL && result->made_up < result->text_count &&
           result->unwritten < result->text_count && result->ignored < result->text_count &&
           result->sequential < result->text_count && (result->fault[0] == '\0' || is_way(result, result->fault_way)) &&
           (result->wrong_finals == 0 || is_well_wrong(result));
}

static bool is_well(const struct proof_result *result)
{
    bool well = is_well_head(result);

    for (uint32_t i = 0; well && i < result->told_count; ++i)
        well = is_well_told(result, &result->told[i]);
    for (uint32_t i = 0; well && i < result->way_count; ++i)
        well = is_well_way(result, &result->ways[i]);
    for (uint32_t i = 0; well && i < result->stall_count; ++i)
        well = is_well_stall(result, &result->stalls[i]);
    for (uint32_t i = 0; well && i < result->wait_count; ++i)
        well = result->waits[i].step < result->told_count && result->waits[i].line < result->text_count;
    for (uint32_t i = 0; well && i < result->raced_count; ++i)
        well = is_well_race(result, &result->raced[i]);
    for (uint32_t i = 0; well && i < result->difference_count; ++i)
        well = is_well_difference(result, &result->differences[i]);
    return well;
}

int proof_result_unpack(struct proof_result *result, const uint32_t *words, size_t count, struct error *error)
{
    const unsigned char *bytes = (const unsigned char *)words;
    const size_t size = count * sizeof *words;
    struct rest rest = {bytes, size, size < sizeof *result};

    *result = (struct proof_result){0};
    if (!rest.wrong) {
        memcpy(result, bytes, sizeof *result);
        rest = (struct rest){bytes + sizeof *result, size - sizeof *result, false};
        result->texts = NULL;
#define TAKE(array, count) (array) = take(&rest, count, sizeof *(array))
        ARRAYS(result, TAKE);
        take_texts(&rest, result);
    }
    if (result->grows >= result->text_count) /* it was written before there was such a text, */
        result->grows = 0;
    if (result->column > PROOF_CUBE || result->second > 2) /* or such a launch */
        result->number = 0, result->apart = 0, result->column = result->second = 0;
    if (!rest.wrong && rest.size < sizeof *words && is_well(result))
        return 0;
    return error_set(error, STATUS_HARNESS, "what is kept of a proof is damaged");
}
