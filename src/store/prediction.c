#include "store/store.h"

static int read_set(const struct naming *naming, const char *text, uint32_t *set, struct error *error)
{
    *set = 0;
    return text[0] == '\0' ? 0 : naming_parse_set(naming, text, set, error);
}

static int read_rate(const char *text, struct whole *whole, struct error *error)
{
    return text[0] == '\0' ? 0 : whole_parse_rate(text, whole, error);
}

void prediction_write(const struct expected *expected, struct store_prediction *prediction)
{
    const struct whole *whole = &expected->whole;

    verdict_set_print(expected->verdicts, prediction->expected, sizeof prediction->expected);
    verdict_set_print(expected->allowed, prediction->allowed, sizeof prediction->allowed);
    naming_print_set(&cause_naming, expected->causes, " or ", prediction->expected_causes,
                     sizeof prediction->expected_causes);
    verdict_set_print(whole->some, prediction->expected_some, sizeof prediction->expected_some);
    whole_print_rate(whole, prediction->expected_rate, sizeof prediction->expected_rate);
}

int prediction_read(const struct store_trial *stored, struct expected *expected, struct error *error)
{
    const struct store_prediction *prediction = &stored->prediction;

    *expected = (struct expected){0};
    if (read_set(&verdict_naming, prediction->expected, &expected->verdicts, error) != 0 ||
        read_set(&verdict_naming, prediction->allowed, &expected->allowed, error) != 0 ||
        read_set(&cause_naming, prediction->expected_causes, &expected->causes, error) != 0 ||
        read_set(&verdict_naming, prediction->known_verdicts, &expected->tolerated, error) != 0 ||
        read_set(&verdict_naming, prediction->expected_some, &expected->whole.some, error) != 0 ||
        read_rate(prediction->expected_rate, &expected->whole, error) != 0)
        return error_set(error, STATUS_HARNESS, "trial %.160s: cannot parse its expectation", stored->name);
    return 0;
}
