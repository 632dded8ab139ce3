/* A stream of text that goes on to another as HTML. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct sieve {
    FILE *out; /* NULL: what it takes is only counted */
    bool json; /* the text is JSON, in an element of HTML */
    size_t bytes;
};

/* To be closed while `sieve` and `out` are there. NULL: memory is short. */
FILE *sieve_open(struct sieve *sieve);
