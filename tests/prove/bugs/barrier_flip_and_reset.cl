// A grid barrier that is left when the highest bit flips; whoever made it flip then cleans the word up for the next
// launch, and others may see neither. Public: NVIDIA/Fuser #2081 (proposed, and found to hang).

#define FLIP 0x80000000u

kernel void wrong(volatile global uint *word)
{
    const uint add = get_group_id(0) == 0 ? FLIP - (get_num_groups(0) - 1) : 1;
    const uint before = atomic_add(word, add);

    while (((atomic_add(word, 0) ^ before) & FLIP) == 0)
        ;
    if (((before + add) ^ before) & FLIP)
        atomic_xchg(word, 0);
}

kernel void mended(volatile global uint *word)
{
    const uint add = get_group_id(0) == 0 ? FLIP - (get_num_groups(0) - 1) : 1;
    const uint before = atomic_add(word, add);

    while (((atomic_add(word, 0) ^ before) & FLIP) == 0)
        ;
}
