/* `how` an access is; memory order and scope if they are given, else those of functions without them. */
enum { RELAXED = 0, ACQUIRE = 2, RELEASE = 3, ACQ_REL = 4, SEQ_CST = 5, WORK_GROUP = 1, DEVICE = 2 };
#define HOW_(kind, order, scope, ...) ((kind) | GL_HOW_ATOMIC | (unsigned)(order) << 4 | (unsigned)(scope) << 8)
#define HOW(kind, ...) HOW_(kind, __VA_ARGS__, DEVICE, 0)
#define POINT(at, how) gl_calls->point((const volatile void *)(at), sizeof *(at), how)

#define RESULT_mem_fence void
#define BARE_mem_fence(flags) gl_calls->point(0, 0, HOW(GL_HOW_FENCE, ACQ_REL, WORK_GROUP))
#define RESULT_read_mem_fence void
#define BARE_read_mem_fence(flags) gl_calls->point(0, 0, HOW(GL_HOW_FENCE, ACQUIRE, WORK_GROUP))
#define RESULT_write_mem_fence void
#define BARE_write_mem_fence(flags) gl_calls->point(0, 0, HOW(GL_HOW_FENCE, RELEASE, WORK_GROUP))
#define RESULT_atomic_work_item_fence void
#define BARE_atomic_work_item_fence(flags, order, scope) gl_calls->point(0, 0, HOW(GL_HOW_FENCE, order, scope))

/* The old value; `value` is made of it, of `x`, and of `y`. */
#define UPDATE(at, how, operand, value)                                                                                \
    ({                                                                                                                 \
        POINT(at, how);                                                                                                \
        T old = *(at), x = (T)(operand);                                                                               \
        *(at) = (T)(value);                                                                                            \
        old;                                                                                                           \
    })

/* OpenCL C 1.x */
#define LEGACY HOW(GL_HOW_UPDATE, RELAXED)
#define BARE_atomic_add(at, v) UPDATE(at, LEGACY, v, old + x)
#define BARE_atomic_sub(at, v) UPDATE(at, LEGACY, v, old - x)
#define BARE_atomic_xchg(at, v) UPDATE(at, LEGACY, v, x)
#define BARE_atomic_inc(at) UPDATE(at, LEGACY, 1, old + x)
#define BARE_atomic_dec(at) UPDATE(at, LEGACY, 1, old - x)
#define BARE_atomic_cmpxchg(at, expected, v) UPDATE(at, LEGACY, v, old == (expected) ? x : old)
#define BARE_atomic_min(at, v) UPDATE(at, LEGACY, v, x < old ? x : old)
#define BARE_atomic_max(at, v) UPDATE(at, LEGACY, v, old < x ? x : old)
#define BARE_atomic_and(at, v) UPDATE(at, LEGACY, v, old & x)
#define BARE_atomic_or(at, v) UPDATE(at, LEGACY, v, old | x)
#define BARE_atomic_xor(at, v) UPDATE(at, LEGACY, v, old ^ x)
#define BARE_atom_add(at, v) BARE_atomic_add(at, v)
#define BARE_atom_sub(at, v) BARE_atomic_sub(at, v)
#define BARE_atom_xchg(at, v) BARE_atomic_xchg(at, v)
#define BARE_atom_inc(at) BARE_atomic_inc(at)
#define BARE_atom_dec(at) BARE_atomic_dec(at)
#define BARE_atom_cmpxchg(at, expected, v) BARE_atomic_cmpxchg(at, expected, v)
#define BARE_atom_min(at, v) BARE_atomic_min(at, v)
#define BARE_atom_max(at, v) BARE_atomic_max(at, v)
#define BARE_atom_and(at, v) BARE_atomic_and(at, v)
#define BARE_atom_or(at, v) BARE_atomic_or(at, v)
#define BARE_atom_xor(at, v) BARE_atomic_xor(at, v)

/* OpenCL C 2.0 and later */
#define STORE(at, how, v)                                                                                              \
    ({                                                                                                                 \
        POINT(at, how);                                                                                                \
        *(at) = (v);                                                                                                   \
        (void)0;                                                                                                       \
    })
#define LOAD(at, how)                                                                                                  \
    ({                                                                                                                 \
        POINT(at, how);                                                                                                \
        *(at);                                                                                                         \
    })
#define RESULT_atomic_init void
#define BARE_atomic_init(at, v) STORE(at, GL_HOW_STORE, v)
#define RESULT_atomic_store void
#define BARE_atomic_store(at, v) STORE(at, HOW(GL_HOW_STORE, SEQ_CST), v)
#define RESULT_atomic_store_explicit void
#define BARE_atomic_store_explicit(at, v, ...) STORE(at, HOW(GL_HOW_STORE, __VA_ARGS__), v)
#define BARE_atomic_load(at) LOAD(at, HOW(GL_HOW_LOAD, SEQ_CST))
#define BARE_atomic_load_explicit(at, ...) LOAD(at, HOW(GL_HOW_LOAD, __VA_ARGS__))

#define BARE_atomic_exchange(at, v) UPDATE(at, HOW(GL_HOW_UPDATE, SEQ_CST), v, x)
#define BARE_atomic_fetch_add(at, v) UPDATE(at, HOW(GL_HOW_UPDATE, SEQ_CST), v, old + x)
#define BARE_atomic_fetch_sub(at, v) UPDATE(at, HOW(GL_HOW_UPDATE, SEQ_CST), v, old - x)
#define BARE_atomic_fetch_or(at, v) UPDATE(at, HOW(GL_HOW_UPDATE, SEQ_CST), v, old | x)
#define BARE_atomic_fetch_xor(at, v) UPDATE(at, HOW(GL_HOW_UPDATE, SEQ_CST), v, old ^ x)
#define BARE_atomic_fetch_and(at, v) UPDATE(at, HOW(GL_HOW_UPDATE, SEQ_CST), v, old & x)
#define BARE_atomic_fetch_min(at, v) UPDATE(at, HOW(GL_HOW_UPDATE, SEQ_CST), v, x < old ? x : old)
#define BARE_atomic_fetch_max(at, v) UPDATE(at, HOW(GL_HOW_UPDATE, SEQ_CST), v, old < x ? x : old)
#define BARE_atomic_exchange_explicit(at, v, ...) UPDATE(at, HOW(GL_HOW_UPDATE, __VA_ARGS__), v, x)
#define BARE_atomic_fetch_add_explicit(at, v, ...) UPDATE(at, HOW(GL_HOW_UPDATE, __VA_ARGS__), v, old + x)
#define BARE_atomic_fetch_sub_explicit(at, v, ...) UPDATE(at, HOW(GL_HOW_UPDATE, __VA_ARGS__), v, old - x)
#define BARE_atomic_fetch_or_explicit(at, v, ...) UPDATE(at, HOW(GL_HOW_UPDATE, __VA_ARGS__), v, old | x)
#define BARE_atomic_fetch_xor_explicit(at, v, ...) UPDATE(at, HOW(GL_HOW_UPDATE, __VA_ARGS__), v, old ^ x)
#define BARE_atomic_fetch_and_explicit(at, v, ...) UPDATE(at, HOW(GL_HOW_UPDATE, __VA_ARGS__), v, old & x)
#define BARE_atomic_fetch_min_explicit(at, v, ...) UPDATE(at, HOW(GL_HOW_UPDATE, __VA_ARGS__), v, x < old ? x : old)
#define BARE_atomic_fetch_max_explicit(at, v, ...) UPDATE(at, HOW(GL_HOW_UPDATE, __VA_ARGS__), v, old < x ? x : old)

/* Values are compared by their bits. */
#define RAW(value) AT(SIGNED(T), value, 0)
#define COMPARE_EXCHANGE(at, expected, v, how)                                                                         \
    ({                                                                                                                 \
        POINT(expected, GL_HOW_LOAD);                                                                                  \
        T wanted = *(expected), x = (v);                                                                               \
        POINT(at, how);                                                                                                \
        T old = *(at);                                                                                                 \
        int equal = RAW(old) == RAW(wanted);                                                                           \
        if (equal) {                                                                                                   \
            *(at) = x;                                                                                                 \
        } else {                                                                                                       \
            POINT(expected, GL_HOW_STORE);                                                                             \
            *(expected) = old;                                                                                         \
        }                                                                                                              \
        equal;                                                                                                         \
    })
#define RESULT_atomic_compare_exchange_strong bool
#define BARE_atomic_compare_exchange_strong(at, expected, v)                                                           \
    COMPARE_EXCHANGE(at, expected, v, HOW(GL_HOW_UPDATE, SEQ_CST))
#define RESULT_atomic_compare_exchange_strong_explicit bool
#define BARE_atomic_compare_exchange_strong_explicit(at, expected, v, success, ...)                                    \
    COMPARE_EXCHANGE(at, expected, v, HOW_(GL_HOW_UPDATE, success, FAILURE_SCOPE(__VA_ARGS__, DEVICE), 0))
#define FAILURE_SCOPE(failure, scope, ...) scope
#define RESULT_atomic_compare_exchange_weak bool
#define BARE_atomic_compare_exchange_weak(at, expected, v) BARE_atomic_compare_exchange_strong(at, expected, v)
#define RESULT_atomic_compare_exchange_weak_explicit bool
#define BARE_atomic_compare_exchange_weak_explicit(at, expected, v, ...)                                               \
    BARE_atomic_compare_exchange_strong_explicit(at, expected, v, __VA_ARGS__)

#define RESULT_atomic_flag_test_and_set bool
#define BARE_atomic_flag_test_and_set(at) (UPDATE(at, HOW(GL_HOW_UPDATE, SEQ_CST), 1, x) != 0)
#define RESULT_atomic_flag_test_and_set_explicit bool
#define BARE_atomic_flag_test_and_set_explicit(at, ...) (UPDATE(at, HOW(GL_HOW_UPDATE, __VA_ARGS__), 1, x) != 0)
#define RESULT_atomic_flag_clear void
#define BARE_atomic_flag_clear(at) STORE(at, HOW(GL_HOW_STORE, SEQ_CST), 0)
#define RESULT_atomic_flag_clear_explicit void
#define BARE_atomic_flag_clear_explicit(at, ...) STORE(at, HOW(GL_HOW_STORE, __VA_ARGS__), 0)
