/* What an explanation of a proof says, in plain words; printed by explain_proof*.c. */
#pragma once

#include "explain/proof_account.h"
#include "explain/story.h"
#include "format/text.h"

/* What there is to tell of a launch. */
enum proof_subject {
    TELL_NOTHING, /* it ends on every device, or was not explored */
    TELL_FAULT,
    TELL_RESULT,
    TELL_STALL,
    TELL_RACE,
};

struct proof_explained {
    const struct proof_row *row;
    const struct store_run *run; /* NULL: not known */
    enum proof_subject subject;
    const struct proof_way *way;  /* how it comes to that; NULL: no way is told */
    struct proof_account account; /* of a stall */
    char name[PROOF_NAME], shape[SHAPE_BYTES];
};

/* Chooses what is told by the verdict: a fault, a wrong result, a data race, or how it stalls. */
void proof_explained_make(const struct proof_row *row, const struct store_run *run, struct proof_explained *explained);

/* Happened, allowed, remedies and the command that repeats it; to be freed with story_fini. */
void proof_story_tell(const struct proof_explained *explained, struct story *story);

/* Adds which promise is not enough, and why. */
void proof_story_stall(const struct proof_account *account, char *text, size_t size);

/* "group 0", "groups 0-2 and 5" */
void proof_story_groups(uint32_t groups, char *text, size_t size);

/* "wait at a.cl:5 for done[0], which is 0; group 0 would write it at a.cl:7": what the groups of a class do. */
void proof_story_class(const struct proof_account *account, uint32_t class, char *text, size_t size);

/* "done[0]" */
void proof_story_place(const struct proof_result *result, const struct proof_told *told, char *text, size_t size);

/* Adds to the story what to do (proof_remedy.c). */
void proof_remedy_tell(const struct proof_explained *explained, struct story *story);

/* One of these writes what is explained; those that draw need a stall, or a way. */
typedef int proof_writer(FILE *out, const struct proof_explained *explained, struct error *error);
proof_writer proof_explain_text, proof_explain_json, proof_explain_dot, proof_explain_svg, proof_explain_timeline;

/* The first lines: what was proved of which launch. */
void proof_print_head(FILE *out, const struct proof_explained *explained);

/* 0; -1 with STATUS_USAGE: there is no such thing to draw; `format` is for the message. */
int proof_need_way(const struct proof_explained *explained, const char *format, struct error *error);
