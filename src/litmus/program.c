#include "litmus/program.h"

unsigned litmus_lay_out(struct litmus_program *program)
{
    unsigned total = 0;

    for (unsigned thread = 0; thread < program->threads; ++thread) {
        program->first[thread] = (uint8_t)total;
        total += program->length[thread];
    }
    return total;
}
