#include "scenario/outline.h"

#include "scenario/matcher.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { ID_BYTES = 256 };

/* Devices that are as unlike each other as may be, so that numbers which hang on one differ. */
static const struct {
    uint32_t compute_units, resident;
} samples[] = {{2, 4}, {8, 64}, {132, 1021}, {1, 1}};

static size_t number_length(const char *text)
{
    size_t length = text[0] == MATCHER_NUMBER;
    while (isdigit((unsigned char)text[length]) != 0)
        ++length;
    return length;
}

/* Opens the numbers in which the other id differs. False: they differ elsewhere, too. */
static bool open_numbers(char outline[ID_BYTES], const char *other)
{
    char merged[ID_BYTES];
    size_t length = 0;
    const char *at = outline;

    while (*at != '\0' && *other != '\0') {
        const size_t own = number_length(at), its = number_length(other);
        if (own == 0 || its == 0) {
            if (*at != *other)
                return false;
            merged[length++] = *at++;
            ++other;
            continue;
        }
        const bool same = own == its && strncmp(at, other, own) == 0;
        memcpy(merged + length, same ? at : (char[]){MATCHER_NUMBER}, same ? own : 1);
        length += same ? own : 1;
        at += own;
        other += its;
    }
    merged[length] = '\0';
    const bool both_end = *at == *other;
    memcpy(outline, merged, length + 1);
    return both_end;
}

int plan_outline(const struct plan *plan, char *text, size_t size, struct error *error)
{
    char outline[ID_BYTES] = "", id[ID_BYTES];

    for (size_t i = 0; i < sizeof samples / sizeof *samples; ++i) {
        struct plan sample = *plan;
        struct trial trial;
        struct expected ignored;
        const char *reason;
        sample.compute_units = samples[i].compute_units;
        sample.resident = samples[i].resident;
        sample.recounted = 0;
        const int outcome = plan_trial(&sample, &trial, &ignored, &reason, error);
        if (outcome < 0)
            return -1;
        if (outcome > 0)
            continue;
        trial_point_id(&trial, id, sizeof id);
        if (outline[0] == '\0')
            snprintf(outline, sizeof outline, "%s", id);
        else if (!open_numbers(outline, id))
            break; /* never */
    }
    snprintf(text, size, "%s", outline);
    return outline[0] != '\0' ? 0 : 1;
}
