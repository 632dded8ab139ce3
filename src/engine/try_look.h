/* Looks, from outside, at a worker whose launch does not end. */
#pragma once

#include "host/remote.h"
#include "look/looking.h"

struct try_look {
    uint64_t deadline_ns;
    struct looking looking;
};

/*
 * As struct remote_looker asks for it; the context is a struct try_look. It looks when the launch has run for a while,
 * and until the deadline.
 */
bool try_look(void *context, pid_t worker, uint64_t since_ns, char *text, size_t size);

/* The launch is over: nobody looks any more. */
void try_look_end(struct try_look *looks);
