/* A program for the host, and the calls of a launch of one work-item, which note what is accessed. */
#pragma once

#include "harness.h"
#include "model/compile.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ACCESSES_MOST = 64, LOCAL_BYTES = 4096, SCRATCH_BYTES = 128, PRINTED_BYTES = 1024 };

struct access {
    const volatile void *at;
    unsigned long bytes;
    unsigned how;
};

static struct access accesses[ACCESSES_MOST]; /* outside of the stack */
static size_t access_count;
static unsigned meetings;
static _Alignas(64) char local_memory[LOCAL_BYTES], scratch_memory[SCRATCH_BYTES];
static char printed[PRINTED_BYTES];
static struct model_program program;

static void note_access(const volatile void *at, unsigned long bytes, unsigned how)
{
    const char *here = __builtin_frame_address(0);
    if ((const volatile char *)at > here && (const volatile char *)at < here + (1 << 16))
        return;
    ck_assert_uint_lt(access_count, ACCESSES_MOST);
    accesses[access_count++] = (struct access){at, bytes, how};
}

static void note_meeting(unsigned flags)
{
    (void)flags;
    meetings += 1;
}

/* Work-item 7 of 1 in group 7 of 16, in one dimension. */
static unsigned long say_id(unsigned what, unsigned dimension)
{
    static const unsigned long first[] = {
        [GL_ID_GLOBAL] = 7,     [GL_ID_GROUP] = 7,        [GL_ID_GLOBAL_SIZE] = 16,
        [GL_ID_LOCAL_SIZE] = 1, [GL_ID_GROUPS] = 16,      [GL_ID_ENQUEUED_LOCAL_SIZE] = 1,
        [GL_ID_DIMENSIONS] = 1, [GL_ID_LOCAL_LINEAR] = 0,
    };
    const bool is_size = what == GL_ID_GLOBAL_SIZE || what == GL_ID_LOCAL_SIZE || what == GL_ID_GROUPS;
    return dimension == 0 ? first[what] : (unsigned long)is_size;
}

static void *say_local(void)
{
    return local_memory;
}

static void *say_scratch(void)
{
    return scratch_memory;
}

static void note_print(const char *text, unsigned long bytes)
{
    strncat(printed, text, bytes);
}

static unsigned say_space(const volatile void *at)
{
    const char *byte = (const char *)at;
    return byte >= local_memory && byte < local_memory + LOCAL_BYTES ? GL_SPACE_LOCAL : GL_SPACE_GLOBAL;
}

static const struct gl_calls calls = {note_access, note_meeting, say_id, say_local, say_scratch, note_print, say_space};

static void build_with(const char *source, const char *options)
{
    struct error error = {STATUS_OK, ""};
    char *log;

    setenv("XDG_CACHE_HOME", "", 1); /* nothing is kept */
    setenv("HOME", "", 1);
    if (model_compile(&(struct model_source){source, options, true}, &program, &log, &error) != 0)
        ck_abort_msg("%s\n%s", error.text, log == NULL ? "" : log);
    free(log);
    *program.image->calls = &calls;
}

static inline void build(const char *source)
{
    build_with(source, "-cl-std=CL3.0");
}

/* Its log, which the caller frees, or NULL. */
static inline char *build_fails(const char *source, const char *options, struct error *error)
{
    char *log;

    setenv("XDG_CACHE_HOME", "", 1);
    setenv("HOME", "", 1);
    ck_assert_int_ne(model_compile(&(struct model_source){source, options, false}, &program, &log, error), 0);
    return log;
}

static inline const struct gl_kernel *kernel_named(const char *name)
{
    for (unsigned i = 0; i < program.image->kernel_count; ++i)
        if (strcmp(program.image->kernels[i].name, name) == 0)
            return &program.image->kernels[i];
    ck_abort_msg("no kernel %s", name);
}

/* Runs the first kernel with a pointer to `memory`. */
static inline void run(void *memory)
{
    void *const arguments[] = {&memory};
    access_count = 0;
    program.image->kernels[0].enter(arguments);
}

static inline void ck_access(size_t i, const void *at, unsigned long bytes, unsigned how)
{
    ck_assert_uint_lt(i, access_count);
    ck_assert_ptr_eq((const void *)accesses[i].at, at);
    ck_assert_uint_eq(accesses[i].bytes, bytes);
    ck_assert_uint_eq(accesses[i].how, how);
}
