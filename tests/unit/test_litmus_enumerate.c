/* The enumeration finds each program that it should, once, and no other; output does not depend on jobs. */
#include "litmus/enumerate.h"
#include "litmus/form.h"
#include "litmus/suite.h"

#include "harness.h"
#include "litmus_brute.h"
#include "litmus_sample.h"

#include <stdio.h>

static struct error error;
static struct brute brute;

/* --- the programs, by generating and testing --- */

static bool is_store(const struct litmus_instruction *instruction, unsigned position)
{
    return instruction->jump == position + 1;
}

/* An instruction of another thread on the location; `branch`: which is no store. */
static bool has_other(const struct litmus_program *program, unsigned thread, unsigned location, bool branch)
{
    for (unsigned t = 0; t < program->threads; ++t)
        for (unsigned i = 0; t != thread && i < program->length[t]; ++i) {
            const struct litmus_instruction *other = &program->code[program->first[t] + i];
            if (other->location == location && (!branch || !is_store(other, i)))
                return true;
        }
    return false;
}

/* Conditions 3, 5, 6 and 7, as far as they do not ask for states. */
static bool has_form(const struct litmus_program *program)
{
    for (unsigned t = 0; t < program->threads; ++t)
        for (unsigned i = 0; i < program->length[t]; ++i) {
            const struct litmus_instruction *in = &program->code[program->first[t] + i];
            const bool writes = in->exchange != LITMUS_NO_EXCHANGE;
            if ((is_store(in, i) && (in->check != 0 || !writes)) ||
                (writes && !has_other(program, t, in->location, true)) ||
                (!is_store(in, i) && !has_other(program, t, in->location, false)))
                return false;
        }
    return program->code[0].location == 0;
}

/* Conditions 4 and 5, of the states. */
static bool is_executed(const struct litmus_program *program)
{
    for (unsigned t = 0; t < program->threads; ++t)
        for (unsigned i = 0; i < program->length[t]; ++i) {
            const struct litmus_instruction *in = &program->code[program->first[t] + i];
            bool equal = false, other = false, changes = false;
            for (int s = 0; s < brute.count; ++s) {
                if (brute.states[s].at[t] != i)
                    continue;
                equal = equal || brute.read[s][t] == in->check;
                other = other || brute.read[s][t] != in->check;
                changes = changes || brute.read[s][t] != in->exchange;
            }
            if ((!equal && !other) || (!is_store(in, i) && (!equal || !other)) || !changes)
                return false;
        }
    return true;
}

/* A state can be reached from another by at least one step; `ended`: any in which all have ended. */
static bool leads_to(int from, int to, bool ended)
{
    static bool seen[BRUTE_STATES];
    static int way[BRUTE_STATES];
    int end = 1;

    memset(seen, 0, sizeof seen);
    way[0] = from;
    for (int i = 0; i < end; ++i) {
        if (ended && brute_all_ended(&brute, way[i]))
            return true;
        for (unsigned t = 0; t < brute.program->threads; ++t) {
            const int next = brute.next[way[i]][t];
            if (!ended && next == to)
                return true;
            if (next >= 0 && !seen[next]) {
                seen[next] = true;
                way[end++] = next;
            }
        }
    }
    return false;
}

static bool belongs(const struct litmus_program *program)
{
    bool has_cycle = false;

    if (!has_form(program))
        return false;
    brute_explore(&brute, program, false);
    if (!is_executed(program))
        return false;
    for (int s = 0; s < brute.count; ++s) {
        if (!leads_to(s, s, true))
            return false;
        has_cycle = has_cycle || leads_to(s, s, false);
    }
    return has_cycle;
}

struct list {
    char (*texts)[64];
    size_t count;
};

static void add_text(struct list *list, const struct litmus_program *program)
{
    char text[LITMUS_TEXT];

    if (list->count % 1024 == 0) {
        list->texts = realloc(list->texts, (list->count + 1024) * sizeof *list->texts);
        ck_assert_ptr_nonnull(list->texts);
    }
    ck_assert_uint_lt(litmus_text(program, text), sizeof list->texts[0]);
    strcpy(list->texts[list->count++], text);
}

static void generate(struct litmus_program *program, unsigned at, unsigned total, struct list *list)
{
    unsigned thread = program->threads - 1;

    if (at == total) {
        if (belongs(program))
            add_text(list, program);
        return;
    }
    while (program->first[thread] > at)
        --thread;
    for (unsigned i = 0; i < 12 * (program->length[thread] + 1u); ++i) {
        program->code[at] = (struct litmus_instruction){(uint8_t)(i & 1), (uint8_t)(i >> 1 & 1),
                                                        (uint8_t)((i >> 2) % 3), (uint8_t)((i >> 2) / 3)};
        generate(program, at + 1, total, list);
    }
}

/* All lengths of this thread and of those behind it. */
static void generate_all(struct litmus_program *program, unsigned thread, unsigned left, struct list *list)
{
    const unsigned behind = program->threads - 1 - thread;

    for (unsigned length = 1; length + behind <= left; ++length) {
        program->length[thread] = (uint8_t)(behind > 0 ? length : left);
        if (behind > 0)
            generate_all(program, thread + 1, left - length, list);
        else {
            generate(program, 0, litmus_lay_out(program), list);
            return;
        }
    }
}

/* --- the programs, by the enumeration --- */

static bool found(void *context, const struct litmus_program *program)
{
    add_text(context, program);
    return true;
}

static void enumerate(unsigned threads, unsigned instructions, struct list *list)
{
    const struct litmus_visitor visitor = {list, sample_begin_part, sample_end_part, found};
    litmus_enumerate(threads, instructions, &visitor);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void sort(struct list *list)
{
    if (list->count > 0)
        qsort(list->texts, list->count, sizeof *list->texts, compare_texts);
}

/* --- tests --- */

START_TEST(programs_are_those_of_generating_and_testing)
{
    static const struct {
        unsigned threads, instructions;
        size_t count;
    } cases[] = {{1, 1, 0}, {1, 2, 0}, {2, 2, 8}, {2, 3, 162}, {3, 3, 60}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct litmus_program program = {.threads = cases[i].threads};
        struct list naive = {NULL, 0}, list = {NULL, 0};
        generate_all(&program, 0, cases[i].instructions, &naive);
        enumerate(cases[i].threads, cases[i].instructions, &list);
        ck_assert_uint_eq(naive.count, cases[i].count);
        ck_assert_uint_eq(list.count, cases[i].count);
        sort(&naive);
        sort(&list);
        for (size_t j = 0; j < list.count; ++j)
            ck_assert_str_eq(list.texts[j], naive.texts[j]);
        free(naive.texts);
        free(list.texts);
    }
}
END_TEST

/* Programs that were not there, that were there, and what keeps them out. */
START_TEST(each_condition_keeps_programs_out)
{
    static const struct {
        const char *text;
        bool belongs;
    } cases[] = {
        {"0,1,1,0;0,0,0,2|0,1,1,0;0,0,0,2", true},
        {"0,0,-,0|0,0,-,0", false},         /* 1: it never ends */
        {"0,0,1,1|0,0,-,1", false},         /* 2: no cycle */
        {"0,1,1,1|0,0,-,0", false},         /* 3: a store with check 1 */
        {"0,0,-,0;0,0,-,0|0,0,1,1", false}, /* 4: the second one never reads 0 */
        {"0,0,1,1|0,0,-,0;0,0,1,2", false}, /* 5: writes what is there */
        {"0,0,-,0;1,0,1,2|0,0,1,1", false}, /* 5: nobody looks at y */
        {"0,0,-,0;1,0,-,0|0,0,1,1", false}, /* 6: nobody else uses y */
        {"1,0,-,0|1,0,1,1", false},         /* 7: locations renamed */
        {"0,0,-,0|0,0,1,1", true},
    };
    struct list list = {NULL, 0};

    for (unsigned instructions = 2; instructions <= 4; ++instructions)
        enumerate(2, instructions, &list);
    sort(&list);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[64];
        strcpy(text, cases[i].text);
        const bool there = bsearch(text, list.texts, list.count, sizeof *list.texts, compare_texts) != NULL;
        ck_assert_msg(there == cases[i].belongs, "%s", text);
    }
    free(list.texts);
}
END_TEST

/* For the same lengths of threads the texts rise, so none comes twice. */
START_TEST(programs_come_in_order)
{
    for (unsigned threads = 2; threads <= 3; ++threads) {
        struct list list = {NULL, 0};
        size_t steps_back = 0;
        enumerate(threads, 4, &list);
        ck_assert_uint_eq(list.count, threads == 2 ? 6610 : 4146);
        for (size_t i = 1; i < list.count; ++i)
            steps_back += strcmp(list.texts[i - 1], list.texts[i]) >= 0;
        ck_assert_uint_eq(steps_back, 2); /* there are three ways to divide the instructions */
        free(list.texts);
    }
}
END_TEST

/* --- as lines --- */

static bool stop_at_once(void)
{
    return true;
}

static char *lines_of(struct litmus_suite suite, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);

    ck_assert_ptr_nonnull(out);
    ck_assert_msg(litmus_suite_write(&suite, out, &error) == 0, "%s", error.text);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

static size_t count_lines(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; ++text)
        count += *text == '\n';
    return count;
}

START_TEST(lines_do_not_depend_on_jobs)
{
    for (unsigned threads = 2; threads <= 3; ++threads) {
        size_t length, other_length;
        char *one = lines_of((struct litmus_suite){.threads = threads, .instructions = 4, .jobs = 1}, &length);
        for (unsigned jobs = 2; jobs <= 16; jobs *= 2) {
            char *other =
                lines_of((struct litmus_suite){.threads = threads, .instructions = 4, .jobs = jobs}, &other_length);
            ck_assert_uint_eq(other_length, length);
            ck_assert_mem_eq(other, one, length);
            free(other);
        }
        free(one);
    }
}
END_TEST

START_TEST(shards_together_are_the_whole)
{
    size_t length, sum = 0, lines = 0;
    char *whole = lines_of((struct litmus_suite){.threads = 2, .instructions = 4, .jobs = 3}, &length);

    for (uint32_t i = 0; i < 3; ++i) {
        size_t part_length;
        char *rest = NULL;
        char *part = lines_of(
            (struct litmus_suite){.threads = 2, .instructions = 4, .jobs = 2, .shard = {.index = i, .count = 3}},
            &part_length);
        ck_assert_uint_gt(part_length, 0);
        sum += part_length;
        lines += count_lines(part);
        for (char *line = strtok_r(part, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
            ck_assert_ptr_nonnull(strstr(whole, line));
        free(part);
    }
    ck_assert_uint_eq(sum, length);
    ck_assert_uint_eq(lines, 6610);
    free(whole);
}
END_TEST

/* The figure that is known of the programs of up to four instructions, but (2,2) ... (3,4) and not (4,4). */
START_TEST(as_many_need_fairness_for_all_as_is_known)
{
    static const unsigned bounds[][2] = {{2, 2}, {2, 3}, {2, 4}, {3, 3}, {3, 4}};
    size_t all = 0, need_all = 0;

    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; ++i) {
        size_t length;
        char *rest = NULL;
        char *text =
            lines_of((struct litmus_suite){.threads = bounds[i][0], .instructions = bounds[i][1], .jobs = 2}, &length);
        for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
            ++all;
            need_all += strstr(line, "\tLOBE=FF\tFAIR=") != NULL && line[strlen(line) - 1] == 'P';
        }
        free(text);
    }
    ck_assert_uint_eq(all, 10986);
    ck_assert_uint_eq(need_all, 2544);
}
END_TEST

START_TEST(a_suite_can_be_stopped)
{
    size_t length = 1;
    char *text =
        lines_of((struct litmus_suite){.threads = 2, .instructions = 8, .jobs = 4, .stopped = stop_at_once}, &length);
    ck_assert_uint_eq(length, 0);
    free(text);
}
END_TEST

START_TEST(a_suite_ends_when_nothing_can_be_written)
{
    FILE *full = fopen("/dev/full", "w");
    const struct litmus_suite suite = {.threads = 2, .instructions = 5, .jobs = 4};

    ck_assert_ptr_nonnull(full);
    ck_assert_int_eq(litmus_suite_write(&suite, full, &error), 0);
    ck_assert_int_ne(ferror(full), 0);
    fclose(full);
}
END_TEST

HARNESS_MAIN("litmus enumerate", programs_are_those_of_generating_and_testing, each_condition_keeps_programs_out,
             programs_come_in_order, lines_do_not_depend_on_jobs, shards_together_are_the_whole,
             as_many_need_fairness_for_all_as_is_known, a_suite_can_be_stopped,
             a_suite_ends_when_nothing_can_be_written)
