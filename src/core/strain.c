#include "core/strain.h"

#include <stdlib.h>
#include <string.h>

enum { THOUSAND = 1000, PART_MISSING = 250, PART_USED_UP = 900 }; /* thousandths of all processors */

/*
 * The figures behind "cpuN": user, nice, system, idle, waiting for devices, interrupts, of these soft ones, and stolen.
 */
enum { FIGURES = 8, IDLE = 3, IO_WAIT = 4 };

static uint64_t to_us(uint64_t ticks, uint32_t per_second)
{
    return ticks * 1000000 / per_second;
}

/* Numbers, each behind a blank; returns how many there are. */
static size_t read_numbers(const char *text, uint64_t *numbers, size_t most)
{
    size_t count = 0;
    char *end;

    for (; count < most && *text == ' '; ++count, text = end) {
        numbers[count] = strtoull(text, &end, 10);
        if (end == text)
            break;
    }
    return count;
}

bool load_parse_stat(const char *text, const bool *allowed, size_t allowed_count, uint32_t per_second,
                     struct load *load)
{
    uint64_t busy = 0, all = 0;

    load->processors = 0;
    for (const char *line = text; line != NULL && *line != '\0'; line = strchr(line, '\n'), line += line != NULL) {
        uint64_t figures[FIGURES];
        char *end;
        if (strncmp(line, "cpu", 3) != 0 || line[3] < '0' || line[3] > '9')
            continue;
        const unsigned long number = strtoul(line + 3, &end, 10);
        const size_t count = read_numbers(end, figures, FIGURES);
        if (number >= allowed_count || !allowed[number] || count <= IDLE)
            continue;
        load->processors += 1;
        for (size_t i = 0; i < count; ++i) {
            all += figures[i];
            busy += i != IDLE && i != IO_WAIT ? figures[i] : 0;
        }
    }
    load->busy_us = to_us(busy, per_second);
    return load->processors > 0 && all > 0;
}

uint64_t load_parse_process_us(const char *text, uint32_t per_second)
{
    enum { BEFORE = 10, TIMES = 4 };      /* between the state and the times: its own, and those of its children */
    const char *end = strrchr(text, ')'); /* of its name */
    int64_t figures[BEFORE + TIMES];
    uint64_t ticks = 0;

    if (end == NULL || strlen(end) < strlen(") S"))
        return 0;
    const char *at = end + strlen(") S");
    for (size_t i = 0; i < BEFORE + TIMES; ++i) {
        char *next;
        figures[i] = (int64_t)strtoull(at, &next, 10);
        if (next == at)
            return 0;
        at = next;
    }
    for (size_t i = BEFORE; i < BEFORE + TIMES; ++i)
        ticks += figures[i] > 0 ? (uint64_t)figures[i] : 0;
    return to_us(ticks, per_second);
}

void load_parse_pressure(const char *text, struct load *load)
{
    const char *total = strncmp(text, "some ", 5) == 0 ? strstr(text, "total=") : NULL;

    load->pressure_known = total != NULL;
    load->pressure_us = total != NULL ? strtoull(total + strlen("total="), NULL, 10) : 0;
}

/* Counters of the system may go back a little. */
static uint64_t grown(uint64_t before, uint64_t after)
{
    return after > before ? after - before : 0;
}

static uint32_t share(uint64_t part_us, uint64_t time_us, uint64_t most)
{
    const uint64_t share = part_us * THOUSAND / time_us;
    return (uint32_t)(share < most ? share : most);
}

struct strain strain_between(const struct load *before, const struct load *after)
{
    const uint64_t time_us = grown(before->at_ns, after->at_ns) / 1000;
    const uint64_t others_us = grown(grown(before->own_us, after->own_us), grown(before->busy_us, after->busy_us));

    if (time_us == 0 || after->processors == 0 || before->processors != after->processors)
        return (struct strain){.known = false};
    const bool pressed = before->pressure_known && after->pressure_known;
    return (struct strain){
        .known = true,
        .processors = after->processors,
        .others = share(others_us, time_us, (uint64_t)after->processors * THOUSAND),
        .pressure = pressed ? share(grown(before->pressure_us, after->pressure_us), time_us, THOUSAND) : 0,
        .pressure_known = pressed,
    };
}

bool strain_is_heavy(const struct strain *strain, uint32_t needed)
{
    const uint64_t wanted = needed < strain->processors ? needed : strain->processors;
    const uint64_t there = strain->processors;

    if (!strain->known || needed == 0)
        return false;
    return strain->others + wanted * THOUSAND >= there * (THOUSAND + PART_MISSING) ||
           strain->others >= there * PART_USED_UP;
}
