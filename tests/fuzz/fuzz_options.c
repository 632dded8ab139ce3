/* The values of options: numbers, lists, shards, shapes, models, devices, verdicts, expressions, command lines. */
#include "base/shard.h"
#include "base/words.h"
#include "cli/measure.h"
#include "core/nd_range.h"
#include "fuzz.h"
#include "judge/whole.h"
#include "litmus/classify.h"
#include "litmus/emulate.h"
#include "report/progress.h"
#include "scenario/expression.h"

static void check_numbers(const char *text)
{
    struct axis axis = {.count = 0};
    struct error error;
    uint64_t number;

    if (fuzz_accepted(parse_number("--seed", text, 3, UINT32_MAX, &number, &error), &error))
        CLAIM(number >= 3 && number <= UINT32_MAX);
    if (!fuzz_accepted(parse_list("--groups", text, 1, 1000, &axis, &error), &error))
        return;
    CLAIM(axis.count > 0 && axis.count <= FOOTPRINTS_LIST);
    for (uint32_t i = 0; i < axis.count; ++i)
        CLAIM(axis.values[i] >= 1 && axis.values[i] <= 1000);
}

static void check_shard(const char *text)
{
    struct shard shard = {.count = 0};
    struct error error;

    if (fuzz_accepted(shard_parse(text, &shard, &error), &error))
        CLAIM(shard.index < shard.count);
}

/* What is printed of a shape is the shape. */
static void check_shape(const char *text)
{
    struct nd_range range = {.dimensions = 0};
    char printed[SHAPE_BYTES];

    if (!nd_range_parse_shape(text, &range))
        return;
    nd_range_print_shape(&range, printed);
    CLAIM(strcmp(printed, text) == 0);
}

static void check_models(const char *text)
{
    struct progress_expectation expectation = {0};
    struct model_device device = {0};
    enum litmus_model model;
    enum litmus_fairness fairness;
    char name[MODEL_DEVICE_NAME];
    struct error error;

    if (fuzz_accepted(litmus_read_promise(text, &model, &fairness, &error), &error))
        CLAIM(model < LITMUS_MODELS);
    fuzz_accepted(progress_expectation_parse(text, &expectation, &error), &error);
    if (!fuzz_accepted(model_device_parse(text, &device, &error), &error))
        return;
    model_device_name(&device, name);
    CLAIM(model_device_parse(name, &device, &error) == 0);
}

static void check_verdicts(const char *text)
{
    struct whole whole = {0}, again = {0};
    char rate[512];
    verdict_set set;
    struct error error;

    fuzz_accepted(naming_parse_set(&verdict_naming, text, &set, &error), &error);
    if (!fuzz_accepted(whole_parse_rate(text, &whole, &error), &error))
        return;
    whole_print_rate(&whole, rate, sizeof rate);
    CLAIM(whole_parse_rate(rate, &again, &error) == 0);
    CLAIM(whole.limited == again.limited && whole.most == again.most && whole.of == again.of);
}

static void check_expression(const char *text)
{
    const struct variable variables[] = {{"groups", 6, true}, {"resident", 0, false}};
    const struct scope scope = {variables, 2};
    struct error error;
    int64_t value;

    fuzz_accepted(expression_evaluate(text, &scope, &value, &error), &error);
}

/* What is joined of words is split into them again. */
static void check_words(const char *text)
{
    char **words = NULL, **again = NULL;
    size_t count, found;

    if (words_split(text, &words, &count) == 0) {
        char *joined = words_join(words, count);
        CLAIM(joined != NULL && words_split(joined, &again, &found) == 0 && found == count);
        for (size_t i = 0; i < count; ++i)
            CLAIM(strcmp(words[i], again[i]) == 0);
        free(joined);
        free(again);
    }
    free(words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct device_info device = {.platform = "Portable Computing Language", .name = "cpu-x", .pci = "0"};
    char *text = fuzz_text(data, size);
    struct error error;
    enum live live;

    check_numbers(text);
    check_shard(text);
    check_shape(text);
    check_models(text);
    check_verdicts(text);
    check_expression(text);
    check_words(text);
    fuzz_accepted(live_parse(text, &live, &error), &error);
    device_info_matches(&device, text);
    free(text);
    return 0;
}
