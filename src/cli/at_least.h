/* --at-least: how many groups of a footprint must be resident together. */
#pragma once

#include "cli/options.h"
#include "report/limits.h"
#include "store/store.h"

enum { AT_LEAST_MOST = 64, AT_LEAST_NAME = 256 };

struct at_least {
    struct {
        char name[AT_LEAST_NAME]; /* of footprints, as it was given */
        uint32_t groups;
    } wanted[AT_LEAST_MOST];
    size_t count;
};

/* For options: takes FOOTPRINT=N, for a struct at_least. */
int take_at_least(struct parsing *parsing, void *at_least, char *text);

/*
 * Each name is of one of these footprints, which are to be measured: SIZE, SIZE/LOCAL or SIZE/LOCAL/PRIVATE, or of a
 * kernel of the user's KERNEL or FILE:KERNEL, with /SHAPE or without. STATUS_USAGE, which says what is allowed.
 */
int at_least_check(const struct at_least *at_least, const struct device_info *device,
                   const struct footprint *footprints, size_t count, struct error *error);

/* Stores what was to be shown, and whether it was; of a shard only of the footprints that it has. */
int at_least_assert(const struct at_least *at_least, const struct limits_report *report, bool is_shard,
                    struct store *store, struct error *error);
