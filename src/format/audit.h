/* Audits of devices, as text. */
#pragma once

#include "format/text.h"
#include "report/audit.h"

#include <stdio.h>

/* "Promised: 4096 work-items; measured: 1024 work-items. 5 of 5 times it was not as promised. ...": what was found. */
void audit_text_finding(FILE *out, const struct audit_row *row);
