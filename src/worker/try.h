/*
 * Launches a kernel of the user's as it is, with its own waits, once. It has no board and no stop word: one that never
 * ends is ended with the worker, unless it waits by gridlock.clh, whose waits give up.
 */
#pragma once

#include "device/session.h"
#include "judge/observation.h"
#include "proof/request.h"

/* Is told, before the launch, the arguments that were made up; or what the driver says of a file without success. */
struct try_sink {
    void (*tell)(void *context, const char *text);
    void *context;
};

/*
 * Waits for its end, without a bound, on the thread that calls it: so whoever looks at the worker from outside sees no
 * thread that could do something by itself. If waits gave up, the error's text says which. -1: as proof_make, and
 * nothing was launched.
 */
int try_run(struct session *session, const struct proof_request *request, const struct try_sink *sink,
            struct observation *observation, struct error *error);
