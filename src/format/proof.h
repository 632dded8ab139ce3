/* Parts of what is told of a proof, for reports and for explanations. */
#pragma once

#include "format/json_writer.h"
#include "proof/result.h"
#include "report/proofs.h"

#include <stdio.h>

/* "tail[1]": of elements as large as the access. */
void proof_text_object(FILE *out, const struct proof_result *result, uint32_t object, uint64_t offset, uint32_t bytes);

/* Both accesses of a data race, and why it is one, as the end of a sentence. */
void proof_text_race(FILE *out, const struct proof_result *result, const struct proof_race_told *race);

/* " out[0] is 1, and 0 is right.", or nothing where it is not known what is wrong. */
void proof_text_wrong(FILE *out, const struct proof_result *result);

/* A line for each of its last steps, and for each of its circle. */
void proof_text_way(FILE *out, const struct proof_result *result, uint32_t way);

/* Member "answer": what was proved, as a sentence. */
void proof_json_answer(struct json_writer *json, const struct proof_row *row);

/* Members "left_out", "circle" and "steps". */
void proof_json_way(struct json_writer *json, const struct proof_result *result, uint32_t way);

/* A list of the groups that have a bit. */
void proof_json_groups(struct json_writer *json, const char *name, uint32_t groups);

/* Members "model", "fairness" and "places". */
void proof_json_promise(struct json_writer *json, const struct proof_promise *promise);
