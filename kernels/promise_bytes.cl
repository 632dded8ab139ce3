/*
 * kernel:  promise_bytes
 * purpose: changes every other byte, while the host may change the others
 * needs:   nothing
 * fails:   it cannot
 * source:  gridlock
 */
kernel void promise_bytes(global uchar *bytes, uchar salt)
{
    const uint id = (uint)get_global_id(0);

    bytes[2 * id] = (uchar)(bytes[2 * id] + salt);
}
