/* The files of model/library, and model/image.h before them; generated at build time. */
#pragma once

#include "base/source.h"

extern const struct source_file library_files[];
