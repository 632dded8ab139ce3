#include "host/death.h"

#include "core/text.h"
#include "host/signals.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { WORDS_MOST = 150 };

/* The last line that the worker wrote, which often says why it died; empty if there is none. */
static void last_words(const struct supervisor_end *end, char *words, size_t size)
{
    const char *tail = end->stderr_tail;
    size_t length = strlen(tail);

    while (length > 0 && (tail[length - 1] == '\n' || tail[length - 1] == '\r'))
        --length;
    const char *before = memrchr(tail, '\n', length);
    const char *line = before != NULL ? before + 1 : tail;
    const size_t all = (size_t)(tail + length - line), most = all < WORDS_MOST ? all : WORDS_MOST;
    if (length == 0)
        words[0] = '\0';
    else
        snprintf(words, size, " (%.*s%s)", (int)most, line, most < all ? "..." : "");
    text_make_plain(words);
}

/* "while building a kernel (your file as it is)" */
static void describe(const struct supervisor_end *end, char *when, size_t size)
{
    const char *text = subject_text_words(end->text);
    const bool has_text = text[0] != '\0' && end->stage != STAGE_IDLE;

    snprintf(when, size, "%s%s%s%s", stage_words(end->stage), has_text ? " (" : "", has_text ? text : "",
             has_text ? ")" : "");
}

/* What a kernel does on a CPU device, as to read where nothing is, is done by the driver's process. */
static bool may_be_kernel(const struct supervisor_end *end)
{
    return end->text == TEXT_AS_IS && (end->stage == STAGE_RUNNING || end->stage == STAGE_STOPPING);
}

int death_error(const struct supervisor_end *end, struct error *error)
{
    char words[160], when[192];
    describe(end, when, sizeof when);
    last_words(end, words, sizeof words);
    if (end->reply == REPLY_UNKILLABLE)
        return error_set(error, STATUS_WEDGED, "the worker could not be killed %s", when);
    if (end->reply == REPLY_KILLED && signals_received() != 0)
        return error_set(error, (enum status)(128 + signals_received()), "interrupted %s", when);
    if (end->reply == REPLY_KILLED)
        return error_set(error, STATUS_HARNESS, "the worker exceeded its time %s and was killed", when);
    if (end->reply == REPLY_GARBLED)
        return error_set(error, STATUS_HARNESS, "something, perhaps the driver, wrote to the worker's socket %s", when);
    if (end->out_of_memory)
        return error_set(error, STATUS_HARNESS, "the worker ran out of memory %s%s", when, words);
    if (end->signal == SIGKILL)
        return error_set(error, STATUS_HARNESS,
                         "the worker was killed %s, not by gridlock: perhaps for lack of memory%s", when, words);
    if (end->signal != 0)
        return error_set(error, STATUS_HARNESS, "the driver%s crashed %s: signal %d, %s%s%s",
                         may_be_kernel(end) ? "'s process" : "", when, end->signal, strsignal(end->signal), words,
                         may_be_kernel(end) ? "; the kernel itself may have done that" : "");
    return error_set(error, STATUS_HARNESS, "the driver ended the worker %s, with exit status %d%s", when,
                     end->exit_status, words);
}
