/* Audits of devices, as text. */
#ifndef GRIDLOCK_FORMAT_AUDIT_H
#define GRIDLOCK_FORMAT_AUDIT_H

#include "format/text.h"
#include "report/audit.h"

#include <stdio.h>

/* "promised 4096 work-items, 1024 measured, 5 of 5 times not as promised; ..."; what was found, in one sentence. */
void audit_text_finding(FILE *out, const struct audit_row *row);

#endif
