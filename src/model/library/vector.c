/* Geometry, order of elements, loads and stores. */
#define EACH_OF(statement) for (int i = 0; i < N; ++i) statement

#define RESULT_dot T
#define WHOLE_dot(x, y)                                                                                                \
    ({                                                                                                                 \
        T sum = 0;                                                                                                     \
        EACH_OF(sum += AT(T, x, i) * AT(T, y, i);)                                                                     \
        sum;                                                                                                           \
    })
#define RESULT_cross V
#define WHOLE_cross(x, y)                                                                                              \
    ({                                                                                                                 \
        V product = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};                 \
        product;                                                                                                       \
    })
/* The sum of such squares. */
#define SQUARES(element)                                                                                               \
    ({                                                                                                                 \
        WIDE sum = 0;                                                                                                  \
        EACH_OF(sum += (WIDE)(element) * (element);)                                                                   \
        sum;                                                                                                           \
    })
#define RESULT_length T
#define WHOLE_length(x) WIDE_OF(sqrt)(SQUARES(AT(T, x, i)))
#define RESULT_distance T
#define WHOLE_distance(x, y) WIDE_OF(sqrt)(SQUARES((WIDE)AT(T, x, i) - AT(T, y, i)))
#define RESULT_normalize V
#define WHOLE_normalize(x)                                                                                             \
    ({                                                                                                                 \
        WIDE long_x = WIDE_OF(sqrt)(SQUARES(AT(T, x, i)));                                                             \
        V unit = x;                                                                                                    \
        if (long_x != 0)                                                                                               \
            EACH_OF(AT(T, unit, i) = (T)(AT(T, x, i) / long_x);)                                                       \
        unit;                                                                                                          \
    })
#define RESULT_fast_length T
#define WHOLE_fast_length(x) WHOLE_length(x)
#define RESULT_fast_distance T
#define WHOLE_fast_distance(x, y) WHOLE_distance(x, y)
#define RESULT_fast_normalize V
#define WHOLE_fast_normalize(x) WHOLE_normalize(x)

#define RESULT_shuffle VECTOR(T, N1)
#define WHOLE_shuffle(x, mask)                                                                                         \
    ({                                                                                                                 \
        R shuffled;                                                                                                    \
        for (int i = 0; i < N1; ++i)                                                                                   \
            shuffled[i] = AT(T, x, AT(T1, mask, i) & (N0 - 1));                                                        \
        shuffled;                                                                                                      \
    })
#define RESULT_shuffle2 VECTOR(T, N2)
#define WHOLE_shuffle2(x, y, mask)                                                                                     \
    ({                                                                                                                 \
        R shuffled;                                                                                                    \
        for (int i = 0; i < N2; ++i) {                                                                                 \
            int from = (int)AT(T2, mask, i) & (2 * N0 - 1);                                                            \
            shuffled[i] = from < N0 ? AT(T, x, from) : AT(T, y, from - N0);                                            \
        }                                                                                                              \
        shuffled;                                                                                                      \
    })

#define RESULT_vloadn V
#define WHOLE_vloadn(offset, from)                                                                                     \
    ({                                                                                                                 \
        V loaded;                                                                                                      \
        EACH_OF(loaded[i] = (from)[(offset)*N + i];)                                                                   \
        loaded;                                                                                                        \
    })
#define RESULT_vstoren void
#define WHOLE_vstoren(value, offset, to)                                                                               \
    ({                                                                                                                 \
        EACH_OF((to)[(offset)*N + i] = (value)[i];)                                                                    \
        (void)0;                                                                                                       \
    })

/* Numbers of 16 bits: a sign, 5 bits of an exponent, 10 of a fraction. */
static float gl_of_half(half bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const float size = exponent == 31 ? fraction == 0 ? __builtin_inff() : __builtin_nanf("")
                       : exponent == 0 ? ldexpf((float)fraction, -24)
                                       : ldexpf((float)(fraction + 1024), exponent - 25);
    return bits >> 15 != 0 ? -size : size;
}

enum rounding { RTE, RTZ, RTP, RTN };

static double gl_round(double x, enum rounding mode)
{
    return mode == RTE ? rint(x) : mode == RTZ ? trunc(x) : mode == RTP ? ceil(x) : floor(x);
}

static half gl_half(double x, enum rounding mode)
{
    const double size = fabs(x);
    const half sign = copysign(1, x) < 0 ? 0x8000 : 0;
    const enum rounding size_mode = sign == 0 || mode < RTP ? mode : RTP + RTN - mode;

    if (x != x)
        return sign | 0x7e00;
    if (size < 65536) {
        const int exponent = size < 0x1p-14 ? -14 : ilogb(size);
        const double fraction = gl_round(ldexp(size, 10 - exponent), size_mode);
        const int bits = ((exponent + 14) << 10) + (int)fraction;
        return sign | (half)(bits < 0x7c00 || size_mode == RTE || size_mode == RTP ? bits : 0x7bff);
    }
    return sign | (__builtin_isinf(x) || size_mode == RTE || size_mode == RTP ? 0x7c00 : 0x7bff);
}

#define RESULT_vload_half float
#define WHOLE_vload_half(offset, from) gl_of_half((from)[offset])
#define LOAD_HALVES(from)                                                                                              \
    ({                                                                                                                 \
        VECTOR(float, N) loaded;                                                                                       \
        EACH_OF(loaded[i] = gl_of_half((from)[i]);)                                                                    \
        loaded;                                                                                                        \
    })
#define RESULT_vload_halfn VECTOR(float, N)
#define WHOLE_vload_halfn(offset, from) LOAD_HALVES((from) + (offset)*N)
#define STRIDE (N == 3 ? 4 : N) /* of what is aligned */
#define RESULT_vloada_half float
#define WHOLE_vloada_half(offset, from) gl_of_half((from)[offset])
#define RESULT_vloada_halfn VECTOR(float, N)
#define WHOLE_vloada_halfn(offset, from) LOAD_HALVES((from) + (offset)*STRIDE)

#define STORE_HALVES(value, to, mode)                                                                                  \
    ({                                                                                                                 \
        EACH_OF((to)[i] = gl_half(AT(T, value, i), mode);)                                                             \
        (void)0;                                                                                                       \
    })
#define RESULT_vstore_half void
#define WHOLE_vstore_half(value, offset, to) STORE_HALVES(value, (to) + (offset), RTE)
#define RESULT_vstore_half_rte void
#define WHOLE_vstore_half_rte(value, offset, to) STORE_HALVES(value, (to) + (offset), RTE)
#define RESULT_vstore_half_rtz void
#define WHOLE_vstore_half_rtz(value, offset, to) STORE_HALVES(value, (to) + (offset), RTZ)
#define RESULT_vstore_half_rtp void
#define WHOLE_vstore_half_rtp(value, offset, to) STORE_HALVES(value, (to) + (offset), RTP)
#define RESULT_vstore_half_rtn void
#define WHOLE_vstore_half_rtn(value, offset, to) STORE_HALVES(value, (to) + (offset), RTN)
#define RESULT_vstore_halfn void
#define WHOLE_vstore_halfn(value, offset, to) STORE_HALVES(value, (to) + (offset)*N, RTE)
#define RESULT_vstore_halfn_rte void
#define WHOLE_vstore_halfn_rte(value, offset, to) STORE_HALVES(value, (to) + (offset)*N, RTE)
#define RESULT_vstore_halfn_rtz void
#define WHOLE_vstore_halfn_rtz(value, offset, to) STORE_HALVES(value, (to) + (offset)*N, RTZ)
#define RESULT_vstore_halfn_rtp void
#define WHOLE_vstore_halfn_rtp(value, offset, to) STORE_HALVES(value, (to) + (offset)*N, RTP)
#define RESULT_vstore_halfn_rtn void
#define WHOLE_vstore_halfn_rtn(value, offset, to) STORE_HALVES(value, (to) + (offset)*N, RTN)
#define RESULT_vstorea_half void
#define WHOLE_vstorea_half(value, offset, to) STORE_HALVES(value, (to) + (offset), RTE)
#define RESULT_vstorea_half_rte void
#define WHOLE_vstorea_half_rte(value, offset, to) STORE_HALVES(value, (to) + (offset), RTE)
#define RESULT_vstorea_half_rtz void
#define WHOLE_vstorea_half_rtz(value, offset, to) STORE_HALVES(value, (to) + (offset), RTZ)
#define RESULT_vstorea_half_rtp void
#define WHOLE_vstorea_half_rtp(value, offset, to) STORE_HALVES(value, (to) + (offset), RTP)
#define RESULT_vstorea_half_rtn void
#define WHOLE_vstorea_half_rtn(value, offset, to) STORE_HALVES(value, (to) + (offset), RTN)
#define RESULT_vstorea_halfn void
#define WHOLE_vstorea_halfn(value, offset, to) STORE_HALVES(value, (to) + (offset)*STRIDE, RTE)
#define RESULT_vstorea_halfn_rte void
#define WHOLE_vstorea_halfn_rte(value, offset, to) STORE_HALVES(value, (to) + (offset)*STRIDE, RTE)
#define RESULT_vstorea_halfn_rtz void
#define WHOLE_vstorea_halfn_rtz(value, offset, to) STORE_HALVES(value, (to) + (offset)*STRIDE, RTZ)
#define RESULT_vstorea_halfn_rtp void
#define WHOLE_vstorea_halfn_rtp(value, offset, to) STORE_HALVES(value, (to) + (offset)*STRIDE, RTP)
#define RESULT_vstorea_halfn_rtn void
#define WHOLE_vstorea_halfn_rtn(value, offset, to) STORE_HALVES(value, (to) + (offset)*STRIDE, RTN)
