#include "cli/command.h"

#include "base/file.h"
#include "base/shard.h"
#include "cli/options.h"
#include "host/signals.h"
#include "litmus/choose.h"
#include "litmus/classify.h"
#include "litmus/enumerate.h"
#include "litmus/form.h"
#include "litmus/judge.h"
#include "litmus/reader.h"
#include "litmus/suite.h"
#include "litmus/witness.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

enum mode { MODE_NONE, MODE_ENUMERATE, MODE_JUDGE, MODE_PRINT, MODE_CHOOSE };

enum { COUNT_MOST = 1000000 };

/* Which programs are chosen: those that the first guarantees, and the second does not. */
struct guarantee {
    bool given;
    enum litmus_model model;
    enum litmus_fairness fairness;
};

enum litmus_format { LITMUS_FORMAT_TEXT, LITMUS_FORMAT_DOT, LITMUS_FORMAT_C };

struct litmus_options {
    enum mode mode;
    const char *name;      /* of the mode */
    struct operands files; /* that judge and print read; none: the standard input */
    uint64_t threads, instructions, jobs;
    struct shard shard;
    bool witness, format_given;
    uint64_t count, seed; /* of those that are chosen */
    struct guarantee guaranteed, not_guaranteed;
    enum litmus_format format;
};

/* --- options --- */

/* Operands stand one behind the other once they are taken. */
static int take_file(struct litmus_options *options, char **file, struct error *error)
{
    if (options->mode != MODE_JUDGE && options->mode != MODE_PRINT)
        return error_set(error, STATUS_USAGE, "litmus %s: unexpected argument: %.40s", options->name, *file);
    if (options->files.count == 0)
        options->files.words = file;
    options->files.count += 1;
    return 0;
}

static const struct naming modes = NAMING("enumerate", "judge", "print", "choose");

static int take_mode(struct parsing *parsing, char *name)
{
    struct litmus_options *options = parsing->options;

    if (options->mode != MODE_NONE)
        return take_file(options, parsing->word, &parsing->error);
    const int mode = parse_name("litmus", &modes, name, &parsing->error);
    if (mode < 0)
        return -1;
    options->mode = MODE_ENUMERATE + (enum mode)mode;
    options->name = modes.names[mode];
    return 0;
}

static const struct naming litmus_formats = NAMING("text", "dot", "c");

static int take_guarantee(struct parsing *parsing, void *member, char *text)
{
    struct guarantee *guarantee = member;

    guarantee->given = true;
    if (litmus_read_promise(text, &guarantee->model, &guarantee->fairness, &parsing->error) == 0)
        return 0;
    return error_context(&parsing->error, "%s", parsing->name);
}

static int take_shard(struct parsing *parsing, void *shard, char *text)
{
    return shard_parse(text, shard, &parsing->error);
}

/* Options that do not go with the mode, or are missing. */
static int check(struct parsing *parsing)
{
    const struct litmus_options *options = parsing->options;
    struct error *error = &parsing->error;
    char names[64];

    naming_print(&modes, names, sizeof names);
    if (options->mode == MODE_NONE)
        return error_set(error, STATUS_USAGE, "litmus: expected %s", names);
    if (options->mode != MODE_ENUMERATE &&
        (options->threads != 0 || options->instructions != 0 || options->jobs != 0 || options->shard.count != 0))
        return error_set(error, STATUS_USAGE,
                         "litmus %s: --threads, --instructions, --shard and --jobs are for enumerate", options->name);
    if (options->mode != MODE_CHOOSE &&
        (options->count != 0 || options->seed != 0 || options->guaranteed.given || options->not_guaranteed.given))
        return error_set(error, STATUS_USAGE,
                         "litmus %s: --count, --seed, --guaranteed and --not-guaranteed are for choose", options->name);
    if ((options->mode == MODE_ENUMERATE || options->mode == MODE_CHOOSE) &&
        (options->format_given || options->witness))
        return error_set(error, STATUS_USAGE,
                         "litmus %s: --format and --witness are for judge, which reads this output", options->name);
    if (options->mode == MODE_ENUMERATE && (options->threads == 0 || options->instructions == 0))
        return error_set(error, STATUS_USAGE, "litmus enumerate: --threads and --instructions are required");
    if (options->threads > options->instructions)
        return error_set(error, STATUS_USAGE, "litmus enumerate: --instructions must be at least --threads");
    if (options->mode == MODE_PRINT && (options->witness || options->format == LITMUS_FORMAT_DOT))
        return error_set(error, STATUS_USAGE, "litmus print: --witness and --format dot are for judge");
    return 0;
}

#define AT(member) offsetof(struct litmus_options, member)

static const struct command_option options_table[] = {
    {"threads", 0, 1, "N", "enumerate: number of threads in each program", .at = AT(threads), .take = take_number,
     .least = 1, .most = LITMUS_ENUMERATE_INSTRUCTIONS},
    {"instructions", 0, 1, "N", "enumerate: number of instructions in each program, at most 8", .at = AT(instructions),
     .take = take_number, .least = 1, .most = LITMUS_ENUMERATE_INSTRUCTIONS},
    {"shard", 0, 1, "I/N", "enumerate: only part I of N, counted from 0", .at = AT(shard), .take = take_shard},
    {"jobs", 'j', 1, "N", "enumerate: number of host threads to use (default: all processors)", .at = AT(jobs),
     .take = take_number, .least = 1, .most = LITMUS_JOBS},
    {"count", 0, 2, "N", "choose: number of programs, or all if there are fewer (default: all)", .at = AT(count),
     .take = take_number, .least = 1, .most = COUNT_MOST},
    {"seed", 0, 2, "N", "choose: seed of the random choice (default: 0)", .at = AT(seed), .take = take_number,
     .most = UINT32_MAX},
    {"guaranteed", 0, 2, "[:weak|:strong]",
     "choose: only programs that this model guarantees (default fairness: strong)", .at = AT(guaranteed),
     .take = take_guarantee, .names = &litmus_model_naming},
    {"not-guaranteed", 0, 2, "[:weak|:strong]", "choose: only programs that this model does not guarantee",
     .at = AT(not_guaranteed), .take = take_guarantee, .names = &litmus_model_naming},
    {"witness", 0, 3, NULL, "judge: for each model that fails, print a cycle that is fair under it", .at = AT(witness)},
    {"format", 0, 3, NULL, "One program a line, witnesses as Graphviz graphs, or listings (default: text; c for print)",
     .at = AT(format), .names = &litmus_formats, .given = AT(format_given)},
    {0},
};

const struct command_line litmus_words = {
    .options = options_table,
    .operand = take_mode,
    .check = check,
    .modes = &modes,
    .named = "[FILE...]",
    .doc = "Works on small programs whose threads wait for each other, and says which progress models guarantee that "
           "they end. enumerate prints all programs that can tell models apart. judge reads programs, one a line or as "
           "listings, from FILEs or from standard input, and judges them. print writes them as listings. choose picks "
           "programs at random from all those of 2 threads with up to 4 instructions and of 3 threads with 3 and 4. "
           "Needs no device.",
    .notes = "An output line has a program and a field for each model, HSA, OBE, HSA_OBE, LOBE and FAIR: P for "
             "guaranteed or F for not guaranteed, first under weak, then under strong fairness. An instruction is "
             "location,check,exchange,jump; instructions are joined by ; and threads by |. A program may have at most "
             "64 instructions, 16 threads and 524288 states.",
    .statuses = "0 everything was printed; 2 usage error, or a malformed or too large program (those before it were "
                "judged); 3 the tool failed; 130, 143 ended by SIGINT, SIGTERM",
};

/* --- enumerate --- */

static bool is_stopped(void)
{
    return signals_received() != 0;
}

static unsigned processors(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    return (unsigned)(CPU_COUNT(&set) < LITMUS_JOBS ? CPU_COUNT(&set) : LITMUS_JOBS);
}

static int enumerate(const struct litmus_options *options, struct error *error)
{
    const struct litmus_suite suite = {
        .threads = (unsigned)options->threads,
        .instructions = (unsigned)options->instructions,
        .jobs = options->jobs != 0 ? (unsigned)options->jobs : processors(),
        .shard = options->shard,
        .stopped = is_stopped,
    };
    return litmus_suite_write(&suite, stdout, error);
}

/* --- judge, print --- */

static void print_witnesses(const struct litmus_options *options, struct litmus_judge *judge,
                            struct litmus_witness *witness)
{
    for (enum litmus_model model = 0; model < LITMUS_MODELS; ++model)
        if (litmus_witness_find(judge, model, witness))
            (options->format == LITMUS_FORMAT_DOT ? litmus_witness_dot : litmus_witness_text)(stdout, &judge->space,
                                                                                              witness);
}

/* Witnesses and verdicts are comments wherever they are, so that what is printed can be read again. */
static int judge_program(const struct litmus_options *options, struct litmus_judge *judge,
                         struct litmus_witness *witness, const struct litmus_program *program, struct error *error)
{
    struct litmus_verdicts verdicts;
    char line[LITMUS_LINE];

    if (litmus_judge_program(judge, program, &verdicts, error) != 0)
        return -1;
    litmus_line(program, &verdicts, line);
    if (options->format == LITMUS_FORMAT_DOT)
        printf("digraph {\n    label = \"%s\";\n", strtok(line, "\t"));
    else
        printf("%s%s", options->format == LITMUS_FORMAT_C ? "# " : "", line);
    if (options->format == LITMUS_FORMAT_C)
        litmus_print_listing(stdout, program);
    if (options->witness || options->format == LITMUS_FORMAT_DOT)
        print_witnesses(options, judge, witness);
    if (options->format != LITMUS_FORMAT_TEXT)
        fputs(options->format == LITMUS_FORMAT_DOT ? "}\n" : "\n", stdout);
    return 0;
}

static void print_program(const struct litmus_options *options, const struct litmus_program *program)
{
    char text[LITMUS_TEXT];

    litmus_text(program, text);
    if (options->format_given && options->format == LITMUS_FORMAT_TEXT) {
        puts(text);
        return;
    }
    printf("# %s\n", text);
    litmus_print_listing(stdout, program);
    putchar('\n');
}

static int read_stream(const struct litmus_options *options, FILE *in, struct error *error)
{
    static struct litmus_reader reader;
    struct litmus_judge judge = {.space.count = 0};
    struct litmus_witness witness = {.fair = 0};
    struct litmus_program program;
    bool found = true;
    int outcome = 0;

    reader = (struct litmus_reader){.in = in};
    while (outcome == 0 && !ferror(stdout) && !is_stopped()) {
        outcome = litmus_reader_next(&reader, &program, &found, error);
        if (outcome != 0 || !found)
            break;
        if (options->mode == MODE_PRINT)
            print_program(options, &program);
        else if ((outcome = judge_program(options, &judge, &witness, &program, error)) != 0)
            error_context(error, "line %u", reader.first_line);
    }
    litmus_witness_fini(&witness);
    litmus_judge_fini(&judge);
    return outcome;
}

static int read_named(const struct litmus_options *options, const char *name, struct error *error)
{
    const char *reason;

    if (strcmp(name, "-") == 0)
        return read_stream(options, stdin, error);
    FILE *in = file_open(name, &reason);
    if (in == NULL)
        return error_set(error, STATUS_USAGE, "litmus %s: cannot open %.200s: %s", options->name, name, reason);
    const int outcome = read_stream(options, in, error);
    fclose(in);
    return outcome != 0 ? error_context(error, "%.200s", name) : 0;
}

static int read_programs(const struct litmus_options *options, struct error *error)
{
    int outcome = 0;

    if (options->files.count == 0)
        return read_stream(options, stdin, error);
    for (size_t i = 0; i < options->files.count && outcome == 0; ++i)
        outcome = read_named(options, options->files.words[i], error);
    return outcome;
}

/* --- choose --- */

static bool is_wanted(void *context, const struct litmus_verdicts *verdicts)
{
    const struct litmus_options *options = context;
    const struct guarantee *given = &options->guaranteed, *other = &options->not_guaranteed;

    return (!given->given || litmus_guarantees(verdicts, given->model, given->fairness)) &&
           (!other->given || !litmus_guarantees(verdicts, other->model, other->fairness));
}

static int choose(struct litmus_options *options, struct error *error)
{
    struct litmus_choices choices = {.count = 0};
    const size_t count = options->count != 0 ? (size_t)options->count : COUNT_MOST;
    char line[LITMUS_LINE];

    if (litmus_choose_random(&choices, (uint32_t)options->seed, count, is_wanted, options, error) != 0)
        return -1;
    if (choices.count == 0) {
        litmus_choices_fini(&choices);
        return error_set(
            error, STATUS_USAGE,
            "litmus choose: no test is guaranteed by the one and not by the other; a model guarantees what "
            "those that are weaker than it do: hsa, obe, hsa_obe, lobe, fair, the stronger ones last");
    }
    for (size_t i = 0; i < choices.count; ++i) {
        litmus_line(&choices.all[i].program, &choices.all[i].verdicts, line);
        fputs(line, stdout);
    }
    litmus_choices_fini(&choices);
    return 0;
}

int command_litmus(int count, char **arguments)
{
    struct litmus_options options = {.mode = MODE_NONE};
    struct error error;

    parse_arguments(&litmus_words, count, arguments, &options);
    if (options.mode != MODE_CHOOSE)
        signals_defer();
    int outcome = options.mode == MODE_ENUMERATE ? enumerate(&options, &error)
                  : options.mode == MODE_CHOOSE  ? choose(&options, &error)
                                                 : read_programs(&options, &error);
    if (is_stopped())
        outcome = error_set(&error, (enum status)(128 + signals_received()), "interrupted");
    return outcome == 0 ? STATUS_OK : report_error(&error);
}
