#include "model/ir_calls.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { NOT_SEEN, ENTERED, LEFT };

static const char *intern_name(struct intern *names, const char *name, size_t length)
{
    char *copy = xstrndup(name, length);
    const char *kept = intern_text(names, copy);
    free(copy);
    return kept;
}

void ir_calls_function(struct ir_calls *calls, const char *name, size_t length, bool kernel)
{
    GROW(calls->functions, calls->function_count);
    struct ir_function *function = &calls->functions[calls->function_count++];
    *function = (struct ir_function){.name = intern_name(&calls->names, name, length), .kernel = kernel};
    function->first_call = function->call_end = calls->call_count;
    *intern_number(function->name) = (uint32_t)calls->function_count;
}

void ir_calls_line(struct ir_calls *calls, const char *line)
{
    const size_t end = strcspn(line, "\n");

    for (const char *at = line; (at = memchr(at, '@', end - (size_t)(at - line))) != NULL;) {
        const size_t length = strcspn(++at, " ,()[]{}<>*!\n");
        GROW(calls->calls, calls->call_count);
        calls->calls[calls->call_count++] = intern_name(&calls->names, at, length);
        calls->functions[calls->function_count - 1].call_end = calls->call_count;
    }
}

void ir_calls_array(struct ir_calls *calls, uint64_t bytes)
{
    calls->functions[calls->function_count - 1].kept_bytes += bytes;
}

static struct ir_function *called(const struct ir_calls *calls, size_t call)
{
    const uint32_t place = *intern_number(calls->calls[call]);
    return place == 0 ? NULL : &calls->functions[place - 1];
}

/* Of calls as deep as functions are: each is entered once. */
static const char *circle_from(struct ir_calls *calls, struct ir_function *function)
{
    const char *found = NULL;

    if (function->seen != NOT_SEEN)
        return function->seen == ENTERED ? function->name : NULL;
    function->seen = ENTERED;
    for (size_t i = function->first_call; i < function->call_end && found == NULL; ++i) {
        struct ir_function *next = called(calls, i);
        if (next != NULL)
            found = circle_from(calls, next);
    }
    function->seen = LEFT;
    return found;
}

const char *ir_calls_circle(struct ir_calls *calls)
{
    const char *found = NULL;
    for (size_t i = 0; i < calls->function_count && found == NULL; ++i)
        found = circle_from(calls, &calls->functions[i]);
    return found;
}

static uint64_t most_from(struct ir_calls *calls, struct ir_function *function)
{
    uint64_t most_bytes = 0;

    for (size_t i = function->first_call; i < function->call_end && function->most_bytes == 0; ++i) {
        struct ir_function *next = called(calls, i);
        const uint64_t bytes = next == NULL ? 0 : most_from(calls, next);
        most_bytes = bytes > most_bytes ? bytes : most_bytes;
    }
    if (function->most_bytes == 0)
        function->most_bytes = function->kept_bytes + most_bytes;
    return function->most_bytes;
}

uint64_t ir_calls_array_bytes(struct ir_calls *calls, const char *kernel)
{
    const uint32_t place = *intern_number(intern_name(&calls->names, kernel, strlen(kernel)));
    return place == 0 ? 0 : most_from(calls, &calls->functions[place - 1]);
}

static bool is_body_of(const char *name, const char *kernel)
{
    const size_t length = strlen(IR_KERNEL_BODY);
    return strncmp(name, IR_KERNEL_BODY, length) == 0 && strcmp(name + length, kernel) == 0;
}

bool ir_calls_kernel_is_called(const struct ir_calls *calls)
{
    for (size_t i = 0; i < calls->function_count; ++i)
        for (size_t k = calls->functions[i].first_call; k < calls->functions[i].call_end; ++k) {
            const struct ir_function *function = called(calls, k);
            if (function != NULL && function->kernel && !is_body_of(function->name, calls->functions[i].name))
                return true;
        }
    return false;
}

void ir_calls_fini(struct ir_calls *calls)
{
    intern_fini(&calls->names);
    free(calls->functions);
    free(calls->calls);
}
