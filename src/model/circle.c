#include "model/circle.h"

#include "base/alloc.h"

#include <string.h>

void circle_begin(struct circle **circle, const void *state, size_t bytes, uint64_t epoch)
{
    if (*circle == NULL || (*circle)->room < bytes) {
        *circle = xrealloc(*circle, sizeof **circle + bytes);
        (*circle)->room = bytes;
    }
    (*circle)->epoch = epoch;
    (*circle)->words = 0;
    (*circle)->bytes = bytes;
    memcpy((*circle)->state, state, bytes);
}

static bool is_as_it_was(const struct circle_word *word)
{
    return memcmp(word->value, (const void *)word->at, word->bytes) == 0;
}

void circle_note(struct circle *circle, const volatile void *at, size_t bytes)
{
    if (circle->words > CIRCLE_WORDS)
        return;
    for (uint32_t i = 0; i < circle->words; ++i)
        if (circle->word[i].at == at && circle->word[i].bytes == bytes && is_as_it_was(&circle->word[i]))
            return;
    if (circle->words == CIRCLE_WORDS || bytes > CIRCLE_BYTES) {
        circle->words = CIRCLE_WORDS + 1;
        return;
    }
    struct circle_word *word = &circle->word[circle->words++];
    word->at = at;
    word->bytes = (uint32_t)bytes;
    memcpy(word->value, (const void *)at, bytes);
}

bool circle_holds(const struct circle *circle, uint64_t epoch)
{
    if (circle->epoch == epoch)
        return true;
    if (circle->words > CIRCLE_WORDS)
        return false;
    for (uint32_t i = 0; i < circle->words; ++i)
        if (!is_as_it_was(&circle->word[i]))
            return false;
    return true;
}

bool circle_closes(const struct circle *circle, const void *state, size_t bytes, uint64_t epoch)
{
    return bytes == circle->bytes && memcmp(circle->state, state, bytes) == 0 && circle_holds(circle, epoch);
}
