/* What to do about what a proof found. */
#include "explain/proof_story.h"
#include "proof/needs.h"

static void add_measure(const struct proof_explained *explained, struct story *story)
{
    const struct subject *subject = &explained->row->trial.footprint.subject;

    if (subject->file[0] != '\0')
        story_add_remedy(
            story,
            "Launch no more groups than the device holds at once, and give each of them more work: gridlock "
            "limits --source %s --kernel %s measures how many that is.",
            subject->file, subject->kernel);
    else
        story_add_remedy(story, "Launch no more groups than the device holds at once, and give each of them more work: "
                                "gridlock limits measures how many that is.");
}

/* What it needs is not what each device keeps. */
static void add_promise(const struct proof_explained *explained, struct story *story)
{
    struct proof_needs needs;
    char text[PROOF_NEEDS_TEXT];

    proof_needs_find(&explained->row->result.progress, &needs);
    if (!proof_needs_promise(&needs, text))
        return;
    story_add_remedy(story, "%s it only where this is kept: %s. gridlock progress finds out which devices do that.",
                     story->remedy_count > 0 ? "Or run" : "Run", text);
}

static void tell_stall(const struct proof_explained *explained, struct story *story)
{
    switch (explained->account.reason) {
    case REASON_PLACES:
        add_measure(explained, story);
        story_add_remedy(story,
                         "Or end the kernel where groups wait for each other, and launch another one: this works "
                         "for any number of groups.");
        break;
    case REASON_ORDER:
        story_add_remedy(story, "Wait only for groups that have started: have each group draw a ticket with an atomic "
                                "when it starts, use it in place of the group's id, and wait only for lower tickets.");
        add_promise(explained, story);
        break;
    case REASON_FAIRNESS:
        story_add_remedy(story, "Serve those that wait in the order in which they came, as a lock of tickets does, in "
                                "place of letting them race for the word.");
        add_promise(explained, story);
        break;
    case REASON_CIRCLE:
        story_add_remedy(story, "Break the circle: have all groups take what they wait for in the same order, as by "
                                "address, or have one group begin with the other one.");
        story_add_remedy(story, "Or have each group give back what it holds if it does not get the rest.");
        break;
    case REASON_LOST:
        story_add_remedy(story,
                         "Have the word keep what is waited for until all have seen it: count on and wait for at "
                         "least a value, in place of setting it back.");
        story_add_remedy(story, "Check that as many groups come as are waited for.");
        break;
    case REASON_ROUND:
        story_add_remedy(story, "Decide by something that differs between the groups, such as an id or a ticket, who "
                                "goes first.");
        break;
    case REASON_DEAD_END:
        story_add_remedy(story, "Have all work-items of a group reach each of its barriers.");
        break;
    default:
        add_promise(explained, story);
    }
}

void proof_remedy_tell(const struct proof_explained *explained, struct story *story)
{
    const struct proof_result *result = &explained->row->result;

    if (explained->subject == TELL_STALL)
        tell_stall(explained, story);
    else if (explained->subject == TELL_RACE && result->raced[0].why != 0)
        story_add_remedy(story, "Give both accesses a scope that includes both groups: memory_scope_device.");
    else if (explained->subject == TELL_RACE)
        story_add_remedy(story,
                         "Have a release behind the first access and an acquire before the second one order them, "
                         "or make both atomic.");
    else if (explained->subject == TELL_RESULT)
        story_add_remedy(story, "Follow the steps below to the first that should not come there.");
}
