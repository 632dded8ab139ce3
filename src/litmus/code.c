#include "litmus/code.h"

#include <string.h>

static uint16_t encode(const struct litmus_instruction *instruction)
{
    return (uint16_t)(instruction->location | instruction->check << 1 | instruction->exchange << 2 |
                      instruction->jump << 4);
}

static struct litmus_instruction decode(uint16_t code)
{
    return (struct litmus_instruction){
        .location = code & 1, .check = code >> 1 & 1, .exchange = code >> 2 & 3, .jump = (uint8_t)(code >> 4)};
}

bool litmus_block_add(struct block *block, const struct litmus_program *program)
{
    const uint32_t needed = 1 + program->threads + litmus_length(program);
    if (block->test_count == BLOCK_TESTS || needed > BLOCK_CODES - block->code_count)
        return false;
    block->codes[block->code_count++] = (uint16_t)program->threads;
    for (unsigned thread = 0; thread < program->threads; ++thread) {
        block->codes[block->code_count++] = program->length[thread];
        for (unsigned i = 0; i < program->length[thread]; ++i)
            block->codes[block->code_count++] = encode(litmus_instruction(program, thread, i));
    }
    block->test_count += 1;
    return true;
}

void litmus_block_next(const struct block *block, uint32_t *at, struct litmus_program *program)
{
    unsigned instructions = 0;

    memset(program, 0, sizeof *program);
    program->threads = block->codes[(*at)++];
    for (unsigned thread = 0; thread < program->threads; ++thread) {
        program->length[thread] = (uint8_t)block->codes[(*at)++];
        for (unsigned i = 0; i < program->length[thread]; ++i)
            program->code[instructions++] = decode(block->codes[(*at)++]);
    }
    litmus_lay_out(program);
}

void litmus_reorder(const struct litmus_program *program, const uint8_t order[LITMUS_THREADS],
                    struct litmus_program *reordered)
{
    memset(reordered, 0, sizeof *reordered);
    reordered->threads = program->threads;
    for (unsigned thread = 0; thread < program->threads; ++thread)
        reordered->length[thread] = program->length[order[thread]];
    litmus_lay_out(reordered);
    for (unsigned thread = 0; thread < program->threads; ++thread)
        memcpy(&reordered->code[reordered->first[thread]], &program->code[program->first[order[thread]]],
               program->length[order[thread]] * sizeof *program->code);
}

uint32_t litmus_threads_alike(const struct litmus_program *program, unsigned thread)
{
    const struct litmus_instruction *code = litmus_instruction(program, thread, 0);
    uint32_t alike = 0;

    for (unsigned other = 0; other < program->threads; ++other)
        if (program->length[other] == program->length[thread] &&
            memcmp(litmus_instruction(program, other, 0), code, program->length[thread] * sizeof *code) == 0)
            alike |= UINT32_C(1) << other;
    return alike;
}

bool litmus_has_threads_alike(const struct litmus_program *program)
{
    for (unsigned thread = 1; thread < program->threads; ++thread)
        if ((litmus_threads_alike(program, thread) & ((1u << thread) - 1)) != 0)
            return true;
    return false;
}

/* --- what started threads can do by themselves --- */

enum { LOOKED_AT = 4096 };

struct moment {
    uint8_t memory;
    uint8_t position[LITMUS_THREADS];
};

static bool is_known(const struct moment *moments, unsigned count, const struct moment *moment)
{
    for (unsigned i = 0; i < count; ++i)
        if (memcmp(&moments[i], moment, sizeof *moment) == 0)
            return true;
    return false;
}

bool litmus_can_end(const struct litmus_program *program, unsigned memory, const uint8_t position[LITMUS_THREADS],
                    unsigned started, unsigned ended)
{
    static _Thread_local struct moment moments[LOOKED_AT];
    const unsigned alive = started & ~ended;
    unsigned count = 1;

    memset(moments, 0, sizeof *moments);
    moments[0].memory = (uint8_t)memory;
    for (unsigned thread = 0; thread < program->threads; ++thread)
        if ((alive >> thread & 1) != 0)
            moments[0].position[thread] = position[thread];
    for (unsigned at = 0; at < count; ++at)
        for (unsigned thread = 0; thread < program->threads; ++thread) {
            struct moment next = moments[at];
            if ((alive >> thread & 1) == 0)
                continue;
            const struct litmus_instruction *instruction = litmus_instruction(program, thread, next.position[thread]);
            next.position[thread] =
                (uint8_t)litmus_position_after(instruction, moments[at].memory, next.position[thread]);
            next.memory = (uint8_t)litmus_memory_after(instruction, moments[at].memory);
            if (next.position[thread] == program->length[thread])
                return true;
            if (is_known(moments, count, &next))
                continue;
            if (count == LOOKED_AT)
                return true;
            moments[count++] = next;
        }
    return false;
}
