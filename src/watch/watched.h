/* A process that came to the door, and what is known of it from its page (door/page.h). */
#pragma once

#include "core/sighting.h"
#include "door/page.h"
#include "look/looking.h"
#include "watch/asleep.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Why, in the order of the sentences that tell it. */
enum watch_reason {
    WATCH_REASON_LONG,       /* nothing is known but that it takes long */
    WATCH_REASON_USER_EVENT, /* nobody can set it any more */
    WATCH_REASON_FLUSH,      /* nobody can flush the queue any more */
    WATCH_REASON_ASLEEP,     /* each thread waits for another */
    WATCH_REASON_ROUND,      /* kernels go round, and each other thread waits for another */
    WATCH_REASONS,
};

/* Since when something is as it is: nanoseconds of the process's own time, in which it was not stopped. */
struct since {
    uint64_t what;
    uint64_t when_ns;
};

struct watched {
    pid_t pid;
    char name[64];  /* of its program */
    char file[256]; /* of its page */
    struct page *page;
    const unsigned char *marks; /* of its launches (page_command), or NULL */
    bool gone;
    uint64_t now_ns;                    /* its own time: what has passed while it could run */
    struct since threads[PAGE_THREADS]; /* the call, */
    struct since queues[PAGE_QUEUES];   /* the oldest command that is open, */
    struct since progress;              /* and how many are complete */
    uint32_t requested;
    uint64_t requested_ns;
    struct asleep asleep;
    uint64_t calls;          /* which ones threads wait in, as a number; */
    uint64_t looked_calls;   /* and when a look at them began */
    struct looking looking;  /* at its threads, once it takes long */
    bool dead;               /* no thread of the program can do anything any more */
    enum watch_verdict told; /* since something last moved, */
    enum look_reason reason; /* and, if that is that it takes long, why */
};

/* What is to be said of it at one moment. */
struct account {
    const struct watched *process;
    struct page *page;    /* a copy; owned, */
    unsigned char *marks; /* and one of these, or NULL */
    enum watch_verdict verdict;
    enum watch_reason reason;
    uint64_t deadline_ns;
    bool asked;              /* the driver was asked what is complete, and has answered */
    size_t decided;          /* the user event, or the queue, for which it waits: index */
    const struct look *look; /* what was seen of its threads, or NULL; */
    const char *unlooked;    /* and why they cannot be looked at, or NULL */
};

/* The processes that came to the door, in the order in which they were seen. */
struct watched_list {
    struct watched **items;
    size_t count;
    long unseen;  /* a process of which nothing is noted, or 0, */
    char why[64]; /* and why */
};

/* Adds those that are new in the folder. */
void watched_find(struct watched_list *list, const char *folder);
void watched_fini(struct watched_list *list);

/* Looks again, `passed_ns` after it did so last. Returns the verdict; `account_take` says more. */
enum watch_verdict watched_look(struct watched *process, uint64_t passed_ns, uint64_t deadline_ns);

/* It has ended: what its page says now is the last of it. */
void watched_end(struct watched *process);

/* Owned by the caller; account_fini. */
void account_take(struct account *account, struct watched *process, uint64_t deadline_ns);
void account_fini(struct account *account);

/* --- of a copy --- */

/* The open commands of a queue, oldest first: indices, allocated, and *count. */
uint32_t *page_commands(const struct page *page, uint32_t queue, size_t *count);

/* The command that has this event, or NULL. */
const struct page_command *page_command_of(const struct page *page, uint64_t event);

/* The user event that nobody has set, or NULL. */
const struct page_user_event *page_gate(const struct page *page, uint64_t event);

/* Why launches have no marks; and how it is named. */
struct marks_fact {
    const char *name, *says;
};
extern const struct marks_fact marks_facts[PAGE_MARKS_COUNT];

/* Nothing is known that the command waits for, but for the order of its queue. */
bool page_is_free(const struct page *page, const struct page_command *command);

/*
 * Commands that cannot become complete: they wait for a user event that is not set, or come behind such ones. A thread
 * that waits for one of them in a call does not come back. Both may end if another thread acts. Nothing follows from a
 * command that was not flushed: drivers may begin it.
 */
struct gated {
    bool commands[PAGE_COMMANDS];
};

void gated_find(struct gated *gated, const struct page *page);
bool gated_thread(const struct gated *gated, const struct page *page, const struct page_thread *thread);
/* No command is open but such ones, and no callback of the program's can come before one of them is complete. */
bool gated_all(const struct gated *gated, const struct page *page);

struct call_fact {
    const char *name, *does;
    enum page_kind kind;
};
extern const struct call_fact call_facts[CALL_COUNT];
