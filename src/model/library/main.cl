#if __clang_major__ >= 15
__constant int gl_opaque = 1; /* pointers have no type in what clang makes of it */
#endif
#include "kernel.cl"
