typedef _Bool bool;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef ushort half; /* its bits */
typedef void *event_t;

#define VECTOR_TYPES(type)                                                                                             \
    typedef type type##1;                                                                                              \
    typedef type type##2 __attribute__((ext_vector_type(2)));                                                          \
    typedef type type##3 __attribute__((ext_vector_type(3)));                                                          \
    typedef type type##4 __attribute__((ext_vector_type(4)));                                                          \
    typedef type type##8 __attribute__((ext_vector_type(8)));                                                          \
    typedef type type##16 __attribute__((ext_vector_type(16)));
VECTOR_TYPES(char)
VECTOR_TYPES(uchar)
VECTOR_TYPES(short)
VECTOR_TYPES(ushort)
VECTOR_TYPES(int)
VECTOR_TYPES(uint)
VECTOR_TYPES(long)
VECTOR_TYPES(ulong)
VECTOR_TYPES(half)
VECTOR_TYPES(float)
VECTOR_TYPES(double)

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define VECTOR(type, n) PASTE(type, n)
#define V VECTOR(T, N)

/* Elements of a value, a scalar's too. */
#define AT(type, value, i) (((type *)&(value))[i])

#define UNSIGNED_char uchar
#define UNSIGNED_short ushort
#define UNSIGNED_int uint
#define UNSIGNED_long ulong
#define UNSIGNED_uchar uchar
#define UNSIGNED_ushort ushort
#define UNSIGNED_uint uint
#define UNSIGNED_ulong ulong
#define UNSIGNED(type) PASTE(UNSIGNED_, type)

/* The integer type of as many bits. */
#define SIGNED_char char
#define SIGNED_short short
#define SIGNED_int int
#define SIGNED_long long
#define SIGNED_uchar char
#define SIGNED_ushort short
#define SIGNED_uint int
#define SIGNED_ulong long
#define SIGNED_float int
#define SIGNED_double long
#define SIGNED(type) PASTE(SIGNED_, type)

#define BITS(type) ((int)(8 * sizeof(type)))
#define IS_SIGNED(type) ((type)-1 < (type)1)
#define IS_REAL(type) ((type)0.5 != 0)

/* The greatest and the least number of an integer type, or of any. */
#define INTEGER_MOST(type) ((type)(~0ul >> (64 - BITS(type) + IS_SIGNED(type))))
#define INTEGER_LEAST(type) ((type)(IS_SIGNED(type) ? 1ul << (BITS(type) - 1) : 0))
#define MOST(type) (IS_REAL(type) ? (type)__builtin_inf() : INTEGER_MOST(type))
#define LEAST(type) (IS_REAL(type) ? (type)-__builtin_inf() : INTEGER_LEAST(type))

/* The number of an integer type that is nearest to a wider one. */
#define NEAREST(type, value)                                                                                           \
    ({                                                                                                                 \
        __typeof__(value) wide = (value);                                                                              \
        wide > INTEGER_MOST(type) ? INTEGER_MOST(type) : wide < INTEGER_LEAST(type) ? INTEGER_LEAST(type) : (type)wide; \
    })
