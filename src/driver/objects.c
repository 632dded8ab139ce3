#include "driver/objects.h"

#include <stdatomic.h>
#include <string.h>

struct object object_made(enum object_kind kind)
{
    return (struct object){.kind = kind, .references = 1};
}

bool object_is(const void *handle, enum object_kind kind)
{
    return handle != NULL && ((const struct object *)handle)->kind == kind;
}

void object_retain(void *handle)
{
    atomic_fetch_add_explicit(&((struct object *)handle)->references, 1, memory_order_relaxed);
}

bool object_release(void *handle)
{
    struct object *object = handle;

    if (atomic_fetch_sub_explicit(&object->references, 1, memory_order_acq_rel) != 1)
        return false;
    object->kind = OBJECT_GONE;
    return true;
}

cl_int answer_bytes(const struct answer *answer, const void *bytes, size_t count)
{
    if (answer->value != NULL && answer->size < count)
        return CL_INVALID_VALUE;
    if (answer->value != NULL && count > 0)
        memcpy(answer->value, bytes, count);
    if (answer->length != NULL)
        *answer->length = count;
    return CL_SUCCESS;
}

cl_int answer_text(const struct answer *answer, const char *text)
{
    return answer_bytes(answer, text, strlen(text) + 1);
}

void *no_object(cl_int *code, cl_int value)
{
    if (code != NULL)
        *code = value;
    return NULL;
}
