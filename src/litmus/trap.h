/*
 * Traps of a program: states in which it may stay for ever although each thread with fair execution steps again and
 * again; and the ways there.
 */
#pragma once

#include "base/error.h"
#include "litmus/emulate.h"
#include "litmus/judge.h"

#include <stdbool.h>
#include <stdint.h>

enum { TRAP_SHAPES = 24, TRAP_THREADS = LITMUS_THREADS };

/* A thread whose step leads nearer, or one of these. */
enum { WAY_THERE = 254, WAY_NONE = 255 };

enum trap_strength { NO_TRAP, WEAK_TRAP, STRONG_TRAP };

/* Traps in which the same threads have started and ended. */
struct trap_shape {
    uint16_t started;
    unsigned held; /* groups that started and did not end */
    unsigned peak; /* of these, at most, on the way that needs the fewest */
    uint8_t *ways; /* for each state */
};

/*
 * All zero is empty; it is used again and again, for one program after the other. On a device with a bound, those that
 * have started have fair execution in a trap: which others must start is up to the launch as a whole.
 */
struct trap_map {
    const struct model_device *device;
    struct litmus_judge judge;
    uint32_t count;                        /* states */
    uint8_t *strength;                     /* of each state: an enum trap_strength; a strong one is also a weak one */
    uint8_t *any;                          /* ways to any trap of the device */
    uint8_t *without_start;                /* ways there on which no thread starts */
    uint8_t *rounds[TRAP_THREADS];         /* ways, within a component, to where a step of this thread stays within */
    struct trap_shape shapes[TRAP_SHAPES]; /* the nearest first; only on a device with a bound. HSA_OBE: twice, at
                                              first with a place for the lowest that has not ended */
    unsigned shape_count;
    uint8_t *tables;
    size_t table_bytes;
    uint32_t *first, *from, *queue; /* steps backwards: those into a state, each as state * threads + thread */
    uint32_t capacity;
};

/*
 * Fills in the map for a program whose threads are in the order of the group ids; it and the device must stay there.
 * STATUS_USAGE if it has too many states.
 */
int trap_map_find(struct trap_map *map, const struct litmus_program *program, const struct model_device *device,
                  struct error *error);

/* A trap of the device: a strong one, or on a weak device any. */
static inline bool trap_holds(const struct trap_map *map, uint32_t state)
{
    return map->strength[state] >= (map->device->weak ? WEAK_TRAP : STRONG_TRAP);
}

void trap_map_fini(struct trap_map *map);
