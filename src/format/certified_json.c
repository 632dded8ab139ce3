#include "format/certified.h"

#include "base/alloc.h"
#include "format/kind.h"

#include <stdlib.h>
#include <string.h>

/* The last member. */
static const char sealed[] = "\n  \"sha256\": \"";

static void write_launches(struct json_writer *json, const struct certified *certified)
{
    json_writer_open(json, "launched", '[');
    for (int i = 0; i < 2; ++i) {
        const struct certified_launches *launches = i == 0 ? &certified->full : &certified->over;
        if (launches->launched == 0)
            continue;
        json_writer_open_line(json, NULL, '{');
        json_writer_integer(json, "groups", launches->groups);
        json_writer_integer(json, "launches", launches->launched);
        json_writer_integer(json, "passed", launches->passed);
        json_writer_text(json, "otherwise", launches->passed < launches->launched ? verdict_name(launches->other) : "");
        json_writer_close_line(json, '}');
    }
    json_writer_close(json, ']');
}

static void write_groups(struct json_writer *json, const struct certified *certified)
{
    const struct here_fit *fit = certified_fit(certified);
    const uint32_t groups = certified_groups(certified);
    char shape[SHAPE_BYTES] = "";

    if (fit != NULL)
        nd_range_print_shape(&fit->shape, shape);
    json_writer_text(json, "items", shape);
    json_writer_known(json, "safe_up_to", groups != UINT32_MAX, groups);
    json_writer_bool(json, "any_number", groups == UINT32_MAX);
    json_writer_count(json, "stalls_at", fit != NULL ? fit->stalls_at : 0);
    json_writer_count(json, "asked_groups", certified->asked);
    json_writer_text(json, "dialect", dialect_name(here_dialect(&certified->runs)));
}

static void write_asked(struct json_writer *json, const struct certified_asked *asked)
{
    json_writer_text(json, "gridlock", GRIDLOCK_VERSION);
    json_writer_text(json, "made", asked->made);
    json_writer_open_line(json, "command", '[');
    for (size_t i = 0; i < asked->word_count; ++i)
        json_writer_text(json, NULL, asked->words[i]);
    json_writer_close_line(json, ']');
    json_writer_text(json, "included", asked->included);
}

static void write_runs(struct json_writer *json, const struct certified *certified)
{
    json_writer_open(json, "runs", '[');
    for (int i = CERTIFIED_PROOF; i < CERTIFIED_RUNS; ++i) {
        char sha256[SHA256_TEXT];
        if (certified->paths[i] == NULL || !sha256_file(certified->paths[i], sha256))
            continue;
        json_writer_open_line(json, NULL, '{');
        json_writer_text(json, "path", certified->paths[i]);
        json_writer_text(json, "sha256", sha256);
        json_writer_close_line(json, '}');
    }
    json_writer_close(json, ']');
}

static void write_reason(struct json_writer *json, const struct certified *certified)
{
    char *text = NULL;
    FILE *out = xopen_memstream(&text, NULL);

    certified_text_doubt(out, certified);
    xclose_memstream(out, &text);
    json_writer_text(json, "reason", text);
    free(text);
}

/* The place of the digits in the text, or NULL. */
static char *find_seal(char *text)
{
    char *at = strstr(text, sealed);

    return at != NULL && strlen(at += sizeof sealed - 1) >= SHA256_TEXT ? at : NULL;
}

static void seal(char *text, char sha256[SHA256_TEXT])
{
    char *const at = find_seal(text);

    memset(at, '0', SHA256_TEXT - 1);
    sha256_bytes(text, strlen(text), sha256);
    memcpy(at, sha256, SHA256_TEXT - 1);
}

char *certified_json(const struct certified *certified, const struct certified_asked *asked)
{
    char *text = NULL, sha256[SHA256_TEXT] = "";
    FILE *out = xopen_memstream(&text, NULL);
    struct json_writer json = json_writer_begin(out);

    json_writer_bool(&json, "certified", certified->doubt == CERTIFIED);
    write_reason(&json, certified);
    write_asked(&json, asked);
    write_groups(&json, certified);
    write_launches(&json, certified);
    if (certified->here != NULL)
        proof_json_here(&json, &certified->report, 0);
    write_runs(&json, certified);
    memset(sha256, '0', SHA256_TEXT - 1);
    json_writer_text(&json, "sha256", sha256);
    json_writer_end(&json);
    xclose_memstream(out, &text);
    seal(text, sha256);
    return text;
}

bool certified_json_is_whole(const char *text)
{
    char *copy = xasprintf("%s", text), sha256[SHA256_TEXT];
    char *const at = find_seal(copy);
    bool whole = at != NULL;

    if (whole) {
        seal(copy, sha256);
        whole = strcmp(copy, text) == 0;
    }
    free(copy);
    return whole;
}
