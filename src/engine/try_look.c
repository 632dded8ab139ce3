#include "engine/try_look.h"

#include "core/text.h"
#include "host/orphans.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The first look is when so long has passed, or this part of the deadline if that is earlier; others, later. */
static const uint64_t first_ns = 500000000;
enum { FIRST_PART = 4 };

/* Where the thread goes round; "": its code does not say. */
static void print_place(const struct looked_thread *thread, char place[STACK_NAME + 16])
{
    const struct frame *frame = look_line(thread);

    place[0] = '\0';
    if (frame != NULL)
        snprintf(place, STACK_NAME + 16, " at %s:%d", frame->file, frame->line);
}

/* How many threads run kernels at the same place as this one, itself among them; 0: one before it does. */
static size_t count_alike(const struct look *look, size_t at)
{
    char place[STACK_NAME + 16], other[STACK_NAME + 16];
    size_t alike = 1;

    print_place(&look->threads[at], place);
    for (size_t i = 0; i < look->count; ++i) {
        print_place(&look->threads[i], other);
        if (i == at || look->threads[i].role != ROLE_KERNEL || strcmp(place, other) != 0)
            continue;
        if (i < at)
            return 0;
        ++alike;
    }
    return alike;
}

/* "2 threads go round at a.cl:12, 1 thread goes round at a.cl:20" */
static void print_rounds(const struct look *look, char *text, size_t size)
{
    char place[STACK_NAME + 16];

    for (size_t i = 0; i < look->count; ++i) {
        const size_t alike = look->threads[i].role == ROLE_KERNEL ? count_alike(look, i) : 0;
        if (alike == 0)
            continue;
        print_place(&look->threads[i], place);
        text_list(text, size, ", ", "%zu thread%s go%s round%s", alike, text_s(alike), alike == 1 ? "es" : "", place);
    }
}

/* What is known of one whose time will be up. */
static const char *words_of(const struct look *look)
{
    switch (look->reason) {
    case LOOK_REASON_MOVES:
        return ": a thread of it does not only go round, so it may be slow, or change memory for ever";
    case LOOK_REASON_BUILDS:
        return ": the driver still compiles it";
    case LOOK_REASON_WAKES:
        return ": the driver is at work";
    case LOOK_REASON_GPU:
        return ": what a GPU does cannot be seen from outside";
    default:
        return "";
    }
}

/* Whatever else this process is a parent of is what workers left behind, and is ended. */
static void step(struct looking *looking, pid_t worker, const struct looking_pace *pace)
{
    const pid_t before = looking->aside.child;

    looking_step(looking, worker, pace);
    if (before != 0)
        orphans_disown(before);
    if (looking->aside.child != 0)
        orphans_own(looking->aside.child);
}

bool try_look(void *context, pid_t worker, uint64_t since_ns, char *text, size_t size)
{
    struct try_look *looks = context;
    const uint64_t part_ns = looks->deadline_ns / FIRST_PART;
    const struct looking_pace pace = {part_ns < first_ns ? part_ns : first_ns, 1, LOOK_THOROUGH};

    if (since_ns < pace.pause_ns)
        return false;
    if (since_ns >= looks->deadline_ns) { /* a process that is looked at ends late */
        try_look_end(looks);
        return false;
    }
    step(&looks->looking, worker, &pace);
    const struct look *look = looking_seen(&looks->looking);
    snprintf(text, size, "it did not end within %.3g s%s", (double)looks->deadline_ns / 1e9,
             look != NULL ? words_of(look) : "");
    if (look == NULL || look->verdict != LOOK_DEADLOCK)
        return false;
    char rounds[256] = "";
    print_rounds(look, rounds, sizeof rounds);
    snprintf(text, size, "nothing can end it any more, which is proved: %s, and nobody else can write to memory",
             rounds);
    return true;
}

void try_look_end(struct try_look *looks)
{
    const pid_t child = looks->looking.aside.child;

    looking_forget(&looks->looking);
    looks->looking.next_ns = 0;
    if (child != 0)
        orphans_disown(child);
}
