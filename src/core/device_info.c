#include "core/device_info.h"

#include "core/text.h"

#include <ctype.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ORDINALS_MOST = 1 << 16 }; /* a file may say anything */

NAMING_DEFINE(device_kind, enum device_kind, DEVICE_KINDS, "CPU", "GPU", "other");
NAMING_DEFINE(shared_memory, enum shared_memory, MEMORY_COUNT, "device", "svm", "mapped");
const struct naming svm_naming = NAMING("coarse-grain buffer", "fine-grain buffer", "fine-grain system", "atomics");
const struct naming atomics_naming = NAMING("relaxed", "acquire-release", "sequentially consistent", "work-item scope",
                                            "work-group scope", "device scope", "all-devices scope");

bool device_info_same(const struct device_info *a, const struct device_info *b)
{
    return strcmp(a->platform, b->platform) == 0 && strcmp(a->name, b->name) == 0 &&
           strcmp(a->vendor, b->vendor) == 0 && strcmp(a->uuid, b->uuid) == 0 && strcmp(a->pci, b->pci) == 0 &&
           a->ordinal == b->ordinal;
}

bool device_info_is_model(const struct device_info *info)
{
    return strcmp(info->platform, DEVICE_MODEL_PLATFORM) == 0;
}

/* --- beside others --- */

/* A driver that knows none may say so with zeros. */
bool device_info_has_uuid(const struct device_info *info)
{
    return strspn(info->uuid, "0") < strlen(info->uuid);
}

static int compare_places(const struct device_info *a, const struct device_info *b)
{
    int order = strcmp(a->pci, b->pci);

    if (order == 0)
        order = strcmp(a->uuid, b->uuid);
    if (order == 0)
        order = strcmp(a->platform, b->platform);
    return order != 0 ? order : (a->ordinal > b->ordinal) - (a->ordinal < b->ordinal);
}

/* The next with this name that has no number yet; NULL: all have one. */
static struct device_info *next_of_name(struct device_info *devices, size_t count, const char *name)
{
    struct device_info *next = NULL;

    for (size_t i = 0; i < count; ++i)
        if (devices[i].number == 0 && strcmp(devices[i].name, name) == 0 &&
            (next == NULL || compare_places(&devices[i], next) < 0))
            next = &devices[i];
    return next;
}

/* Where the list has only some of those that an ordinal tells apart, their numbers are those that all would have. */
static void number_name(struct device_info *devices, size_t count, const char *name)
{
    struct device_info *next;
    uint32_t last = 0;

    while ((next = next_of_name(devices, count, name)) != NULL) {
        last = next->ordinal > last && next->ordinal < ORDINALS_MOST ? next->ordinal : last;
        next->number = ++last;
    }
}

/* One that is the same with another driver shares nothing: what selects the one selects the other. */
static bool note_others(struct device_info *info, const struct device_info *devices, size_t count)
{
    bool any = false;

    info->pci_shared = info->uuid_shared = false;
    for (size_t i = 0; i < count; ++i) {
        const struct device_info *other = &devices[i];
        if (other == info || strcmp(other->name, info->name) != 0)
            continue;
        const bool apart = strcmp(info->platform, other->platform) == 0 && !device_info_same(info, other);
        info->pci_shared = info->pci_shared || (apart && strcmp(info->pci, other->pci) == 0);
        info->uuid_shared = info->uuid_shared || (apart && strcmp(info->uuid, other->uuid) == 0);
        any = true;
    }
    return any;
}

void device_info_number(struct device_info *devices, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        devices[i].number = 0;
    for (size_t i = 0; i < count; ++i)
        if (note_others(&devices[i], devices, count) && devices[i].number == 0)
            number_name(devices, count, devices[i].name);
}

static bool is_told_by_pci(const struct device_info *info)
{
    return info->pci[0] != '\0' && !info->pci_shared;
}

static bool is_told_by_uuid(const struct device_info *info)
{
    return device_info_has_uuid(info) && !info->uuid_shared;
}

const char *device_info_label(const struct device_info *info, char label[DEVICE_LABEL])
{
    snprintf(label, DEVICE_LABEL, "%s", info->name);
    if (info->number == 0)
        return label;
    text_append(label, DEVICE_LABEL, " #%" PRIu32, info->number);
    if (is_told_by_pci(info))
        text_append(label, DEVICE_LABEL, " (pci %s)", info->pci);
    else if (is_told_by_uuid(info))
        text_append(label, DEVICE_LABEL, " (uuid %s)", info->uuid);
    return label;
}

const char *device_info_selector(const struct device_info *info, bool one_of_several, char selector[DEVICE_LABEL])
{
    if (info->number == 0 && info->ordinal == 0 && !one_of_several)
        snprintf(selector, DEVICE_LABEL, "%s", info->name);
    else if (info->ordinal == 0 && is_told_by_pci(info))
        snprintf(selector, DEVICE_LABEL, "pci:%s", info->pci);
    else if (info->ordinal == 0 && is_told_by_uuid(info))
        snprintf(selector, DEVICE_LABEL, "uuid:%s", info->uuid);
    else
        snprintf(selector, DEVICE_LABEL, "%s#%" PRIu64, info->name, (uint64_t)info->ordinal + 1);
    return selector;
}

const char *device_info_selector_in_list(const struct device_info *info, char selector[DEVICE_LABEL])
{
    snprintf(selector, DEVICE_LABEL, "%s#%" PRIu32, info->name, info->number == 0 ? 1 : info->number);
    return selector;
}

/* --- selectors --- */

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

/* "pci:0000:4f:00.0", or the address alone: where it begins, else NULL. */
static const char *pci_address(const char *selector)
{
    if (strncasecmp(selector, "pci:", 4) == 0)
        return selector + 4;
    return fnmatch("????:??:??.?", selector, 0) == 0 && strspn(selector, "0123456789abcdefABCDEF:.") == strlen(selector)
               ? selector
               : NULL;
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

/* The number sign of "NAME#N"; NULL: it is something else. */
static const char *number_sign(const char *selector)
{
    const char *sign = strrchr(selector, '#');
    const size_t digits = sign != NULL ? strspn(sign + 1, "0123456789") : 0;
    return digits > 0 && sign[1 + digits] == '\0' ? sign : NULL;
}

/* Blanks may stand before the number sign, as in a label. A single device has number 1. */
static bool number_matches(const struct device_info *info, const char *selector)
{
    const char *sign = number_sign(selector);
    char name[sizeof info->name];

    if (sign == NULL || strtoull(sign + 1, NULL, 10) != (info->number == 0 ? 1 : info->number))
        return false;
    while (sign > selector && sign[-1] == ' ')
        --sign;
    if ((size_t)(sign - selector) >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)(sign - selector), selector);
    return fnmatch(name, info->name, FNM_CASEFOLD) == 0 || strcasecmp(name, info->name) == 0;
}

bool device_info_matches(const struct device_info *info, const char *selector)
{
    if (strncasecmp(selector, "uuid:", 5) == 0)
        return info->uuid[0] != '\0' && uuid_matches(info->uuid, selector + 5);
    if (pci_address(selector) != NULL)
        return info->pci[0] != '\0' && strcasecmp(info->pci, pci_address(selector)) == 0;
    if (is_position(selector))
        return position_matches(info, selector);
    for (size_t i = 0; i < sizeof short_names / sizeof *short_names; ++i)
        if (strcasecmp(selector, short_names[i].name) == 0)
            return strcasestr(info->platform, short_names[i].platform) != NULL;
    return text_matches(info->platform, selector) || text_matches(info->name, selector) ||
           number_matches(info, selector) || strcasecmp(DEVICE_LABEL_OF(info), selector) == 0;
}

bool device_selector_is_of_one(const char *selector)
{
    return strncasecmp(selector, "uuid:", 5) == 0 || pci_address(selector) != NULL || is_position(selector) ||
           number_sign(selector) != NULL;
}

uint32_t device_polls_a_ms(const struct device_probe *probe)
{
    const uint64_t ms_ps = UINT64_C(1000000000);
    return probe->poll_ps == 0 ? 0 : (uint32_t)(ms_ps / probe->poll_ps);
}

bool device_has_part(const struct device_probe *probe, enum optional part)
{
    return (probe->without & OPTIONAL_BIT(part)) == 0 && (part != OPTIONAL_YIELD || probe->yield);
}

enum dialect device_dialect(const struct device_probe *probe)
{
    const bool is_plain = !device_has_part(probe, OPTIONAL_DIALECT) && probe->dialect_log[DIALECT_CL12][0] == '\0';
    return is_plain ? DIALECT_CL12
                    : probe->dialect; /* one that was not probed, as where another worked first, may work */
}
