/* OpenCL's functions, as programs on model devices call them. */
#pragma clang attribute push(__attribute__((no_sanitize("kernel-address"))), apply_to = function)
#define FUNCTION __attribute__((overloadable))

size_t gl_id(uint what, uint dimension);
void gl_point(const volatile void *at, ulong bytes, uint how);
void gl_meet(uint flags);

#define ID(name, what)                                                                                                 \
    size_t FUNCTION name(uint dimension)                                                                               \
    {                                                                                                                  \
        return gl_id(what, dimension);                                                                                 \
    }
ID(get_global_id, 0)
ID(get_local_id, 1)
ID(get_group_id, 2)
ID(get_global_offset, 3)
ID(get_global_size, 4)
ID(get_local_size, 5)
ID(get_enqueued_local_size, 6)
ID(get_num_groups, 7)
uint FUNCTION get_work_dim(void)
{
    return (uint)gl_id(8, 0);
}

void FUNCTION barrier(cl_mem_fence_flags flags)
{
    gl_meet(flags);
}
void FUNCTION mem_fence(cl_mem_fence_flags flags)
{
    gl_point(0, 0, 3);
}
void FUNCTION read_mem_fence(cl_mem_fence_flags flags)
{
    gl_point(0, 0, 3);
}
void FUNCTION write_mem_fence(cl_mem_fence_flags flags)
{
    gl_point(0, 0, 3);
}

#define HOW(kind, order, scope) (kind | 4 | (uint)(order) << 4 | (uint)(scope) << 8)

#define UPDATE_12(space, type, name, result)                                                                           \
    type FUNCTION atomic_##name(volatile space type *at, type value)                                                   \
    {                                                                                                                  \
        gl_point((const volatile void *)at, sizeof(type), HOW(2, 0, 2));                                               \
        const type old = *at;                                                                                          \
        *at = result;                                                                                                  \
        return old;                                                                                                    \
    }
#define UPDATES_12(space, type)                                                                                        \
    UPDATE_12(space, type, add, old + value)                                                                           \
    UPDATE_12(space, type, sub, old - value)                                                                           \
    UPDATE_12(space, type, xchg, value)                                                                                \
    UPDATE_12(space, type, and, old & value)                                                                           \
    UPDATE_12(space, type, or, old | value)                                                                            \
    UPDATE_12(space, type, xor, old ^ value)                                                                           \
    UPDATE_12(space, type, min, old < value ? old : value)                                                             \
    UPDATE_12(space, type, max, old > value ? old : value)                                                             \
    type FUNCTION atomic_inc(volatile space type *at)                                                                  \
    {                                                                                                                  \
        return atomic_add(at, (type)1);                                                                                \
    }                                                                                                                  \
    type FUNCTION atomic_dec(volatile space type *at)                                                                  \
    {                                                                                                                  \
        return atomic_sub(at, (type)1);                                                                                \
    }                                                                                                                  \
    type FUNCTION atomic_cmpxchg(volatile space type *at, type expected, type value)                                   \
    {                                                                                                                  \
        gl_point((const volatile void *)at, sizeof(type), HOW(2, 0, 2));                                               \
        const type old = *at;                                                                                          \
        if (old == expected)                                                                                           \
            *at = value;                                                                                               \
        return old;                                                                                                    \
    }
UPDATES_12(global, int)
UPDATES_12(global, uint)
UPDATES_12(local, int)
UPDATES_12(local, uint)

#if __OPENCL_C_VERSION__ >= 200
void FUNCTION work_group_barrier(cl_mem_fence_flags flags)
{
    gl_meet(flags);
}
void FUNCTION work_group_barrier(cl_mem_fence_flags flags, memory_scope scope)
{
    gl_meet(flags);
}
void FUNCTION atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope)
{
    gl_point(0, 0, HOW(3, order, scope));
}

#define UPDATE_20(space, type, name, result)                                                                           \
    type FUNCTION atomic_##name##_explicit(volatile space atomic_##type *at, type value, memory_order order,           \
                                           memory_scope scope)                                                         \
    {                                                                                                                  \
        gl_point((const volatile void *)at, sizeof(type), HOW(2, order, scope));                                       \
        const type old = *(volatile space type *)at;                                                                   \
        *(volatile space type *)at = result;                                                                           \
        return old;                                                                                                    \
    }
#define ATOMICS_20(space, type)                                                                                        \
    UPDATE_20(space, type, fetch_add, old + value)                                                                     \
    UPDATE_20(space, type, fetch_sub, old - value)                                                                     \
    UPDATE_20(space, type, fetch_or, old | value)                                                                      \
    UPDATE_20(space, type, fetch_and, old &value)                                                                      \
    UPDATE_20(space, type, fetch_xor, old ^ value)                                                                     \
    UPDATE_20(space, type, fetch_min, old < value ? old : value)                                                       \
    UPDATE_20(space, type, fetch_max, old > value ? old : value)                                                       \
    UPDATE_20(space, type, exchange, value)                                                                            \
    type FUNCTION atomic_load_explicit(volatile space atomic_##type *at, memory_order order, memory_scope scope)       \
    {                                                                                                                  \
        gl_point((const volatile void *)at, sizeof(type), HOW(0, order, scope));                                       \
        return *(volatile space type *)at;                                                                             \
    }                                                                                                                  \
    void FUNCTION atomic_store_explicit(volatile space atomic_##type *at, type value, memory_order order,              \
                                        memory_scope scope)                                                            \
    {                                                                                                                  \
        gl_point((const volatile void *)at, sizeof(type), HOW(1, order, scope));                                       \
        *(volatile space type *)at = value;                                                                            \
    }
#define COMPARE_20(space, type, held)                                                                                  \
    bool FUNCTION atomic_compare_exchange_strong_explicit(volatile space atomic_##type *at, held type *expected,       \
                                                          type value, memory_order order, memory_order failed,         \
                                                          memory_scope scope)                                          \
    {                                                                                                                  \
        gl_point((const volatile void *)at, sizeof(type), HOW(2, order, scope));                                       \
        const type old = *(volatile space type *)at;                                                                   \
        const bool same = old == *expected;                                                                            \
        if (same)                                                                                                      \
            *(volatile space type *)at = value;                                                                        \
        else                                                                                                           \
            *expected = old;                                                                                           \
        return same;                                                                                                   \
    }
ATOMICS_20(global, int)
ATOMICS_20(global, uint)
ATOMICS_20(local, int)
ATOMICS_20(local, uint)
ATOMICS_20(, int)
ATOMICS_20(, uint)
COMPARE_20(, int, )
COMPARE_20(, uint, )
COMPARE_20(global, int, private)
COMPARE_20(global, uint, private)
COMPARE_20(local, uint, private)
#endif

#define BOTH(type)                                                                                                     \
    type FUNCTION min(type a, type b)                                                                                  \
    {                                                                                                                  \
        return a < b ? a : b;                                                                                          \
    }                                                                                                                  \
    type FUNCTION max(type a, type b)                                                                                  \
    {                                                                                                                  \
        return a > b ? a : b;                                                                                          \
    }
BOTH(int)
BOTH(uint)
BOTH(long)
BOTH(ulong)

#pragma clang attribute pop
