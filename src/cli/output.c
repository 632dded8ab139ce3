#include "cli/output.h"

#include <errno.h>
#include <stdio.h>

static int first_failure;

void output_flush(void)
{
    errno = 0;
    if (fflush(stdout) != 0 && first_failure == 0)
        first_failure = errno;
}

int output_failure(void)
{
    output_flush();
    if (first_failure == 0 && ferror(stdout))
        first_failure = EIO;
    return first_failure;
}
