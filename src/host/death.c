#include "host/death.h"

#include "core/text.h"
#include "host/signals.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

const char *death_stage(enum stage stage)
{
    static const char *const names[STAGE_COUNT] = {
        "while idle",
        "while loading drivers or preparing a launch",
        "while building a kernel",
        "while running a kernel",
        "while stopping the kernel",
        "while reading results",
    };
    return names[(size_t)stage < sizeof names / sizeof *names ? stage
                                                              : STAGE_IDLE]; /* drivers share the page that says so */
}

/* The last line that the worker wrote, which often says why it died; empty if there is none. */
static void last_words(const struct supervisor_end *end, char *words, size_t size)
{
    const char *tail = end->stderr_tail;
    size_t length = strlen(tail);

    while (length > 0 && (tail[length - 1] == '\n' || tail[length - 1] == '\r'))
        --length;
    size_t begin = length;
    while (begin > 0 && tail[begin - 1] != '\n')
        --begin;
    if (length == begin)
        words[0] = '\0';
    else
        snprintf(words, size, " (%.*s)", (int)(length - begin), tail + begin);
    text_make_plain(words);
}

int death_error(const struct supervisor_end *end, struct error *error)
{
    char words[160];
    last_words(end, words, sizeof words);
    if (end->reply == REPLY_UNKILLABLE)
        return error_set(error, STATUS_WEDGED, "the worker could not be killed %s", death_stage(end->stage));
    if (end->reply == REPLY_KILLED && signals_received() != 0)
        return error_set(error, (enum status)(128 + signals_received()), "interrupted %s", death_stage(end->stage));
    if (end->reply == REPLY_KILLED)
        return error_set(error, STATUS_HARNESS, "the worker exceeded its time %s and was killed",
                         death_stage(end->stage));
    if (end->reply == REPLY_GARBLED)
        return error_set(error, STATUS_HARNESS, "something, perhaps the driver, wrote to the worker's socket %s",
                         death_stage(end->stage));
    if (end->signal == SIGKILL)
        return error_set(error, STATUS_HARNESS,
                         "the worker was killed %s, not by gridlock: perhaps for lack of memory%s",
                         death_stage(end->stage), words);
    if (end->signal != 0)
        return error_set(error, STATUS_HARNESS, "the driver crashed %s: signal %d, %s%s", death_stage(end->stage),
                         end->signal, strsignal(end->signal), words);
    return error_set(error, STATUS_HARNESS, "the driver ended the worker %s, with exit status %d%s",
                     death_stage(end->stage), end->exit_status, words);
}
