#include "watch/tell.h"

#include "base/alloc.h"
#include "core/text.h"
#include "format/escape.h"
#include "watch/fitting.h"
#include "watch/tell_look.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 8 /* commands of a queue */ };

static void print_sizes(FILE *out, const uint64_t sizes[3], uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        fprintf(out, "%s%" PRIu64, i > 0 ? " x " : "", sizes[i]);
}

static void print_argument(FILE *out, const struct page_argument *argument)
{
    if (argument->size == 0)
        fputs("?", out);
    else if (argument->local != 0)
        fprintf(out, "local %" PRIu32 " bytes", argument->size);
    else if (argument->size <= 4)
        fprintf(out, "%" PRIu64, argument->value);
    else
        fprintf(out, "0x%" PRIx64 "%s", argument->value, argument->size > 8 ? " ..." : "");
}

void tell_sizes(FILE *out, const struct page_command *command)
{
    print_sizes(out, command->global, command->dimensions);
    fputs(" work-items", out);
    if (command_groups(command) > 0) {
        fprintf(out, " in %" PRIu64 " group%s of ", command_groups(command), text_s(command_groups(command)));
        print_sizes(out, command->local, command->dimensions);
    }
}

void tell_arguments(FILE *out, const struct page_command *command)
{
    for (uint32_t i = 0; i < command->argument_count; ++i) {
        fputs(i == 0 ? "" : ", ", out);
        print_argument(out, &command->arguments[i]);
    }
}

void tell_command(FILE *out, const struct page_command *command)
{
    fputs(call_facts[command->call].does, out);
    if (command->kernel[0] == '\0')
        return;
    escape_each(escape_text, out, " ", command->kernel, ", ", NULL);
    tell_sizes(out, command);
    fputs(command->argument_count > 0 ? ", arguments " : "", out);
    tell_arguments(out, command);
}

/* "a user event" or "command 3 of queue 1", each that is not complete. */
static void print_waits(FILE *out, const struct page *page, const uint64_t *events, uint32_t count)
{
    const char *between = " for ";

    for (uint32_t i = 0; i < count && i < PAGE_WAITS; ++i) {
        const struct page_command *command = page_command_of(page, events[i]);
        const struct page_user_event *gate = page_gate(page, events[i]);
        if (command != NULL)
            fprintf(out, "%scommand %" PRIu64 " of queue %" PRIu32, between, command->sequence, command->queue + 1);
        else if (gate != NULL)
            fprintf(out, "%suser event 0x%" PRIx64 ", made by thread %" PRIu32 " and not set", between, gate->handle,
                    gate->tid);
        between = command != NULL || gate != NULL ? " and " : between;
    }
}

static void print_seconds(FILE *out, uint64_t ns)
{
    fputs(" for ", out);
    escape_decimal(out, (double)ns / 1e9, 1);
    fputs(" s", out);
}

/* Where it has called OpenCL, or is. */
static void print_caller(FILE *out, const struct looked_thread *thread, bool outside)
{
    const struct frame *place = thread == NULL ? NULL : outside ? tell_look_place(thread) : thread->call;

    if (place == NULL)
        return;
    fputs(outside ? ", in " : ", called by ", out);
    tell_look_frame(out, place);
}

static const struct since *since_of(const struct account *account, const struct page_thread *thread)
{
    return &account->process->threads[thread - account->page->threads];
}

void tell_thread(FILE *out, const struct account *account, const struct page_thread *thread)
{
    const struct page *page = account->page;
    const bool outside = thread->call == CALL_NONE;

    fprintf(out, "thread %" PRIu32 " is %s%s", thread->tid, outside ? "outside of OpenCL" : "in ",
            call_facts[thread->call].name);
    for (uint32_t k = 0; k < PAGE_QUEUES && !outside && thread->object != 0; ++k)
        if (page->queues[k].handle == thread->object)
            fprintf(out, " of queue %" PRIu32, k + 1);
    print_waits(out, page, (const uint64_t *)(const void *)thread->waited, thread->waits);
    if (!outside)
        print_seconds(out, account->process->now_ns - since_of(account, thread)->when_ns);
    print_caller(out, account_thread(account, thread->tid), outside);
}

static void print_threads(FILE *out, const struct account *account)
{
    for (size_t i = 0; i < PAGE_THREADS; ++i) {
        if (account->page->threads[i].tid == 0)
            continue;
        fputs("  ", out);
        tell_thread(out, account, &account->page->threads[i]);
        fputs("\n", out);
    }
}

/* Those that run kernels; and the one that decided, if it has not been named yet. */
static void print_looked(FILE *out, const struct account *account)
{
    const struct look *look = account->look;

    if (account->unlooked != NULL)
        escape_each(escape_text, out, "  its threads were not looked at: ", account->unlooked, "\n", NULL);
    if (look == NULL)
        return;
    bool *wanted = xcalloc(look->count + 1, sizeof *wanted);
    for (size_t i = 0; i < look->count; ++i)
        wanted[i] = look->threads[i].role == ROLE_KERNEL;
    if (account->verdict == WATCH_LONG && (look->reason == LOOK_REASON_PROGRAM || look->reason == LOOK_REASON_WAKES))
        wanted[look->decided] = true;
    tell_look_threads(out, look, wanted);
    free(wanted);
}

/* What it is about a command: only the order of the queue and its wait list are known, not what the device does. */
static const char *state_of(const struct account *account, const struct page_command *command, bool first)
{
    const struct page_queue *queue = &account->page->queues[command->queue];

    if (command->kernel[0] != '\0' && account_runs(account, command->kernel) && page_is_free(account->page, command))
        return "runs";
    if (command->sequence > queue->flushed)
        return "not flushed";
    if (!page_is_free(account->page, command))
        return "waits";
    return first || queue->out_of_order != 0 ? "is next or runs" : "is behind it";
}

static void print_queue(FILE *out, const struct account *account, uint32_t index)
{
    const struct page_queue *queue = &account->page->queues[index];
    size_t count;
    uint32_t *commands = page_commands(account->page, index, &count);

    if (count > 0) {
        fprintf(out, "  queue %" PRIu32 "%s, ", index + 1, queue->out_of_order != 0 ? ", out of order" : "");
        escape_each(escape_text, out, "", queue->device, NULL);
        fprintf(out, ": %zu command%s open", count, text_s(count));
        print_seconds(out, account->process->now_ns - account->process->queues[index].when_ns);
        fputs("\n", out);
    }
    for (size_t i = 0; i < count && i < SHOWN; ++i) {
        const struct page_command *command = &account->page->commands[commands[i]];
        fprintf(out, "    %" PRIu64 " %s: ", command->sequence, state_of(account, command, i == 0));
        tell_command(out, command);
        tell_marks(out, account, command);
        if (!page_is_free(account->page, command)) {
            fputs("; waits", out);
            print_waits(out, account->page, command->waits, command->wait_count);
        }
        fputs("\n", out);
    }
    if (count > SHOWN || queue->lost > 0)
        fprintf(out, "    and %zu more behind these%s\n", count > SHOWN ? count - SHOWN : 0,
                queue->lost > 0 ? ", and others of which nothing is known" : "");
    free(commands);
}

static const char *const door_words[] = {[DOOR_DRIVER] = "a proxy driver", [DOOR_LAYER] = "a layer of the loader"};

static void print_door(FILE *out, const struct watched *process)
{
    fprintf(out, "gridlock: watch, by %s, of process %ld (", door_words[process->page->layer != 0], (long)process->pid);
    escape_each(escape_text, out, "", process->name, ")", NULL);
}

static void print_absent(FILE *out, const struct passing *passing, const struct passing_library *library)
{
    fprintf(out, "gridlock: process %ld", (long)library->process);
    escape_each(escape_text, out, " has loaded ", library->path, NULL);
    fputs(passing_is_unseen(passing, library->process) ? ", by which nothing came to the door\n"
                                                       : ", and launched nothing by it\n",
          out);
}

static void print_passing(FILE *out, const struct passing *passing)
{
    static const char *const parts[][2] = {
        [PASSING_BY] = {"what goes by ", " passes the door, and is not seen"},
        [PASSING_UNLESS] = {"what goes by ", " passes the door, and is not seen, unless it is handed on to a loader"},
        [PASSING_ASKS] = {"what goes from ", " to drivers past the loader is not seen"},
        [PASSING_EARLY] = {"", " was loaded before a loader asked for it: what went by it until then, or goes by it "
                               "without a loader, is not seen"},
        [PASSING_LINKED] = {"what goes to ", " without a loader is not seen, and linked to it is "},
    };

    for (size_t i = 0; i < passing->count; ++i) {
        const struct passing_library *library = &passing->libraries[i];
        if (!passing_is_first(passing, i))
            continue;
        if (library->kind == PASSING_ABSENT) {
            print_absent(out, passing, library);
            continue;
        }
        fprintf(out, "gridlock: %s", parts[library->kind][0]);
        escape_each(escape_text, out, "", library->path, parts[library->kind][1],
                    library->linked != NULL ? library->linked : "", "\n", NULL);
    }
}

void tell_stall_text(FILE *out, const struct telling *telling)
{
    const struct account *account = telling->account;
    const struct page *page = account->page;

    print_door(out, account->process);
    fprintf(out, ": %s\n", watch_verdict_name(account->verdict));
    print_passing(out, telling->passing);
    for (uint32_t i = 0; i < page->foreign_count && i < PAGE_DRIVERS; ++i)
        escape_each(escape_text, out, "gridlock: what it enqueues by ", page->foreign[i], " is not seen\n", NULL);
    char *why = account_why(account);
    if (account->verdict != WATCH_NOTHING)
        fprintf(out, "  %s\n", why);
    free(why);
    print_threads(out, account);
    for (uint32_t i = 0; i < PAGE_QUEUES; ++i)
        print_queue(out, account, i);
    print_looked(out, account);
    if (!account->asked)
        fputs("  the driver was asked which of these are complete, and has not answered\n", out);
    fflush(out);
}

/* --- whether it fits --- */

void tell_fit_text(FILE *out, const struct watched *process, const struct fitting *fitting)
{
    print_door(out, process);
    escape_each(escape_text, out, ": kernel ", fitting->kernel, " was launched in ", NULL);
    fprintf(out, "%" PRIu64 " group%s of %" PRIu64 ", and ", fitting->groups, text_s(fitting->groups), fitting->items);
    if (fitting->fit > 0) {
        fprintf(out, "%" PRIu64, fitting->fit);
        escape_each(escape_text, out, " fit at once on ", fitting->device, NULL);
    }
    if (fitting->command != NULL)
        escape_each(escape_text, out, fitting->fit > 0 ? "; " : "how many fit is not known; ", fitting->command,
                    " measures it\n", NULL);
    else
        fputs("how many fit is not known: neither is its source\n", out);
    fflush(out);
}

/* --- the end --- */

/* Of the launches that were to be kept; without `whole`, only if some were not. */
static void print_left_out(FILE *out, const struct watched *process, bool whole)
{
    const uint64_t kept = process->page->captured, left_out = process->page->left_out;
    const uint64_t sourceless = process->page->sourceless;

    if (left_out == 0 && process->page->lacking == 0 && (!whole || kept == 0))
        return;
    print_door(out, process);
    fprintf(out, ": kept %" PRIu64 " launch%s", kept, kept == 1 ? "" : "es");
    if (process->page->lacking > 0)
        fprintf(out, ", of which %" PRIu64 " lack%s something that cannot be kept, as launch.json says",
                (uint64_t)process->page->lacking, process->page->lacking == 1 ? "s" : "");
    if (left_out > 0)
        fprintf(out, ", and left out %" PRIu64, left_out);
    if (sourceless > 0)
        fprintf(out,
                ": of %" PRIu64
                " the program was linked of several, or made of binaries, as programs do that keep what they "
                "have built: without these it is built from source",
                sourceless);
    if (left_out > sourceless)
        fprintf(out, "%s%" PRIu64 " could not be written, or there was no room", sourceless > 0 ? "; " : ": ",
                left_out - sourceless);
    fputs("\n", out);
}

/* Something was told of what is stuck now, such as the first launch, which no driver has accepted. */
static bool has_told(const struct ending *ending)
{
    bool told = false;

    for (size_t i = 0; i < ending->list->count; ++i)
        told = told || ending->list->items[i]->told != WATCH_NOTHING;
    return told;
}

void tell_end_text(FILE *out, const struct ending *ending)
{
    const uint64_t launches = ending_launches(ending);

    for (size_t i = 0; i < ending->list->count; ++i) {
        const struct watched *process = ending->list->items[i];
        const struct page_command *runs = ending_runs(process);
        if (runs != NULL) {
            print_door(out, process);
            fputs(": it ended before ", out);
            tell_command(out, runs);
            fputs(" was complete\n", out);
        }
        print_left_out(out, process, ending->whole);
        if (ending->whole && marks_were_wanted(process->page)) {
            print_door(out, process);
            fputs(": ", out);
            tell_marked(out, process->page);
            fputs("\n", out);
        }
        if (ending->whole) {
            print_door(out, process);
            fprintf(out, ": saw %" PRIu64 " launch%s\n", process->page->launches,
                    process->page->launches == 1 ? "" : "es");
        }
    }
    if (launches == 0 && !has_told(ending)) {
        escape_each(escape_text, out, "gridlock: watch, by ", door_words[ending->door], ", saw no launch of ",
                    ending->program, NULL);
        fputs(ending->list->count == 0 && ending->list->unseen == 0
                  ? ending->door == DOOR_LAYER ? ": no process of it called an OpenCL loader that takes layers\n"
                                               : ": no process of it asked an OpenCL loader for drivers there\n"
                  : "\n",
              out);
    }
    if ((launches == 0 && !has_told(ending)) || ending->whole)
        print_passing(out, ending->passing);
    fflush(out);
}

void tell_note_text(FILE *out, enum door door, const char *says, const char *path)
{
    (void)door;
    escape_each(escape_text, out, "gridlock: ", says, path != NULL ? " " : "", path != NULL ? path : "", "\n", NULL);
    fflush(out);
}
