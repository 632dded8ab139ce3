/* The worker: the process that calls OpenCL. It serves requests until its supervisor closes the socket. */
#pragma once

#include <stddef.h>

struct worker_arguments {
    int socket;                /* SOCK_SEQPACKET, see wire/wire.h */
    int mirror;                /* memory file with a struct mirror */
    long parent;               /* process id of the supervisor: the worker dies with it */
    const char *kernel_folder; /* or NULL */
    const char *icd_folder;    /* ours alone, for icds; "": there are none */
    char *const *icds;         /* driver libraries to use instead of the registry */
    size_t icd_count;
};

/* Serves, then leaves with _exit: drivers hang in their teardown. Does not return. */
_Noreturn void worker_main(const struct worker_arguments *arguments);
