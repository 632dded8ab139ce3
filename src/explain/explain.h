/*
 * Why a launch failed: an explanation of its evidence, in words, as data, as a graph and as a timeline. And why models
 * of progress and promises are broken, and what a kernel relies on, from a run file of litmus tests, of an audit, or of
 * proofs.
 */
#pragma once

#include "core/naming.h"
#include "report/evidence.h"
#include "report/report.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * Each writes to `out`, and returns 0, or -1. What needs a board and has none is STATUS_USAGE: the launch passed, or
 * nothing could be read of it.
 */
typedef int explain_writer(FILE *out, const struct evidence *evidence, struct error *error);

/* Plain words: what happened, who waits for whom, why this device allows it, what would help, how to repeat it. */
explain_writer explain_text;

/* Of that what happened, why this device allows it, and what would help. */
explain_writer explain_why;

/* The same as data; installed schema explain.schema.json. */
explain_writer explain_json;

/* The wait-for graph, groups of one kind as one node, at most EXPLAIN_NODES in all; for Graphviz, and drawn by it. */
enum { EXPLAIN_NODES = 40 };
explain_writer explain_dot, explain_svg;

/*
 * Of evidence that has a board, as JSON for a page: that graph without a title, so that it is the same for equal
 * stalls; and the places that groups took, and what they do in the end, of the groups that matter.
 */
explain_writer explain_graph, explain_play;

/* Whose turns they were on a model device, as a file that gridlock run --schedule reads (report/schedule_file.h). */
explain_writer explain_schedule;

/* Groups on compute units over time, and those that never started, in the Trace Event Format that Perfetto reads. */
explain_writer explain_trace;

/* 0; -1 with STATUS_USAGE if there is no board to draw; `format` is for the message. */
int explain_need_board(const struct evidence *evidence, const char *format, struct error *error);

/* The same in 80 columns for a terminal: a row a place, what each group waits for, and which never started. */
explain_writer explain_timeline;

/* The writers in the order of their names. */
extern const struct naming explain_formats;
extern explain_writer *const explain_writers[];

/* --- runs of litmus tests --- */

/*
 * Writes, for each wanted device with litmus tests, the shortest test that breaks each broken model, and the blocks in
 * which tests stalled; *any is set to whether there is such a device. 0, or -1.
 */
int explain_progress(FILE *out, struct store *store, const struct evidence_wanted *wanted, bool *any,
                     struct error *error);

/* Is the wanted trial the name of a block of litmus tests, with or without the number of its batch? 0, or -1. */
int explain_progress_has(struct store *store, const struct evidence_wanted *wanted, bool *has, struct error *error);

/* Writes which tests of the blocks of that name stalled, and where they stood. 0, or -1. */
int explain_progress_block(FILE *out, struct store *store, const struct evidence_wanted *wanted, struct error *error);

/* --- audits --- */

/*
 * Writes the wanted promise, of each wanted device; or, if none is wanted, all that are broken. 0; -1 with STATUS_USAGE
 * if the run has no promise of that name.
 */
int explain_audit(FILE *out, struct store *store, const struct evidence_wanted *wanted, struct error *error);

/* The wanted promise in the report of an audit, or the first that is broken; and its device. As explain_audit. */
int explain_find_promise(const struct report *report, const struct evidence_wanted *wanted,
                         const struct audit_device **device, const struct audit_row **row, struct error *error);

/* --- proofs --- */

/*
 * Writes the launch with the wanted name, as reports show it or its id; or, if none is wanted, the first that is a
 * surprise, else the first that need not end somewhere. `format` is of explain_formats. 0; -1 with STATUS_USAGE if the
 * run has no such launch, or it cannot be told in this format.
 */
int explain_proof(FILE *out, struct store *store, const struct evidence_wanted *wanted, unsigned format,
                  struct error *error);

/*
 * Writes what was seen of a program that was watched: what has the wanted name, or is of the wanted kernel, or else the
 * worst. 0; -1 with STATUS_USAGE as explain_proof.
 */
int explain_watch(FILE *out, struct store *store, const struct evidence_wanted *wanted, unsigned format,
                  struct error *error);

/* The wanted launch in the report of a run of proofs, and its device. As explain_proof. */
int explain_find_proof(const struct report *report, const struct evidence_wanted *wanted,
                       const struct proofs_device **device, const struct proof_row **row, struct error *error);
