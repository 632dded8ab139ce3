/* Of each cause it is told why a device may do so. */
#include "explain/story.h"

#include "harness.h"

START_TEST(each_cause_is_explained)
{
    for (enum cause cause = CAUSE_NONE + 1; cause < CAUSE_COUNT; ++cause) {
        const struct evidence evidence = {
            .has_launch = true,
            .verdict = VERDICT_INCONCLUSIVE,
            .cause = cause,
            .observation = {.board_read = true, .groups = 2, .started = 2, .waiting = 2},
            .trial = {.groups = 2},
        };
        struct story story = {.remedy_count = 0};
        remedy_tell(&evidence, &story);
        harness_assert(story.allowed[0] != '\0', "%s", cause_name(cause));
    }
}
END_TEST

HARNESS_MAIN("remedy", each_cause_is_explained)
