#include "worker/proof_telling.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* As --ignore counts. */
static unsigned each_bytes(const struct telling *telling, const char *name)
{
    const struct subject_kernel *kernel = telling->names->kernel;

    for (uint32_t i = 0; i < kernel->argument_count; ++i)
        if (strcmp(kernel->arguments[i].name, name) == 0 &&
            (strstr(kernel->arguments[i].type, "long") != NULL || strstr(kernel->arguments[i].type, "double") != NULL))
            return sizeof(uint64_t);
    return sizeof(uint32_t);
}

void telling_growing(const struct telling *telling)
{
    struct proof_result *result = telling->result;
    const bool ran_out = result->extent == PROOF_TO_MEMORY || result->extent == PROOF_TO_TIME;
    char name[PROOF_OBJECT_NAME];
    uint64_t at, offset;

    if (!ran_out || telling->names->kernel == NULL || !explored_grows(telling->explored, &at))
        return;
    proof_name_object(telling->names, at, &offset, name);
    char *text = xasprintf("%s[%llu]", name, (unsigned long long)offset / each_bytes(telling, name));
    result->grows = proof_result_text(result, text);
    free(text);
}
