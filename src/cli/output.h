/* Standard output, which can fail while rows are written to it and must not be forgotten to have. */
#pragma once

/* Flushes stdout, so that a row is seen at once; keeps the first failure. */
void output_flush(void);

/* Flushes once more. 0, or the errno of the first failure. */
int output_failure(void);
