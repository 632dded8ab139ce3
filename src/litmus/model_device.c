#include "core/text.h"
#include "litmus/classify.h"
#include "litmus/emulate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char prefix[] = "model:";

enum { UNFAIR = LITMUS_MODELS };

static const char *const names[] = {"hsa", "obe", "hsa_obe", "lobe", "fair", "unfair"};

static bool has_bound(int kind)
{
    return kind == LITMUS_OBE || kind == LITMUS_HSA_OBE || kind == LITMUS_LOBE;
}

bool model_device_is_named(const char *text)
{
    return strncasecmp(text, prefix, sizeof prefix - 1) == 0;
}

/* The part up to the next colon is this word; then *at is moved behind both. */
static bool take_word(const char **at, const char *word)
{
    const size_t length = strcspn(*at, ":");

    if (length != strlen(word) || strncasecmp(*at, word, length) != 0)
        return false;
    *at += length;
    if (**at == ':' && (*at)[1] != '\0')
        ++*at;
    return true;
}

static bool take_bound(const char **at, uint32_t *bound)
{
    char *end;

    if (!isdigit((unsigned char)**at) || **at == '0')
        return false;
    const unsigned long number = strtoul(*at, &end, 10);
    if (number > MODEL_DEVICE_RESIDENT_MOST || (*end != '\0' && *end != ':'))
        return false;
    *bound = (uint32_t)number;
    *at = *end == ':' && end[1] != '\0' ? end + 1 : end;
    return true;
}

int model_device_parse(const char *text, struct model_device *device, struct error *error)
{
    const char *at = text + (model_device_is_named(text) ? sizeof prefix - 1 : 0);
    int kind = 0;

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
    if (model_device_is_named(text) && kind <= UNFAIR && *at == '\0')
        return 0;
    return error_set(
        error, STATUS_USAGE,
        "unknown model device \"%.80s\": expected model:unfair, model:hsa, model:obe[:N], model:hsa_obe[:N], "
        "model:lobe[:N] or model:fair, with N from 1 to %d, and optionally :weak or :strong",
        text, MODEL_DEVICE_RESIDENT_MOST);
}

void model_device_name(const struct model_device *device, char text[MODEL_DEVICE_NAME])
{
    const int kind = device->unfair ? UNFAIR : (int)device->model;

    snprintf(text, MODEL_DEVICE_NAME, "%s%s", prefix, names[kind]);
    if (has_bound(kind) && device->resident > 0)
        text_append(text, MODEL_DEVICE_NAME, ":%u", device->resident);
    if (device->weak)
        text_append(text, MODEL_DEVICE_NAME, ":weak");
}

model_set model_device_keeps(const char *name)
{
    struct model_device device;
    struct error ignored;
    model_set kept = 0;

    if (!model_device_is_named(name) || model_device_parse(name, &device, &ignored) != 0 || device.unfair)
        return 0;
    for (enum litmus_model other = 0; other < LITMUS_MODELS; ++other)
        if (litmus_implies(device.model, LITMUS_WEAK, other, LITMUS_WEAK))
            kept |= UINT32_C(1) << other;
    return kept;
}
