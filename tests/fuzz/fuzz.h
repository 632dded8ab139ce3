/*
 * What fuzzers share. A finding is a crash, a report of a sanitizer, a claim that does not hold, or an input that takes
 * all of the processor's time that the process has (ulimit -t).
 */
#pragma once

#include "base/error.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CLAIM(condition) ((condition) ? (void)0 : fuzz_broken(__FILE__, __LINE__, #condition))

_Noreturn static inline void fuzz_broken(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}

/* What failed says why. Returns whether it did not fail. */
static inline int fuzz_outcome(int outcome, const struct error *error)
{
    if (outcome >= 0)
        return 1;
    CLAIM(error->status == STATUS_USAGE || error->status == STATUS_HARNESS);
    CLAIM(error->text[0] != '\0' && memchr(error->text, '\0', sizeof error->text) != NULL);
    return 0;
}

/* The same, of input alone: there is no other reason to fail. */
static inline int fuzz_accepted(int outcome, const struct error *error)
{
    CLAIM(outcome >= 0 || error->status == STATUS_USAGE);
    return fuzz_outcome(outcome, error);
}

static inline void fuzz_out_of_time(int number)
{
    (void)number;
    abort();
}

/* libFuzzer keeps the input at which a process aborts. */
__attribute__((constructor)) static inline void fuzz_watch_time(void)
{
    signal(SIGXCPU, fuzz_out_of_time);
}

/* The input as a text, up to its first zero byte; to be freed. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = size > 0 ? strndup((const char *)data, size) : strdup("");
    CLAIM(text != NULL);
    return text;
}

/* Where everything is printed. */
static inline FILE *fuzz_nowhere(void)
{
    static FILE *nowhere;
    if (nowhere == NULL)
        nowhere = fopen("/dev/null", "w");
    CLAIM(nowhere != NULL);
    return nowhere;
}
