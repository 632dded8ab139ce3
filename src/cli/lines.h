/* --lines: PoCL keeps debug information, so that it is known at which line a kernel is. */
#pragma once

/* Has this process's children ask PoCL's compiler for that, beside what the user has it do: it optimizes nothing. */
void ask_for_lines(void);
