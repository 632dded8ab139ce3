#include "watch/tell_look.h"

#include "base/alloc.h"
#include "core/text.h"
#include "format/json_writer.h"
#include "format/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const role_names[] = {"program", "call", "driver", "kernel", "door"};
static const char *const course_names[] = {NULL, "round", "moves", "writes", "time", "calls", "faults"};

/* --- words --- */

void tell_look_frame(FILE *out, const struct frame *frame)
{
    if (frame->function[0] != '\0')
        fputs(frame->function, out);
    else
        fprintf(out, "0x%" PRIx64, frame->pc);
    if (frame->file[0] != '\0')
        fprintf(out, " (%s:%d)", frame->file, frame->line);
    else if (frame->object[0] != '\0')
        fprintf(out, " (%s)", frame->object);
}

static void print_state(FILE *out, const struct looked_thread *thread)
{
    const char *const call = system_call_name(thread->state.call);

    if (thread->bound)
        fputs("sleeps until another thread of the program wakes it", out);
    else if (call != NULL)
        fprintf(out, "sleeps in %s()", call);
    else if (thread->state.call >= 0)
        fprintf(out, "sleeps in system call %" PRId64, thread->state.call);
    else
        fputs("runs", out);
}

static void print_course(FILE *out, const struct course_found *recurrence)
{
    static const char *const courses[] = {
        [COURSE_UNKNOWN] = "it could not be followed",
        [COURSE_WRITES] = "it writes to memory",
        [COURSE_TIME] = "it reads a clock, or a random number",
        [COURSE_CALLS] = "it calls the system",
        [COURSE_FAULTS] = "it came to an instruction that could not be followed",
    };

    if (recurrence->course == COURSE_ROUND)
        fprintf(out, "it goes round in %" PRIu32 " instruction%s, and changes nothing%s", recurrence->instructions,
                text_s(recurrence->instructions),
                recurrence->shared ? "; it uses memory that other processes share" : "");
    else if (recurrence->course == COURSE_MOVES)
        fprintf(out, "in %" PRIu32 " instructions it did not come back to where it was", recurrence->instructions);
    else
        fputs(courses[recurrence->course], out);
}

void tell_look_kernel(FILE *out, const struct looked_thread *thread)
{
    const struct frame *const frame = &thread->stack.frames[0];

    if (thread->kernel[0] == '\0')
        fputs("runs a kernel whose name is not known", out);
    else
        fprintf(out, "runs kernel %s", thread->kernel);
    if (thread->sizes[0] != '\0')
        fprintf(out, " (work-groups of %s)", thread->sizes);
    if (frame->file[0] != '\0')
        fprintf(out, " at %s:%d", frame->file, frame->line);
    fputs(": ", out);
    print_course(out, &thread->recurrence);
}

const struct frame *tell_look_place(const struct looked_thread *thread)
{
    const struct stack *const stack = &thread->stack;

    for (size_t i = 0; i < stack->count; ++i)
        if (stack->frames[i].kind != MAP_SYSTEM)
            return &stack->frames[i];
    return stack->count > 0 ? &stack->frames[0] : NULL;
}

/* What it is in, but for the call. */
static void print_role(FILE *out, const struct looked_thread *thread)
{
    const struct frame *const place = thread->role == ROLE_PROGRAM ? tell_look_place(thread) : NULL;

    if (thread->role == ROLE_KERNEL)
        tell_look_kernel(out, thread);
    else if (thread->role == ROLE_DRIVER)
        fputs("is the driver's own", out);
    else if (thread->role == ROLE_DOOR)
        fputs("is gridlock's own", out);
    else if (thread->role == ROLE_PROGRAM)
        fputs(place != NULL ? "is in " : "is in the program", out);
    if (place != NULL)
        tell_look_frame(out, place);
}

void tell_look_thread(FILE *out, const struct looked_thread *thread)
{
    print_role(out, thread);
    if (thread->call != NULL) {
        fputs(thread->role == ROLE_KERNEL ? "; for " : thread->role == ROLE_PROGRAM ? ", in " : "is in ", out);
        fputs(thread->call->called[0] != '\0' ? thread->call->called : "a function of OpenCL", out);
        fputs(", which was called by ", out);
        tell_look_frame(out, thread->call);
    }
    if (thread->role == ROLE_KERNEL)
        return;
    fputs(", and ", out);
    print_state(out, thread);
}

static char *thread_words(const struct looked_thread *thread)
{
    char *text;
    FILE *const stream = xopen_memstream(&text, NULL);

    tell_look_thread(stream, thread);
    return xclose_memstream(stream, &text);
}

void tell_look_threads(FILE *out, const struct look *look, const bool *wanted)
{
    char **const words = xcalloc(look->count + 1, sizeof *words);

    for (size_t i = 0; i < look->count; ++i)
        words[i] = wanted == NULL || wanted[i] ? thread_words(&look->threads[i]) : NULL;
    for (size_t i = 0; i < look->count; ++i) {
        struct text_lines lines;
        size_t same = 0;
        if (words[i] == NULL)
            continue;
        FILE *const line = text_lines_begin(&lines);
        for (size_t j = i + 1; j < look->count; ++j)
            same += words[j] != NULL && strcmp(words[i], words[j]) == 0;
        fprintf(line, "thread%s %d", text_s(same + 1), (int)look->threads[i].id);
        for (size_t j = i + 1; j < look->count; ++j)
            if (words[j] != NULL && strcmp(words[i], words[j]) == 0) {
                fprintf(line, ", %d", (int)look->threads[j].id);
                free(words[j]);
                words[j] = NULL;
            }
        fprintf(line, ": %s%s", same > 0 ? "each " : "", words[i]);
        text_lines_end(&lines, out, "  ", "    ");
        free(words[i]);
    }
    free(words);
}

const char *tell_look_why(const struct look *look)
{
    switch (look->reason) {
    case LOOK_REASON_CLOSED:
        return look->verdict == LOOK_DEADLOCK ? "none of its threads can do anything any more, which is proved: those "
                                                "that run kernels only go round, "
                                                "and the others sleep until one of them wakes them"
                                              : "none of its threads can do anything any more, which is proved: no "
                                                "kernel runs, and each sleeps until "
                                                "another one wakes it";
    case LOOK_REASON_GPU:
        return "it waits in OpenCL, and runs no kernel on a CPU; what a GPU does cannot be seen from outside";
    case LOOK_REASON_NOTHING:
        return "it runs no kernel on a CPU, and is in no call of OpenCL";
    case LOOK_REASON_STOPPED:
        return "the process is stopped, so nothing is judged; it stays so until it gets SIGCONT";
    case LOOK_REASON_UNCERTAIN:
        return "its kernels seem to go round, but used other memory each time that they were looked at; look again";
    case LOOK_REASON_MOVES:
        return "a kernel does not only go round; it may be slow, or change memory for ever";
    case LOOK_REASON_SHARED:
        return "its kernels only go round, but use memory that another process may write to";
    case LOOK_REASON_BUILDS:
        return "a thread of it compiles, which may take long";
    case LOOK_REASON_WAKES:
        return "it is at work in OpenCL";
    default:
        return NULL;
    }
}

void tell_look_account(FILE *out, const struct look *look)
{
    const char *const account = tell_look_why(look);

    if (account != NULL)
        fputs(account, out);
    else
        fprintf(out, "waits for the program: thread %d is outside of OpenCL, and may still do something",
                (int)look->threads[look->decided].id);
}

static void print_verdict(FILE *out, const struct look *look)
{
    struct text_lines lines;
    FILE *const line = text_lines_begin(&lines);

    fprintf(line, "%s: ", look_verdict_name(look->verdict));
    tell_look_account(line, look);
    text_lines_end(&lines, out, "", "  ");
}

void tell_look_text(FILE *out, const struct look *look)
{
    struct text_lines lines;
    FILE *const line = text_lines_begin(&lines);

    fprintf(line, "process %d (%s)", (int)look->process, look->name);
    if (look->count > 0)
        fprintf(line, ", %zu thread%s", look->count, text_s(look->count));
    text_lines_end(&lines, out, "", "  ");
    print_verdict(out, look);
    tell_look_threads(out, look, NULL);
}

/* --- JSON --- */

static void write_frame(struct json_writer *json, const struct frame *frame)
{
    json_writer_open_line(json, NULL, '{');
    json_writer_text(json, "function", frame->function);
    json_writer_text(json, "object", frame->object);
    json_writer_text(json, "file", frame->file);
    json_writer_count(json, "line", frame->file[0] != '\0' ? (uint64_t)frame->line : 0);
    json_writer_close_line(json, '}');
}

static void write_kernel(struct json_writer *json, const struct looked_thread *thread)
{
    const struct course_found *const recurrence = &thread->recurrence;

    if (!json_writer_open_known(json, "kernel", thread->role == ROLE_KERNEL))
        return;
    json_writer_text(json, "name", thread->kernel);
    json_writer_text(json, "local_size", thread->sizes);
    json_writer_text(json, "course", course_names[recurrence->course]);
    json_writer_integer(json, "instructions", recurrence->instructions);
    json_writer_bool(json, "shared", recurrence->shared);
    json_writer_close(json, '}');
}

static void write_thread(struct json_writer *json, const struct looked_thread *thread)
{
    const char state[2] = {thread->state.state, '\0'};

    json_writer_open(json, NULL, '{');
    json_writer_integer(json, "thread", (uint64_t)thread->id);
    json_writer_text(json, "name", thread->state.name);
    json_writer_text(json, "role", role_names[thread->role]);
    json_writer_text(json, "state", state);
    json_writer_text(json, "system_call", system_call_name(thread->state.call));
    json_writer_bool(json, "bound", thread->bound);
    json_writer_text(json, "call", thread->call != NULL ? thread->call->called : NULL);
    write_kernel(json, thread);
    json_writer_bool(json, "stack_whole", thread->stack.whole);
    json_writer_open(json, "stack", '[');
    for (size_t i = 0; i < thread->stack.count; ++i)
        write_frame(json, &thread->stack.frames[i]);
    json_writer_close(json, ']');
    json_writer_close(json, '}');
}

void tell_look_object(FILE *out, const struct look *look)
{
    struct json_writer json = {.out = out, .empty = true};

    json_writer_open(&json, NULL, '{');
    json_writer_text(&json, "schema_version", JSON_SCHEMA_VERSION);
    json_writer_integer(&json, "process", (uint64_t)look->process);
    json_writer_text(&json, "name", look->name);
    json_writer_text(&json, "verdict", look_verdict_name(look->verdict));
    json_writer_text(&json, "reason", look_reason_name(look->reason));
    json_writer_bool(&json, "gpu", look->gpu);
    json_writer_open(&json, "threads", '[');
    for (size_t i = 0; i < look->count; ++i)
        write_thread(&json, &look->threads[i]);
    json_writer_close(&json, ']');
    json_writer_close(&json, '}');
}

void tell_look_json(FILE *out, const struct look *look)
{
    tell_look_object(out, look);
    fputc('\n', out);
}
