/* convert_T, of which the type is R. */
static float gl_float(long double x, enum rounding mode)
{
    const float near = (float)x;
    if (mode == RTZ)
        mode = x < 0 ? RTP : RTN;
    return mode == RTP && near < x   ? nextafterf(near, __builtin_inff())
           : mode == RTN && near > x ? nextafterf(near, -__builtin_inff())
                                     : near;
}

static double gl_double(long double x, enum rounding mode)
{
    const double near = (double)x;
    if (mode == RTZ)
        mode = x < 0 ? RTP : RTN;
    return mode == RTP && near < x   ? nextafter(near, __builtin_inf())
           : mode == RTN && near > x ? nextafter(near, -__builtin_inf())
                                     : near;
}

#define CONVERT(x, mode)                                                                                               \
    (IS_REAL(R) ? (R)(sizeof(R) == 4 ? gl_float(x, mode) : gl_double(x, mode))                                         \
     : IS_REAL(T) ? (R)gl_round(x, mode)                                                                               \
                  : (R)(x))
#define REAL_NEAREST(x)                                                                                                \
    ({                                                                                                                 \
        double real = (x);                                                                                             \
        real >= (double)INTEGER_MOST(R)    ? INTEGER_MOST(R)                                                           \
        : real <= (double)INTEGER_LEAST(R) ? INTEGER_LEAST(R)                                                          \
        : real == real                     ? (R)real                                                                   \
                                           : 0;                                                                        \
    })
#define CONVERT_SAT(x, mode) (IS_REAL(T) ? REAL_NEAREST(gl_round(x, mode)) : NEAREST(R, (__int128)(x)))

#define EACH_convert(x) ((R)(x))
#define EACH_convert_rte(x) CONVERT(x, RTE)
#define EACH_convert_rtz(x) CONVERT(x, RTZ)
#define EACH_convert_rtp(x) CONVERT(x, RTP)
#define EACH_convert_rtn(x) CONVERT(x, RTN)
#define EACH_convert_sat(x) CONVERT_SAT(x, RTZ)
#define EACH_convert_sat_rte(x) CONVERT_SAT(x, RTE)
#define EACH_convert_sat_rtz(x) CONVERT_SAT(x, RTZ)
#define EACH_convert_sat_rtp(x) CONVERT_SAT(x, RTP)
#define EACH_convert_sat_rtn(x) CONVERT_SAT(x, RTN)
