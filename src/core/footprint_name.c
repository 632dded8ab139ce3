#include "core/footprint_name.h"

#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_of_subject(const struct footprint *footprint)
{
    return footprint->subject.file[0] != '\0';
}

void footprint_name(const struct footprint *footprint, char text[FOOTPRINT_NAME])
{
    const struct subject *subject = &footprint->subject;
    const char *slash = strrchr(subject->file, '/');
    char shape[SHAPE_BYTES];

    if (is_of_subject(footprint)) {
        nd_range_print_shape(&subject->shape, shape);
        snprintf(text, FOOTPRINT_NAME, "%.100s:%.100s/%s", slash != NULL ? slash + 1 : subject->file, subject->kernel,
                 shape);
        return;
    }
    snprintf(text, FOOTPRINT_NAME, "%" PRIu32, footprint->local_size);
    if (footprint->local_memory_bytes != 0 || footprint->private_bytes != 0)
        text_append(text, FOOTPRINT_NAME, "/%" PRIu64, footprint->local_memory_bytes);
    if (footprint->private_bytes != 0)
        text_append(text, FOOTPRINT_NAME, "/%" PRIu32, footprint->private_bytes);
}

/* Zeros may be left out or not. */
static bool has_sizes(const struct footprint *footprint, const char *name)
{
    const uint64_t sizes[] = {footprint->local_size, footprint->local_memory_bytes, footprint->private_bytes};
    const char *at = name;

    for (int i = 0; i < 3; ++i) {
        char *end;
        if (at != NULL && (*at < '0' || *at > '9'))
            return false;
        if ((at != NULL ? strtoull(at, &end, 10) : 0) != sizes[i] || (at != NULL && *end != '/' && *end != '\0'))
            return false;
        if (at != NULL)
            at = *end == '/' ? end + 1 : NULL;
    }
    return at == NULL;
}

bool footprint_answers(const struct footprint *footprint, const char *name)
{
    char full[192], own[FOOTPRINT_NAME];
    const char *bare = strncmp(name, "limits/", 7) == 0 ? name + 7 : name;

    footprint_print(footprint, full, sizeof full);
    if (strcmp(full, bare) == 0)
        return true;
    if (!is_of_subject(footprint))
        return has_sizes(footprint, name);
    footprint_name(footprint, own);
    const char *kernel = strchr(own, ':') + 1;
    if (strcmp(own, name) == 0 || strcmp(kernel, name) == 0)
        return true;
    *strrchr(own, '/') = '\0';
    return strcmp(own, name) == 0 || strcmp(kernel, name) == 0;
}
