/* The lines of a scenario: up to which point each is safe, and of shapes the fastest and the slowest. */
#ifndef GRIDLOCK_REPORT_RUN_LINES_H
#define GRIDLOCK_REPORT_RUN_LINES_H

#include "report/run.h"

/* Finds the lines of the scenario's points, which are sorted, and judges them anew. -1: memory is short. */
int run_lines_judge(struct run_scenario *scenario);

#endif
