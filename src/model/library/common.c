/* Functions of integers, and those of integers and real numbers alike. */
#define EACH_min(x, y) ((y) < (x) ? (y) : (x))
#define EACH_max(x, y) ((x) < (y) ? (y) : (x))
#define EACH_clamp(x, low, high) ((x) < (low) ? (low) : (high) < (x) ? (high) : (x))

#define RESULT_abs UNSIGNED(T)
#define EACH_abs(x) ((x) < 0 ? -(R)(x) : (R)(x))
#define RESULT_abs_diff UNSIGNED(T)
#define EACH_abs_diff(x, y) ((x) < (y) ? (R)(y) - (R)(x) : (R)(x) - (R)(y))
#define EACH_add_sat(x, y) NEAREST(T, (__int128)(x) + (y))
#define EACH_sub_sat(x, y) NEAREST(T, (__int128)(x) - (y))
#define EACH_hadd(x, y) (((x) & (y)) + (((x) ^ (y)) >> 1))
#define EACH_rhadd(x, y) (((x) | (y)) - (((x) ^ (y)) >> 1))

/* A type that holds each product of two. */
#define PRODUCT __typeof__(_Generic((T)0, ulong : (unsigned __int128)0, default : (__int128)0))
#define EACH_mul_hi(x, y) ((PRODUCT)(x) * (y) >> BITS(T))
#define EACH_mad_hi(x, y, z) ((T)((PRODUCT)(x) * (y) >> BITS(T)) + (z))
#define EACH_mad_sat(x, y, z) NEAREST(T, (PRODUCT)(x) * (y) + (z))
#define LOW_24(x) ((T)((UNSIGNED(T))(x) << 8) >> 8)
#define EACH_mul24(x, y) ((UNSIGNED(T))LOW_24(x) * LOW_24(y))
#define EACH_mad24(x, y, z) ((UNSIGNED(T))LOW_24(x) * LOW_24(y) + (z))

#define EACH_clz(x) ((x) == 0 ? BITS(T) : __builtin_clzl((UNSIGNED(T))(x)) - (64 - BITS(T)))
#define EACH_ctz(x) ((x) == 0 ? BITS(T) : __builtin_ctzl((UNSIGNED(T))(x)))
#define EACH_popcount(x) __builtin_popcountl((UNSIGNED(T))(x))
#define EACH_rotate(x, by)                                                                                             \
    ({                                                                                                                 \
        UNSIGNED(T) bits = (x);                                                                                        \
        int left = (by) & (BITS(T) - 1);                                                                               \
        left == 0 ? bits : bits << left | bits >> (BITS(T) - left);                                                    \
    })

#define LONGER_char short
#define LONGER_uchar ushort
#define LONGER_short int
#define LONGER_ushort uint
#define LONGER_int long
#define LONGER_uint ulong
#define RESULT_upsample PASTE(LONGER_, T)
#define EACH_upsample(high, low) ((UNSIGNED(R))(high) << BITS(T) | (low))

#define EACH_bitselect(x, y, mask)                                                                                     \
    ({                                                                                                                 \
        T a = (x), b = (y), m = (mask);                                                                                \
        SIGNED(T) bits = (RAW(a) & ~RAW(m)) | (RAW(b) & RAW(m));                                                       \
        AT(T, bits, 0);                                                                                                \
    })
#define EACH_select(x, y, which) ((N > 1 ? (SIGNED(T2))(which) < 0 : (which) != 0) ? (y) : (x))

#define RESULT_any int
#define WHOLE_any(x)                                                                                                   \
    ({                                                                                                                 \
        int any = 0;                                                                                                   \
        for (int i = 0; i < N; ++i)                                                                                    \
            any |= AT(T, x, i) < 0;                                                                                    \
        any;                                                                                                           \
    })
#define RESULT_all int
#define WHOLE_all(x)                                                                                                   \
    ({                                                                                                                 \
        int all = 1;                                                                                                   \
        for (int i = 0; i < N; ++i)                                                                                    \
            all &= AT(T, x, i) < 0;                                                                                    \
        all;                                                                                                           \
    })

#define TEST_isequal(x, y) ((x) == (y))
#define TEST_isnotequal(x, y) ((x) != (y))
#define TEST_isgreater(x, y) ((x) > (y))
#define TEST_isgreaterequal(x, y) ((x) >= (y))
#define TEST_isless(x, y) ((x) < (y))
#define TEST_islessequal(x, y) ((x) <= (y))
#define TEST_islessgreater(x, y) ((x) < (y) || (x) > (y))
#define TEST_isordered(x, y) ((x) == (x) && (y) == (y))
#define TEST_isunordered(x, y) ((x) != (x) || (y) != (y))
#define TEST_isnan(x) ((x) != (x))
#define TEST_isinf(x) (__builtin_isinf(x) != 0)
#define TEST_isfinite(x) (__builtin_isfinite(x) != 0)
#define TEST_isnormal(x) (__builtin_isnormal(x) != 0)
#define TEST_signbit(x)                                                                                                \
    ({                                                                                                                 \
        T a = (x);                                                                                                     \
        RAW(a) < 0;                                                                                                    \
    })
