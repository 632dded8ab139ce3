/*
 * What was proved of a launch, as it is kept and told: how far it was explored, which promises suffice for it to end,
 * and ways into what must not be. It comes packed from where it was found, and is kept so. Pure.
 */
#pragma once

#include "base/error.h"
#include "proof/progress.h"

/* How far the states were explored. */
enum proof_extent {
    PROOF_ALL,
    PROOF_TO_FAULT,   /* up to the first state in which a work-item does what no kernel may */
    PROOF_TO_MEMORY,  /* until the memory that it may take was used up */
    PROOF_TO_TIME,    /* until its time was up */
    PROOF_LEFT_ALONE, /* until a work-item made very many accesses that concern no other */
    PROOF_OF_LESS,    /* all, but of a launch that shows less than is asked for, or nothing */
    PROOF_EXTENTS,
};

/* A step of a work-item, and where. */
struct proof_told {
    uint32_t item;   /* of the launch */
    uint32_t line;   /* of the source, "a.cl:14": an index of texts, of which the first is "" */
    uint32_t object; /* that it accesses, an index, too; "": it goes round for ever, and nobody else notices */
    uint32_t bytes;
    uint64_t offset;                     /* in the object, bytes */
    uint64_t before, after;              /* what is there, as a number: of the first eight bytes at most */
    uint16_t kind, order, scope, atomic; /* as in struct proof_access */
};

/*
 * Some of the steps: from the first state on, behind `left_out` that are not told; the last `circle` of them come back
 * to where they began, which of a very long circle is not told.
 */
struct proof_way {
    uint32_t first, count, circle, left_out;
};

/* The launch need not end although this is promised. */
struct proof_stall {
    struct proof_promise promise;
    uint32_t way;
    uint64_t fair;           /* work-items that have fair execution on the circle */
    uint32_t started, ended; /* groups, where the circle begins, or in the dead end; a bit each */
};

/* A step on the circle of a stall that changes nothing. */
struct proof_wait {
    uint32_t step;    /* of all that are told */
    uint32_t writers; /* groups that may be the next to change what it looks at; a bit each */
    uint32_t line;    /* where the nearest of them does, a text */
};

/* Two accesses that conflict, and nothing orders them. */
struct proof_race_told {
    struct proof_told first, second; /* in the order in which they come on this way */
    uint32_t why;                    /* enum proof_race_cause */
    uint32_t same;                   /* not 0: on this way both write the same value, and do no more */
    uint32_t way;                    /* up to the second one */
};

/* Two ends of the launch with different memory. */
struct proof_difference {
    uint32_t object, bytes;
    uint64_t offset;
    uint64_t values[2];
    uint32_t ways[2];
};

enum proof_number { PROOF_UNSIGNED, PROOF_SIGNED, PROOF_FLOATING, PROOF_NUMBERS };

/* What is wrong at an end of the launch. */
struct proof_wrong {
    uint32_t object; /* a text; */
    uint32_t bytes;  /* 1, 2, 4 or 8, or 0: it is only known that something is */
    uint32_t number; /* enum proof_number */
    uint32_t way;    /* to it */
    uint64_t offset;
    uint64_t is, right; /* the bytes of both numbers */
};

/*
 * Groups are two in each of the first two dimensions, or of all three; work-items of a group are as many in the first
 * as in the second.
 */
enum { PROOF_SQUARE = 3, PROOF_CUBE };

/* What launches by lot found. */
enum proof_walk_found { PROOF_WALKS_FOUND_NOTHING, PROOF_WALK_WENT_WRONG /* the last one */, PROOF_WALKS_RACED };

struct proof_result {
    uint32_t groups, items; /* of each group; where they are made up, perhaps others than the trial's */
    uint32_t extent;        /* enum proof_extent */
    uint32_t grows;         /* a text, or "": a word that only grew, as --ignore names it, where not all was explored */
    uint64_t states, known; /* that were found, and of which all steps are known */
    uint64_t steps;         /* that were taken */
    uint64_t bytes;         /* of all states that were found */
    uint64_t walked;        /* launches by lot, */
    uint64_t walk_steps;    /* their steps; */
    uint32_t walk_found;    /* enum proof_walk_found */
    uint16_t number;        /* the first number that was made up; */
    int8_t apart;           /* each further one is so much larger, but none is less than 0 */
    uint8_t column : 4; /* the dimension, from 0, in which its groups are, though the trial has them in the first, or
                           PROOF_SQUARE or PROOF_CUBE, */
    uint8_t second : 4; /* and the one in which a group's work-items are, or PROOF_SQUARE, likewise */
    uint64_t duration_ns;
    struct proof_progress progress;
    uint32_t finals;          /* different memories that it ends with */
    uint32_t wrong_finals;    /* those of them that are wrong, */
    struct proof_wrong wrong; /* and what is so in one; */
    uint32_t unchecked;       /* and those of which it is not known whether they are right */
    uint32_t finals_checked;  /* not 0; or nobody said what is right */
    uint32_t races;           /* pairs of places in the source */
    uint32_t races_known;     /* not 0: all of them were looked for */
    uint32_t numbers_made_up; /* of arguments, or sizes of local ones or of groups */
    uint32_t ignored_read;    /* not 0: a work-item read what is ignored, and found what was there in the beginning */
    /* Texts, or "". */
    uint32_t sequential; /* lines of accesses that were explored as if they were sequentially consistent */
    uint32_t ignored;    /* what states were compared without */
    uint32_t made_up;    /* arguments that nobody gave */
    uint32_t unwritten;  /* what is wrong, and where, but may be due to these: a read of local memory that nobody has
                            written, or what was wrong when others were made up */
    uint32_t fault_line;
    char fault[256]; /* what a work-item did that no kernel may, or "" */
    uint32_t fault_way;
    char **texts;
    struct proof_told *told;
    struct proof_way *ways;
    struct proof_stall *stalls;
    struct proof_wait *waits; /* by their steps */
    struct proof_race_told *raced;
    struct proof_difference *differences; /* 1 at most */
    uint32_t text_count, told_count, way_count, stall_count, wait_count, raced_count, difference_count;
};

void proof_result_fini(struct proof_result *result);

/* Writes one of the two numbers as text. */
enum { PROOF_NUMBER_TEXT = 32 };
const char *proof_number_text(const struct proof_wrong *wrong, uint64_t number, char text[PROOF_NUMBER_TEXT]);

/* Returns the number of the text among those of the result. */
uint32_t proof_result_text(struct proof_result *result, const char *text);

/* Packs the result into words of this machine, allocated. */
uint32_t *proof_result_pack(const struct proof_result *result, size_t *count);

/* Reads words back. STATUS_HARNESS: they are not a packed result. Call proof_result_fini even then. */
int proof_result_unpack(struct proof_result *result, const uint32_t *words, size_t count, struct error *error);
