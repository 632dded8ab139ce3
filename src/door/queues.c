#include "door/door.h"

#include <stdint.h>
#include <string.h>

/*
 * The open commands of a queue, in their order: numbers of slots, from 1. Each has a slot, so they fit. Whoever holds
 * `busy` takes them out, and touches their events; nobody waits for that.
 */
static struct line {
    _Atomic uint32_t head, tail;
    atomic_flag busy;
    _Atomic uint16_t slots[PAGE_COMMANDS];
} lines[PAGE_QUEUES];

static _Atomic uint32_t line_count;

static struct page_queue *queue_at(uint32_t index)
{
    return &door_page.queues[index];
}

static bool is_open(const struct line *line)
{
    return atomic_load(&line->head) != atomic_load(&line->tail);
}

static uint32_t find(cl_command_queue queue)
{
    const uint32_t count = atomic_load_explicit(&line_count, memory_order_acquire);
    uint32_t i = 0;

    while (i < count && atomic_load_explicit(&queue_at(i)->handle, memory_order_relaxed) != (uintptr_t)queue)
        ++i;
    return i < count ? i : PAGE_QUEUES;
}

/* What the driver says of it. */
static void describe(cl_command_queue queue, struct page_queue *slot)
{
    const cl_icd_dispatch *real = REAL(queue);
    cl_command_queue_properties properties = 0;
    cl_device_id device = NULL;

    real->clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
    real->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(cl_device_id), &device, NULL);
    atomic_store(&slot->out_of_order, (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0);
    atomic_store(&slot->lost, 0);
    char name[1024] = "";
    cl_device_type type = 0;
    if (device != NULL)
        real->clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    atomic_store(&slot->cpu, (type & CL_DEVICE_TYPE_CPU) != 0);
    if (device != NULL)
        real->clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    for (size_t i = 0; i < sizeof slot->device - 1; ++i)
        slot->device[i] = name[i];
}

/* A free slot, or else one of a queue that has nothing open: it gets one again when it is used. */
static uint32_t add(cl_command_queue queue)
{
    for (int pass = 0; pass < 2; ++pass)
        for (uint32_t i = 0; i < PAGE_QUEUES; ++i) {
            uint64_t handle = atomic_load(&queue_at(i)->handle);
            if ((pass == 0 && handle != 0) || is_open(&lines[i]) ||
                !atomic_compare_exchange_strong(&queue_at(i)->handle, &handle, (uintptr_t)queue))
                continue;
            uint32_t count = atomic_load(&line_count);
            while (count <= i && !atomic_compare_exchange_weak(&line_count, &count, i + 1))
                continue;
            describe(queue, queue_at(i));
            return i;
        }
    atomic_store(&door_page.short_of, 1);
    return PAGE_QUEUES;
}

static uint32_t find_or_add(cl_command_queue queue)
{
    const uint32_t index = find(queue);

    return index < PAGE_QUEUES ? index : add(queue);
}

uint32_t queue_number(cl_command_queue queue)
{
    return queue != NULL ? find(queue) : PAGE_QUEUES;
}

bool queue_is_out_of_order(uint32_t number)
{
    return atomic_load(&queue_at(number)->out_of_order) != 0;
}

bool queue_is_of_a_cpu(uint32_t number)
{
    return atomic_load(&queue_at(number)->cpu) != 0;
}

uint32_t queue_length(uint32_t number)
{
    return atomic_load(&lines[number].tail) - atomic_load(&lines[number].head);
}

void queue_made(cl_command_queue queue)
{
    const uint32_t index = find(queue);

    if (index < PAGE_QUEUES)
        describe(queue, queue_at(index)); /* the driver had let go of one of this handle */
    else
        add(queue);
}

void queue_flushed(cl_command_queue queue)
{
    const uint32_t index = find(queue);

    if (index < PAGE_QUEUES)
        atomic_store(&queue_at(index)->flushed, atomic_load(&queue_at(index)->accepted));
}

/* --- what is complete --- */

static cl_event event_of(const struct page_command *command)
{
    return (cl_event)(uintptr_t)command->event; // NOLINT(performance-no-int-to-ptr): we hold it
}

static bool is_complete(const struct page_command *command)
{
    cl_event event = event_of(command);
    cl_int status = CL_COMPLETE;

    return REAL(event)->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) !=
               CL_SUCCESS ||
           status <= CL_COMPLETE;
}

static struct page_command *command_at(const struct line *line, uint32_t at)
{
    const uint32_t slot = atomic_load(&line->slots[at % PAGE_COMMANDS]);

    return slot == 0 ? NULL : &door_page.commands[slot - 1];
}

uint64_t queue_first_marks(uint32_t number)
{
    const struct line *line = &lines[number];
    const uint32_t tail = atomic_load(&line->tail);

    for (uint32_t at = atomic_load(&line->head); at != tail; ++at) {
        const struct page_command *command = command_at(line, at);
        if (command != NULL && command->queue == number && command->state == SLOT_OPEN && command->marks != 0)
            return command->marks;
    }
    return 0;
}

static void note_complete(struct page_command *command)
{
    atomic_store(&command->state, SLOT_DONE);
    atomic_fetch_add(&queue_at(command->queue)->complete, 1);
}

static void drop(struct page_command *command)
{
    cl_event event = event_of(command);

    REAL(event)->clReleaseEvent(event);
    atomic_store(&command->state, SLOT_FREE);
}

/* Takes out what is complete, from the oldest on; with `all`, what is complete behind others is noted, too. */
static void sweep(struct line *line, bool all)
{
    struct page_command *command;

    if (!is_open(line) || atomic_flag_test_and_set(&line->busy))
        return;
    const uint32_t tail = atomic_load(&line->tail);
    for (uint32_t at = atomic_load(&line->head); all && at != tail; ++at)
        if ((command = command_at(line, at)) != NULL && command->state == SLOT_OPEN && is_complete(command))
            note_complete(command);
    while (is_open(line) && (command = command_at(line, line->head)) != NULL) {
        if (command->state == SLOT_OPEN && !all && is_complete(command))
            note_complete(command);
        if (command->state != SLOT_DONE)
            break;
        drop(command);
        atomic_store(&line->slots[line->head % PAGE_COMMANDS], 0);
        atomic_fetch_add(&line->head, 1);
    }
    atomic_flag_clear(&line->busy);
}

void queues_sweep(cl_command_queue queue)
{
    const uint32_t index = queue != NULL ? find(queue) : 0;
    const uint32_t end = queue == NULL ? atomic_load(&line_count) : index < PAGE_QUEUES ? index + 1 : index;

    for (uint32_t i = index; i < end; ++i)
        sweep(&lines[i], false);
}

void queues_ask(void)
{
    for (uint32_t i = 0; i < atomic_load(&line_count); ++i)
        sweep(&lines[i], true);
}

bool queues_are_open(void)
{
    bool open = false;

    for (uint32_t i = 0; i < atomic_load(&line_count); ++i)
        open = open || is_open(&lines[i]);
    return open;
}

void queues_forget(void)
{
    memset((void *)lines, 0, sizeof lines);
    atomic_store(&line_count, 0);
}

/* --- commands --- */

struct command command_begin(enum page_call number, cl_command_queue queue, bool blocks, cl_event *asked)
{
    if (blocks)
        queue_flushed(queue);
    return (struct command){
        .call = call_begin(number, queue, blocks),
        .queue = queue,
        .number = number,
        .blocks = blocks,
        .asked = asked,
    };
}

cl_event *command_event(struct command *command)
{
    return command->blocks ? command->asked : &command->own;
}

void command_waits(struct command *command, cl_uint count, const cl_event *list)
{
    command->count = list != NULL ? count : 0;
    command->list = list;
    if (command->blocks)
        call_waits(&command->call, count, list);
}

static struct page_command *take_slot(void)
{
    static _Thread_local uint32_t hint;

    for (uint32_t i = 0; i < PAGE_COMMANDS; ++i) {
        struct page_command *slot = &door_page.commands[(hint + i) % PAGE_COMMANDS];
        uint32_t state = SLOT_FREE;
        if (atomic_load_explicit(&slot->state, memory_order_relaxed) != SLOT_FREE ||
            !atomic_compare_exchange_strong(&slot->state, &state, SLOT_FILLING))
            continue;
        hint = (hint + i + 1) % PAGE_COMMANDS;
        return slot;
    }
    return NULL;
}

/* The driver's event is the program's, and, as long as the command is open, ours. */
static struct page_command *keep(struct command *command, uint32_t index)
{
    struct page_command *slot = index < PAGE_QUEUES ? take_slot() : NULL;

    if (slot == NULL && index < PAGE_QUEUES)
        atomic_fetch_add(&queue_at(index)->lost, 1);
    if (slot != NULL && command->asked != NULL)
        REAL(command->own)->clRetainEvent(command->own);
    else if (slot == NULL && command->asked == NULL)
        REAL(command->own)->clReleaseEvent(command->own);
    if (command->asked != NULL)
        *command->asked = command->own;
    return slot;
}

struct page_command *command_accept(struct command *command, cl_int outcome)
{
    if (outcome != CL_SUCCESS)
        return NULL;
    const uint32_t index = find_or_add(command->queue);
    command_event_made(!command->blocks ? command->own : command->asked != NULL ? *command->asked : NULL);
    if (command->blocks) {
        queues_sweep(command->queue);
        return NULL;
    }
    struct page_command *slot = command->own != NULL ? keep(command, index) : NULL;
    if (slot == NULL)
        return NULL;
    slot->call = command->number;
    slot->queue = index;
    slot->tid = own_tid();
    slot->event = (uintptr_t)command->own;
    slot->wait_count = command->count;
    for (cl_uint i = 0; i < command->count && i < PAGE_WAITS; ++i)
        slot->waits[i] = (uintptr_t)command->list[i];
    slot->dimensions = slot->argument_count = 0;
    slot->marks = slot->unmarked = 0;
    slot->kernel[0] = '\0';
    return slot;
}

void command_show(struct page_command *slot)
{
    struct line *line = &lines[slot->queue];

    slot->sequence = atomic_fetch_add(&queue_at(slot->queue)->accepted, 1) + 1;
    atomic_store(&slot->state, SLOT_OPEN);
    const uint32_t at = atomic_fetch_add(&line->tail, 1);
    atomic_store(&line->slots[at % PAGE_COMMANDS], (uint16_t)(slot - door_page.commands + 1));
    helper_begin();
    if (at % 16 == 15)
        sweep(line, false);
}

cl_int command_end(struct command *command, cl_int outcome)
{
    struct page_command *slot = command_accept(command, outcome);

    if (slot != NULL)
        command_show(slot);
    call_end(&command->call);
    return outcome;
}
