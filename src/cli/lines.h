/* --lines: PoCL keeps debug information, so that it is known at which line a kernel is. */
#pragma once

#include "cli/options.h"

/*
 * Has this process's children ask PoCL's compiler for that, beside what the user has it do. Before version 6 it then
 * optimizes nothing, since it has few lines of what it does; `options` say which drivers there are.
 */
void ask_for_lines(const struct common_options *options);
