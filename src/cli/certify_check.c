#include "cli/certify_check.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/sha256.h"
#include "cli/command.h"
#include "cli/included.h"
#include "format/certified.h"
#include "format/escape.h"
#include "store/json_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CERTIFICATE_MIB = 16 };

/* --- what is said --- */

static const struct {
    const char *path, *what;
} conditions[] = {
    {"$.here[0].device", "the device"},
    {"$.here[0].driver", "the driver"},
    {"$.here[0].conditions.compute_units", "the number of compute units"},
    {"$.here[0].conditions.options_sha256", "the hash of the build options"},
    {"$.here[0].answer", "the answer"},
    {"$.here[0].needed.model", "the promise that it relies on"},
    {"$.here[0].needed.fairness", "its fairness"},
    {"$.here[0].needed.places", "the number of groups that must be resident"},
};

struct checking {
    const char *old;  /* the certificate's text */
    unsigned changed; /* what no longer holds */
};

static void say(struct checking *checking, const char *text)
{
    if (checking->changed++ == 0)
        puts("The certificate no longer holds:");
    escape_each(escape_text, stdout, "  ", text, "\n", NULL);
}

static void say_changed(struct checking *checking, const char *what, const char *was, const char *is)
{
    char *text = xasprintf("%s was %s, and is %s", what, was, is);

    say(checking, text);
    free(text);
}

static void compare(struct checking *checking, const char *new)
{
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; ++i) {
        char *was = json_quoted_at(checking->old, conditions[i].path), *is = json_quoted_at(new, conditions[i].path);
        if (was == NULL || is == NULL || strcmp(was, is) != 0)
            say_changed(checking, conditions[i].what, was != NULL ? was : "null", is != NULL ? is : "null");
        free(was);
        free(is);
    }
}

/* A limit that rose does no harm. */
static void compare_groups(struct checking *checking, const char *new)
{
    char *was = json_text_at(checking->old, "$.safe_up_to"), *is = json_text_at(new, "$.safe_up_to");

    if (was != NULL && is != NULL && strtoul(is, NULL, 10) < strtoul(was, NULL, 10))
        say_changed(checking, "the number of groups up to which it is safe", was, is);
    free(was);
    free(is);
}

static void compare_all(struct checking *checking, const char *new, const struct certified *certified)
{
    compare(checking, new);
    compare_groups(checking, new);
    if (certified->doubt != CERTIFIED) {
        char *text = NULL;
        FILE *out = xopen_memstream(&text, NULL);
        fputs("it is not certified any more: ", out);
        certified_text_doubt(out, certified);
        xclose_memstream(out, &text);
        say(checking, text);
        free(text);
    }
}

/* --- the text that was certified --- */

/* Where that has changed, it is another kernel, and nothing is measured. */
static int compare_source(struct checking *checking, const char *path, struct error *error)
{
    char digest[SHA256_TEXT];

    if (!sha256_file(path, digest))
        return error_set(error, STATUS_USAGE, "%.200s: the certified file is not here: %s", path, strerror(errno));
    char *was = json_text_at(checking->old, "$.here[0].conditions.source_sha256");
    char *now = included_find(path), *then = json_text_at(checking->old, "$.included");
    if (was == NULL || strcmp(was, digest) != 0)
        say(checking, "the source has changed");
    else if (strcmp(now, then != NULL ? then : "") != 0)
        say(checking, "a file that the source includes has changed");
    free(was);
    free(now);
    free(then);
    return 0;
}

/* --- the command --- */

static int read_command(const char *text, char *words[CERTIFY_WORDS + 4])
{
    char path[32];
    int count = 1;

    words[0] = xasprintf("gridlock certify");
    while (count < CERTIFY_WORDS) {
        snprintf(path, sizeof path, "$.command[%d]", count - 1);
        if ((words[count] = json_text_at(text, path)) == NULL)
            break;
        ++count;
    }
    return count;
}

static void take_own(struct certify_options *options, const struct certify_options *own, const char *folder)
{
    struct common_options *common = &options->measure.common;

    memcpy(common->icds, own->measure.common.icds, sizeof common->icds);
    common->icd_count = own->measure.common.icd_count;
    common->quiet = own->measure.common.quiet;
    options->measure.live = own->measure.live;
    options->measure.yes = own->measure.yes;
    options->folder = folder;
    options->check = own->check;
    if (own->measure.common.selector_count > 0)
        common->selectors[0] = own->measure.common.selectors[0];
    if (own->measure.common.selector_count > 0)
        common->selector_count = 1;
}

static int measure_again(struct checking *checking, struct certify_options *options, struct error *error)
{
    struct certified certified = {.asked = 0};
    int outcome = compare_source(checking, options->file, error);

    if (outcome == 0 && checking->changed == 0) {
        char *new = certify_run(options, &certified, error);
        outcome = new != NULL ? 0 : -1;
        if (new != NULL)
            compare_all(checking, new, &certified);
        free(new);
    }
    certified_fini(&certified);
    return outcome;
}

static void remove_folder(const char *folder)
{
    static const char *const own[] = {"certificate.txt", "certificate.json"};

    for (int i = 0; i < CERTIFIED_RUNS + 2; ++i) {
        char *path = xasprintf(
            "%s/%s", folder, i < CERTIFIED_RUNS ? certified_run_name((enum certified_run)i) : own[i - CERTIFIED_RUNS]);
        unlink(path);
        free(path);
    }
    rmdir(folder);
}

static int check_text(const struct certify_options *own, const char *text, const char *folder,
                      struct checking *checking, struct error *error)
{
    static struct certify_options options;
    char *words[CERTIFY_WORDS + 4];
    int count = read_command(text, words);

    words[count++] = xasprintf("--output=%s", folder);
    words[count] = NULL;
    options = *own;
    options.check = NULL;
    options.measure.common.selector_count = 0;
    parse_arguments(&certify_line, count, words, &options);
    take_own(&options, own, folder);
    const int outcome = measure_again(checking, &options, error);
    for (int i = 0; i < count; ++i)
        free(words[i]);
    return outcome;
}

static int check_in(const struct certify_options *own, const char *text, enum status *status, struct error *error)
{
    const char *root = getenv("TMPDIR");
    char *folder = xasprintf("%s/gridlock-certify-XXXXXX", root != NULL && *root != '\0' ? root : "/tmp");
    struct checking checking = {.old = text};
    int outcome = 0;

    if (own->folder == NULL && mkdtemp(folder) == NULL)
        outcome = error_set(error, STATUS_HARNESS, "cannot make folder %.300s: %s", folder, strerror(errno));
    if (outcome == 0)
        outcome = check_text(own, text, own->folder != NULL ? own->folder : folder, &checking, error);
    if (own->folder == NULL)
        remove_folder(folder);
    free(folder);
    if (outcome == 0 && checking.changed == 0)
        puts("The certificate holds.");
    *status = checking.changed == 0 ? STATUS_OK : STATUS_SURPRISE;
    return outcome;
}

int certify_check(const struct certify_options *options, enum status *status, struct error *error)
{
    size_t length;
    char *text = file_read(options->check, "certificate", CERTIFICATE_MIB, &length, error);
    int outcome;

    if (text == NULL)
        return -1;
    char *certified = json_text_at(text, "$.certified");
    if (!certified_json_is_whole(text))
        outcome =
            error_set(error, STATUS_USAGE,
                      "%.200s: it is no certificate of gridlock, or was changed since it was written", options->check);
    else if (certified == NULL || strcmp(certified, "1") != 0)
        outcome = error_set(error, STATUS_USAGE, "%.200s: it says that the kernel was not certified", options->check);
    else
        outcome = check_in(options, text, status, error);
    free(certified);
    free(text);
    return outcome;
}
