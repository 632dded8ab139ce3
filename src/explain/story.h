/* What an explanation says, in plain words; printed by explain_text.c, explain_timeline.c and explain_json.c. */
#pragma once

#include "format/json_writer.h"
#include "judge/grouping.h"
#include "report/evidence.h"

#include <stdio.h>

enum { STORY_REMEDIES = 4, STORY_TEXT = 640 };

struct story {
    char happened[STORY_TEXT];                 /* to which groups */
    char allowed[STORY_TEXT];                  /* why this device allows it */
    char remedies[STORY_REMEDIES][STORY_TEXT]; /* the smallest change that would make it pass comes first */
    size_t remedy_count;
    char *repeat; /* the command that repeats it, for a shell */
    bool grouped; /* there was a board, and these are its groups */
    struct grouping grouping;
};

/* To be freed with story_fini. */
void story_tell(const struct evidence *evidence, uint32_t most_classes, struct story *story);
void story_fini(struct story *story);

/* Members "happened", "allowed", "remedies" and "repeat". */
void story_json(struct json_writer *json, const struct story *story);

/*
 * Groups that ended without saying so, because the kernel returned without gl_leave or its end was lost: they are shown
 * running, or in a wait that came true.
 */
uint32_t story_silent(const struct evidence *evidence);

/* The circle goes by a wait for any group: nobody said who should have written the word. */
bool story_is_for_anybody(const struct evidence *evidence);

/* Returns in words why a kernel of the user's was not measured; NULL if the evidence is not of such a kernel. */
const char *story_unmeasured(const struct evidence *evidence);

/* What the text is that the driver failed of, of the user's file. */
const char *story_tried(const struct evidence *evidence);

/* A model device gave the launch up: it made too many accesses, or none for too long. */
bool story_is_of_bound(const struct evidence *evidence);

/* The title of its classes: of which moment they are. */
const char *story_whom_title(const struct evidence *evidence);

/* The groups of the classes that a class waits for; appended to `text`. */
void story_awaited(const struct story *story, uint32_t class, char text[STORY_TEXT]);

/* Parts of the text that tells it (explain_text.c). */
void story_print_head(FILE *out, const struct evidence *evidence);
void story_print_classes(FILE *out, const struct evidence *evidence, const struct story *story);

/* Whose turns they were, if that is known (explain_schedule.c). */
void story_print_schedule(FILE *out, const struct evidence *evidence);

/* On a model device with turns by priorities: how sure it is to find a fault (Burckhardt et al., 2010). */
void story_print_bound(FILE *out, const struct evidence *evidence);

/* Adds to the story what follows from the cause; the smallest change comes first (remedy.c). */
void remedy_tell(const struct evidence *evidence, struct story *story);

/*
 * The same of a kernel of the user's no group of which started: whether it, its text with what gridlock put into it, or
 * the driver is to blame. False: it is something else (remedy_unmeasured.c).
 */
bool remedy_tell_unmeasured(const struct evidence *evidence, struct story *story);

/* Of a stall of which no cause is certain, since the waits or the groups do not say enough. */
void remedy_tell_unnamed(const struct evidence *evidence, struct story *story);

/* A group of which one work-item waits for all to arrive, and others may not have done so; or WAITFOR_NOBODY. */
uint32_t story_item_at_barrier(const struct evidence *evidence);

/* The next thing to do; what is too much is left out. */
void story_add_remedy(struct story *story, const char *format, ...) __attribute__((format(printf, 2, 3)));
