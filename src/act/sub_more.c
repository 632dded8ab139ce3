/*
 * Promises about functions of sub-groups that are in extensions, which the kernel itself compares with what is right.
 */
#include "act/gathering.h"

#include <inttypes.h>

enum { GROUP = 64, FUNCTIONS = 10 };
enum { WRONG, GOT, WANTED, COMPARED, SUB_GROUP, TOLD }; /* as in promise_sub_more.cl */

static const struct family {
    const char *extension;
    const char *functions[FUNCTIONS]; /* in the order of their numbers there, from 1 */
} families[] = {
    [FAMILY_BALLOT] = {"cl_khr_subgroup_ballot",
                       {"sub_group_ballot", "sub_group_inverse_ballot", "sub_group_ballot_bit_extract",
                        "sub_group_ballot_bit_count", "sub_group_ballot_inclusive_scan",
                        "sub_group_ballot_exclusive_scan", "sub_group_ballot_find_lsb", "sub_group_ballot_find_msb",
                        "sub_group_non_uniform_broadcast", "sub_group_broadcast_first"}},
    [FAMILY_SHUFFLE] = {"cl_khr_subgroup_shuffle",
                        {"sub_group_shuffle", "sub_group_shuffle of the opposite", "sub_group_shuffle_xor"}},
    [FAMILY_RELATIVE] = {"cl_khr_subgroup_shuffle_relative", {"sub_group_shuffle_up", "sub_group_shuffle_down"}},
    [FAMILY_ROTATE] = {"cl_khr_subgroup_rotate", {"sub_group_rotate"}},
    [FAMILY_VOTE] = {"cl_khr_subgroup_non_uniform_vote",
                     {"sub_group_elect", "sub_group_elect of some", "sub_group_non_uniform_all",
                      "sub_group_non_uniform_any", "sub_group_non_uniform_all_equal"}},
    [FAMILY_ARITHMETIC] = {"cl_khr_subgroup_non_uniform_arithmetic",
                           {"sub_group_non_uniform_reduce_add", "sub_group_non_uniform_reduce_mul",
                            "sub_group_non_uniform_reduce_min", "sub_group_non_uniform_reduce_max",
                            "sub_group_non_uniform_reduce_and", "sub_group_non_uniform_reduce_or",
                            "sub_group_non_uniform_reduce_xor", "sub_group_non_uniform_scan_inclusive_add",
                            "sub_group_non_uniform_scan_exclusive_add"}},
    [FAMILY_CLUSTERED] = {"cl_khr_subgroup_clustered_reduce",
                          {"sub_group_clustered_reduce_add", "sub_group_clustered_reduce_mul",
                           "sub_group_clustered_reduce_min", "sub_group_clustered_reduce_max",
                           "sub_group_clustered_reduce_and", "sub_group_clustered_reduce_or",
                           "sub_group_clustered_reduce_xor"}},
    [FAMILY_INTEL] = {"cl_intel_subgroups",
                      {"intel_sub_group_shuffle", "intel_sub_group_shuffle_xor", "intel_sub_group_shuffle_up",
                       "intel_sub_group_shuffle_down"}},
};

/* 1: all values are right. *compared counts them. */
static int check_told(struct gathering *gathering, size_t items, uint64_t *compared)
{
    const struct family *family = &families[gathering->promising->promise->of[0]];

    for (size_t me = 0; me < items; ++me) {
        const uint32_t *told = gathering->told->words + me * TOLD;
        if (told[WRONG] > FUNCTIONS || told[COMPARED] == UINT32_MAX)
            return promising_notes(gathering->promising, "Work-item %zu did not run", me);
        if (told[WRONG] != 0)
            return promising_notes(gathering->promising,
                                   "In a group of %zu work-items %s gives number %zu the value %" PRIu32
                                   " and not %" PRIu32,
                                   items, family->functions[told[WRONG] - 1], me, told[GOT], told[WANTED]);
        *compared += told[COMPARED];
        if (told[SUB_GROUP] >= gathering->most)
            gathering->most = told[SUB_GROUP] + 1;
    }
    return 1;
}

static int measure_more(struct gathering *gathering, struct error *error)
{
    static const size_t items[PROMISE_TRIES] = {GROUP, GROUP, GROUP, GROUP - 3,
                                                GROUP / 2 + 1}; /* the last sub-group may have fewer */
    struct promising *promising = gathering->promising;
    uint64_t compared = 0;

    if (promising_group_size(promising) < GROUP)
        return error_set(error, STATUS_HARNESS, "groups have fewer than %d work-items", GROUP);
    if (promising_buffer(promising, 0, GROUP, error) != 0 ||
        promising_buffer(promising, 1, (size_t)GROUP * TOLD, error) != 0)
        return -1;
    gathering->told = &promising->buffers[1];
    for (uint32_t attempt = 0; attempt < PROMISE_TRIES; ++attempt) {
        const size_t size[3] = {items[attempt], 1, 1};
        if (gathering_give(gathering, &promising->buffers[0], attempt, error) != 0 ||
            promising_begins(promising, error) != 0)
            return -1;
        const int found = gathering_launch(gathering, size, items[attempt] * TOLD, error);
        if (gathering_count(gathering, found != 1 ? found : check_told(gathering, items[attempt], &compared)) != 0)
            return -1;
    }
    gathering_conclude(gathering);
    if (promising->finding.fails == 0 && compared == 0)
        return promising_undecided(
            promising, "No value of these functions is defined: sub-groups are too small, or their work-items "
                       "have no places of their own.");
    return 0;
}

int promise_sub_more(struct promising *promising, struct error *error)
{
    const char *extension = families[promising->promise->of[0]].extension;

    if (!promising_has_extension(promising, extension))
        return promising_says(promising, "The device does not have %s.", extension);
    return gathering_measure(promising, "promise_sub_more", measure_more, error);
}
