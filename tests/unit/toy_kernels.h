/* Kernels that stand in for those that the binary carries: the linker takes this table in place of its own. */
#pragma once

#include "base/source.h"

#include <stddef.h>

#define TOY_HEAD(name)                                                                                                 \
    "/*\n * kernel:  " name "\n * purpose: a toy\n * needs:   nothing\n * fails:   never\n * source:  nobody\n"

const struct source_file source_files[] = {
    {"bare.cl", TOY_HEAD("bare") " * checks:  1\n */\n"},
    {"toy.cl", TOY_HEAD("toy") " * option:  access = plain | volatile | atomic\n"
                               " * option:  fault = none | lost\n"
                               " * param:   items = 2*groups in 2..1000  how many\n"
                               " * words:   groups*line\n"
                               " * data:    cells uint groups*local-size zero\n"
                               " * checks:  rounds*groups\n"
                               " * result:  each(cells) = items\n"
                               " */\n"},
    {"two.cl", TOY_HEAD("two") " * option:  one = a | b\n"
                               " * option:  other = c | d\n"
                               " * param:   first = 5 in 1..9\n"
                               " * param:   second = 6x compute-units in 1..99\n"
                               " * checks:  1\n"
                               " */\n"},
    {"odd.cl", TOY_HEAD("odd") " * words:   groups - 4\n * checks:  1\n */\n"}, /* for fewer groups it has no value */
    {"grid.cl", TOY_HEAD("grid") " * option:  mapping = row | column\n"
                                 " * param:   width = 20 in 1..4294967295\n"
                                 " * range:   width 12 2\n"
                                 " * data:    cells uint groups*local-size zero\n"
                                 " * checks:  3\n"
                                 " * result:  cells[0] = 0\n"
                                 " */\n"},
    {"waits.cl", TOY_HEAD("waits") " * words:   1\n */\n"}, /* it is about waiting alone */
    /* Each of these has a fault. */
    {"blind.cl", TOY_HEAD("blind") " * range:   64 1 1\n */\n"}, /* nothing could be verified */
    {"unread.cl", TOY_HEAD("unread") " * color:   red\n */\n"},
    {"unsound.cl", TOY_HEAD("unsound") " * words:   groups - 5\n * checks:  1\n */\n"}, /* it is tried with 4 groups */
    {"unset.cl", TOY_HEAD("unset") " * param:   n = nonsense in 1..2\n * checks:  1\n */\n"},
    {"unlimited.cl", TOY_HEAD("unlimited") " * param:   n = 0 in 1..2\n * checks:  groups\n */\n"},
    {"takes_poll.cl", TOY_HEAD("takes_poll") " * option:  poll = a | b\n * checks:  groups\n */\n"},
    {"takes_rounds.cl", TOY_HEAD("takes_rounds") " * param:   rounds = 1 in 1..2\n * checks:  groups\n */\n"},
    {"takes_line.cl", TOY_HEAD("takes_line") " * param:   line = 1 in 1..2\n * checks:  groups\n */\n"},
    {"takes_resident.cl",
     TOY_HEAD("takes_resident") " * option:  a = b\n * option:  resident = a\n * checks:  groups\n */\n"},
    {"takes_progress.cl", TOY_HEAD("takes_progress") " * option:  progress = a\n * checks:  groups\n */\n"},
    {"takes_units.cl", TOY_HEAD("takes_units") " * param:   compute-units = 1 in 1..2\n * checks:  groups\n */\n"},
    {"takes_shape.cl", TOY_HEAD("takes_shape") " * option:  shape = a | b\n * checks:  groups\n */\n"},
    {"takes_edge.cl", TOY_HEAD("takes_edge") " * param:   edge = 1 in 1..2\n * checks:  groups\n */\n"},
    {"endless.cl", TOY_HEAD("endless") " * range:   65536 65536 1\n * checks:  3\n */\n"},
    {NULL, NULL},
};
