/*
 * kernel:  promise_memory
 * purpose: what a large buffer, or large arguments, have where the host has written something
 * needs:   nothing
 * fails:   it cannot; the host compares what the kernel has read
 * source:  gridlock
 *
 * Of the words of a buffer it reads GL_PLACES, and changes them; with GL_CONSTANT they are in constant memory. With
 * GL_PARAMETER_WORDS the argument is a structure of so many words, and the places, which are eight, are constants: some
 * drivers cannot pass one whose members are chosen at run time.
 */
#define PLACE(i, words) ((i) * ((words)-1) / (GL_PLACES - 1))

#if defined(GL_PARAMETER_WORDS)

struct parameters {
    uint words[GL_PARAMETER_WORDS];
};

kernel void promise_memory(global uint *out, struct parameters given)
{
    out[0] = given.words[PLACE(0, GL_PARAMETER_WORDS)];
    out[1] = given.words[PLACE(1, GL_PARAMETER_WORDS)];
    out[2] = given.words[PLACE(2, GL_PARAMETER_WORDS)];
    out[3] = given.words[PLACE(3, GL_PARAMETER_WORDS)];
    out[4] = given.words[PLACE(4, GL_PARAMETER_WORDS)];
    out[5] = given.words[PLACE(5, GL_PARAMETER_WORDS)];
    out[6] = given.words[PLACE(6, GL_PARAMETER_WORDS)];
    out[7] = given.words[PLACE(7, GL_PARAMETER_WORDS)];
}

#elif defined(GL_CONSTANT)

kernel void promise_memory(global uint *out, constant uint *given, ulong words)
{
    for (uint i = 0; i < GL_PLACES; ++i)
        out[i] = given[PLACE(i, words)];
}

#else

kernel void promise_memory(global uint *out, global uint *given, ulong words)
{
    for (uint i = 0; i < GL_PLACES; ++i) {
        out[i] = given[PLACE(i, words)];
        given[PLACE(i, words)] = ~out[i];
    }
}

#endif
