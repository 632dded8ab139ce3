#include "base/alloc.h"
#include "core/text.h"
#include "litmus/classify.h"
#include "litmus/emulate.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char prefix[] = "model:";

enum { UNFAIR = LITMUS_MODELS };

static const char *const names[] = {"hsa", "obe", "hsa_obe", "lobe", "fair", "unfair"};

NAMING_DEFINE(model_order, enum model_order, MODEL_ORDERS, "mixed", "up", "down", "chunked", "split", "lot");
NAMING_DEFINE(model_turns, enum model_turns, MODEL_TURNS, "round", "lot", "pct");
NAMING_DEFINE(model_reads, enum model_reads, MODEL_READS, "any", "written");

static const struct naming parts =
    NAMING("order", "turns", "reads", "seed", "sub-groups", "model", "device", "kernels");

/* Behind all others: a name, which may have commas. */
static const char like_part[] = ",like=";

static bool has_bound(int kind)
{
    return kind == LITMUS_OBE || kind == LITMUS_HSA_OBE || kind == LITMUS_LOBE;
}

bool model_device_is_named(const char *text)
{
    return strncasecmp(text, prefix, sizeof prefix - 1) == 0;
}

/* Behind a colon, unless nothing follows it. */
static const char *behind(const char *at)
{
    return *at == ':' && at[1] != '\0' && at[1] != ',' ? at + 1 : at;
}

/* The part up to the next colon or comma is this word; then *at is moved behind it, and the colon. */
static bool take_word(const char **at, const char *word)
{
    const size_t length = strcspn(*at, ":,");

    if (length != strlen(word) || strncasecmp(*at, word, length) != 0)
        return false;
    *at = behind(*at + length);
    return true;
}

static bool take_bound(const char **at, uint32_t *bound)
{
    char *end;

    if (!isdigit((unsigned char)**at) || **at == '0')
        return false;
    const unsigned long number = strtoul(*at, &end, 10);
    if (number > MODEL_DEVICE_RESIDENT_MOST || (*end != '\0' && *end != ':' && *end != ','))
        return false;
    *bound = (uint32_t)number;
    *at = behind(end);
    return true;
}

/* "serial", "lockstep:down", ..., of which the parts are in this order, and each may be left out. */
static enum lanes_machine take_machine(const char **at)
{
    if (take_word(at, "serial"))
        return take_word(at, "down") ? LANES_SERIAL_DOWN : (take_word(at, "up"), LANES_SERIAL_UP);
    if (!take_word(at, "lockstep"))
        return LANES_OF_A_MODEL;
    const bool down = take_word(at, "down") || (take_word(at, "up"), false);
    const bool falls = take_word(at, "fall-through") || (take_word(at, "taken"), false);
    return (enum lanes_machine)(LANES_STEP_UP_TAKEN + 2 * down + falls);
}

static int refuse_part(const char *text, const char *part, const char *expected, struct error *error)
{
    return error_set(error, STATUS_USAGE, "model device \"%.80s\": \"%.40s\": expected %s", text, part, expected);
}

static int take_choice(const char *text, const char *part, const struct naming *naming, const char *value, int *choice,
                       struct error *error)
{
    char expected[80];

    *choice = naming_find(naming, value);
    if (*choice >= 0)
        return 0;
    naming_print(naming, expected, sizeof expected);
    return refuse_part(text, part, expected, error);
}

static bool take_number(const char *value, uint32_t least, uint32_t most, uint32_t *taken)
{
    char *end;
    const unsigned long number = isdigit((unsigned char)*value) ? strtoul(value, &end, 10) : ULONG_MAX;

    *taken = (uint32_t)number;
    return number >= least && number <= most && *end == '\0';
}

/* Models whose bound a run file can tell. */
static bool take_model(const char *value, struct model_device *device)
{
    int kind = 0;

    while (kind < LITMUS_MODELS && strcmp(value, names[kind]) != 0)
        ++kind;
    device->model = (enum litmus_model)kind;
    return has_bound(kind);
}

/* `part` is "seed=7", in lower case. */
static int take_part(const char *text, const char *part, enum model_part which, struct model_like *like,
                     struct error *error)
{
    struct model_device *device = &like->model;
    const char *value = strchr(part, '=') + 1;
    int choice = 0;

    switch (which) {
    case MODEL_PART_ORDER:
        if (take_choice(text, part, &model_order_naming, value, &choice, error) != 0)
            return -1;
        device->order = (enum model_order)choice;
        break;
    case MODEL_PART_TURNS:
        if (take_choice(text, part, &model_turns_naming, value, &choice, error) != 0)
            return -1;
        device->turns = (enum model_turns)choice;
        break;
    case MODEL_PART_READS:
        if (take_choice(text, part, &model_reads_naming, value, &choice, error) != 0)
            return -1;
        device->reads = (enum model_reads)choice;
        break;
    case MODEL_PART_SEED:
        return take_number(value, 0, UINT32_MAX, &device->seed)
                   ? 0
                   : refuse_part(text, part, "a number from 0 to 4294967295", error);
    case MODEL_PART_SUB_GROUPS:
        return take_number(value, 1, MODEL_DEVICE_SUB_GROUP_MOST, &device->sub_groups)
                   ? 0
                   : refuse_part(text, part, "a number of work-items from 1 to 128", error);
    case MODEL_PART_MODEL:
        return take_model(value, device) ? 0 : refuse_part(text, part, "obe, hsa_obe or lobe", error);
    case MODEL_PART_DEVICE:
        snprintf(like->device, sizeof like->device, "%s", value);
        break;
    case MODEL_PART_KERNELS:
        break; /* in lower case it names no file */
    }
    return 0;
}

/* Of a serial machine sub-groups are said, and no more. */
static bool take_width(const char **at, struct model_device *device)
{
    static const char part[] = ",sub-groups=";

    return lanes_are_serial(device->lanes) && strncasecmp(*at, part, sizeof part - 1) == 0 &&
           take_number(*at + sizeof part - 1, 1, MODEL_DEVICE_SUB_GROUP_MOST, &device->sub_groups);
}

/* The part that begins here; -1: none does. */
static int part_at(const char *at, bool is_like)
{
    const size_t length = strcspn(at, "=,");
    char name[16] = "";

    for (size_t i = 0; i < length && length < sizeof name; ++i)
        name[i] = (char)tolower((unsigned char)at[i]);
    const int part = at[length] == '=' ? naming_find(&parts, name) : -1;
    return part < MODEL_PART_MODEL || is_like ? part : -1;
}

static int take_parts(const char *text, const char *at, bool is_like, struct model_like *like, struct error *error)
{
    char part[sizeof like->device] = "";

    while (*at == ',' && strncmp(at, like_part, sizeof like_part - 1) != 0) {
        const size_t length = strcspn(++at, ",");
        for (size_t i = 0; i <= length && i < sizeof part; ++i)
            part[i] = (char)(i < length && i + 1 < sizeof part ? tolower((unsigned char)at[i]) : '\0');
        const int which = part_at(part, is_like);
        if (which < 0 || (like->said & 1u << which) != 0)
            return refuse_part(text, part,
                               is_like ? "order=..., turns=..., reads=..., seed=N, sub-groups=N, model=..., "
                                         "device=... or kernels=RUN, each once"
                                       : "order=..., turns=..., reads=..., seed=N or sub-groups=N, each once",
                               error);
        like->said |= 1u << which;
        if (take_part(text, part, (enum model_part)which, like, error) != 0)
            return -1;
        if (which == MODEL_PART_KERNELS)
            like->kernels = xstrndup(at + strcspn(at, "=") + 1, length - strcspn(at, "=") - 1);
        at += length;
    }
    if (*at == ',')
        snprintf(like->model.like, sizeof like->model.like, "%s", at + sizeof like_part - 1);
    return 0;
}

int model_device_parse(const char *text, struct model_device *device, struct error *error)
{
    const char *at = text + (model_device_is_named(text) ? sizeof prefix - 1 : 0);
    int kind = 0;

    *device = (struct model_device){.lanes = model_device_is_named(text) ? take_machine(&at) : LANES_OF_A_MODEL,
                                    .model = LITMUS_FAIR};
    if (device->lanes != LANES_OF_A_MODEL && (*at == '\0' || take_width(&at, device)))
        return 0;
    while (kind <= UNFAIR && !take_word(&at, names[kind]))
        ++kind;
    *device = (struct model_device){.unfair = kind == UNFAIR};
    if (kind < UNFAIR)
        device->model = (enum litmus_model)kind;
    if (has_bound(kind) && !take_bound(&at, &device->resident))
        device->resident = MODEL_DEVICE_RESIDENT;
    device->weak = take_word(&at, "weak");
    if (!device->weak)
        take_word(&at, "strong");
    if (model_device_is_named(text) && kind <= UNFAIR && (*at == '\0' || *at == ',')) {
        struct model_like like = {.model = *device};
        const int outcome = take_parts(text, at, false, &like, error);
        *device = like.model;
        return outcome;
    }
    return error_set(
        error, STATUS_USAGE,
        "unknown model device \"%.80s\": expected model:unfair, model:hsa, model:obe[:N], model:hsa_obe[:N], "
        "model:lobe[:N] or model:fair, with N from 1 to %d, and optionally :weak or :strong, ,order=ORDER, "
        ",turns=TURNS, ,reads=READS, ,seed=N and ,sub-groups=N; or model:serial[:down][,sub-groups=N] or "
        "model:lockstep[:down][:fall-through]",
        text, MODEL_DEVICE_RESIDENT_MOST);
}

/* --- like another one --- */

static const char like_prefix[] = "model:like:";

bool model_like_is_named(const char *text)
{
    return strncasecmp(text, like_prefix, sizeof like_prefix - 1) == 0;
}

bool model_like_has(const char *name)
{
    struct model_device device;
    struct error ignored;

    return model_device_is_named(name) && model_device_parse(name, &device, &ignored) == 0 && device.like[0] != '\0';
}

/* Where the parts begin: a file's name may have commas. */
static const char *parts_behind(const char *run)
{
    const char *end = run + strlen(run);

    for (const char *at = end; at-- > run;) {
        if (*at != ',')
            continue;
        if (part_at(at + 1, true) < 0)
            break;
        end = at;
    }
    return end;
}

int model_like_parse(const char *text, struct model_like *like, struct error *error)
{
    const char *run = text + sizeof like_prefix - 1;
    const char *at = parts_behind(run);

    *like = (struct model_like){.run = xstrndup(run, (size_t)(at - run))};
    if (like->run[0] == '\0')
        return error_set(error, STATUS_USAGE, "model device \"%.80s\": expected a run file of gridlock limits", text);
    return take_parts(text, at, true, like, error);
}

void model_like_fini(struct model_like *like)
{
    free(like->run);
    free(like->kernels);
    like->run = like->kernels = NULL;
}

int model_device_check_kernels(const struct model_device *device, struct error *error)
{
    return device->lanes == LANES_OF_A_MODEL || lanes_are_serial(device->lanes)
               ? 0
               : error_set(error, STATUS_USAGE,
                           "%s%s: this machine of lanes runs litmus tests alone (gridlock progress)", prefix,
                           lanes_machine_name(device->lanes));
}

int model_device_check_litmus(const struct model_device *device, struct error *error)
{
    char name[MODEL_DEVICE_NAME];

    model_device_name(device, name);
    if (strchr(name, ',') != NULL)
        return error_set(error, STATUS_USAGE,
                         "%s: litmus tests are led on a model device; order, turns, reads, seed, sub-groups and "
                         "what it is like are of kernels",
                         name);
    if (device->resident > MODEL_DEVICE_LITMUS_MOST)
        return error_set(error, STATUS_USAGE, "%s: for litmus tests a model device holds at most %d groups", name,
                         MODEL_DEVICE_LITMUS_MOST);
    return 0;
}

void model_device_name(const struct model_device *device, char text[MODEL_DEVICE_NAME])
{
    const int kind = device->unfair ? UNFAIR : (int)device->model;

    if (device->lanes != LANES_OF_A_MODEL) {
        snprintf(text, MODEL_DEVICE_NAME, "%s%s", prefix, lanes_machine_name(device->lanes));
        if (device->sub_groups != 0)
            text_append(text, MODEL_DEVICE_NAME, ",sub-groups=%u", device->sub_groups);
        return;
    }
    snprintf(text, MODEL_DEVICE_NAME, "%s%s", prefix, names[kind]);
    if (has_bound(kind) && device->resident > 0)
        text_append(text, MODEL_DEVICE_NAME, ":%u", device->resident);
    if (device->weak)
        text_append(text, MODEL_DEVICE_NAME, ":weak");
    if (device->order != 0)
        text_append(text, MODEL_DEVICE_NAME, ",order=%s", model_order_name(device->order));
    if (device->turns != 0)
        text_append(text, MODEL_DEVICE_NAME, ",turns=%s", model_turns_name(device->turns));
    if (device->reads != 0)
        text_append(text, MODEL_DEVICE_NAME, ",reads=%s", model_reads_name(device->reads));
    if (device->seed != 0)
        text_append(text, MODEL_DEVICE_NAME, ",seed=%u", device->seed);
    if (device->sub_groups != 0)
        text_append(text, MODEL_DEVICE_NAME, ",sub-groups=%u", device->sub_groups);
    if (device->like[0] != '\0')
        text_append(text, MODEL_DEVICE_NAME, "%s%s", like_part, device->like);
}

/* Models that promise turns to one group at a time, or to none, need no more than one place. */
uint32_t model_device_places(const struct model_device *device, uint32_t groups)
{
    const bool takes_one = device->unfair || device->model == LITMUS_HSA;
    const uint32_t bound = takes_one ? 1 : device->model == LITMUS_FAIR ? groups : device->resident;

    return bound == 0 || bound > groups ? groups : bound;
}

uint32_t model_device_tried(const char *name, uint32_t most)
{
    struct model_device device;
    struct error ignored;
    const bool holds_all = model_device_is_named(name) && model_device_parse(name, &device, &ignored) == 0 &&
                           !device.unfair && device.model == LITMUS_FAIR;

    return holds_all && most > MODEL_DEVICE_TRIED ? MODEL_DEVICE_TRIED : most;
}

/* Of a short kernel. */
uint32_t model_device_falls(uint32_t items)
{
    return 256 + 16 * items;
}

model_set model_device_keeps(const char *name, enum block_level level)
{
    struct model_device device;
    struct error ignored;

    if (!model_device_is_named(name) || model_device_parse(name, &device, &ignored) != 0 ||
        model_device_check_kernels(&device, &ignored) != 0)
        return 0;
    if (level == LEVEL_GROUP)
        return device.unfair ? 0 : litmus_implied(device.model);
    return litmus_implied(device.lanes == LANES_SERIAL_UP     ? LITMUS_LOBE
                          : device.lanes == LANES_SERIAL_DOWN ? LITMUS_OBE
                                                              : LITMUS_FAIR);
}
