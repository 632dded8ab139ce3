/* Errors: a code that becomes the exit status, and a sentence for the user. */
#pragma once

#include <stddef.h>

/* Exit statuses of the program; they are its interface. */
enum status {
    STATUS_OK = 0,
    STATUS_SURPRISE = 1,     /* a result differs from what was expected */
    STATUS_USAGE = 2,        /* usage or input, nothing ran */
    STATUS_HARNESS = 3,      /* the tool failed, results are not to be trusted */
    STATUS_NO_DEVICE = 4,    /* no device matched */
    STATUS_WEDGED = 5,       /* a device no longer works, or a worker cannot be killed */
    STATUS_STOPPED = 75,     /* stopped early, can go on */
    STATUS_UNSUPPORTED = 77, /* nothing of what was asked for is supported */
    STATUS_SIGINT = 130,
    STATUS_SIGTERM = 143,
};

struct error {
    enum status status;
    char text[512];
};

/*
 * Sets `error` (which may be NULL) and returns -1, so that callers can `return error_set(...)`. A text that is too long
 * loses its middle.
 */
int error_set(struct error *error, enum status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same for functions that return a pointer. */
#define ERROR_NULL(...) (error_set(__VA_ARGS__), NULL)

/* Puts "context: " before the text of `error`; returns -1. */
int error_context(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));
