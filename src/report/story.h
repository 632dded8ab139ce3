/* What an explanation says, in plain words; printed by explain_text.c and explain_json.c. */
#ifndef GRIDLOCK_REPORT_STORY_H
#define GRIDLOCK_REPORT_STORY_H

#include "core/grouping.h"
#include "report/evidence.h"

enum { STORY_REMEDIES = 4, STORY_TEXT = 640, STORY_WORD = 40 };

struct story {
    char happened[STORY_TEXT];                 /* to which groups */
    char allowed[STORY_TEXT];                  /* why this device allows it */
    char remedies[STORY_REMEDIES][STORY_TEXT]; /* the smallest change that would make it pass comes first */
    size_t remedy_count;
    char *repeat; /* the command that repeats it, for a shell */
    bool grouped; /* there was a board, and these are its groups */
    struct grouping grouping;
};

/* To be freed with story_fini, also on failure: -1 with STATUS_HARNESS when memory is short. */
int story_tell(const struct evidence *evidence, uint32_t most_classes, struct story *story, struct error *error);
void story_fini(struct story *story);

/* "group 3", "groups 0-7, 9 and 40 more". */
void story_print_groups(const struct group_class *class, char *text, size_t size);

/* "wait in round 2 until word 3 of the kernel's reaches 8; it is 5"; what the groups of a class do. */
void story_print_class(const struct evidence *evidence, const struct group_class *class, char *text, size_t size);

/* "word 3 of the kernel": a word of the board; at most STORY_WORD bytes. */
void story_print_word(const struct evidence *evidence, uint32_t word, char *text, size_t size);

/* "the holder of the lock"; of GL_GROUP_*. */
const char *story_awaited_name(uint32_t awaited);

#endif
