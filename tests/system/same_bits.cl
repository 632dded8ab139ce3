/*
 * Kernels of test_same_values.py whose results are the same bits everywhere. Each work-item is given eight words, and
 * leaves up to eight.
 */
#define KERNEL(name) kernel void name(global const uint *in, global uint *out)
#define ITEM                                                                                                           \
    in += 8 * get_global_id(0);                                                                                        \
    out += 8 * get_global_id(0)
#define NUMBER(i) ((float)(int)in[i] * 0x1p-27f) /* between -16 and 16 */

KERNEL(absolute)
{
    ITEM;
    out[0] = abs((int)in[0]);
    out[1] = abs_diff((int)in[0], (int)in[1]);
    out[2] = abs_diff(in[2], in[3]);
    out[3] = abs((char)in[4]);
}

KERNEL(saturated)
{
    ITEM;
    out[0] = add_sat(in[0], in[1]);
    out[1] = add_sat((int)in[0], (int)in[1]);
    out[2] = sub_sat(in[2], in[3]);
    out[3] = sub_sat((int)in[2], (int)in[3]);
    out[4] = add_sat((uchar)in[4], (uchar)in[5]);
    out[5] = (uint)sub_sat((short)in[6], (short)in[7]);
}

KERNEL(halves)
{
    ITEM;
    out[0] = hadd(in[0], in[1]);
    out[1] = hadd((int)in[0], (int)in[1]);
    out[2] = rhadd(in[2], in[3]);
    out[3] = rhadd((int)in[2], (int)in[3]);
}

KERNEL(bits)
{
    ITEM;
    out[0] = clz(in[0]);
    out[1] = clz(in[1] >> 20);
    out[2] = popcount(in[2]);
    out[3] = rotate(in[3], in[4]);
    out[4] = clz((ushort)in[5]);
    out[5] = popcount((uchar)in[6]);
}

KERNEL(clamped)
{
    ITEM;
    out[0] = clamp((int)in[0], -1000, 1000);
    out[1] = max(in[1], in[2]);
    out[2] = min((int)in[1], (int)in[2]);
    out[3] = clamp(in[3], 5u, in[4] | 8u);
}

KERNEL(high)
{
    ITEM;
    out[0] = mul_hi(in[0], in[1]);
    out[1] = mul_hi((int)in[0], (int)in[1]);
    out[2] = mad_hi(in[2], in[3], in[4]);
    out[3] = mad_sat(in[5], in[6] & 7, in[7]);
    out[4] = mad_sat((int)in[5], 3, (int)in[7]);
}

KERNEL(of_24_bits)
{
    ITEM;
    out[0] = mul24(in[0] & 0xffffff, in[1] & 0xff);
    out[1] = mad24((int)(in[2] << 16) >> 16, (int)(in[3] << 16) >> 16, (int)in[4]);
}

KERNEL(upsampled)
{
    ITEM;
    out[0] = upsample((ushort)in[0], (ushort)in[1]);
    out[1] = (uint)upsample((short)in[2], (ushort)in[3]);
    out[2] = upsample((uchar)in[4], (uchar)in[5]);
    const ulong wide = upsample(in[6], in[7]);
    out[3] = (uint)(wide >> 7);
}

KERNEL(divided)
{
    ITEM;
    const uint by = in[1] | 1;
    out[0] = in[0] / by;
    out[1] = in[0] % by;
    out[2] = (uint)((int)in[2] / (int)(in[3] & 255 | 1));
    out[3] = (uint)((int)in[2] % (int)(in[3] & 255 | 1));
    const ulong wide = (ulong)in[4] << 32 | in[5];
    out[4] = (uint)(wide / (in[6] | 1));
    out[5] = (uint)(wide % (in[7] | 1));
}

KERNEL(shifted)
{
    ITEM;
    out[0] = in[0] << (in[1] & 31);
    out[1] = (uint)((int)in[2] >> (in[3] & 31));
    const long wide = (long)((ulong)in[4] << 32 | in[5]);
    out[2] = (uint)(wide >> (in[6] & 63));
    out[3] = (uint)(wide << (in[7] & 31));
}

KERNEL(vectors_of_bytes)
{
    ITEM;
    const uchar4 a = as_uchar4(in[0]), b = as_uchar4(in[1]);
    out[0] = as_uint(add_sat(a, b));
    out[1] = as_uint(hadd(a, b));
    out[2] = as_uint(max(a, b).wzyx);
    out[3] = as_uint(as_uchar4(a > b));
}

KERNEL(selected)
{
    ITEM;
    out[0] = select(in[0], in[1], in[2]);
    out[1] = bitselect(in[1], in[2], in[3]);
    const uint4 v = select(vload4(0, in), vload4(1, in), vload4(0, in));
    vstore4(v, 1, out);
    out[2] = any(as_int4(v));
    out[3] = all(as_int4(v));
}

KERNEL(shuffled)
{
    ITEM;
    vstore4(shuffle(vload4(0, in), vload4(1, in)), 0, out);
    vstore4(shuffle2(vload4(0, in), vload4(1, in), (uint4)(7, 2, 5, 0)), 1, out);
}

KERNEL(converted_down)
{
    ITEM;
    const int4 v = as_int4(vload4(0, in));
    out[0] = as_uint(convert_uchar4_sat(v));
    out[1] = as_uint(convert_char4(v));
    out[2] = as_uint(convert_short2_sat(v.xy));
    out[3] = as_uint(convert_ushort2_sat(v.zw));
}

KERNEL(converted_rounded)
{
    ITEM;
    const float x = NUMBER(0), y = NUMBER(1) * 100;
    out[0] = (uint)convert_int_rte(x);
    out[1] = (uint)convert_int_rtz(x);
    out[2] = (uint)convert_int_rtp(x);
    out[3] = (uint)convert_int_rtn(x);
    out[4] = convert_uchar_sat_rte(y);
    out[5] = (uint)convert_char_sat_rtz(y);
    out[6] = convert_ushort_sat(y * 1000);
    out[7] = (uint)convert_long_rte(y);
}

KERNEL(classified)
{
    ITEM;
    const float x = as_float(in[0]), y = as_float(in[1]);
    out[0] = isnan(x) | isinf(x) << 1 | isfinite(x) << 2 | isnormal(x) << 3 | signbit(x) << 4;
    out[1] = isgreater(x, y) | isless(x, y) << 1 | isequal(x, y) << 2 | isunordered(x, y) << 3 | isnotequal(x, y) << 4 |
             islessgreater(x, y) << 5;
}

KERNEL(exponents)
{
    ITEM;
    int power;
    const float part = frexp(NUMBER(0), &power);
    out[0] = as_uint(part);
    out[1] = (uint)power;
    out[2] = (uint)ilogb(NUMBER(1) + 17);
    out[3] = as_uint(ldexp(NUMBER(2), (int)(in[3] & 31) - 16));
}

KERNEL(loaded)
{
    ITEM;
    const uint2 v = vload2(1, in + 1);
    vstore3((uint3)(v, in[0]), 1, out);
    const uchar16 b = vload16(0, (global const uchar *)in);
    vstore2(as_uint4(b.sfedcba9876543210).xy, 0, out);
    out[7] = b.s3 + b.s8;
}

KERNEL(loops)
{
    ITEM;
    uint hash = 2166136261u;
    for (uint i = 0; i < 8; ++i)
        for (uint byte = 0; byte < 4; ++byte)
            hash = (hash ^ (in[i] >> 8 * byte & 255)) * 16777619u;
    out[0] = hash;
    switch (in[0] % 5) {
    case 0:
        out[1] = 1;
        break;
    case 1:
        out[1] = in[1];
    case 2:
        out[2] = 3;
        break;
    default:
        out[3] = in[2] ^ in[3];
    }
}

KERNEL(private_arrays)
{
    ITEM;
    uint sorted[8];
    for (int i = 0; i < 8; ++i) {
        int at = i;
        for (; at > 0 && sorted[at - 1] > in[i]; --at)
            sorted[at] = sorted[at - 1];
        sorted[at] = in[i];
    }
    for (int i = 0; i < 8; ++i)
        out[i] = sorted[i];
}

KERNEL(of_places)
{
    ITEM;
    out[0] = (uint)get_global_id(0);
    out[1] = (uint)get_global_size(0);
    out[2] = get_work_dim();
    out[3] = (uint)(get_group_id(0) * get_local_size(0) + get_local_id(0));
    out[4] = (uint)get_global_offset(0);
}
