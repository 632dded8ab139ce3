/* Threads that keep the host's processors busy while kernels run: a busy neighbour is not a hang. */
#pragma once

#include "base/error.h"

#include <stdint.h>

enum { BURNERS_MOST = 64 };

struct burners;

/* Starts that many; NULL with STATUS_HARNESS if they cannot be. */
struct burners *burners_start(uint32_t count, struct error *error);
void burners_stop(struct burners *burners); /* NULL is fine */
