#include "judge/whole.h"

#include "core/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OF_MOST = 1000000000 };

static bool is_decided(enum verdict verdict)
{
    return verdict != VERDICT_INCONCLUSIVE && verdict != VERDICT_INCOMPLETE && verdict != VERDICT_UNSUPPORTED &&
           verdict != VERDICT_NOT_RUN && verdict != VERDICT_CUT;
}

uint64_t whole_hits(const uint32_t counts[VERDICT_COUNT], verdict_set set)
{
    uint64_t hits = 0;
    for (int verdict = 0; verdict < VERDICT_COUNT; ++verdict)
        if (verdict_is_in((enum verdict)verdict, set))
            hits += counts[verdict];
    return hits;
}

uint64_t whole_launches(const uint32_t counts[VERDICT_COUNT], verdict_set set)
{
    uint64_t launches = 0;
    for (int verdict = 0; verdict < VERDICT_COUNT; ++verdict)
        if (verdict_is_in((enum verdict)verdict, set) || is_decided((enum verdict)verdict))
            launches += counts[verdict];
    return launches;
}

unsigned whole_judge(const struct whole *whole, const uint32_t counts[VERDICT_COUNT], verdict_set tolerated)
{
    unsigned shortfall = 0;

    if (whole_hits(counts, tolerated) > 0)
        return 0;
    if (whole->some != 0 && whole_hits(counts, whole->some) == 0 && counts[VERDICT_INCOMPLETE] == 0 &&
        whole_launches(counts, whole->some) > 0)
        shortfall |= WHOLE_NONE_CAME;
    if (whole->limited != 0 &&
        whole_hits(counts, whole->limited) * whole->of > whole_launches(counts, whole->limited) * whole->most)
        shortfall |= WHOLE_TOO_MANY;
    return shortfall;
}

/* --- as text --- */

void whole_print_rate(const struct whole *whole, char *text, size_t size)
{
    verdict_set_print(whole->limited, text, size);
    if (text[0] != '\0')
        text_append(text, size, " <= %" PRIu32 "/%" PRIu32, whole->most, whole->of);
}

/* Digits alone; NULL if there are none, or too many. */
static const char *read_count(const char *text, uint32_t *value)
{
    char *end;
    const unsigned long long read = strtoull(text, &end, 10);

    *value = (uint32_t)read;
    return isdigit((unsigned char)*text) && read <= OF_MOST ? end : NULL;
}

int whole_parse_rate(const char *text, struct whole *whole, struct error *error)
{
    const char *sign = strstr(text, "<=");
    char names[256];

    if (sign == NULL || sign - text >= (ptrdiff_t)sizeof names)
        return error_set(error, STATUS_USAGE,
                         "cannot parse the rate '%.60s': expected VERDICT <= N/M, such as stale <= 1/200", text);
    size_t length = (size_t)(sign - text);
    while (length > 0 && text[length - 1] == ' ')
        --length;
    snprintf(names, sizeof names, "%.*s", (int)length, text);
    if (naming_parse_set(&verdict_naming, names, &whole->limited, error) != 0)
        return -1;
    const char *share = sign + 2 + strspn(sign + 2, " ");
    const char *slash = read_count(share, &whole->most);
    const char *end = slash != NULL && *slash == '/' ? read_count(slash + 1, &whole->of) : NULL;
    if (end != NULL && *end == '\0' && whole->of > 0 && whole->most <= whole->of)
        return 0;
    return error_set(error, STATUS_USAGE, "cannot parse the share '%.60s': expected N/M from 0/1 to 1/1, such as 1/200",
                     share);
}
