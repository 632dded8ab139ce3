// Workers of a queue that ends when somebody finds it empty: the item that is just being worked on makes another one,
// which nobody takes. Mended, they stay until as many items are done as were made.
// words: taken, made (besides the one there is at first), done, over

kernel void wrong(volatile global uint *words)
{
    while (atomic_add(words + 3, 0) == 0) {
        const uint made = atomic_add(words + 1, 0) + 1;
        const uint item = atomic_add(words + 0, 0);

        if (item >= made) {
            atomic_xchg(words + 3, 1);
        } else if (atomic_cmpxchg(words + 0, item, item + 1) == item) {
            if (item == 0)
                atomic_inc(words + 1);
            atomic_inc(words + 2);
        }
    }
}

kernel void mended(volatile global uint *words)
{
    for (;;) {
        const uint done = atomic_add(words + 2, 0);
        const uint made = atomic_add(words + 1, 0) + 1;
        const uint item = atomic_add(words + 0, 0);

        if (done == made)
            break;
        if (item < made && atomic_cmpxchg(words + 0, item, item + 1) == item) {
            if (item == 0)
                atomic_inc(words + 1);
            atomic_inc(words + 2);
        }
    }
}
