#include "core/subject.h"

#include "harness.h"

#include <string.h>

static const struct kernel_facts original = {.local_bytes = 64, .private_bytes = 8, .most_items = 256, .registers = 20};

static enum subject_bound bound_with(uint64_t local, uint64_t private, uint64_t most, uint32_t registers)
{
    const struct kernel_facts measured = {local, private, most, registers};
    return subject_bound(&original, &measured);
}

START_TEST(bounds)
{
    ck_assert_int_eq(bound_with(64, 8, 256, 20), BOUND_EXACT);
    ck_assert_int_eq(bound_with(64, 8, 256, 24), BOUND_EXACT); /* 17 to 24 take three lots */
    ck_assert_int_eq(bound_with(68, 8, 256, 20), BOUND_AT_LEAST);
    ck_assert_int_eq(bound_with(64, 9, 128, 24), BOUND_AT_LEAST);
    ck_assert_int_eq(bound_with(0, 8, 256, 20), BOUND_AT_MOST);
    ck_assert_int_eq(bound_with(64, 8, 512, 20), BOUND_AT_MOST);
    ck_assert_int_eq(bound_with(64, 8, 256, 16), BOUND_AT_MOST);
    ck_assert_int_eq(bound_with(0, 16, 256, 20), BOUND_UNLIKE);
    ck_assert_int_eq(bound_with(64, 8, 512, 25), BOUND_UNLIKE);
    ck_assert_str_eq(subject_bound_words(BOUND_EXACT), "");
    ck_assert_str_eq(subject_bound_words(BOUND_AT_LEAST), "at least ");
}
END_TEST

START_TEST(registers_in_a_log)
{
    static const char log[] = "ptxas info : Compiling entry function 'scan_late' for 'sm_90'\n"
                              "ptxas info : Used 40 registers, 400 bytes cmem[0]\n"
                              "ptxas info : Compiling entry function 'cut' for 'sm_90'\n";

    ck_assert_uint_eq(subject_registers_of(log, "scan_late"), 40);
    ck_assert_uint_eq(subject_registers_of(log, "cut"), REGISTERS_UNTOLD);
    ck_assert_uint_eq(subject_registers_of(log, "scan"), REGISTERS_UNTOLD);
    ck_assert_uint_eq(subject_registers_of("warning: Used 3 registers", "scan"), 0); /* a driver that tells none */
    ck_assert_uint_eq(subject_registers_of(NULL, "scan"), 0);
}
END_TEST

/* They may differ: no limit is exact then. */
START_TEST(untold_registers)
{
    struct kernel_facts untold = original;

    untold.registers = REGISTERS_UNTOLD;
    ck_assert_int_eq(subject_bound(&untold, &untold), BOUND_UNLIKE);
    ck_assert_int_eq(subject_bound(&original, &untold), BOUND_UNLIKE);
    ck_assert_uint_eq(subject_register_lots(REGISTERS_UNTOLD), 0);
    untold.registers = 0;
    ck_assert_int_eq(subject_bound(&untold, &untold), BOUND_EXACT); /* as on CPUs */
}
END_TEST

START_TEST(texts_have_words)
{
    ck_assert_str_eq(subject_text_words(TEXT_NONE), "");
    ck_assert_str_eq(subject_text_words(subject_text_of(ENTRY_NONE)), "your file as it is");
    ck_assert_str_eq(subject_text_words(subject_text_of(ENTRY_INSERT)),
                     "your file with text of gridlock's put into it");
    ck_assert_ptr_nonnull(strstr(subject_text_words(subject_text_of(ENTRY_CALL)), "that calls yours"));
    ck_assert_str_eq(subject_text_words((enum subject_text)TEXT_COUNT), ""); /* a driver may write into the page */
}
END_TEST

START_TEST(names_tell_apart_what_differs)
{
    const struct subject first = {.file = "a/b.cl",
                                  .options = "-DN=1",
                                  .kernel = "k",
                                  .shape = {.dimensions = 2, .local = {16, 8, 1}},
                                  .locals = "1=4"};
    struct subject others[] = {first, first, first, first, first}, elsewhere = first;
    char text[192], other[192];

    strcpy(others[0].file, "a/c.cl");
    strcpy(elsewhere.file, "/home/b.cl");
    strcpy(others[1].options, "-DN=2");
    strcpy(others[2].kernel, "l");
    others[3].shape = (struct nd_range){.dimensions = 1, .local = {128, 1, 1}};
    strcpy(others[4].locals, "1=8");
    subject_print(&first, text, sizeof text);
    ck_assert_int_eq(strncmp(text, "b.cl:k/l16x8-", 13), 0);
    ck_assert(subject_equal(&first, &first));
    subject_print(&elsewhere, other, sizeof other);
    ck_assert_str_eq(text, other);
    ck_assert(!subject_equal(&first, &elsewhere));
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        subject_print(&others[i], other, sizeof other);
        ck_assert_str_ne(text, other);
        ck_assert(!subject_equal(&first, &others[i]));
    }
}
END_TEST

START_TEST(sizes_of_local_arguments)
{
    struct subject subject = {.locals = "1=4,12=1024"};

    ck_assert_uint_eq(subject_local_bytes(&subject, 1), 4);
    ck_assert_uint_eq(subject_local_bytes(&subject, 12), 1024);
    ck_assert_uint_eq(subject_local_bytes(&subject, 2), 0);
    strcpy(subject.locals, "");
    ck_assert_uint_eq(subject_local_bytes(&subject, 0), 0);
    /* A run file may come from anybody. */
    strcpy(subject.locals, "x=3,=,7");
    ck_assert_uint_eq(subject_local_bytes(&subject, 7), 0);
}
END_TEST

START_TEST(what_was_tried_is_read_back)
{
    static const char bytes[] = "kernel void f() {}\0-DN=1\0f\0b65536 w0";
    const char *parts[TRIED_PARTS];
    struct subject_tried tried;

    ck_assert(subject_tried_read(&tried, bytes, sizeof bytes));
    subject_tried_parts(&tried, parts);
    ck_assert_str_eq(parts[0], "kernel void f() {}");
    ck_assert_str_eq(parts[1], "-DN=1");
    ck_assert_str_eq(parts[2], "f");
    ck_assert_str_eq(parts[3], "b65536 w0");
}
END_TEST

/* A driver may have written there. */
START_TEST(what_is_no_text_that_was_tried)
{
    static const char bytes[] = "text\0\0\0\0more";
    struct subject_tried tried;

    for (size_t size = 0; size <= sizeof bytes; ++size) {
        ck_assert_int_eq(subject_tried_read(&tried, bytes, size), size == strlen("text") + TRIED_PARTS);
        ck_assert_int_eq(tried.text != NULL, size == strlen("text") + TRIED_PARTS);
    }
}
END_TEST

HARNESS_MAIN("subject", what_was_tried_is_read_back, what_is_no_text_that_was_tried, bounds, registers_in_a_log,
             untold_registers, texts_have_words, names_tell_apart_what_differs, sizes_of_local_arguments)
