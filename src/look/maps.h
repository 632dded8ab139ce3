/* What a process has in its memory: the lines of /proc/PID/maps. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum map_kind {
    MAP_OTHER,    /* the program's own, or of a library */
    MAP_SYSTEM,   /* the C library, and others of which it does not tell whose code calls them */
    MAP_OPENCL,   /* an OpenCL loader or driver */
    MAP_COMPILER, /* a library of a compiler, which drivers and others call */
    MAP_DOOR,     /* the library that stands before the drivers in a program that is watched (door/door.h) */
    MAP_KERNEL,   /* an object that PoCL has compiled of a kernel */
    MAP_CODE,     /* code without a file, which some compiler has put into memory */
};

struct map {
    uint64_t from, to;
    bool readable, writable, executable;
    bool shared; /* with whoever else maps it */
    enum map_kind kind;
    char *path; /* "" if it has none */
};

struct maps {
    struct map *all; /* by their addresses */
    size_t count;
};

/* STATUS_HARNESS if they cannot be read. */
int maps_read(struct maps *maps, pid_t process, struct error *error);
void maps_fini(struct maps *maps);

/* The one that has this address, or NULL. */
const struct map *maps_find(const struct maps *maps, uint64_t address);

/* Finds a page that nobody has mapped; 0: there is none. */
uint64_t maps_gap(const struct maps *maps);

/* What the file of a path is called, without its folders. */
const char *maps_base(const char *path);
