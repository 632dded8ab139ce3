#include "host/load.h"

#include "base/clock.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SHORTEST_MS = 100 }; /* several times the unit of what is counted */

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

static uint64_t used_us(int who)
{
    struct rusage usage;

    if (getrusage(who, &usage) != 0)
        return 0;
    return (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
           (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* What the processes have used that a thread of this one started and that live; workers are their own children's. */
static uint64_t children_us(const char *thread, uint32_t per_second)
{
    char path[64 + NAME_MAX], children[1 << 12], text[1 << 10];
    uint64_t us = 0;
    char *rest = children;

    snprintf(path, sizeof path, "/proc/self/task/%s/children", thread);
    if (!read_text(path, children, sizeof children))
        return 0;
    for (char *child; (child = strsep(&rest, " ")) != NULL;) {
        snprintf(path, sizeof path, "/proc/%s/stat", child);
        if (*child != '\0' && read_text(path, text, sizeof text))
            us += load_parse_process_us(text, per_second);
    }
    return us;
}

/* False: the system does not say whose children there are, so that workers would count as others. */
static bool read_own(struct load *load, uint32_t per_second)
{
    DIR *threads = opendir("/proc/self/task");

    if (threads == NULL || access("/proc/thread-self/children", R_OK) != 0) {
        if (threads != NULL)
            closedir(threads);
        return false;
    }
    load->own_us = used_us(RUSAGE_SELF) + used_us(RUSAGE_CHILDREN);
    for (struct dirent *entry; (entry = readdir(threads)) != NULL;)
        if (entry->d_name[0] != '.')
            load->own_us += children_us(entry->d_name, per_second);
    closedir(threads);
    return true;
}

static bool read_load(struct load *load)
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
    if (!read_load(&meter->last))
        meter->last.at_ns = 0;
}

struct strain load_meter_end(struct load_meter *meter)
{
    struct load now;

    if (meter->last.at_ns != 0 && is_old(meter) && read_load(&now)) {
        meter->strain = strain_between(&meter->last, &now);
        meter->last = now;
    }
    return meter->strain;
}
