#include "door/marks.h"

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MARKS = 255 /* other than 0 */, READ_MS = 50 /* that a read may take, or nobody waits for it */ };
enum { ALIGNED = 64 /* a cache line */, ALIGNED_APART = 4096 /* what drivers want of a buffer in the host's memory */ };

/* --- the file --- */

static unsigned char *_Atomic area; /* NULL: there is none, or none any more */

bool marks_wanted(void)
{
    static _Atomic int found;
    int now = atomic_load(&found);

    if (now == 0) {
        now = getenv(DOOR_MARKS) != NULL ? 1 : -1;
        atomic_store(&found, now);
    }
    return now > 0;
}

/* One that is full would end the program by a signal, so its memory is had first. */
static unsigned char *map(const char *folder, uint32_t number)
{
    static const size_t size = (size_t)PAGE_LANES * PAGE_LANE;
    char path[PATH_MAX];
    void *memory = MAP_FAILED;

    snprintf(path, sizeof path, "%s/%ld-%u.marks", folder, (long)getpid(), number);
    const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        return NULL;
    if (posix_fallocate(file, 0, (off_t)size) == 0)
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED)
        unlink(path);
    return memory == MAP_FAILED ? NULL : memory;
}

void marks_open(void)
{
    const char *folder = getenv(DOOR_FOLDER);
    unsigned char *found = NULL;
    uint32_t number = 0;

    if (!marks_wanted() || folder == NULL || !page_may_write((size_t)PAGE_LANES * PAGE_LANE))
        return;
    while (found == NULL && number < 16) /* others are of what this process was before exec */
        found = map(folder, ++number);
    if (found == NULL)
        return;
    atomic_store(&area, found);
    atomic_store(&door_page.marks_file, number);
}

void marks_forget(void)
{
    atomic_store(&area, NULL);
}

/* --- lanes: where the launches of a queue have their marks --- */

static struct lane {
    _Atomic uint32_t busy; /* whoever holds it may touch what follows; nobody waits for that */
    bool closed;           /* it has a launch that is not followed, so nobody knows when its marks are free */
    uint64_t queue;
    uint64_t end;  /* of what it has given, in all that it has had */
    uint64_t turn; /* how often it began anew */
    cl_mem memory;
    /* Of a device that is no CPU, and has `memory` for itself: another queue reads it while a kernel runs. */
    cl_command_queue reader;
    cl_event reading; /* NULL: nothing is read */
} lanes[PAGE_LANES];

static bool is_copied(const struct lane *lane)
{
    return !queue_is_of_a_cpu((uint32_t)(lane - lanes));
}

static bool hold(_Atomic uint32_t *busy)
{
    return atomic_exchange(busy, 1) == 0;
}

static unsigned char *place_of(const struct lane *lane)
{
    return atomic_load(&area) + (size_t)(lane - lanes) * PAGE_LANE;
}

/* Of a CPU, which writes where the watchdog reads while a kernel runs; or as another device needs it: all 0. */
static cl_mem make_memory(const struct lane *lane, cl_command_queue queue, size_t at, size_t size)
{
    const cl_mem_flags kind = is_copied(lane) ? CL_MEM_COPY_HOST_PTR : CL_MEM_USE_HOST_PTR;
    cl_context context = NULL;

    if (atomic_load(&area) == NULL ||
        REAL(queue)->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(cl_context), &context, NULL) != CL_SUCCESS)
        return NULL;
    return REAL(context)->clCreateBuffer(context, CL_MEM_READ_WRITE | kind, size, place_of(lane) + at, NULL);
}

/* While nothing hangs: later a driver might not make one. */
static cl_command_queue make_reader(cl_command_queue queue)
{
    cl_context context = NULL;
    cl_device_id device = NULL;

    REAL(queue)->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(cl_context), &context, NULL);
    REAL(queue)->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(cl_device_id), &device, NULL);
    return context != NULL && device != NULL ? REAL(context)->clCreateCommandQueue(context, device, 0, NULL) : NULL;
}

static bool has_ended(struct lane *lane)
{
    cl_int status = CL_QUEUED;

    if (lane->reading == NULL)
        return true;
    REAL(lane->reading)->clGetEventInfo(lane->reading, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    if (status > CL_COMPLETE)
        return false;
    REAL(lane->reading)->clReleaseEvent(lane->reading);
    lane->reading = NULL;
    return true;
}

static void close_lane(struct lane *lane)
{
    if (lane->memory != NULL)
        REAL(lane->memory)->clReleaseMemObject(lane->memory);
    if (lane->reader != NULL)
        REAL(lane->reader)->clReleaseCommandQueue(lane->reader);
    lane->memory = NULL;
    lane->reader = NULL;
}

/*
 * Of the queue's own, so that drivers see nothing in it for which another queue would have to wait. What is copied is
 * not cleared before a launch: each turn has a mark of its own, and after so many turns there is new memory.
 */
static bool open_lane(struct lane *lane, cl_command_queue queue, uint64_t turn)
{
    const bool begins = turn != lane->turn && turn % MARKS == 0;

    if (lane->queue == (uintptr_t)queue && lane->memory != NULL && !(is_copied(lane) && begins)) {
        lane->turn = turn;
        return true;
    }
    if (!has_ended(lane))
        return false;
    lane->turn = turn;
    close_lane(lane);
    lane->queue = (uintptr_t)queue;
    if (atomic_load(&area) != NULL && is_copied(lane)) {
        memset(place_of(lane), 0, PAGE_LANE);
        lane->reader = make_reader(queue);
    }
    lane->memory = make_memory(lane, queue, 0, PAGE_LANE);
    atomic_store(&door_page.lanes[lane - lanes].copied, is_copied(lane));
    return lane->memory != NULL;
}

static bool has_room(const struct lane *lane, uint64_t begin, uint64_t length)
{
    const uint64_t first = queue_first_marks((uint32_t)(lane - lanes));

    return first == 0 || begin + length - (first - 1) <= PAGE_LANE;
}

/* So many bytes that are 0, in one piece, and of no launch that is open. */
static bool take_room(struct lane *lane, cl_command_queue queue, uint64_t length, uint64_t *begin)
{
    const uint64_t left = PAGE_LANE - lane->end % PAGE_LANE;

    *begin = lane->end + (left < length ? left : 0);
    if (atomic_load(&area) == NULL || length > PAGE_LANE)
        return false;
    if (!has_room(lane, *begin, length)) {
        queues_sweep(queue);
        if (!has_room(lane, *begin, length))
            return false;
    }
    lane->end = *begin + length;
    if (!is_copied(lane))
        memset(place_of(lane) + *begin % PAGE_LANE, 0, length);
    return true;
}

/* --- launches --- */

static enum page_marks count_groups(const struct marks_sizes *sizes, uint64_t *groups)
{
    *groups = 1;
    if (sizes->local == NULL)
        return PAGE_MARKS_LOCAL;
    for (cl_uint i = 0; i < sizes->dimensions && i < 3; ++i) {
        const uint64_t all = sizes->global != NULL ? sizes->global[i] : 0, of_one = sizes->local[i];
        if (all == 0 || of_one == 0 || all / of_one >= PAGE_LANE)
            return PAGE_MARKS_ROOM;
        *groups *= all / of_one + (all % of_one != 0);
        if (*groups > PAGE_LANE)
            return PAGE_MARKS_ROOM;
    }
    return PAGE_MARKED;
}

static bool set_arguments(const struct marking *marking, cl_mem memory, cl_ulong at, uint64_t groups)
{
    const cl_uchar mark = (cl_uchar)marking->mark;
    cl_kernel kernel = marked_kernel(marking->of);
    const cl_uint index = marked_arguments(marking->of), count = (cl_uint)groups;
    const cl_icd_dispatch *real = REAL(kernel);

    return real->clSetKernelArg(kernel, index, sizeof(cl_mem), &memory) == CL_SUCCESS &&
           real->clSetKernelArg(kernel, index + 1, sizeof at, &at) == CL_SUCCESS &&
           real->clSetKernelArg(kernel, index + 2, sizeof count, &count) == CL_SUCCESS &&
           real->clSetKernelArg(kernel, index + 3, sizeof mark, &mark) == CL_SUCCESS;
}

/* A driver may have launches of an out-of-order queue wait for each other if they share memory: each has its own. */
static enum page_marks prepare(struct marking *marking, cl_command_queue queue, uint64_t groups)
{
    struct lane *const lane = marking->lane;
    const bool apart = queue_is_out_of_order((uint32_t)(lane - lanes));
    const uint64_t aligned = apart ? ALIGNED_APART : ALIGNED;
    const uint64_t length = (groups + aligned - 1) / aligned * aligned;
    cl_ulong at = 0;
    uint64_t begin;

    if (apart && is_copied(lane))
        return PAGE_MARKS_DEVICE;
    if (apart)
        lane->end = (lane->end + aligned - 1) / aligned * aligned;
    if (lane->closed || !take_room(lane, queue, length, &begin) ||
        (!apart && !open_lane(lane, queue, begin / PAGE_LANE)))
        return PAGE_MARKS_ROOM;
    marking->mark = is_copied(lane) ? (uint32_t)(begin / PAGE_LANE % MARKS + 1) : 1;
    cl_mem memory = lane->memory;
    if (apart)
        marked_takes(marking->of, memory = make_memory(lane, queue, begin % PAGE_LANE, length));
    else
        at = begin % PAGE_LANE;
    if (memory == NULL || !set_arguments(marking, memory, at, groups))
        return PAGE_MARKS_REFUSED;
    marking->kernel = marked_kernel(marking->of);
    marking->marks = begin + 1;
    return PAGE_MARKED;
}

/* The kernel and the lane are held from here to marks_end, if the copy is to be launched. */
static enum page_marks begin(struct marking *marking, cl_command_queue queue, const struct marks_sizes *sizes)
{
    uint64_t groups;
    enum page_marks why = marked_why(marking->of);

    if (why == PAGE_MARKED)
        why = count_groups(sizes, &groups);
    if (why != PAGE_MARKED)
        return why;
    const uint32_t number = queue_number(queue);
    if (number >= PAGE_LANES || queue_length(number) >= PAGE_COMMANDS / 2)
        return PAGE_MARKS_ROOM;
    if (!hold(marked_busy(marking->of)))
        return PAGE_MARKS_BUSY;
    if (hold(&lanes[number].busy)) {
        marking->lane = &lanes[number];
        why = prepare(marking, queue, groups);
        if (why == PAGE_MARKED)
            return why;
        marking->lane = NULL;
        atomic_store(&lanes[number].busy, 0);
    } else
        why = PAGE_MARKS_BUSY;
    atomic_store(marked_busy(marking->of), 0);
    return why;
}

/* The driver may refuse the queue: nothing of it is read unless it is known. */
struct marking marks_begin(struct marked *of, cl_command_queue queue, struct marks_sizes sizes)
{
    struct marking marking = {.of = of, .wanted = marks_wanted()};

    if (marking.wanted)
        marking.why = begin(&marking, queue, &sizes);
    return marking;
}

void marks_took(struct marking *marking, bool taken)
{
    if (marking->kernel == NULL || taken)
        return;
    marking->marks = 0;
    marking->why = PAGE_MARKS_REFUSED;
}

void marks_end(const struct marking *marking, bool followed, bool accepted)
{
    if (!marking->wanted)
        return;
    if (marking->lane != NULL) {
        marking->lane->closed = marking->lane->closed || (marking->marks != 0 && !followed);
        atomic_store(&marking->lane->busy, 0);
        atomic_store(marked_busy(marking->of), 0);
    }
    if (accepted)
        atomic_fetch_add_explicit(&door_page.marked[marking->why], 1, memory_order_relaxed);
}

/* --- what is copied --- */

/* One that has not ended is of an earlier request, and nothing else is read before it has. */
static bool read_lane(struct lane *lane)
{
    if (!has_ended(lane) || REAL(lane->reader)
                                    ->clEnqueueReadBuffer(lane->reader, lane->memory, CL_FALSE, 0, PAGE_LANE,
                                                          place_of(lane), 0, NULL, &lane->reading) != CL_SUCCESS)
        return false;
    REAL(lane->reader)->clFlush(lane->reader);
    for (int i = 0; i < READ_MS && !has_ended(lane); ++i)
        usleep(1000);
    return lane->reading == NULL;
}

void marks_copy(uint32_t request)
{
    for (uint32_t i = 0; i < PAGE_LANES && atomic_load(&area) != NULL; ++i) {
        struct lane *const lane = &lanes[i];
        if (atomic_load(&door_page.lanes[i].copied) == 0 || !hold(&lane->busy))
            continue;
        if (lane->reader != NULL && lane->memory != NULL && read_lane(lane))
            atomic_store(&door_page.lanes[i].read, request);
        atomic_store(&lane->busy, 0);
    }
}
