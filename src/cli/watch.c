#include "cli/command.h"

#include "cli/options.h"
#include "cli/watch_file.h"
#include "cli/watch_program.h"
#include "watch/sight.h"
#include "watch/tell_look.h"

#include <stdio.h>
#include <stdlib.h>

enum { PROCESS_MOST = 4194304 /* Linux has no higher id */ };

static const double deadline_most_s = 1e6;

static const struct naming doors = NAMING("driver", "layer");
static const struct naming actions = NAMING("report", "end", "core");

struct watch_options {
    uint64_t process;
    bool given;
    const char *first; /* the first option given that is of a program to be run */
    struct watch_program_options program;
};

static int check(struct parsing *parsing)
{
    const struct watch_options *const options = parsing->options;
    const struct operands *const words = &options->program.program;

    if (!options->given && words->count == 0)
        refuse_usage(parsing, "expected --pid, or a program to run");
    if (options->given && words->count > 0)
        refuse_usage(parsing, "expected no arguments behind --pid, but found \"%.60s\"", words->words[0]);
    if (options->given && options->first != NULL)
        refuse_usage(parsing, "--%s is for a program to be run, and --pid names one that runs", options->first);
    return 0;
}

/* Seconds, with a fraction. */
static int take_deadline(struct parsing *parsing, void *member, char *argument)
{
    char *end;
    const double seconds = strtod(argument, &end);

    if (end == argument || *end != '\0' || !(seconds >= 0.001 && seconds <= deadline_most_s))
        return error_set(&parsing->error, STATUS_USAGE, "%s %.40s: expected seconds, from 0.001 to %.0f", parsing->name,
                         argument, deadline_most_s);
    *(uint64_t *)member = (uint64_t)(seconds * 1e9);
    return 0;
}

#define AT(member) offsetof(struct watch_options, member)

static const struct command_option table[] = {
    {"pid", 0, 1, "PID", "Look at this process, which runs already and need not have been prepared", .at = AT(process),
     .take = take_number, .least = 1, .most = PROCESS_MOST, .given = AT(given)},
    {"deadline", 0, 2, "S", "Say so when a call or a command has waited for so long (default: 10)",
     .at = AT(program.deadline_ns), .take = take_deadline, .first = AT(first)},
    {"on-stall", 0, 2, NULL,
     "Do this about a deadlock, or a stall of the host: report it (default); end the program, with SIGTERM and then "
     "SIGKILL; or have it leave a core file by SIGABRT first",
     .at = AT(program.on_stall), .names = &actions, .first = AT(first)},
    {"door", 0, 2, NULL,
     "See the program as a driver that stands before the real ones (default), or as a layer of its OpenCL loader",
     .at = AT(program.door), .names = &doors, .first = AT(first)},
    {"summary", 0, 2, NULL, "Say in the end how many launches of each process were seen", .at = AT(program.summary),
     .first = AT(first)},
    {"marks", 0, 2, NULL,
     "Launch copies of kernels that mark which of their groups have started, on CPU devices, where the source is "
     "known; what a kernel, or a function of the driver's in it, writes outside of its variables may hit others there",
     .at = AT(program.marks), .first = AT(first)},
    {"lines", 0, 2, NULL,
     "Have PoCL keep debug information, so that it is said at which line a kernel goes round; before version 6 it then "
     "optimizes nothing, so that what the program launches is other, slower code",
     .at = AT(program.lines), .first = AT(first)},
    {"capture", 0, 2, "DIR",
     "Keep launches in folders of DIR, for gridlock replay: the first of each kernel with each size, 256 of a process "
     "at most",
     .at = AT(program.capture), .first = AT(first)},
    {"capture-kernel", 0, 2, "NAME[:N]",
     "With --capture: of the first N launches of this kernel (default: 1) also what memory holds before them, up to 1 "
     "GiB in all",
     .at = AT(program.capture_kernel), .first = AT(first)},
    {"run", 'o', 11, "FILE",
     "Run file for what is told; it must not exist (default: a new one in the user's state directory, once there is "
     "something to tell; with --pid: none)",
     .at = AT(program.run), .take = take_run_file},
    {"log", 0, 2, "FILE", "Write all that is said to FILE instead of standard error", .at = AT(program.log),
     .first = AT(first)},
    {"format", 0, 11, NULL, "Print text (default) or JSON, a line for each look", .at = AT(program.format),
     .names = &text_formats},
    {0},
};

const struct command_line watch_line = {
    .options = table,
    .operands = AT(program.program),
    .runs = true,
    .named = "[--] [PROGRAM [ARG...]]",
    .check = check,
    .doc =
        "Says why a program that uses OpenCL does not get on. With --pid, of one that runs already: which kernels it "
        "runs, whether these can end by themselves, and which of its threads is in which call of OpenCL. The program "
        "is looked at from outside, is stopped for some milliseconds, and goes on; nothing of it is changed. That "
        "kernels on a CPU wait for ever is proved, not guessed from time: a copy of each thread takes its next "
        "instructions until it is where it was, with the same registers, and has changed nothing. On a GPU only the "
        "program's threads are seen. Needs x86-64.",
    .notes =
        "A PROGRAM is run, reads and writes as it would without, gets the signals that gridlock gets, and goes on if "
        "gridlock is killed; SIGUSR1 has gridlock say at once what it does. A driver of ours, which the OpenCL loader "
        "finds by OCL_ICD_VENDORS, stands before the real ones, and notes calls and commands; what goes past it is "
        "named. An alarm is raised for what was proved alone: \"deadlock\", kernels only go round, as with --pid, and "
        "each other thread sleeps until another one wakes it; \"host\", each sleeps so, and a user event was never "
        "set, or a queue never flushed. All else is \"long\". A setuid program is refused: its loader does not go by "
        "the environment. A program of 32 bits runs as if nobody watched it, and is not seen. The exit status is that "
        "of the program, or 128 and the signal that ended it; 126 if it cannot be run, 127 if there is none.",
    .statuses =
        "0 it may go on, or nothing is known; 1 a deadlock: it cannot go on; 2 usage error, or there is no such "
        "process, it may not be looked at, or it uses no OpenCL; 3 the tool failed; 75 it cannot be judged now; "
        "77 it cannot be looked at on this machine",
};

static int status_of(const struct look *look)
{
    switch (look->verdict) {
    case LOOK_DEADLOCK:
    case LOOK_HOST:
        return STATUS_SURPRISE;
    case LOOK_INCONCLUSIVE:
        return STATUS_STOPPED;
    default:
        return STATUS_OK;
    }
}

static int keep_look(struct watch_file *file, const struct look *look, struct error *error)
{
    const struct watch_keeper *keeper = &file->request->keeper;
    struct sighting sighting;

    sight_look(&sighting, look);
    keeper->keep(keeper->context, &sighting);
    sighting_fini(&sighting);
    watch_file_end(file, true);
    *error = file->why;
    return file->failed ? -1 : 0;
}

static int look_at_process(const struct watch_options *options, struct watch_file *file, struct error *error)
{
    struct look look = {0};
    int status = -1;

    if (look_at(&look, (pid_t)options->process, LOOK_THOROUGH, error) == 0) {
        (options->program.format == FORMAT_JSON ? tell_look_json : tell_look_text)(stdout, &look);
        status = file->path == NULL || keep_look(file, &look, error) == 0 ? status_of(&look) : -1;
    } else if (file->path != NULL)
        watch_file_end(file, false);
    look_fini(&look);
    return status;
}

static int watch_process(const struct watch_options *options)
{
    static char name[] = "--pid";
    char process[24];
    char *words[] = {name, process, NULL};
    struct watch_request request = {.words = words};
    struct watch_file file = {.path = options->program.run};
    struct error error;
    int status = -1;

    snprintf(process, sizeof process, "%llu", (unsigned long long)options->process);
    if (look_available(&error) == 0 && (file.path == NULL || watch_file_begin(&file, &request, &error) == 0))
        status = look_at_process(options, &file, &error);
    return status >= 0 ? status : report_error(&error);
}

static int run_program(const struct watch_options *options)
{
    struct error error;
    const int status = watch_program(&options->program, &error);

    return status >= 0 ? status : report_error(&error);
}

int command_watch(int count, char **arguments)
{
    struct watch_options options = {.first = NULL};

    parse_arguments(&watch_line, count, arguments, &options);
    return options.given ? watch_process(&options) : run_program(&options);
}
