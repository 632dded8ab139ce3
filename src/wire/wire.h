/*
 * What the supervisor and its worker say to each other, over a SOCK_SEQPACKET socket pair: one
 * message a packet. Both are the same executable, so a body is a plain struct; each packet carries
 * a magic number, its length and a checksum, because a driver may write to any descriptor.
 */
#pragma once

#include "base/error.h"
#include "core/block.h"
#include "core/device_info.h"
#include "core/schedule.h"
#include "core/trial.h"
#include "judge/observation.h"
#include "promise/promise.h"
#include "proof/request.h"
#include "wire/calls.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { WIRE_BODY_BYTES = 1 << 16, WIRE_PLATFORMS = 16 };

enum wire_type {
    /* Supervisor to worker. */
    WIRE_LIST = 1, /* list devices: WIRE_DEVICE for each, and for what has none WIRE_PLATFORM; then WIRE_DONE */
    WIRE_CHECK,    /* load one driver library: WIRE_DONE with the reason if it cannot be */
    WIRE_OPEN,     /* open a device, with what was probed of it: WIRE_DONE */
    WIRE_PROBE,    /* one step of the probe: WIRE_PROBED, then WIRE_DONE */
    WIRE_TRIAL,    /* run a trial: WIRE_LAUNCH for each launch, then WIRE_DONE */
    WIRE_BLOCK,    /* run a block of litmus tests: WIRE_TEST for each test, then WIRE_DONE */
    WIRE_CANARY,   /* a trivial kernel, then a barrier of one group: WIRE_DONE */
    WIRE_BINARY,   /* write the program binary of a footprint to a file: WIRE_DONE */
    WIRE_PROMISE,  /* measure a promise: WIRE_FINDING, which later ones replace, then WIRE_DONE */
    WIRE_PROOF,    /* explore a launch: WIRE_PROVED with the result part by part, or WIRE_LOG; then WIRE_DONE */
    WIRE_TRY,      /* launch a kernel of the user's as it is: WIRE_LAUNCH, or WIRE_LOG; then WIRE_DONE */
    WIRE_SOURCE,   /* read a file of kernels: WIRE_KERNEL for each, or WIRE_LOG, then WIRE_DONE */
    /* Worker to supervisor. */
    WIRE_DEVICE,
    WIRE_PLATFORM, /* it has no device, or could not be listed, or a device of it could not */
    WIRE_PROBED,
    WIRE_LAUNCH,  /* one launch is over */
    WIRE_TEST,    /* one test of a block is over */
    WIRE_SUSPECT, /* a launch has stalled and is about to be stopped; WIRE_LAUNCH follows if it can be */
    WIRE_FINDING,
    WIRE_KERNEL,
    WIRE_PROVED,
    WIRE_LOG, /* what the driver says of a source that it does not build, part by part */
    WIRE_DONE,
};

/* Steps of the probe, each a request of its own, so that a driver that dies in one loses only that one. */
enum probe_step {
    PROBE_DIALECT_PTX,
    PROBE_DIALECT_CL30,
    PROBE_DIALECT_CL12,
    PROBE_YIELD,
    PROBE_GROUPS, /* a group of PROBE_ITEMS work-items, or as many as there can be */
    PROBE_LOOPS,
    PROBE_CHANNEL_SVM,
    PROBE_CHANNEL_MAPPED,
    PROBE_CHANNEL_QUEUE,
};

enum { PROBE_ITEMS = 64 };

struct wire_list {
    struct device_info model; /* the name of a model device, and what it says if it is like another; "": all drivers' */
};

struct wire_check {
    char library[1024];
};

struct wire_platform {
    char name[160];
    char failure[96]; /* why it, or a device of it, could not be listed, or "": it has no device */
};

struct wire_open {
    struct device_info device;
    struct device_probe probe;
};

struct wire_promise {
    char name[48];
    uint32_t tries;               /* of what is tried several times; 0: as often as usual */
    struct promise_search search; /* as earlier workers left it */
};

struct wire_finding {
    struct finding finding;
    struct promise_search search;
};

struct wire_binary {
    struct footprint footprint;
    char path[1024];
};

struct wire_launch {
    bool evidence; /* the board stands in the mirror's evidence area, */
    bool schedule; /* and its turns in the mirror */
    struct observation observation;
};

struct wire_done {
    enum status status;   /* STATUS_OK, or what failed; text says what */
    int32_t code;         /* cl_int, where one was the reason */
    enum outcome outcome; /* what the failure means for a trial; OUTCOME_ENDED: nothing failed */
    bool poisoned;        /* a kernel still runs: the worker must not be used again */
    struct trial_facts facts;
    struct subject_facts subject; /* of a trial's kernel that is the user's */
    char text[512];
};

enum { WIRE_PART_WORDS = 1 << 12 };

/* A part of a packed struct proof_result. */
struct wire_proved {
    uint32_t count;
    uint32_t words[WIRE_PART_WORDS];
};

enum { WIRE_LOG_BYTES = 4096 };

struct wire_log {
    char text[WIRE_LOG_BYTES]; /* a part of it, up to a 0 */
};

struct wire_header {
    uint32_t magic;
    uint16_t type;
    uint16_t left_out; /* of a request: what kernels are built without, as bits of enum optional */
    uint32_t length;   /* of the body */
    uint32_t checksum; /* of the header before it, and of the body */
};

struct wire_packet {
    struct wire_header header;
    union {
        unsigned char bytes[WIRE_BODY_BYTES];
        struct wire_list list;
        struct wire_check check;
        struct wire_open open;
        enum probe_step step;
        struct wire_binary binary;
        struct wire_launch launch;
        struct wire_done done;
        struct trial trial;
        struct block block;
        struct test_outcome test;
        struct device_info device;
        struct wire_platform platform;
        struct device_probe probed;
        struct wire_promise promise;
        struct wire_finding finding;
        struct proof_request proof;
        struct wire_proved proved;
        struct subject source; /* whose kernels are to be listed */
        struct wire_log log;
        struct subject_kernel_info kernel;
    } body;
};

/* Length of the body of each type; 0 for a type without one. */
size_t wire_body_bytes(enum wire_type type);

/*
 * Completes the header for a body that is already in place; returns the length of the packet. `left_out`: of a request.
 */
size_t wire_seal(struct wire_packet *packet, enum wire_type type, uint32_t left_out);

/* The request has failed, and what that means for a trial. */
void wire_fail(struct wire_done *done, enum outcome outcome, const struct error *error);

/* 0 if `bytes` bytes at `packet` are a whole and unharmed message; else -1 with STATUS_HARNESS. */
int wire_check_packet(const struct wire_packet *packet, size_t bytes, struct error *error);

/* What the worker is doing; the watchdog has a budget for each. */
enum stage {
    STAGE_IDLE,
    STAGE_LOADING, /* in the loader, opening a device, or before a launch */
    STAGE_BUILDING,
    STAGE_RUNNING,  /* a kernel runs; some drivers compile it first */
    STAGE_STOPPING, /* the stop word was written */
    STAGE_READING,  /* results are being read back */
    STAGE_COUNT,
};

/* "while running a kernel"; of any number, since drivers share the page that has it. */
const char *stage_words(enum stage stage);

/* Why the supervisor wants a launch to be stopped. */
enum stop_request {
    STOP_NOT,
    STOP_OVERDUE, /* its time is up */
    STOP_NOW,     /* the user wants it */
};

/*
 * What the mirror has room for: programs, words of samples (SAMPLES_WORDS), groups of a launch, and words of its board.
 */
enum {
    FATAL_BUILDS = 32,
    MIRROR_SAMPLES = 1 << 14,
    MIRROR_GROUPS = 1 << 20,
    MIRROR_WORDS = 2 * MIRROR_GROUPS * 32,
};

/*
 * The page that both share (an inherited memory file). The worker copies the board into it each
 * time it samples, so that evidence outlives the worker. Behind the page, in the same file, is a text of the user's
 * that the driver was given (struct subject_tried).
 */
struct mirror {
    _Atomic uint32_t stage;          /* enum stage */
    _Atomic uint32_t text;           /* enum subject_text: of the program that it builds or runs */
    _Atomic uint32_t subject_known;  /* of the request: `subject` is that of the kernel that it launches */
    _Atomic uint32_t stop_requested; /* supervisor to worker: set the stop word (enum stop_request) */
    _Atomic uint32_t out_of_memory;  /* the worker ends for want of memory */
    _Atomic uint64_t running_ns;     /* supervisor to worker: so long a launch may take; 0: as long as it likes */
    _Atomic uint64_t stage_began_ns; /* CLOCK_MONOTONIC */
    _Atomic uint64_t longest_ns;     /* of the running launch: the longest time between two changes */
    _Atomic uint64_t tried_bytes;    /* of what the driver was given last, behind the page; 0: nothing is known */
    _Atomic uint32_t live_words;     /* of the board in `live`; 0: no board was read */
    _Atomic uint32_t evidence_words;
    _Atomic uint32_t samples_words; /* samples of that launch (judge/samples.h); 0: not kept */
    _Atomic uint32_t
        asked_turns;           /* supervisor to worker: turns of a trial's launches, in `asked`; 0: the device's own */
    _Atomic uint32_t differs;  /* the first of them that a launch did not take as it is; SCHEDULE_TURNS: none */
    _Atomic uint32_t turns;    /* of the launch that failed, in `schedule`, */
    _Atomic uint32_t cuts;     /* and how many of them were cut before it was shortened; 0: it was not */
    _Atomic uint64_t building; /* the program that the worker builds, if it can do without it; or 0 */
    _Atomic uint64_t fatal[FATAL_BUILDS]; /* of which earlier workers died: they are not built again; 0: no more */
    struct subject_facts subject;
    struct calls calls; /* in which the worker is */
    uint32_t live[MIRROR_WORDS];
    uint32_t evidence[MIRROR_WORDS];
    uint32_t samples[MIRROR_SAMPLES];
    struct schedule_turn asked[SCHEDULE_TURNS], schedule[SCHEDULE_TURNS];
    char stops[SCHEDULE_STOPS_TEXT]; /* as struct schedule_kept has them */
};
