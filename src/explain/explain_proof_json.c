#include "explain/proof_story.h"
#include "format/proof.h"

static void write_wait(struct json_writer *json, const struct proof_account *account, uint32_t number)
{
    const struct proof_result *result = account->result;
    const struct proof_wait *wait = &result->waits[number];
    const struct proof_told *step = proof_account_step(account, number), *last = proof_account_last(account, number);

    json_writer_open(json, NULL, '{');
    json_writer_text(json, "line", result->texts[step->line]);
    json_writer_text(json, "object", result->texts[step->object]);
    json_writer_integer(json, "offset", step->offset);
    json_writer_integer(json, "bytes", step->bytes);
    json_writer_integer(json, "value", step->before);
    proof_json_groups(json, "writers", wait->writers);
    json_writer_text(json, "writers_line", result->texts[wait->line]);
    json_writer_known(json, "last_writer", last != NULL, last != NULL ? last->item / result->items : 0);
    json_writer_text(json, "last_line", last != NULL ? result->texts[last->line] : NULL);
    json_writer_close(json, '}');
}

static void write_class(struct json_writer *json, const struct proof_account *account, uint32_t number)
{
    const struct proof_class *class = &account->classes[number];
    char says[STORY_TEXT];

    proof_story_class(account, number, says, sizeof says);
    json_writer_open(json, NULL, '{');
    json_writer_text(json, "state", proof_standing_name(class->standing));
    proof_json_groups(json, "groups", class->groups);
    json_writer_bool(json, "on_circle", proof_account_on_circle(account, number));
    json_writer_text(json, "says", says);
    json_writer_open(json, "waits", '[');
    for (uint32_t i = 0; i < class->wait_count; ++i)
        write_wait(json, account, class->waits[i]);
    json_writer_close(json, ']');
    json_writer_close(json, '}');
}

/* Members "reason", "promise" and "classes". */
static void write_stall(struct json_writer *json, const struct proof_account *account)
{
    const bool stalls = account->stall != NULL;

    json_writer_text(json, "reason", stalls ? proof_reason_name(account->reason) : NULL);
    if (json_writer_open_known(json, "promise", stalls)) {
        proof_json_promise(json, &account->stall->promise);
        json_writer_close(json, '}');
    }
    json_writer_open(json, "classes", '[');
    for (uint32_t i = 0; i < account->count; ++i)
        write_class(json, account, i);
    json_writer_close(json, ']');
}

/* The stalls that the rest does not tell of. */
static void write_others(struct json_writer *json, const struct proof_explained *explained)
{
    const struct proof_result *result = &explained->row->result;
    const uint32_t count = explained->subject == TELL_NOTHING ? 0 : result->stall_count;

    json_writer_open(json, "others", '[');
    for (uint32_t i = explained->subject == TELL_STALL; i < count; ++i) {
        struct proof_account account;
        proof_account_make(result, &result->stalls[i], &account);
        json_writer_open(json, NULL, '{');
        write_stall(json, &account);
        json_writer_close(json, '}');
    }
    json_writer_close(json, ']');
}

int proof_explain_json(FILE *out, const struct proof_explained *explained, struct error *error)
{
    static const char *const subjects[] = {NULL, "fault", "wrong-result", "stall", "race"};
    struct json_writer json = json_writer_begin(out);
    const struct proof_result *result = &explained->row->result;
    char id[RUN_ID_BYTES];
    struct story story;

    (void)error;
    proof_story_tell(explained, &story);
    trial_point_id(&explained->row->trial, id, sizeof id);
    json_writer_text(&json, "launch", id);
    json_writer_text(&json, "kernel", explained->name);
    json_writer_integer(&json, "groups", explained->row->trial.groups);
    json_writer_text(&json, "local_size", explained->shape);
    json_writer_text(&json, "verdict", proof_verdict_name(explained->row->proved));
    proof_json_answer(&json, explained->row);
    json_writer_text(&json, "tells", subjects[explained->subject]);
    story_json(&json, &story);
    write_stall(&json, &explained->account);
    write_others(&json, explained);
    if (json_writer_open_known(&json, "way", explained->way != NULL)) {
        proof_json_way(&json, result, (uint32_t)(explained->way - result->ways));
        json_writer_close(&json, '}');
    }
    json_writer_end(&json);
    story_fini(&story);
    return 0;
}
