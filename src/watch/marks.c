/* What is read from the marks of launches, and said of them. */
#include "core/text.h"
#include "watch/tell.h"

#include <inttypes.h>

/* Those that only the device has were copied for the last request. */
static bool is_there(const struct account *account, const struct page_command *command)
{
    const struct page_lane *lane = &account->page->lanes[command->queue % PAGE_LANES];

    return lane->copied == 0 || (account->asked && lane->read == account->page->request);
}

enum page_marks marks_unknown(const struct account *account, const struct page_command *command)
{
    if (command->marks != 0 && !is_there(account, command))
        return PAGE_MARKS_UNREAD;
    return command->unmarked < PAGE_MARKS_COUNT ? (enum page_marks)command->unmarked : PAGE_MARKED;
}

bool marks_read(struct marks *marks, const struct account *account, const struct page_command *command)
{
    const uint64_t groups = command_groups(command);
    const uint64_t begin = command->marks != 0 ? (command->marks - 1) % PAGE_LANE : 0;

    *marks = (struct marks){.groups = groups};
    if (account->marks == NULL || command->marks == 0 || command->queue >= PAGE_LANES || groups == 0 ||
        begin + groups > PAGE_LANE || !is_there(account, command))
        return false;
    const unsigned char *lane = account->marks + (size_t)command->queue * PAGE_LANE + begin;
    for (uint64_t i = 0; i < groups; ++i) {
        const bool goes_on = i > 0 && lane[i - 1] != command->mark, started = lane[i] == command->mark;
        marks->started += started;
        if (started)
            continue;
        if (!goes_on && marks->count == MARKS_RANGES)
            marks->left_out += 1;
        else if (!goes_on)
            marks->ranges[marks->count++] = (struct marks_range){i, i};
        else if (marks->left_out == 0)
            marks->ranges[marks->count - 1].last = i;
    }
    return marks->started > 0;
}

void tell_marks(FILE *out, const struct account *account, const struct page_command *command)
{
    const enum page_marks unknown = marks_unknown(account, command);
    struct marks marks;

    if (unknown != PAGE_MARKED)
        fprintf(out, "; which of its groups have started is not known: %s", marks_facts[unknown].says);
    if (!marks_read(&marks, account, command))
        return;
    if (marks.started == marks.groups) {
        fputs("; all of its groups have started", out);
        return;
    }
    const bool one = marks.groups - marks.started == 1;
    fprintf(out, "; %" PRIu64 " of its groups %s started, and %s ", marks.started, marks.started == 1 ? "has" : "have",
            one ? "group" : "groups");
    for (size_t i = 0; i < marks.count; ++i) {
        const struct marks_range *range = &marks.ranges[i];
        fprintf(out, "%s%" PRIu64, i == 0 ? "" : ", ", range->first);
        if (range->last > range->first)
            fprintf(out, " to %" PRIu64, range->last);
    }
    fprintf(out, "%s %s not", marks.left_out > 0 ? " and others" : "", one ? "has" : "have");
}

bool marks_were_wanted(const struct page *page)
{
    uint64_t all = 0;

    for (int i = 0; i < PAGE_MARKS_COUNT; ++i)
        all += page->marked[i];
    return all > 0;
}

void tell_marked(FILE *out, const struct page *page)
{
    const uint64_t marked = page->marked[PAGE_MARKED];
    const char *between = "; of others it is not known: ";

    fprintf(out, "which groups have started was marked in %" PRIu64 " launch%s", marked, marked == 1 ? "" : "es");
    for (int i = PAGE_MARKED + 1; i < PAGE_MARKS_COUNT; ++i) {
        if (page->marked[i] == 0)
            continue;
        fprintf(out, "%s%s (%" PRIu64 ")", between, marks_facts[i].says, (uint64_t)page->marked[i]);
        between = ", ";
    }
}
