#include "host/load.h"

#include "base/clock.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHORTEST_MS = 100 }; /* several times the unit of what is counted */
enum { DEEPEST = 16 };      /* generations of processes below the run's */

/* A file of /proc, which has no length. False: it is not there. */
static bool read_text(const char *path, char *text, size_t size)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    size_t length = 0;
    ssize_t got;

    if (file < 0)
        return false;
    while (length + 1 < size && (got = read(file, text + length, size - 1 - length)) > 0)
        length += (size_t)got;
    close(file);
    text[length] = '\0';
    return length > 0;
}

static bool read_processors(struct load *load, uint32_t per_second)
{
    static char text[1 << 18];
    static bool allowed[CPU_SETSIZE];
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) != 0 || !read_text("/proc/stat", text, sizeof text))
        return false;
    for (int i = 0; i < CPU_SETSIZE; ++i)
        allowed[i] = CPU_ISSET((size_t)i, &set);
    return load_parse_stat(text, allowed, CPU_SETSIZE, per_second, load);
}

/* The process that measures, or that has several processes measure for it. */
static pid_t run_process;

void load_is_of(pid_t run)
{
    run_process = run;
}

/* What this process and its living descendants have used: drivers start compilers. */
static uint64_t process_us(const char *process, uint32_t per_second, int depth)
{
    char path[64 + 2 * NAME_MAX], text[1 << 12];
    uint64_t us = 0;

    snprintf(path, sizeof path, "/proc/%.*s/stat", NAME_MAX, process);
    if (read_text(path, text, sizeof text))
        us = load_parse_process_us(text, per_second);
    snprintf(path, sizeof path, "/proc/%.*s/task", NAME_MAX, process);
    DIR *threads = depth < DEEPEST ? opendir(path) : NULL;
    for (struct dirent *entry; threads != NULL && (entry = readdir(threads)) != NULL;) {
        char *children = text;
        snprintf(path, sizeof path, "/proc/%.*s/task/%s/children", NAME_MAX, process, entry->d_name);
        if (entry->d_name[0] == '.' || !read_text(path, text, sizeof text))
            continue;
        for (char *child; (child = strsep(&children, " ")) != NULL;)
            us += *child != '\0' ? process_us(child, per_second, depth + 1) : 0;
    }
    if (threads != NULL)
        closedir(threads);
    return us;
}

/* False: the system does not say whose children there are, so that workers would count as others. */
static bool read_own(struct load *load, uint32_t per_second)
{
    char process[32];

    if (access("/proc/thread-self/children", R_OK) != 0)
        return false;
    snprintf(process, sizeof process, "%d", (int)(run_process != 0 ? run_process : getpid()));
    load->own_us = process_us(process, per_second, 0);
    return true;
}

bool load_read(struct load *load)
{
    const long per_second = sysconf(_SC_CLK_TCK);
    char text[512];

    *load = (struct load){.at_ns = clock_ns()};
    if (per_second <= 0 || !read_own(load, (uint32_t)per_second) || !read_processors(load, (uint32_t)per_second))
        return false;
    if (read_text("/proc/pressure/cpu", text, sizeof text))
        load_parse_pressure(text, load);
    return true;
}

static bool is_old(const struct load_meter *meter)
{
    return clock_ns() - meter->last.at_ns >= (uint64_t)SHORTEST_MS * 1000000;
}

void load_meter_begin(struct load_meter *meter)
{
    if (meter->last.at_ns != 0 && !is_old(meter))
        return;
    *meter = (struct load_meter){.strain.known = false};
    if (!load_read(&meter->last))
        meter->last.at_ns = 0;
}

struct strain load_meter_end(struct load_meter *meter)
{
    struct load now;

    if (meter->last.at_ns != 0 && is_old(meter) && load_read(&now)) {
        meter->strain = strain_between(&meter->last, &now);
        meter->last = now;
    }
    return meter->strain;
}
