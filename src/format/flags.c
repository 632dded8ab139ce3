#include "format/flags.h"

const struct flag flags_svm[] = {
    {1u << 0, "coarse-grain buffer"},
    {1u << 1, "fine-grain buffer"},
    {1u << 2, "fine-grain system"},
    {1u << 3, "atomics"},
    {0, 0},
};

const struct flag flags_atomic[] = {
    {1u << 0, "relaxed"},
    {1u << 1, "acquire-release"},
    {1u << 2, "sequentially consistent"},
    {1u << 3, "work-item scope"},
    {1u << 4, "work-group scope"},
    {1u << 5, "device scope"},
    {1u << 6, "all-devices scope"},
    {0, 0},
};
