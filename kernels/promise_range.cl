/*
 * kernel:  promise_range
 * purpose: whether each work-item of an NDRange runs once, under its own global id
 * needs:   nothing
 * fails:   an id outside of the range counts in the first word, one that its group contradicts in the second one
 * source:  gridlock
 */
kernel void promise_range(global uint *out, uint x, uint y, uint z, uint wide, uint high, uint deep)
{
    const uint begin[3] = {x, y, z}, size[3] = {wide, high, deep};
    uint place = 0;

    for (uint i = 3; i-- > 0;) {
        const uint id = (uint)get_global_id(i) - begin[i];
        if (id >= size[i]) {
            atomic_inc(out);
            return;
        }
        if (id != (uint)(get_group_id(i) * get_local_size(i) + get_local_id(i)) || get_global_size(i) != size[i] ||
            get_global_offset(i) != begin[i])
            atomic_inc(out + 1);
        place = place * size[i] + id;
    }
    atomic_inc(out + 2 + place);
}
