#include "core/device_info.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

NAMING_DEFINE(device_kind, enum device_kind, "CPU", "GPU", "other");
NAMING_DEFINE(shared_memory, enum shared_memory, "device", "svm", "mapped");
const struct naming svm_naming = NAMING("coarse-grain buffer", "fine-grain buffer", "fine-grain system", "atomics");
const struct naming atomics_naming = NAMING("relaxed", "acquire-release", "sequentially consistent", "work-item scope",
                                            "work-group scope", "device scope", "all-devices scope");

bool device_info_same(const struct device_info *a, const struct device_info *b)
{
    return strcmp(a->platform, b->platform) == 0 && strcmp(a->name, b->name) == 0 &&
           strcmp(a->vendor, b->vendor) == 0 && strcmp(a->uuid, b->uuid) == 0 && strcmp(a->pci, b->pci) == 0 &&
           a->ordinal == b->ordinal;
}

/* What the short names stand for: part of a platform's name. */
static const struct {
    const char *name;
    const char *platform;
} short_names[] = {
    {"pocl", "Portable Computing Language"},
    {"rusticl", "rusticl"},
    {"oclgrind", "Oclgrind"},
    {"nvidia", "NVIDIA"},
    {"intel", "Intel"},
    {"amd", "AMD"},
};

static bool text_matches(const char *text, const char *pattern)
{
    return fnmatch(pattern, text, FNM_CASEFOLD) == 0 || (pattern[0] != '\0' && strcasestr(text, pattern) != NULL);
}

static bool uuid_matches(const char *uuid, const char *wanted)
{
    for (; *wanted != '\0'; ++wanted) {
        if (*wanted == '-')
            continue;
        if (tolower((unsigned char)*wanted) != *uuid++)
            return false;
    }
    return *uuid == '\0';
}

static bool is_position(const char *selector)
{
    size_t platform = strspn(selector, "0123456789");
    size_t device = selector[platform] == ':' ? strspn(selector + platform + 1, "0123456789") : 0;
    return platform > 0 && device > 0 && selector[platform + 1 + device] == '\0';
}

static bool position_matches(const struct device_info *info, const char *selector)
{
    char *end;
    unsigned long long platform = strtoull(selector, &end, 10); /* ULLONG_MAX if it is too large */
    unsigned long long device = strtoull(end + 1, NULL, 10);
    return platform == info->platform_index && device == info->device_index;
}

bool device_info_matches(const struct device_info *info, const char *selector)
{
    if (strncasecmp(selector, "uuid:", 5) == 0)
        return info->uuid[0] != '\0' && uuid_matches(info->uuid, selector + 5);
    if (strncasecmp(selector, "pci:", 4) == 0)
        return info->pci[0] != '\0' && strcasecmp(info->pci, selector + 4) == 0;
    if (is_position(selector))
        return position_matches(info, selector);
    for (size_t i = 0; i < sizeof short_names / sizeof *short_names; ++i)
        if (strcasecmp(selector, short_names[i].name) == 0)
            return strcasestr(info->platform, short_names[i].platform) != NULL;
    return text_matches(info->platform, selector) || text_matches(info->name, selector);
}

uint32_t device_polls_a_ms(const struct device_probe *probe)
{
    const uint64_t ms_ps = UINT64_C(1000000000);
    return probe->poll_ps == 0 ? 0 : (uint32_t)(ms_ps / probe->poll_ps);
}
