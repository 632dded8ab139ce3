#define PLAIN_printf
#ifdef NEED_printf
int snprintf(char *, unsigned long, const char *, ...);

enum { PRINTED_BYTES = 1 << 16, SPEC_BYTES = 64 };

/* One conversion of a format: how it begins, with flags and sizes, and what it is of. */
struct gl_spec {
    char text[SPEC_BYTES];
    int length;  /* of the text */
    int vector;  /* elements; 1: no vector */
    int bytes;   /* of an element */
    char letter; /* 'd' */
};

GL_BARE static int gl_has(const char *letters, char letter)
{
    for (; *letters != '\0'; ++letters)
        if (*letters == letter)
            return 1;
    return 0;
}

GL_BARE static const char *gl_digits(const char *at, int *number)
{
    for (*number = 0; *at >= '0' && *at <= '9'; ++at)
        *number = *number < 10000 ? *number * 10 + (*at - '0') : *number;
    return at;
}

/* Reads what is behind '%'; returns what is behind it. */
GL_BARE static const char *gl_read_spec(const char *at, struct gl_spec *spec)
{
    spec->text[0] = '%';
    spec->length = 1;
    spec->vector = 1;
    spec->bytes = 0;
    while (*at != '\0' && gl_has("-+ #0123456789.", *at)) {
        if (spec->length < SPEC_BYTES - 8)
            spec->text[spec->length++] = *at;
        at += 1;
    }
    if (*at == 'v')
        at = gl_digits(at + 1, &spec->vector);
    for (; *at == 'h' || *at == 'l'; ++at)
        spec->bytes = *at == 'l' ? (spec->bytes == 2 ? 4 : 8) : spec->bytes == 2 ? 1 : 2;
    if (spec->bytes == 0)
        spec->bytes = 4;
    spec->letter = *at;
    return *at == '\0' ? at : at + 1;
}

union gl_argument_value {
    char bytes[128];
    long whole[1];
    double real[1];
    const char *text[1];
};

/* Vectors of equal size are handed over alike. */
#define TAKE_VECTOR(type, n)                                                                                           \
    case sizeof(type) * 100 + n: {                                                                                     \
        const VECTOR(type, n) vector = __builtin_va_arg(*list, VECTOR(type, n));                                       \
        for (int i = 0; i < n; ++i)                                                                                    \
            ((type *)value->bytes)[i] = vector[i];                                                                     \
    } break;
#define TAKE_VECTORS(type)                                                                                             \
    TAKE_VECTOR(type, 2) TAKE_VECTOR(type, 3) TAKE_VECTOR(type, 4) TAKE_VECTOR(type, 8) TAKE_VECTOR(type, 16)

struct gl_list {
    __builtin_va_list list;
};

GL_BARE static void gl_take_vector(const struct gl_spec *spec, __builtin_va_list *list, union gl_argument_value *value)
{
    switch (spec->bytes * 100 + spec->vector) {
        TAKE_VECTORS(char)
        TAKE_VECTORS(short)
        TAKE_VECTORS(int)
        TAKE_VECTORS(long)
    }
}

/* An element, as a number of 64 bits. */
GL_BARE static long gl_whole(const struct gl_spec *spec, const void *at)
{
    const int is_signed = gl_has("di", spec->letter);
    switch (spec->bytes) {
    case 1:
        return is_signed ? *(char *)at : *(uchar *)at;
    case 2:
        return is_signed ? *(short *)at : *(ushort *)at;
    case 4:
        return is_signed ? *(int *)at : *(uint *)at;
    default:
        return *(long *)at;
    }
}

GL_BARE static double gl_real(const struct gl_spec *spec, const void *at)
{
    return spec->bytes == 2 ? gl_of_half(*(half *)at) : spec->bytes == 4 ? *(float *)at : *(double *)at;
}

GL_BARE static int gl_print_element(char *to, ulong room, struct gl_spec *spec, const void *at)
{
    char *end = spec->text + spec->length;

    if (gl_has("diouxX", spec->letter)) {
        *end++ = 'l';
        *end++ = spec->letter;
        *end = '\0';
        return snprintf(to, room, spec->text, gl_whole(spec, at));
    }
    *end++ = spec->letter;
    *end = '\0';
    if (gl_has("aAeEfFgG", spec->letter))
        return snprintf(to, room, spec->text, gl_real(spec, at));
    if (spec->letter == 'c')
        return snprintf(to, room, spec->text, *(const int *)at);
    if (gl_has("sp", spec->letter))
        return snprintf(to, room, spec->text, *(const char *const *)at);
    return -1;
}

/* Takes the argument, and prints it; more than there is room for is cut. */
GL_BARE static ulong gl_print_spec(char *to, ulong room, struct gl_spec *spec, __builtin_va_list *list)
{
    union gl_argument_value value;
    ulong used = 0;

    if (spec->vector > 1) {
        gl_take_vector(spec, list, &value);
    } else if (gl_has("aAeEfFgG", spec->letter)) {
        value.real[0] = __builtin_va_arg(*list, double);
        spec->bytes = 8;
    } else if (spec->bytes == 8 || gl_has("sp", spec->letter)) {
        value.whole[0] = __builtin_va_arg(*list, long);
    } else {
        value.whole[0] = __builtin_va_arg(*list, int);
    }
    for (int i = 0; i < spec->vector; ++i) {
        const int printed = gl_print_element(to + used, room - used, spec, value.bytes + i * spec->bytes);
        if (printed < 0 || used + (ulong)printed + 1 >= room)
            break;
        used += (ulong)printed;
        if (i + 1 < spec->vector)
            to[used++] = ',';
    }
    return used;
}

GL_BARE int printf(const char *format, ...)
{
    static char text[PRINTED_BYTES];
    struct gl_list arguments;
    struct gl_spec spec;
    ulong used = 0;

    __builtin_va_start(arguments.list, format);
    while (*format != '\0' && used + 2 < sizeof text)
        if (*format != '%') {
            text[used++] = *format++;
        } else if (format[1] == '%') {
            text[used++] = '%';
            format += 2;
        } else {
            format = gl_read_spec(format + 1, &spec);
            used += gl_print_spec(text + used, sizeof text - used, &spec, &arguments.list);
        }
    __builtin_va_end(arguments.list);
    gl_calls->print(text, used);
    return 0;
}
#endif
