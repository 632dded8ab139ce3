/* How busy other processes kept the machine while something was measured. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the system has counted up to a moment; of the processors that this process may use. */
struct load {
    uint64_t at_ns;
    uint32_t processors;
    uint64_t busy_us;     /* that they worked, for whomever */
    uint64_t own_us;      /* of that, for the run: this process, those that it started, and those beside it */
    uint64_t pressure_us; /* in which some process waited for one of them */
    bool pressure_known;
};

/* Between two such moments. A zeroed one is not known. */
struct strain {
    bool known;
    uint32_t processors;
    uint32_t others;   /* thousandths of a processor that other processes used */
    uint32_t pressure; /* thousandths of the time in which some process waited for a processor */
    bool pressure_known;
};

/*
 * Adds up the lines "cpuN ..." of /proc/stat whose N is allowed[N], and takes what they worked; `per_second` is the
 * unit of their figures. Returns false if there are no such lines, or all of them count 0, as in some sandboxes.
 */
bool load_parse_stat(const char *text, const bool *allowed, size_t allowed_count, uint32_t per_second,
                     struct load *load);

/* What a process has used, those that it waited for included, by its /proc/PID/stat; 0: it cannot be read. */
uint64_t load_parse_process_us(const char *text, uint32_t per_second);

/* Takes the time of "some" from /proc/pressure/cpu, if it is there. */
void load_parse_pressure(const char *text, struct load *load);

/* Not known if no time has passed, or the processors are others. */
struct strain strain_between(const struct load *before, const struct load *after);

/*
 * Others used so much that `needed` threads did not get the processors that they could use: at least a quarter of all
 * processors was missing, or hardly anything was left at all. Never if none is needed.
 */
bool strain_is_heavy(const struct strain *strain, uint32_t needed);
