/* --lines: PoCL keeps debug information, so that it is known at which line a kernel is. */
#pragma once

#include "cli/options.h"

/*
 * Has this process's children ask PoCL's compiler for that, beside what the user has it do. PoCL before version 6 then
 * optimizes nothing, since it keeps few lines of optimized code; `options` say which drivers there are.
 */
void ask_for_lines(const struct common_options *options);
