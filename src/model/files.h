/* Texts that are compiled with programs: model/image.h, and those in model/library. */
#pragma once

#include "base/source.h"

/* Generated at build time. */
extern const struct source_file model_files[];

/* The text of the file of this name; there is one. */
const char *model_file(const char *name);
