#include "explain/story.h"

#include "core/text.h"
#include "report/given.h"

#include <string.h>

static bool was_given(const struct evidence *evidence, const char *option)
{
    bool found = false;
    struct given given;

    if (given_read(evidence->run.command_line, "", &given) != 0)
        return false;
    for (size_t i = 0; i < given.count; ++i)
        found = found || given_abbreviated(&given, i, option) != NULL;
    given_fini(&given);
    return found;
}

/* Of a file that has no kernel yet for gridlock. */
static void tell_file(struct story *story)
{
    text_append(
        story->happened, STORY_TEXT,
        " The driver was given the file as it is, without a line of gridlock's: this is between the file, its build "
        "options and the driver's compiler. What that says of the file is printed by the command below.");
}

static void tell_unbuilt(const struct evidence *evidence, struct story *story)
{
    text_append(story->happened, STORY_TEXT,
                " What the driver does not build is a text that gridlock made of the file, so this says nothing of the "
                "kernel.");
    if (was_given(evidence, "--entry"))
        story_add_remedy(story, "Leave --entry out: gridlock then tries both ways.");
    else
        story_add_remedy(story, "Write the kernel's head without macros, so that text can be put into it.");
}

/* The worker ended, and no group is known to have started. */
static void tell_unfinished(const struct evidence *evidence, struct story *story)
{
    if (evidence->entry == ENTRY_NONE) {
        text_append(story->happened, STORY_TEXT, " The kernel was not launched.");
    } else {
        text_append(
            story->happened, STORY_TEXT,
            " No line of the kernel's body runs behind what gridlock puts in front of it: what did not come back is "
            "the driver or its compiler, on a text that gridlock made of the file. This says nothing of the kernel.");
        story_add_remedy(story, "Measure it the other way, which is another text for the compiler: --entry %s.",
                         entry_way_name(evidence->entry == ENTRY_CALL ? ENTRY_INSERT : ENTRY_CALL));
    }
    if (evidence->verdict == VERDICT_HANG)
        story_add_remedy(story, "Give the compiler more time with --build-timeout, and the launch with --timeout.");
}

bool remedy_tell_unmeasured(const struct evidence *evidence, struct story *story)
{
    const struct subject *subject = &evidence->trial.footprint.subject;
    const bool ended = evidence->verdict == VERDICT_CRASH || evidence->verdict == VERDICT_HANG;
    const bool failed = evidence->verdict == VERDICT_BUILD_FAILED;

    if (subject->file[0] == '\0' || strcmp(subject->file, SUBJECT_OURS) == 0 || evidence->observation.started > 0)
        return false;
    if (subject->kernel[0] == '\0' && (failed || ended))
        tell_file(story);
    else if (failed)
        tell_unbuilt(evidence, story);
    else if (ended)
        tell_unfinished(evidence, story);
    else
        return false;
    return true;
}
