#include "explain/story.h"

#include "core/text.h"
#include "report/given.h"

#include <string.h>

/* Of a file that has no kernel yet for gridlock. */
static void tell_file(const struct evidence *evidence, struct story *story)
{
    text_append(
        story->happened, STORY_TEXT,
        " The driver was given the file as it is, without a line of gridlock's: this is between the file, its build "
        "options and the driver's compiler. What that says of the file is printed by the command below.");
    if (evidence->verdict == VERDICT_BUILD_FAILED)
        story_add_remedy(story, "Mend the file or its --build-options as the compiler says.");
}

static void tell_unbuilt(const struct evidence *evidence, struct story *story)
{
    text_append(story->happened, STORY_TEXT,
                " What the driver does not build is a text that gridlock made of the file, so this says nothing of the "
                "kernel.");
    if (given_value(&evidence->run, "entry") != NULL)
        story_add_remedy(story, "Leave --entry out: gridlock then tries both ways.");
    else
        story_add_remedy(
            story, "Write the kernel's name, parameters and opening brace without macros, so that text can be put "
                   "into it.");
}

static void tell_other_way(const struct evidence *evidence, struct story *story)
{
    story_add_remedy(story, "Measure it the other way, which is another text for the compiler: --entry %s.",
                     entry_way_name(evidence->entry == ENTRY_CALL ? ENTRY_INSERT : ENTRY_CALL));
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
        tell_other_way(evidence, story);
    }
    if (evidence->verdict == VERDICT_HANG)
        story_add_remedy(story, "Give the compiler more time with --build-timeout, and the launch with --timeout.");
}

/* The launch was refused, or the device was lost in it. */
static void tell_refused(const struct evidence *evidence, struct story *story)
{
    if (evidence->tried.text == NULL || evidence->tried.kernel[0] == '\0')
        return;
    text_append(story->happened, STORY_TEXT,
                " What was to be launched is %s; no group started, so this says nothing of the kernel's body.",
                story_tried(evidence));
    story_add_remedy(story, "Launch smaller groups (--local-size), or give local arguments fewer bytes (--arg).");
    if (evidence->entry != ENTRY_NONE)
        tell_other_way(evidence, story);
}

static void tell_unsupported(struct story *story)
{
    text_append(story->happened, STORY_TEXT,
                " That is a limit of gridlock or of the device, and no failure of the kernel.");
    story_add_remedy(story, "Measure a kernel that occupies the same and lacks what is named here.");
}

static bool is_unmeasured(const struct evidence *evidence)
{
    const struct subject *subject = &evidence->trial.footprint.subject;
    return evidence->has_launch && subject->file[0] != '\0' && strcmp(subject->file, SUBJECT_OURS) != 0 &&
           evidence->observation.started == 0;
}

const char *story_tried(const struct evidence *evidence)
{
    const char *text = evidence->tried.text;
    const enum subject_text kind = text == NULL                                 ? TEXT_NONE
                                   : strstr(text, "gridlock_front_of_") != NULL ? TEXT_CALL
                                   : strstr(text, "gridlock_front_") != NULL    ? TEXT_INSERT
                                   : strstr(text, "gridlock_sizes") != NULL     ? TEXT_SIZES
                                                                                : TEXT_AS_IS;
    return subject_text_words(kind);
}

const char *story_unmeasured(const struct evidence *evidence)
{
    const bool whole = evidence->trial.footprint.subject.kernel[0] == '\0';
    const bool launched = evidence->tried.text != NULL && evidence->tried.kernel[0] != '\0';

    if (!is_unmeasured(evidence))
        return NULL;
    switch (evidence->verdict) {
    case VERDICT_BUILD_FAILED:
        return whole ? "the driver's compiler refuses the file"
                     : "the driver's compiler refuses what measures the kernel";
    case VERDICT_CRASH:
        return launched ? "the driver crashes in the launch, and no group is known to have started"
                        : "the driver crashes before the launch";
    case VERDICT_HANG:
        return launched ? "the driver does not return from the launch, and no group is known to have started"
                        : "the driver does not return before the launch";
    case VERDICT_ERROR:
    case VERDICT_DEVICE_LOST:
        return launched ? "the driver refuses the launch" : "the driver fails before the launch";
    case VERDICT_UNSUPPORTED:
        return launched ? "the driver refuses the launch" : "gridlock cannot measure this kernel here";
    default:
        return NULL;
    }
}

bool remedy_tell_unmeasured(const struct evidence *evidence, struct story *story)
{
    const bool whole = evidence->trial.footprint.subject.kernel[0] == '\0';

    if (story_unmeasured(evidence) == NULL)
        return false;
    if (evidence->verdict == VERDICT_UNSUPPORTED && evidence->tried.text == NULL)
        tell_unsupported(story);
    else if (evidence->verdict == VERDICT_UNSUPPORTED || evidence->verdict == VERDICT_ERROR ||
             evidence->verdict == VERDICT_DEVICE_LOST)
        tell_refused(evidence, story);
    else if (whole)
        tell_file(evidence, story);
    else if (evidence->verdict == VERDICT_BUILD_FAILED)
        tell_unbuilt(evidence, story);
    else
        tell_unfinished(evidence, story);
    if (evidence->tried.text != NULL)
        story_add_remedy(
            story,
            "%s to the driver's makers: gridlock explain --reproducer FOLDER writes a program that asks for the same.",
            whole && evidence->verdict == VERDICT_BUILD_FAILED ? "If both are right, show it" : "Show it");
    return true;
}
