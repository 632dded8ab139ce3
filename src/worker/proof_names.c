#include "worker/proof.h"

#include "abi.h"
#include "base/alloc.h"
#include "explore/explore.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Of a scenario's kernel the board is the first argument: words by which its groups synchronize have names. */
static void name_board(const struct trial *trial, uint64_t *offset, char name[WORD_NAME])
{
    const uint64_t first = (uint64_t)GL_SYNC(trial->groups) * sizeof(uint32_t);
    const uint64_t word = *offset < first ? WORD_MOST : (*offset - first) / sizeof(uint32_t);

    snprintf(name, WORD_NAME, "board");
    if (word < WORD_MOST && word_name_find(trial->work.names, (uint32_t)word, name))
        *offset %= sizeof(uint32_t);
}

void proof_name_argument(const struct proof_names *names, uint32_t number, uint64_t *offset,
                         char name[PROOF_OBJECT_NAME])
{
    const struct subject_kernel *kernel = names->kernel;

    if (kernel == NULL && number == 0)
        name_board(names->trial, offset, name);
    else if (kernel != NULL && number < kernel->argument_count && kernel->arguments[number].name[0] != '\0')
        snprintf(name, PROOF_OBJECT_NAME, "%s", kernel->arguments[number].name);
    else if (number != UINT32_MAX)
        snprintf(name, PROOF_OBJECT_NAME, "argument %" PRIu32, number);
}

void proof_name_object(const struct proof_names *names, uint64_t at, uint64_t *offset, char name[PROOF_OBJECT_NAME])
{
    const struct explored *explored = names->explored;

    snprintf(name, PROOF_OBJECT_NAME, "memory");
    *offset = 0;
    for (uint32_t i = 0; i < explored->object_count; ++i) {
        const struct explored_object *object = &explored->objects[i];
        if (at - object->base >= object->bytes)
            continue;
        *offset = at - object->base;
        if (object->kind == OBJECT_LOCAL)
            snprintf(name, PROOF_OBJECT_NAME, "local memory of group %" PRIu32, object->number);
        else if (object->kind == OBJECT_VARIABLES)
            snprintf(name, PROOF_OBJECT_NAME, "variables");
        else
            proof_name_argument(names, object->number, offset, name);
        break;
    }
}

/* Several sites may be of one line. */
static bool is_first(const struct proof_names *names, const bool *sites, uint32_t site)
{
    for (uint32_t i = 0; i < site; ++i)
        if (sites[i] && strcmp(names->lines[i], names->lines[site]) == 0)
            return false;
    return true;
}

char *proof_name_lines(const struct proof_names *names, const bool *sites)
{
    char *text;
    FILE *out = xopen_memstream(&text, NULL);

    for (uint32_t i = 0; i < names->explored->site_count; ++i)
        if (sites[i] && is_first(names, sites, i))
            fprintf(out, "%s%s", ftell(out) > 0 ? ", " : "", names->lines[i]);
    return xclose_memstream(out, &text);
}
