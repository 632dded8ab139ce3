/* What was seen of a program of others that was watched, or looked at: at one moment, of one of its processes. */
#pragma once

#include "core/naming.h"

#include <stddef.h>
#include <stdint.h>

enum watch_verdict { WATCH_NOTHING, WATCH_LONG, WATCH_HOST, WATCH_DEADLOCK, WATCH_VERDICTS };
NAMING_DECLARE(watch_verdict, enum watch_verdict);

enum sighting_kind { SIGHTED_THREAD, SIGHTED_COMMAND, SIGHTED_EVENT, SIGHTED_KINDS };
NAMING_DECLARE(sighting_kind, enum sighting_kind);

/* A thread of the host, an open command, or a user event that nobody has set. */
struct sighted {
    enum sighting_kind kind;
    char name[48];   /* "thread 12", "command 3 of queue 1", "user event 0x55d0" */
    char says[384];  /* what it is, or does */
    char waits[384]; /* names of those that it waits for, separated by ", "; "": nothing is known */
};

struct sighting {
    uint32_t process;
    char program[64];
    char device[64]; /* "": none is known */
    char door[8];    /* "driver" or "layer"; "": it was looked at from outside, and launches are not known */
    enum watch_verdict verdict;
    char why[256];
    char call[64];   /* that the first blocked thread is in; "": none is */
    char kernel[64]; /* that runs, or would be next; "": none is known */
    char line[160];  /* at which it turns; "": not known */
    char sizes[96];  /* of the launch, "64 x 64 work-items in groups of 16 x 16" */
    char arguments[384];
    uint64_t groups;   /* 0: not known */
    uint64_t fit;      /* of these at once; 0: not known */
    uint64_t launches; /* of the process so far */
    uint64_t for_ns;   /* for so long nothing has become complete */
    const char *told;  /* all that was said, in lines; owned */
    struct sighted *items;
    size_t count; /* owned */
};

void sighting_fini(struct sighting *sighting);
