#include "worker/burner.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct burners {
    _Atomic bool stopped;
    uint32_t count;
    pthread_t threads[BURNERS_MOST];
};

static void *burn(void *context)
{
    struct burners *burners = context;
    while (!atomic_load_explicit(&burners->stopped, memory_order_relaxed))
        ; /* that is all it is for */
    return NULL;
}

struct burners *burners_start(uint32_t count, struct error *error)
{
    struct burners *burners = calloc(1, sizeof *burners);

    if (burners == NULL)
        return ERROR_NULL(error, STATUS_HARNESS, "no memory for burners");
    for (; burners->count < count && burners->count < BURNERS_MOST; ++burners->count)
        if (pthread_create(&burners->threads[burners->count], NULL, burn, burners) != 0) {
            error_set(error, STATUS_HARNESS, "cannot start burner %u of %u", burners->count + 1, count);
            burners_stop(burners);
            return NULL;
        }
    return burners;
}

void burners_stop(struct burners *burners)
{
    if (burners == NULL)
        return;
    atomic_store_explicit(&burners->stopped, true, memory_order_relaxed);
    for (uint32_t i = 0; i < burners->count; ++i)
        pthread_join(burners->threads[i], NULL);
    free(burners);
}
