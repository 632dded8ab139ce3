/* Functions of real numbers, mostly the C library's. */
#define DECLARE(result, name, ...)                                                                                     \
    result name(__VA_ARGS__);
#define DECLARE_1(name) DECLARE(double, name, double) DECLARE(float, name##f, float) DECLARE(long double, name##l, long double)
#define DECLARE_2(name)                                                                                                \
    DECLARE(double, name, double, double)                                                                              \
    DECLARE(float, name##f, float, float)                                                                              \
    DECLARE(long double, name##l, long double, long double)
DECLARE_1(acos)
DECLARE_1(acosh)
DECLARE_1(asin)
DECLARE_1(asinh)
DECLARE_1(atan)
DECLARE_1(atanh)
DECLARE_1(cbrt)
DECLARE_1(ceil)
DECLARE_1(cos)
DECLARE_1(cosh)
DECLARE_1(erf)
DECLARE_1(erfc)
DECLARE_1(exp)
DECLARE_1(exp2)
DECLARE_1(exp10)
DECLARE_1(expm1)
DECLARE_1(fabs)
DECLARE_1(floor)
DECLARE_1(log)
DECLARE_1(log2)
DECLARE_1(log10)
DECLARE_1(log1p)
DECLARE_1(logb)
DECLARE_1(rint)
DECLARE_1(round)
DECLARE_1(sin)
DECLARE_1(sinh)
DECLARE_1(sqrt)
DECLARE_1(tan)
DECLARE_1(tanh)
DECLARE_1(tgamma)
DECLARE_1(trunc)
DECLARE_2(atan2)
DECLARE_2(copysign)
DECLARE_2(fdim)
DECLARE_2(fmax)
DECLARE_2(fmin)
DECLARE_2(fmod)
DECLARE_2(hypot)
DECLARE_2(nextafter)
DECLARE_2(pow)
DECLARE_2(remainder)
double fma(double, double, double);
float fmaf(float, float, float);
double ldexp(double, int);
float ldexpf(float, int);
double frexp(double, int *);
float frexpf(float, int *);
double lgamma_r(double, int *);
float lgammaf_r(float, int *);
#define lgamma_rf lgammaf_r
int ilogb(double);
int ilogbf(float);

/* The function for T, and that for a type of about twice as many digits. */
#define OF_float(name) name##f
#define OF_double(name) name
#define OF(name) PASTE(OF_, T)(name)
#define WIDE_float double
#define WIDE_double long double
#define WIDE PASTE(WIDE_, T)
#define WIDE_OF_float(name) name
#define WIDE_OF_double(name) name##l
#define WIDE_OF(name) PASTE(WIDE_OF_, T)(name)
#define PI 3.14159265358979323846264338327950288L
#define NAN (T) __builtin_nan("")

#define EACH_acos(x) OF(acos)(x)
#define EACH_acosh(x) OF(acosh)(x)
#define EACH_acospi(x) (WIDE_OF(acos)(x) / (WIDE)PI)
#define EACH_asin(x) OF(asin)(x)
#define EACH_asinh(x) OF(asinh)(x)
#define EACH_asinpi(x) (WIDE_OF(asin)(x) / (WIDE)PI)
#define EACH_atan(x) OF(atan)(x)
#define EACH_atanh(x) OF(atanh)(x)
#define EACH_atanpi(x) (WIDE_OF(atan)(x) / (WIDE)PI)
#define EACH_atan2(y, x) OF(atan2)(y, x)
#define EACH_atan2pi(y, x) (WIDE_OF(atan2)(y, x) / (WIDE)PI)
#define EACH_cbrt(x) OF(cbrt)(x)
#define EACH_ceil(x) OF(ceil)(x)
#define EACH_copysign(x, y) OF(copysign)(x, y)
#define EACH_cos(x) OF(cos)(x)
#define EACH_cosh(x) OF(cosh)(x)
#define EACH_erf(x) OF(erf)(x)
#define EACH_erfc(x) OF(erfc)(x)
#define EACH_exp(x) OF(exp)(x)
#define EACH_exp2(x) OF(exp2)(x)
#define EACH_exp10(x) OF(exp10)(x)
#define EACH_expm1(x) OF(expm1)(x)
#define EACH_fabs(x) OF(fabs)(x)
#define EACH_fdim(x, y) OF(fdim)(x, y)
#define EACH_floor(x) OF(floor)(x)
#define EACH_fma(x, y, z) OF(fma)(x, y, z)
#define EACH_fmax(x, y) OF(fmax)(x, y)
#define EACH_fmin(x, y) OF(fmin)(x, y)
#define EACH_fmod(x, y) OF(fmod)(x, y)
#define EACH_hypot(x, y) OF(hypot)(x, y)
#define EACH_ldexp(x, by) OF(ldexp)(x, by)
#define EACH_log(x) OF(log)(x)
#define EACH_log2(x) OF(log2)(x)
#define EACH_log10(x) OF(log10)(x)
#define EACH_log1p(x) OF(log1p)(x)
#define EACH_logb(x) OF(logb)(x)
#define EACH_mad(x, y, z) ((x) * (y) + (z))
#define EACH_maxmag(x, y) (OF(fabs)(x) > OF(fabs)(y) ? (x) : OF(fabs)(y) > OF(fabs)(x) ? (y) : OF(fmax)(x, y))
#define EACH_minmag(x, y) (OF(fabs)(x) < OF(fabs)(y) ? (x) : OF(fabs)(y) < OF(fabs)(x) ? (y) : OF(fmin)(x, y))
#define EACH_nextafter(x, y) OF(nextafter)(x, y)
#define EACH_pow(x, y) OF(pow)(x, y)
#define EACH_pown(x, y) WIDE_OF(pow)(x, y)
#define EACH_remainder(x, y) OF(remainder)(x, y)
#define EACH_rint(x) OF(rint)(x)
#define EACH_round(x) OF(round)(x)
#define EACH_rsqrt(x) (1 / WIDE_OF(sqrt)(x))
#define EACH_sin(x) OF(sin)(x)
#define EACH_sinh(x) OF(sinh)(x)
#define EACH_sqrt(x) OF(sqrt)(x)
#define EACH_tan(x) OF(tan)(x)
#define EACH_tanh(x) OF(tanh)(x)
#define EACH_tgamma(x) OF(tgamma)(x)
#define EACH_trunc(x) OF(trunc)(x)

#define RESULT_ilogb int
#define EACH_ilogb(x) ((x) == (x) ? OF(ilogb)(x) : 2147483647)
#define REAL_uint float
#define REAL_ulong double
#define QUIET_uint 0x7fc00000u
#define QUIET_ulong 0x7ff8000000000000ul
#define RESULT_nan PASTE(REAL_, T)
#define EACH_nan(code)                                                                                                 \
    ({                                                                                                                 \
        T bits = (code) | PASTE(QUIET_, T);                                                                            \
        AT(R, bits, 0);                                                                                                \
    })
#define EACH_powr(x, y)                                                                                                \
    ((x) < 0 || ((x) == 0 && (y) == 0) || ((x) == 1 && __builtin_isinf(y)) || (__builtin_isinf(x) && (y) == 0) ||      \
             (x) != (x)                                                                                                \
         ? NAN                                                                                                         \
         : OF(pow)((x) == 0 ? 0 : (x), y))
#define EACH_rootn(x, n)                                                                                               \
    ((n) == 0 || ((x) < 0 && (n) % 2 == 0) ? NAN                                                                       \
     : (n) % 2 == 0                        ? (T)WIDE_OF(pow)(WIDE_OF(fabs)(x), (WIDE)1 / (n))                          \
                                           : OF(copysign)((T)WIDE_OF(pow)(WIDE_OF(fabs)(x), (WIDE)1 / (n)), x))

/* Of x half-turns: first what is left of them, so that multiples of a quarter of a turn are exact. */
#define IS_ODD(x) (WIDE_OF(fabs)(WIDE_OF(fmod)(x, 2)) == 1)
#define EACH_sinpi(x)                                                                                                  \
    ({                                                                                                                 \
        WIDE whole = WIDE_OF(rint)(x), value = WIDE_OF(sin)(((x)-whole) * (WIDE)PI);                                   \
        (x) == whole ? OF(copysign)((x)-whole, x) : (T)(IS_ODD(whole) ? -value : value);                               \
    })
#define EACH_cospi(x)                                                                                                  \
    ({                                                                                                                 \
        WIDE turn = WIDE_OF(fabs)(WIDE_OF(remainder)(x, 2));                                                           \
        (T) WIDE_OF(sin)((0.5L - turn) * (WIDE)PI);                                                                    \
    })
#define EACH_tanpi(x)                                                                                                  \
    ({                                                                                                                 \
        WIDE whole = WIDE_OF(rint)(x), part = (x)-whole;                                                               \
        part == 0 ? OF(copysign)(0, IS_ODD(whole) ? -(x) : (x))                                                        \
        : WIDE_OF(fabs)(part) == 0.5L                                                                                  \
            ? OF(copysign)((T)__builtin_inf(), IS_ODD((x)-part) ? -(T)part : (T)part)                                  \
            : (T)WIDE_OF(tan)(part * (WIDE)PI);                                                                        \
    })

/* Functions with a second result. */
#define EACH_fract(x, whole)                                                                                           \
    ({                                                                                                                 \
        T floor_x = OF(floor)(x), part = (x)-floor_x, most = sizeof(T) == 4 ? 0x1.fffffep-1 : 0x1.fffffffffffffp-1;    \
        *(whole) = floor_x;                                                                                            \
        __builtin_isinf(x) ? OF(copysign)(0, x) : (x) == 0 ? (x) : part < most || part != part ? part : most;           \
    })
#define EACH_frexp(x, exponent)                                                                                        \
    ({                                                                                                                 \
        int power = 0;                                                                                                 \
        T part = OF(frexp)(x, &power);                                                                                 \
        *(exponent) = power;                                                                                           \
        part;                                                                                                          \
    })
#define EACH_lgamma(x)                                                                                                 \
    ({                                                                                                                 \
        int sign;                                                                                                      \
        OF(lgamma_r)(x, &sign);                                                                                        \
    })
#define EACH_lgamma_r(x, sign_at)                                                                                      \
    ({                                                                                                                 \
        int sign = 0;                                                                                                  \
        T value = OF(lgamma_r)(x, &sign);                                                                              \
        *(sign_at) = sign;                                                                                             \
        value;                                                                                                         \
    })
#define EACH_modf(x, whole)                                                                                            \
    ({                                                                                                                 \
        T truncated = OF(trunc)(x);                                                                                    \
        *(whole) = truncated;                                                                                          \
        OF(copysign)(__builtin_isinf(x) ? 0 : (x)-truncated, x);                                                       \
    })
#define EACH_sincos(x, cosine)                                                                                         \
    ({                                                                                                                 \
        *(cosine) = OF(cos)(x);                                                                                        \
        OF(sin)(x);                                                                                                    \
    })
/* Seven bits of the quotient. */
#define EACH_remquo(x, y, quotient)                                                                                    \
    ({                                                                                                                 \
        WIDE size = WIDE_OF(fabs)(y), rest = WIDE_OF(remainder)(WIDE_OF(fabs)(x), size);                               \
        WIDE times = WIDE_OF(rint)((WIDE_OF(fmod)(WIDE_OF(fabs)(x), 128 * size) - rest) / size);                       \
        int low = rest == rest ? (int)times & 127 : 0;                                                                 \
        *(quotient) = ((x) < 0) != ((y) < 0) ? -low : low;                                                             \
        OF(remainder)(x, y);                                                                                           \
    })

#define EACH_degrees(x) ((x) * (T)(180 / PI))
#define EACH_radians(x) ((x) * (T)(PI / 180))
#define EACH_mix(x, y, a) ((x) + ((y) - (x)) * (a))
#define EACH_sign(x) ((x) > 0 ? 1 : (x) < 0 ? -1 : (x) == (x) ? (x) : 0)
#define EACH_step(edge, x) ((x) < (edge) ? 0 : 1)
#define EACH_smoothstep(low, high, x)                                                                                  \
    ({                                                                                                                 \
        T t = ((x) - (low)) / ((high) - (low));                                                                        \
        t = t < 0 ? 0 : t > 1 ? 1 : t;                                                                                 \
        t *t *(3 - 2 * t);                                                                                             \
    })

#define EACH_native_cos(x) EACH_cos(x)
#define EACH_native_divide(x, y) ((x) / (y))
#define EACH_native_exp(x) EACH_exp(x)
#define EACH_native_exp2(x) EACH_exp2(x)
#define EACH_native_exp10(x) EACH_exp10(x)
#define EACH_native_log(x) EACH_log(x)
#define EACH_native_log2(x) EACH_log2(x)
#define EACH_native_log10(x) EACH_log10(x)
#define EACH_native_powr(x, y) EACH_powr(x, y)
#define EACH_native_recip(x) (1 / (x))
#define EACH_native_rsqrt(x) EACH_rsqrt(x)
#define EACH_native_sin(x) EACH_sin(x)
#define EACH_native_sqrt(x) EACH_sqrt(x)
#define EACH_native_tan(x) EACH_tan(x)
#define EACH_half_cos(x) EACH_cos(x)
#define EACH_half_divide(x, y) ((x) / (y))
#define EACH_half_exp(x) EACH_exp(x)
#define EACH_half_exp2(x) EACH_exp2(x)
#define EACH_half_exp10(x) EACH_exp10(x)
#define EACH_half_log(x) EACH_log(x)
#define EACH_half_log2(x) EACH_log2(x)
#define EACH_half_log10(x) EACH_log10(x)
#define EACH_half_powr(x, y) EACH_powr(x, y)
#define EACH_half_recip(x) (1 / (x))
#define EACH_half_rsqrt(x) EACH_rsqrt(x)
#define EACH_half_sin(x) EACH_sin(x)
#define EACH_half_sqrt(x) EACH_sqrt(x)
#define EACH_half_tan(x) EACH_tan(x)
