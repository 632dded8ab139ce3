/* What is before each program: functions that clang 14 declares with cl_khr_fp16 alone. */
#if __clang_major__ < 15
#define GL_DECLARE(name) __attribute__((overloadable)) name
#define GL_LOADS(space, n)                                                                                             \
    float##n GL_DECLARE(vload_half##n)(size_t, const space half *);                                                    \
    float##n GL_DECLARE(vloada_half##n)(size_t, const space half *);
#define GL_STORES_AS(space, type, n, mode)                                                                             \
    void GL_DECLARE(vstore_half##n##mode)(type##n, size_t, space half *);                                              \
    void GL_DECLARE(vstorea_half##n##mode)(type##n, size_t, space half *);
#define GL_STORES_OF(space, type, n)                                                                                   \
    GL_STORES_AS(space, type, n, ) GL_STORES_AS(space, type, n, _rte) GL_STORES_AS(space, type, n, _rtz)               \
    GL_STORES_AS(space, type, n, _rtp) GL_STORES_AS(space, type, n, _rtn)
#define GL_STORES(space, n) GL_STORES_OF(space, float, n) GL_STORES_OF(space, double, n)
#define GL_EACH_WIDTH(what, space)                                                                                     \
    what(space, ) what(space, 2) what(space, 3) what(space, 4) what(space, 8) what(space, 16)
GL_EACH_WIDTH(GL_LOADS, __constant)
#if __OPENCL_C_VERSION__ >= 200
GL_EACH_WIDTH(GL_LOADS, __generic)
GL_EACH_WIDTH(GL_STORES, __generic)
#else
GL_EACH_WIDTH(GL_LOADS, __global)
GL_EACH_WIDTH(GL_LOADS, __local)
GL_EACH_WIDTH(GL_LOADS, __private)
GL_EACH_WIDTH(GL_STORES, __global)
GL_EACH_WIDTH(GL_STORES, __local)
GL_EACH_WIDTH(GL_STORES, __private)
#endif
#undef GL_DECLARE
#undef GL_LOADS
#undef GL_STORES_AS
#undef GL_STORES_OF
#undef GL_STORES
#undef GL_EACH_WIDTH
#endif
