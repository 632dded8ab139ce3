#define ID(what, d, beyond) ((d) < 3 ? gl_calls->id(what, d) : (beyond))
#define RESULT_get_work_dim uint
#define BARE_get_work_dim() gl_calls->id(GL_ID_DIMENSIONS, 0)
#define RESULT_get_global_size ulong
#define BARE_get_global_size(d) ID(GL_ID_GLOBAL_SIZE, d, 1)
#define RESULT_get_global_id ulong
#define BARE_get_global_id(d) ID(GL_ID_GLOBAL, d, 0)
#define RESULT_get_local_size ulong
#define BARE_get_local_size(d) ID(GL_ID_LOCAL_SIZE, d, 1)
#define RESULT_get_enqueued_local_size ulong
#define BARE_get_enqueued_local_size(d) ID(GL_ID_ENQUEUED_LOCAL_SIZE, d, 1)
#define RESULT_get_local_id ulong
#define BARE_get_local_id(d) ID(GL_ID_LOCAL, d, 0)
#define RESULT_get_num_groups ulong
#define BARE_get_num_groups(d) ID(GL_ID_GROUPS, d, 1)
#define RESULT_get_group_id ulong
#define BARE_get_group_id(d) ID(GL_ID_GROUP, d, 0)
#define RESULT_get_global_offset ulong
#define BARE_get_global_offset(d) ID(GL_ID_OFFSET, d, 0)
#define RESULT_get_global_linear_id ulong
#define BARE_get_global_linear_id()                                                                                    \
    (((gl_calls->id(GL_ID_GLOBAL, 2) - gl_calls->id(GL_ID_OFFSET, 2)) * gl_calls->id(GL_ID_GLOBAL_SIZE, 1) +           \
      gl_calls->id(GL_ID_GLOBAL, 1) - gl_calls->id(GL_ID_OFFSET, 1)) *                                                 \
         gl_calls->id(GL_ID_GLOBAL_SIZE, 0) +                                                                          \
     gl_calls->id(GL_ID_GLOBAL, 0) - gl_calls->id(GL_ID_OFFSET, 0))
#define RESULT_get_local_linear_id ulong
#define BARE_get_local_linear_id() gl_linear()
#define RESULT_barrier void
#define BARE_barrier(flags) gl_calls->meet(flags)
#define RESULT_work_group_barrier void
#define BARE_work_group_barrier(flags, ...) gl_calls->meet(flags)

GL_BARE static ulong gl_linear(void)
{
    return (gl_calls->id(GL_ID_LOCAL, 2) * gl_calls->id(GL_ID_LOCAL_SIZE, 1) + gl_calls->id(GL_ID_LOCAL, 1)) *
               gl_calls->id(GL_ID_LOCAL_SIZE, 0) +
           gl_calls->id(GL_ID_LOCAL, 0);
}

GL_BARE static ulong gl_items(void)
{
    return gl_calls->id(GL_ID_LOCAL_SIZE, 0) * gl_calls->id(GL_ID_LOCAL_SIZE, 1) * gl_calls->id(GL_ID_LOCAL_SIZE, 2);
}

/*
 * Functions of the whole group: each work-item leaves its value, meets the others, looks at theirs, and meets them
 * again, so that nobody leaves the next one too early.
 */
enum { SLOT_BYTES = 128 };
#define SLOT(i) ((volatile T *)((char *)gl_calls->scratch() + (i)*SLOT_BYTES))
#define TOGETHER(x, ...)                                                                                               \
    ({                                                                                                                 \
        ulong me = gl_linear(), items = gl_items();                                                                    \
        *SLOT(me) = (x);                                                                                               \
        gl_calls->meet(0);                                                                                             \
        __VA_ARGS__                                                                                                    \
        gl_calls->meet(0);                                                                                             \
        result;                                                                                                        \
    })
#define FOLD(x, first, from, end, value)                                                                         \
    TOGETHER(x, T result = first; for (ulong i = from; i < (end); ++i) {                                               \
        T a = result, b = *SLOT(i);                                                                                    \
        result = value;                                                                                                \
    })
#define BARE_work_group_broadcast(x, ...)                                                                              \
    TOGETHER(x, const ulong ids[] = {__VA_ARGS__}; T result = *SLOT(gl_place(sizeof ids / sizeof *ids, ids));)
#define BARE_work_group_all(x) TOGETHER(x, int result = 1; for (ulong i = 0; i < items; ++i) result &= *SLOT(i) != 0;)
#define BARE_work_group_any(x) TOGETHER(x, int result = 0; for (ulong i = 0; i < items; ++i) result |= *SLOT(i) != 0;)
#define BARE_work_group_reduce_add(x) FOLD(x, 0, 0, items, a + b)
#define BARE_work_group_reduce_min(x) FOLD(x, *SLOT(0), 1, items, b < a ? b : a)
#define BARE_work_group_reduce_max(x) FOLD(x, *SLOT(0), 1, items, a < b ? b : a)
#define BARE_work_group_scan_exclusive_add(x) FOLD(x, 0, 0, me, a + b)
#define BARE_work_group_scan_exclusive_min(x) FOLD(x, MOST(T), 0, me, b < a ? b : a)
#define BARE_work_group_scan_exclusive_max(x) FOLD(x, LEAST(T), 0, me, a < b ? b : a)
#define BARE_work_group_scan_inclusive_add(x) FOLD(x, 0, 0, me + 1, a + b)
#define BARE_work_group_scan_inclusive_min(x) FOLD(x, *SLOT(0), 1, me + 1, b < a ? b : a)
#define BARE_work_group_scan_inclusive_max(x) FOLD(x, *SLOT(0), 1, me + 1, a < b ? b : a)

/* The linear id of a work-item by its local ids. */
GL_BARE static ulong gl_place(ulong dimensions, const ulong *ids)
{
    ulong place = 0;
    for (ulong i = dimensions; i-- > 0;)
        place = place * gl_calls->id(GL_ID_LOCAL_SIZE, (unsigned)i) + ids[i];
    return place;
}

/* Each work-item copies its share; all of it is there when all have met in wait_group_events. */
#define RESULT_async_work_group_copy event_t
#define WHOLE_async_work_group_copy(to, from, count, event)                                                            \
    ({                                                                                                                 \
        for (ulong i = gl_linear(), step = gl_items(); i < (count); i += step)                                         \
            (to)[i] = (from)[i];                                                                                       \
        (event) != 0 ? (event) : (event_t)1;                                                                           \
    })
#define RESULT_async_work_group_strided_copy event_t
#define WHOLE_async_work_group_strided_copy(to, from, count, stride, event)                                            \
    ({                                                                                                                 \
        for (ulong i = gl_linear(), step = gl_items(); i < (count); i += step)                                         \
            (to)[GLOBAL0 ? i * (stride) : i] = (from)[GLOBAL0 ? i : i * (stride)];                                                 \
        (event) != 0 ? (event) : (event_t)1;                                                                           \
    })
#define RESULT_wait_group_events void
#define BARE_wait_group_events(count, events) gl_calls->meet(0)
#define RESULT_prefetch void
#define BARE_prefetch(at, count) ((void)0)
