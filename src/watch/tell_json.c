#include "watch/tell.h"

#include "format/escape.h"
#include "watch/fitting.h"
#include "watch/tell_look.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void write_text(FILE *out, const char *name, const char *value)
{
    fprintf(out, "\"%s\":", name);
    escape_json(out, value);
}

static void write_sizes(FILE *out, const char *name, const uint64_t sizes[3], uint32_t count)
{
    fprintf(out, ",\"%s\":[", name);
    for (uint32_t i = 0; i < count; ++i)
        fprintf(out, "%s%" PRIu64, i > 0 ? "," : "", sizes[i]);
    fputs("]", out);
}

static void write_command(FILE *out, const struct page_command *command)
{
    fprintf(out, "\"queue\":%" PRIu32 ",\"number\":%" PRIu64 ",", command->queue + 1, command->sequence);
    write_text(out, "does", call_facts[command->call].does);
    fprintf(out, ",\"thread\":%" PRIu32, command->tid);
    if (command->kernel[0] == '\0')
        return;
    fputs(",", out);
    write_text(out, "kernel", command->kernel);
    write_sizes(out, "global", command->global, command->dimensions);
    if (command_groups(command) > 0) {
        write_sizes(out, "local", command->local, command->dimensions);
        fprintf(out, ",\"groups\":%" PRIu64, command_groups(command));
    }
    fputs(",\"arguments\":[", out);
    for (uint32_t i = 0; i < command->argument_count; ++i) {
        const struct page_argument *argument = &command->arguments[i];
        fprintf(out, "%s{\"bytes\":%" PRIu32, i > 0 ? "," : "", argument->size);
        if (argument->size > 0 && argument->local == 0)
            fprintf(out, ",\"value\":\"0x%" PRIx64 "\"", argument->value);
        fprintf(out, ",\"local\":%s}", argument->local != 0 ? "true" : "false");
    }
    fputs("]", out);
}

static void write_waits(FILE *out, const struct page *page, const uint64_t *events, uint32_t count)
{
    bool first = true;

    fputs(",\"waits_for\":[", out);
    for (uint32_t i = 0; i < count && i < PAGE_WAITS; ++i) {
        const struct page_command *command = page_command_of(page, events[i]);
        const struct page_user_event *gate = page_gate(page, events[i]);
        if (command == NULL && gate == NULL)
            continue;
        fputs(first ? "" : ",", out);
        first = false;
        if (command != NULL)
            fprintf(out, "{\"queue\":%" PRIu32 ",\"number\":%" PRIu64 "}", command->queue + 1, command->sequence);
        else
            fprintf(out, "{\"user_event\":\"0x%" PRIx64 "\",\"made_by\":%" PRIu32 "}", gate->handle, gate->tid);
    }
    fputs("]", out);
}

static void write_seconds(FILE *out, uint64_t ns)
{
    fputs(",\"for_s\":", out);
    escape_decimal(out, (double)ns / 1e9, 3);
}

static void write_threads(FILE *out, const struct account *account)
{
    const struct page *page = account->page;
    bool first = true;

    fputs(",\"threads\":[", out);
    for (size_t i = 0; i < PAGE_THREADS; ++i) {
        const struct page_thread *thread = &page->threads[i];
        if (thread->tid == 0)
            continue;
        fprintf(out, "%s{\"thread\":%" PRIu32, first ? "" : ",", thread->tid);
        first = false;
        if (thread->call != CALL_NONE) {
            fputs(",", out);
            write_text(out, "call", call_facts[thread->call].name);
            for (uint32_t k = 0; k < PAGE_QUEUES && thread->object != 0; ++k)
                if (page->queues[k].handle == thread->object)
                    fprintf(out, ",\"queue\":%" PRIu32, k + 1);
            write_waits(out, page, (const uint64_t *)(const void *)thread->waited, thread->waits);
            write_seconds(out, account->process->now_ns - account->process->threads[i].when_ns);
        }
        fputs("}", out);
    }
    fputs("]", out);
}

static void write_marks(FILE *out, const struct account *account, const struct page_command *command)
{
    const enum page_marks unknown = marks_unknown(account, command);
    struct marks marks;

    if (unknown != PAGE_MARKED) {
        fputs(",", out);
        write_text(out, "not_marked", marks_facts[unknown].name);
    }
    if (!marks_read(&marks, account, command))
        return;
    fprintf(out, ",\"started\":%" PRIu64 ",\"not_started\":[", marks.started);
    for (size_t i = 0; i < marks.count; ++i)
        fprintf(out, "%s[%" PRIu64 ",%" PRIu64 "]", i > 0 ? "," : "", marks.ranges[i].first, marks.ranges[i].last);
    fputs("]", out);
}

static void write_marked(FILE *out, const struct page *page)
{
    bool first = true;

    fputs(",\"marks\":{", out);
    for (int i = 0; i < PAGE_MARKS_COUNT; ++i)
        if (page->marked[i] > 0) {
            fprintf(out, "%s\"%s\":%" PRIu64, first ? "" : ",", marks_facts[i].name, (uint64_t)page->marked[i]);
            first = false;
        }
    fputs("}", out);
}

static void write_commands(FILE *out, const struct account *account)
{
    const struct page *page = account->page;
    bool comma = false;

    fputs(",\"commands\":[", out);
    for (uint32_t i = 0; i < PAGE_QUEUES; ++i) {
        size_t count;
        uint32_t *commands = page_commands(page, i, &count);
        for (size_t k = 0; k < count; ++k, comma = true) {
            const struct page_command *command = &page->commands[commands[k]];
            fputs(comma ? ",{" : "{", out);
            write_command(out, command);
            fprintf(out, ",\"flushed\":%s", command->sequence <= page->queues[i].flushed ? "true" : "false");
            write_waits(out, page, command->waits, command->wait_count);
            write_marks(out, account, command);
            fputs("}", out);
        }
        free(commands);
    }
    fputs("]", out);
}

static void write_queues(FILE *out, const struct account *account)
{
    bool first = true;

    fputs(",\"queues\":[", out);
    for (uint32_t i = 0; i < PAGE_QUEUES; ++i) {
        const struct page_queue *queue = &account->page->queues[i];
        if (queue->handle == 0)
            continue;
        fprintf(out, "%s{\"queue\":%" PRIu32 ",", first ? "" : ",", i + 1);
        first = false;
        write_text(out, "device", queue->device);
        fprintf(out, ",\"out_of_order\":%s,\"accepted\":%" PRIu64 ",\"not_followed\":%" PRIu32 "}",
                queue->out_of_order != 0 ? "true" : "false", queue->accepted, queue->lost);
    }
    fputs("]", out);
}

static void write_head(FILE *out, const char *kind, bool layer)
{
    fprintf(out, "{\"schema_version\":\"1\",\"kind\":\"%s\",\"door\":\"%s\"", kind, layer ? "layer" : "driver");
}

static void write_process(FILE *out, const struct watched *process)
{
    fprintf(out, "\"process\":%ld,", (long)process->pid);
    write_text(out, "name", process->name);
    fprintf(out, ",\"launches\":%" PRIu64, process->page->launches);
}

/* The first one with its path that passes. */
static bool is_first_passing(const struct passing *passing, size_t index)
{
    const struct passing_library *library = &passing->libraries[index], *first = passing->libraries;

    while (first->kind == PASSING_ABSENT || strcmp(first->path, library->path) != 0)
        ++first;
    return first == library;
}

/* Libraries whose calls are not seen; and loaders that have not come to the door. */
static void write_passing(FILE *out, const struct passing *passing)
{
    const char *between = "";

    fputs(",\"passing\":[", out);
    for (size_t i = 0; i < passing->count; ++i) {
        if (passing->libraries[i].kind == PASSING_ABSENT || !is_first_passing(passing, i))
            continue;
        fputs(between, out);
        escape_json(out, passing->libraries[i].path);
        between = ",";
    }
    fputs("],\"absent\":[", out);
    between = "";
    for (size_t i = 0; i < passing->count; ++i) {
        if (passing->libraries[i].kind != PASSING_ABSENT)
            continue;
        fprintf(out, "%s{\"process\":%ld,\"library\":", between, (long)passing->libraries[i].process);
        escape_json(out, passing->libraries[i].path);
        fputs("}", out);
        between = ",";
    }
    fputs("]", out);
}

void tell_stall_json(FILE *out, const struct telling *telling)
{
    const struct account *account = telling->account;

    write_head(out, "stall", account->process->page->layer != 0);
    fputs(",", out);
    write_process(out, account->process);
    fprintf(out, ",\"verdict\":\"%s\",\"alarm\":%s", watch_verdict_name(account->verdict),
            account->verdict > WATCH_LONG ? "true" : "false");
    if (account->verdict != WATCH_NOTHING) {
        fputs(",", out);
        char *why = account_why(account);
        write_text(out, "why", why);
        free(why);
    }
    if (account->look != NULL) {
        fputs(",\"look\":", out);
        tell_look_object(out, account->look);
    }
    if (account->unlooked != NULL) {
        fputs(",", out);
        write_text(out, "not_looked", account->unlooked);
    }
    fprintf(out, ",\"asked\":%s", account->asked ? "true" : "false");
    write_threads(out, account);
    write_queues(out, account);
    write_commands(out, account);
    write_passing(out, telling->passing);
    fputs("}\n", out);
    fflush(out);
}

void tell_fit_json(FILE *out, const struct watched *process, const struct fitting *fitting)
{
    write_head(out, "fit", process->page->layer != 0);
    fputs(",", out);
    write_process(out, process);
    fputs(",", out);
    write_text(out, "kernel", fitting->kernel);
    fputs(",", out);
    write_text(out, "device", fitting->device);
    fprintf(out, ",\"groups\":%" PRIu64 ",\"items\":%" PRIu64, fitting->groups, fitting->items);
    if (fitting->fit > 0)
        fprintf(out, ",\"fit\":%" PRIu64, fitting->fit);
    if (fitting->command != NULL) {
        fputs(",", out);
        write_text(out, "command", fitting->command);
    }
    fputs("}\n", out);
    fflush(out);
}

void tell_end_json(FILE *out, const struct ending *ending)
{
    write_head(out, "end", ending->door == DOOR_LAYER);
    fputs(",", out);
    write_text(out, "program", ending->program);
    fprintf(out, ",\"status\":%d,\"launches\":%" PRIu64 ",\"processes\":[", ending->status, ending_launches(ending));
    for (size_t i = 0; i < ending->list->count; ++i) {
        const struct watched *process = ending->list->items[i];
        const struct page_command *runs = ending_runs(process);
        fputs(i > 0 ? ",{" : "{", out);
        write_process(out, process);
        fprintf(out, ",\"captured\":%" PRIu64 ",\"lacking\":%" PRIu64 ",\"left_out\":%" PRIu64,
                (uint64_t)process->page->captured, (uint64_t)process->page->lacking, (uint64_t)process->page->left_out);
        if (marks_were_wanted(process->page))
            write_marked(out, process->page);
        if (runs != NULL) {
            fputs(",\"not_complete\":{", out);
            write_command(out, runs);
            fputs("}", out);
        }
        fputs("}", out);
    }
    fputs("]", out);
    write_passing(out, ending->passing);
    fputs("}\n", out);
    fflush(out);
}

void tell_none_json(FILE *out, const struct ending *so_far)
{
    write_head(out, "none", so_far->door == DOOR_LAYER);
    fputs(",", out);
    write_text(out, "program", so_far->program);
    write_passing(out, so_far->passing);
    fputs("}\n", out);
    fflush(out);
}

void tell_note_json(FILE *out, enum door door, const char *says, const char *path)
{
    write_head(out, "note", door == DOOR_LAYER);
    fputs(",", out);
    write_text(out, "says", says);
    fputs(",\"run_file\":", out);
    if (path != NULL)
        escape_json(out, path);
    else
        fputs("null", out);
    fputs("}\n", out);
    fflush(out);
}
