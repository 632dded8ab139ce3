#include "report/prediction.h"

static int read_set(const struct naming *naming, const char *text, uint32_t *set, struct error *error)
{
    *set = 0;
    return text[0] == '\0' ? 0 : naming_parse_set(naming, text, set, error);
}

int prediction_read(const struct store_trial *stored, struct expected *expected, struct error *error)
{
    const struct store_prediction *prediction = &stored->prediction;

    if (read_set(&verdict_naming, prediction->expected, &expected->verdicts, error) != 0 ||
        read_set(&cause_naming, prediction->expected_causes, &expected->causes, error) != 0 ||
        read_set(&verdict_naming, prediction->known_verdicts, &expected->tolerated, error) != 0)
        return error_set(error, STATUS_HARNESS, "trial %.160s has an expectation that is none", stored->name);
    return 0;
}
