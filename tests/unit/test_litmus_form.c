/* Litmus programs as text: what is written is read again, and what is malformed is refused where it is. */
#include "litmus/form.h"
#include "litmus/reader.h"

#include "harness.h"
#include "litmus_brute.h"

#include <stdio.h>

static struct error error;

typedef int (*read_form)(struct litmus_cursor *cursor, struct litmus_program *program, struct error *error);

static int read_with(read_form read, const char *text, struct litmus_program *program)
{
    struct litmus_cursor cursor = {.at = text, .line_start = text, .line = 1};
    memset(program, 0, sizeof *program);
    return read(&cursor, program, &error);
}

/* Fails unless the text is refused there. */
static void check_refused(read_form read, const char *text, unsigned line, unsigned column, const char *words)
{
    struct litmus_program program;
    char place[64];

    snprintf(place, sizeof place, "line %u, column %u: ", line, column);
    ck_assert_msg(read_with(read, text, &program) == -1, "%s", text);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_msg(strncmp(error.text, place, strlen(place)) == 0, "%s: %s, not %s", text, error.text, place);
    ck_assert_msg(strstr(error.text, words) != NULL, "%s: %s", text, error.text);
}

/* --- the text form --- */

START_TEST(malformed_text_is_refused)
{
    static const struct {
        const char *text;
        unsigned column;
        const char *words;
    } cases[] = {
        {"", 1, "location"},
        {"2,0,-,0", 1, "location"},
        {"x,0,-,0", 1, "location"},
        {"-,0,-,0", 1, "location"},
        {"0", 2, "\",\""},
        {"0;0", 2, "\",\""},
        {"00,0,-,0", 2, "\",\""},
        {"0,2,-,0", 3, "check"},
        {"0,-,-,0", 3, "check"},
        {"0,0,2,0", 5, "exchange"},
        {"0,0,,0", 5, "exchange"},
        {"0,0,--,0", 6, "\",\""},
        {"0,0,-", 6, "\",\""},
        {"0,0,-,", 7, "number"},
        {"0,0,-,-1", 7, "number"},
        {"0,0,-,a", 7, "number"},
        {"0,0,-,00", 7, "leading"},
        {"0,0,-,01", 7, "leading"},
        {"0,0,-,100", 7, "two digits"},
        {"0,0,-,2", 7, "jump to 2"},
        {"0,0,-,0;0,0,-,3|0,0,-,0", 15, "jump to 3"},
        {"0,0,-,99", 7, "jump to 99"},
        {"0,0,-,0,", 8, "end of the line"},
        {"0,0,-,0 0", 9, "end of the line"},
        {"0,0,-,0;", 9, "location"},
        {"0,0,-,0|", 9, "location"},
        {"|0,0,-,0", 1, "location"},
        {"0,0,-,0||0,0,-,0", 9, "location"},
        {"0,0,-,0; 0,0,-,0", 9, "location"},
        {"0,0,-,0\tHSA=PX", 8, "verdicts"},
        {"0,0,-,0\tABC=PF", 8, "verdicts"},
        {"0,0,-,0\tHSA=PF\tX", 15, "verdicts"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        check_refused(litmus_read_text, cases[i].text, 1, cases[i].column, cases[i].words);
}
END_TEST

START_TEST(too_many_threads_or_instructions_are_refused)
{
    struct litmus_program program;
    char text[8 * 66 + 1] = "";

    for (unsigned i = 0; i < 16; ++i)
        strcat(text, i == 0 ? "0,0,-,0" : "|0,0,-,0");
    ck_assert_int_eq(read_with(litmus_read_text, text, &program), 0);
    ck_assert_uint_eq(program.threads, 16);
    strcat(text, "|0,0,-,0");
    check_refused(litmus_read_text, text, 1, 16 * 8 + 1, "16 threads");
    text[0] = '\0';
    for (unsigned i = 0; i < 64; ++i)
        strcat(text, i == 0 ? "0,0,-,0" : ";0,0,-,0");
    ck_assert_int_eq(read_with(litmus_read_text, text, &program), 0);
    ck_assert_uint_eq(program.length[0], 64);
    strcat(text, ";0,0,-,0");
    check_refused(litmus_read_text, text, 1, 64 * 8 + 1, "64 instructions");
}
END_TEST

START_TEST(text_is_read)
{
    struct litmus_program program;

    ck_assert_int_eq(read_with(litmus_read_text, "0,1,-,2;1,0,0,0|1,1,1,1\tHSA=PF\tFAIR=PP \r\n", &program), 0);
    ck_assert_uint_eq(program.threads, 2);
    ck_assert_uint_eq(program.length[0], 2);
    ck_assert_uint_eq(program.length[1], 1);
    const struct litmus_instruction expected[] = {{0, 1, LITMUS_NO_EXCHANGE, 2}, {1, 0, 0, 0}, {1, 1, 1, 1}};
    ck_assert_mem_eq(program.code, expected, sizeof expected);
    ck_assert_ptr_eq(litmus_instruction(&program, 1, 0), &program.code[2]);
}
END_TEST

/* --- the listing --- */

START_TEST(malformed_listing_is_refused)
{
    static const struct {
        const char *text;
        unsigned line, column;
        const char *words;
    } cases[] = {
        {"threads 0 {", 1, 1, "\"thread\""},
        {"thread 1 {", 1, 8, "thread 0"},
        {"thread x {", 1, 8, "number"},
        {"thread 0", 1, 9, "\"{\""},
        {"thread 0 {}", 1, 11, "label"},
        {"thread 0 { L1: x = 0; }", 1, 12, "L0"},
        {"thread 0 {\n  L0 x = 0;\n}", 2, 6, "\":\""},
        {"thread 0 {\n  L0: x = 2;\n}", 2, 11, "0 or 1"},
        {"thread 0 {\n  L0: z = 0;\n}", 2, 7, "location"},
        {"thread 0 {\n  L0: x == 0;\n}", 2, 10, "0 or 1"},
        {"thread 0 {\n  L0: x = 0\n}", 3, 1, "\";\""},
        {"thread 0 {\n  L0: if (x = 0) return;\n}", 2, 13, "\"==\""},
        {"thread 0 {\n  L0: if (exchange(x) == 0) return;\n}", 2, 21, "\",\""},
        {"thread 0 {\n  L0: if (exchange(x, 3) == 0) return;\n}", 2, 23, "0 or 1"},
        {"thread 0 {\n  L0: if (x == 0) break;\n}", 2, 19, "\"goto\""},
        {"thread 0 {\n  L0: if (x == 0) goto L2;\n}", 2, 24, "jump to 2"},
        {"thread 0 {\n  L0: if (x == 0) goto 0;\n}", 2, 24, "label"},
        {"thread 0 {\n  L0: x = 0;\n}\nthread 0 {", 4, 8, "thread 1"},
        {"thread 0 {\n  L0: x = 0;\n}\nmore", 4, 1, "\"thread\""},
        {"thread 0 {\n  L0: x = 0;\n", 3, 1, "label"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        check_refused(litmus_read_listing, cases[i].text, cases[i].line, cases[i].column, cases[i].words);
}
END_TEST

static void listing_of(const struct litmus_program *program, char *text, size_t size)
{
    FILE *out = fmemopen(text, size, "w");
    ck_assert_ptr_nonnull(out);
    litmus_print_listing(out, program);
    ck_assert_int_eq(fclose(out), 0);
}

START_TEST(listing_of_a_mutex)
{
    static const char expected[] = "thread 0 {\n"
                                   "    L0: if (exchange(x, 1) == 1) goto L0;\n"
                                   "    L1: x = 0;\n"
                                   "}\n"
                                   "thread 1 {\n"
                                   "    L0: if (y == 1) return;\n"
                                   "    L1: if (exchange(y, 0) == 0) goto L1;\n"
                                   "}\n";
    struct litmus_program program;
    char text[1024];

    ck_assert_int_eq(read_with(litmus_read_text, "0,1,1,0;0,0,0,2|1,1,-,2;1,0,0,1", &program), 0);
    listing_of(&program, text, sizeof text);
    ck_assert_str_eq(text, expected);
}
END_TEST

START_TEST(blanks_make_no_difference)
{
    struct litmus_program program;
    char text[LITMUS_TEXT];

    ck_assert_int_eq(read_with(litmus_read_listing,
                               "thread 0{L0:if(exchange(y,0)==1)goto L0;L1:x=1;}\n\tthread\n1{L0 : x = 0 ; } ",
                               &program),
                     0);
    litmus_text(&program, text);
    ck_assert_str_eq(text, "1,1,0,0;0,0,1,2|0,0,0,1");
}
END_TEST

/* --- both --- */

START_TEST(either_form_says_the_same_of_any_program)
{
    static char listing[LITMUS_RECORD];
    unsigned long long state = 7;

    for (unsigned i = 0; i < 2000; ++i) {
        struct litmus_program program, again;
        char text[LITMUS_TEXT], second[LITMUS_TEXT];
        brute_random_program(&state, 1 + i % 16, i % 3 == 0 ? 4 : 1 + 64 / (1 + i % 16) / 2, &program);
        litmus_text(&program, text);
        ck_assert_msg(read_with(litmus_read_text, text, &again) == 0, "%s: %s", text, error.text);
        ck_assert_mem_eq(&again, &program, sizeof program);
        listing_of(&program, listing, sizeof listing);
        ck_assert_msg(read_with(litmus_read_listing, listing, &again) == 0, "%s: %s", listing, error.text);
        litmus_text(&again, second);
        ck_assert_str_eq(second, text);
    }
}
END_TEST

/* --- streams --- */

static struct litmus_reader reader;

static FILE *begin_stream(const char *text, size_t length)
{
    FILE *in = tmpfile();
    ck_assert_ptr_nonnull(in);
    ck_assert_uint_eq(fwrite(text, 1, length, in), length);
    rewind(in);
    memset(&reader, 0, sizeof reader);
    reader.in = in;
    return in;
}

/* Fails unless the stream is these programs, which begin in these lines. */
static void check_stream(const char *text, const char *const *programs, const unsigned *lines, size_t count)
{
    struct litmus_program program;
    char found_text[LITMUS_TEXT];
    bool found;
    FILE *in = begin_stream(text, strlen(text));

    for (size_t i = 0; i < count; ++i) {
        ck_assert_msg(litmus_reader_next(&reader, &program, &found, &error) == 0, "%s: %s", text, error.text);
        ck_assert_msg(found, "%s: %zu", text, i);
        litmus_text(&program, found_text);
        ck_assert_str_eq(found_text, programs[i]);
        ck_assert_uint_eq(reader.first_line, lines[i]);
    }
    ck_assert_int_eq(litmus_reader_next(&reader, &program, &found, &error), 0);
    ck_assert(!found);
    fclose(in);
}

#define LISTING(text) "thread 0 {\n    L0: " text ";\n}\n"

START_TEST(streams_of_programs)
{
    static const char first[] = "0,0,-,0", second[] = "0,0,1,1";
    static const struct {
        const char *text;
        const char *programs[3];
        unsigned lines[3];
        size_t count;
    } cases[] = {
        {"", {NULL}, {0}, 0},
        {"\n\n  \n# nothing\n   # at all", {NULL}, {0}, 0},
        {"0,0,-,0", {first}, {1}, 1},
        {"# one\n\n0,0,-,0\r\n# two\n0,0,1,1\n\n", {first, second}, {3, 5}, 2},
        {"  0,0,-,0  \n", {first}, {1}, 1},
        {LISTING("x = 1"), {second}, {1}, 1},
        {LISTING("x = 1") "\n" LISTING("if (x == 0) goto L0"), {second, first}, {1, 5}, 2},
        {LISTING("x = 1") LISTING("if (x == 0) goto L0") "\n0,0,1,1\n", {second, first, second}, {1, 4, 8}, 3},
        {"0,0,-,0\n" LISTING("x = 1"), {first, second}, {1, 2}, 2},
        {"# c\nthread 0 {\n# c\nL0: x = 1;\n# c\n}\n# c\n\n0,0,-,0", {second, first}, {2, 9}, 2},
        {"thread 0 { L0: x = 1; } thread 1 { L0: x = 1; }\n", {"0,0,1,1|0,0,1,1"}, {1}, 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        check_stream(cases[i].text, cases[i].programs, cases[i].lines, cases[i].count);
}
END_TEST

static void check_stream_refused(const char *text, size_t length, const char *place)
{
    struct litmus_program program;
    bool found = true;
    int outcome = 0;
    FILE *in = begin_stream(text, length);

    while (outcome == 0 && found)
        outcome = litmus_reader_next(&reader, &program, &found, &error);
    ck_assert_int_eq(outcome, -1);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_msg(strncmp(error.text, place, strlen(place)) == 0, "%s, not %s", error.text, place);
    fclose(in);
}

START_TEST(what_is_malformed_is_named_by_its_line)
{
    static char text[200000];
    static const char zero[] = "0,0,-\0,0\n", listings[] = LISTING("x = 1") LISTING("x = 2");

    check_stream_refused("0,0,-,0\n# c\n  0,0,-,5\n", 22, "line 3, column 9: ");
    check_stream_refused(listings, sizeof listings - 1, "line 5, column 13: ");
    check_stream_refused(zero, sizeof zero - 1, "line 1, column 6: ");
    check_stream_refused("\xff\xfe", 2, "line 1, column 1: ");
    memset(text, '0', sizeof text);
    check_stream_refused(text, sizeof text, "line 1, column 16384: ");
    memset(text, ' ', sizeof text);
    check_stream_refused(text, sizeof text, "line 1, column 16384: ");
    memset(text, '\n', sizeof text);
    memcpy(text, "0\n", 2);
    check_stream_refused(text, sizeof text, "line 1, column 2: ");
    memset(text, '#', sizeof text);
    for (size_t i = 1; i < sizeof text; i += 2)
        text[i] = '\n';
    memcpy(text, "thread  0 {\n", 12);
    check_stream_refused(text, sizeof text, "line 16373, column 1: ");
}
END_TEST

START_TEST(comments_may_have_any_length)
{
    static char text[200000];

    memset(text, '#', sizeof text);
    memcpy(text + sizeof text - 9, "\n0,0,-,0", 9);
    check_stream(text, (const char *const[]){"0,0,-,0"}, (const unsigned[]){2}, 1);
}
END_TEST

HARNESS_MAIN("litmus form", malformed_text_is_refused, too_many_threads_or_instructions_are_refused, text_is_read,
             malformed_listing_is_refused, listing_of_a_mutex, blanks_make_no_difference,
             either_form_says_the_same_of_any_program, streams_of_programs, what_is_malformed_is_named_by_its_line,
             comments_may_have_any_length)
