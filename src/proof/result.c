#include "proof/result.h"

#include "base/alloc.h"

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

static bool tells_well(const struct proof_result *result, const struct proof_told *told)
{
    return told->item < result->groups * result->items && told->line < result->text_count &&
           told->object < result->text_count && told->kind <= PROOF_MEETING && told->order <= PROOF_SEQ_CST &&
           told->scope <= PROOF_SCOPE_ALL;
}

static bool is_well_wrong(const struct proof_result *result)
{
    const struct proof_wrong *wrong = &result->wrong;

    return wrong->way < result->way_count && wrong->object < result->text_count && wrong->number < PROOF_NUMBERS &&
           wrong->bytes <= sizeof wrong->is;
}

/* All that refers to something refers to what is there. */
static bool is_well(const struct proof_result *result)
{
    bool well = result->groups >= 1 && result->groups <= PROOF_GROUPS && result->items >= 1 &&
                result->items <= PROOF_ITEMS && result->text_count > 0 && result->extent < PROOF_EXTENTS &&
                result->fault_line < result->text_count && memchr(result->fault, 0, sizeof result->fault) != NULL &&
                memchr(result->made_up, 0, sizeof result->made_up) != NULL &&
                memchr(result->ignored, 0, sizeof result->ignored) != NULL &&
                memchr(result->sequential, 0, sizeof result->sequential) != NULL &&
                (result->fault[0] == '\0' || result->fault_way < result->way_count) &&
                (result->wrong_finals == 0 || is_well_wrong(result));

    for (uint32_t i = 0; well && i < result->told_count; ++i)
        well = tells_well(result, &result->told[i]);
    for (uint32_t i = 0; well && i < result->way_count; ++i)
        well = result->ways[i].first <= result->told_count &&
               result->ways[i].count <= result->told_count - result->ways[i].first &&
               result->ways[i].circle <= result->ways[i].count;
    for (uint32_t i = 0; well && i < result->stall_count; ++i)
        well = result->stalls[i].way < result->way_count;
    for (uint32_t i = 0; well && i < result->raced_count; ++i)
        well = result->raced[i].way < result->way_count && tells_well(result, &result->raced[i].first) &&
               tells_well(result, &result->raced[i].second);
    for (uint32_t i = 0; well && i < result->difference_count; ++i)
        well = result->differences[i].object < result->text_count &&
               result->differences[i].ways[0] < result->way_count && result->differences[i].ways[1] < result->way_count;
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
    if (!rest.wrong && rest.size < sizeof *words && is_well(result))
        return 0;
    return error_set(error, STATUS_HARNESS, "what is kept of a proof is damaged");
}
