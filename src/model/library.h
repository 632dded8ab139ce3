/* The files of model/library, generated at build time. */
#pragma once

#include "base/source.h"

/* What is compiled with each program, in C, and model/image.h before it. */
extern const struct source_file library_files[];

/* What is before a program's own text. */
extern const struct source_file front_files[];
