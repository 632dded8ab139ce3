/*
 * What is part of every program: how it reports its accesses, and where its local variables are.
 *
 * The files beside this one are the built-in functions, as macros, of which builtins.c makes those functions that a
 * program needs. KIND_name(...) is the value of the function `name`; KIND is one of
 *
 *   EACH   of each element, if an argument is a vector
 *   TEST   the same; true is 1 for scalars and -1 for elements
 *   WHOLE  of vectors as they are
 *   BARE   as WHOLE, but only what it says itself is reported as accesses
 *
 * A name of which digits vary has n for them. RESULT_name is the type of the result, or of its elements, where it is not that
 * of the first argument. Within all of them T is the type of the first argument (of a pointer, or of its elements, what
 * they are), N how many elements a vector has, T1, N1 and so on the same of the others, R the type of the result's
 * elements. GLOBAL0: the first argument points to global memory.
 */
static const struct gl_calls *gl_calls;

#define GL_BARE __attribute__((no_sanitize("kernel-address")))
#define GL_ACCESS(bytes)                                                                                               \
    GL_BARE void gl_model_load##bytes##_noabort(const void *at)                                                        \
    {                                                                                                                  \
        gl_calls->point(at, bytes, GL_HOW_LOAD);                                                                       \
    }                                                                                                                  \
    GL_BARE void gl_model_store##bytes##_noabort(const void *at)                                                       \
    {                                                                                                                  \
        gl_calls->point(at, bytes, GL_HOW_STORE);                                                                      \
    }
GL_ACCESS(1)
GL_ACCESS(2)
GL_ACCESS(4)
GL_ACCESS(8)
GL_ACCESS(16)

GL_BARE void gl_model_loadN_noabort(const void *at, unsigned long bytes)
{
    gl_calls->point(at, bytes, GL_HOW_LOAD);
}

GL_BARE void gl_model_storeN_noabort(const void *at, unsigned long bytes)
{
    gl_calls->point(at, bytes, GL_HOW_STORE);
}

GL_BARE void *memmove(void *to, const void *from, unsigned long bytes)
{
    if (bytes == 0)
        return to;
    gl_calls->point(from, bytes, GL_HOW_LOAD);
    gl_calls->point(to, bytes, GL_HOW_STORE);
    if ((unsigned long)to - (unsigned long)from >= bytes)
        for (unsigned long i = 0; i < bytes; ++i)
            ((volatile char *)to)[i] = ((const char *)from)[i];
    else
        for (unsigned long i = bytes; i-- > 0;)
            ((volatile char *)to)[i] = ((const char *)from)[i];
    return to;
}

GL_BARE void *memcpy(void *to, const void *from, unsigned long bytes)
{
    return memmove(to, from, bytes);
}

GL_BARE void *memset(void *to, int value, unsigned long bytes)
{
    if (bytes == 0)
        return to;
    gl_calls->point(to, bytes, GL_HOW_STORE);
    for (unsigned long i = 0; i < bytes; ++i)
        ((volatile char *)to)[i] = (char)value;
    return to;
}

struct gl_local {
    unsigned long offset;
};

GL_BARE void *__emutls_get_address(const struct gl_local *local)
{
    return (char *)gl_calls->local() + local->offset;
}
