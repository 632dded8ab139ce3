/*
 * Kernels of test_same_values.py whose results are numbers of type float. The name says how many ULPs OpenCL grants
 * the least exact of the functions.
 */
#define KERNEL(name) kernel void name(global const uint *in, global uint *out)
#define ITEM                                                                                                           \
    in += 8 * get_global_id(0);                                                                                        \
    out += 8 * get_global_id(0)
#define FLOATS global float *to = (global float *)out
#define NUMBER(i) ((float)(int)in[i] * 0x1p-27f) /* between -16 and 16 */

/* Any number, or one that is none, but no signalling one: OpenCL need not know these. */
static float any_float(uint bits)
{
    return as_float((bits & 0x7fffffff) > 0x7f800000 ? bits | 0x400000 : bits);
}

KERNEL(f_0_rounded)
{
    ITEM;
    FLOATS;
    const float x = NUMBER(0);
    to[0] = floor(x);
    to[1] = ceil(x);
    to[2] = trunc(x);
    to[3] = rint(x);
    to[4] = round(x);
    to[5] = fract(x, to + 6);
}

KERNEL(f_0_signs)
{
    ITEM;
    FLOATS;
    const float x = any_float(in[0]), y = any_float(in[1]);
    to[0] = fabs(x);
    to[1] = copysign(x, y);
    to[2] = fmin(x, y);
    to[3] = fmax(x, y);
    to[4] = sign(x);
    to[5] = step(x, y);
}

KERNEL(f_0_sums)
{
    ITEM;
    FLOATS;
    const float x = NUMBER(0), y = NUMBER(1), z = NUMBER(2);
    to[0] = x + y;
    to[1] = x - y;
    to[2] = x * y;
    to[3] = fma(x, y, z);
    to[4] = fmod(x, y);
    to[5] = remainder(x, y);
    to[6] = nextafter(x, y);
    to[7] = fdim(x, y);
}

KERNEL(f_0_vectors)
{
    ITEM;
    FLOATS;
    const float4 v = convert_float4(as_int4(vload4(0, in))), w = convert_float4(vload4(1, in));
    vstore4(v.wxzy * w, 0, to);
    vstore4(fmax(v, w) - fmin(v, w).yxwz, 1, to);
}

KERNEL(f_0_crossed)
{
    ITEM;
    FLOATS;
    const float4 v = (float4)((float)(in[0] & 255), (float)(in[1] & 255), (float)(in[2] & 255), 0), w = v.zxyw + 3;
    vstore4(cross(v, w), 0, to);
    to[4] = dot(v, w);
    to[5] = dot(v.xy, w.yz);
}

KERNEL(f_3_roots)
{
    ITEM;
    FLOATS;
    const float x = fabs(NUMBER(0)), y = NUMBER(1);
    to[0] = sqrt(x);
    to[1] = rsqrt(x + 1);
    to[2] = y / (x + 1);
    to[3] = 1 / (x + 2);
    to[4] = cbrt(y);
}

KERNEL(f_4_angles)
{
    ITEM;
    FLOATS;
    const float x = NUMBER(0);
    float c;
    to[0] = sin(x);
    to[1] = cos(x);
    to[2] = sincos(x, &c);
    to[3] = c;
    to[4] = sinpi(NUMBER(1));
    to[5] = cospi(NUMBER(1));
}

KERNEL(f_6_arcs)
{
    ITEM;
    FLOATS;
    const float x = NUMBER(0) / 16, y = NUMBER(1);
    to[0] = asin(x);
    to[1] = acos(x);
    to[2] = atan(y);
    to[3] = atan2(x, y);
    to[4] = tan(x);
    to[5] = atanpi(y);
}

KERNEL(f_5_hyperbolas)
{
    ITEM;
    FLOATS;
    const float x = NUMBER(0);
    to[0] = sinh(x);
    to[1] = cosh(x);
    to[2] = tanh(x);
    to[3] = asinh(x);
    to[4] = acosh(fabs(x) + 1);
    to[5] = atanh(x / 17);
}

KERNEL(f_3_powers)
{
    ITEM;
    FLOATS;
    const float x = NUMBER(0), y = fabs(NUMBER(1)) + 0.125f;
    to[0] = exp(x);
    to[1] = exp2(x);
    to[2] = exp10(x);
    to[3] = log(y);
    to[4] = log2(y);
    to[5] = log10(y);
    to[6] = expm1(x);
    to[7] = log1p(y);
}

KERNEL(f_16_powers)
{
    ITEM;
    FLOATS;
    const float x = NUMBER(0), y = fabs(NUMBER(1)) + 0.125f;
    to[0] = pow(y, x);
    to[1] = pown(x, (int)(in[2] & 7));
    to[2] = powr(y, x);
    to[3] = rootn(y, 3);
    to[4] = tgamma(y);
    to[5] = erf(x);
    to[6] = erfc(x / 4);
}

KERNEL(f_6_lengths)
{
    ITEM;
    FLOATS;
    const float4 v = (float4)(NUMBER(0), NUMBER(1), NUMBER(2), NUMBER(3)), w = v.yzwx + 1;
    to[0] = length(v);
    to[1] = distance(v, w);
    vstore4(normalize(v), 1, to);
    to[2] = hypot(v.x, v.y);
}

KERNEL(f_4_mixed)
{
    ITEM;
    FLOATS;
    const float x = (float)(in[0] >> 16), y = (float)(in[1] >> 16), a = (float)(in[2] & 3) * 0.25f;
    to[0] = mix(x, y, a);
    to[1] = smoothstep(0, 65536, x);
    to[2] = degrees(a);
    to[3] = radians(a);
    to[4] = mad(x, 2, y);
    to[5] = maxmag(x, -y);
    to[6] = minmag(x, -y);
}
