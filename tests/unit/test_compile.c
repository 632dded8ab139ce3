/* Programs of OpenCL C, built for the host: what their tables say, what they report, what they refuse. */
#include "model/build.h"
#include "model/kept.h"
#include "program_fixture.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

START_TEST(plain_accesses_are_reported)
{
    static uint32_t words[4] = {5};

    build("kernel void k(global uint *w) { w[1] = w[0]; *(volatile global uchar *)(w + 3) = 9; }");
    run(words);
    ck_assert_uint_eq(access_count, 3);
    ck_access(0, words, 4, GL_HOW_LOAD);
    ck_access(1, words + 1, 4, GL_HOW_STORE);
    ck_access(2, words + 3, 1, GL_HOW_STORE);
    ck_assert_uint_eq(words[1], 5);
    ck_assert_uint_eq(words[3], 9);
    model_program_fini(&program);
}
END_TEST

START_TEST(copies_of_structures_are_reported)
{
    static struct {
        uint32_t words[64];
    } both[2] = {{{7}}};

    build("struct s { uint words[64]; };\n"
          "kernel void k(global struct s *s) { s[1] = s[0]; }");
    run(both);
    ck_access(0, &both[0], sizeof both[0], GL_HOW_LOAD | GL_HOW_BLIND);
    ck_access(1, &both[1], sizeof both[1], GL_HOW_STORE);
    ck_assert_uint_eq(both[1].words[0], 7);
    model_program_fini(&program);
}
END_TEST

START_TEST(atomics_say_order_and_scope)
{
    static uint32_t words[4] = {5, 0, 0, 1};

    build("kernel void k(global atomic_uint *w) {\n"
          "  atomic_fetch_add_explicit(w, 2, memory_order_acq_rel, memory_scope_device);\n"
          "  atomic_store_explicit(w + 1, 3, memory_order_release, memory_scope_work_group);\n"
          "  atomic_add((volatile global uint *)w + 2, 4);\n"
          "  uint wanted = 2;\n"
          "  atomic_compare_exchange_strong(w + 3, &wanted, 9u);\n"
          "  atomic_store(w + 2, wanted + 10);\n"
          "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device); }");
    run(words);
    ck_access(0, words, 4, GL_HOW_UPDATE | GL_HOW_SUM | GL_HOW_ATOMIC | __ATOMIC_ACQ_REL << 4 | 2 << 8);
    ck_access(1, words + 1, 4, GL_HOW_STORE | GL_HOW_ATOMIC | __ATOMIC_RELEASE << 4 | 1 << 8);
    ck_access(2, words + 2, 4, GL_HOW_UPDATE | GL_HOW_SUM | GL_HOW_ATOMIC | __ATOMIC_RELAXED << 4 | 2 << 8);
    ck_access(3, words + 3, 4,
              GL_HOW_UPDATE | GL_HOW_ATOMIC | GL_HOW_IF_FAILED(__ATOMIC_SEQ_CST) | __ATOMIC_SEQ_CST << 4 | 2 << 8);
    ck_access(4, NULL, 0, GL_HOW_FENCE | GL_HOW_FAILED);
    ck_access(5, words + 2, 4, GL_HOW_STORE | GL_HOW_ATOMIC | __ATOMIC_SEQ_CST << 4 | 2 << 8);
    ck_access(6, NULL, 0,
              GL_HOW_FENCE | GL_HOW_ATOMIC | __ATOMIC_SEQ_CST << 4 | 2 << 8 | GL_HOW_FENCES(GL_MEET_GLOBAL));
    ck_assert_uint_eq(access_count, 7);
    ck_assert_uint_eq(words[0], 7);
    ck_assert_uint_eq(words[1], 3);
    ck_assert_uint_eq(words[2], 11); /* the comparison failed, and left what is there */
    ck_assert_uint_eq(words[3], 1);
    model_program_fini(&program);
}
END_TEST

START_TEST(local_variables_lie_in_the_memory_of_the_group)
{
    static uint32_t word = 3;

    build("kernel void k(global uint *w) { local uint a[8]; local ushort b; local float4 c;\n"
          "  a[1] = *w; b = 4; c = (float4)(5); barrier(CLK_LOCAL_MEM_FENCE); *w = a[1] + b + (uint)c.w; }\n"
          "kernel void smaller(global uint *w) { local uint a[2]; a[0] = *w; *w += a[0]; }");
    meetings = 0;
    run(&word);
    ck_assert_uint_eq(word, 12);
    ck_assert_uint_eq(meetings, 1);
    ck_assert_uint_eq(kernel_named("k")->local_bytes, 64);
    ck_assert_uint_eq(kernel_named("smaller")->local_bytes, 8);
    ck_access(1, local_memory + 4, 4, GL_HOW_STORE);
    ck_access(2, local_memory + 32, 2, GL_HOW_STORE);
    ck_access(3, local_memory + 48, 16, GL_HOW_STORE);
    model_program_fini(&program);
}
END_TEST

START_TEST(a_kernel_that_another_calls_has_local_variables_beside_its)
{
    static uint32_t word = 3;

    build("kernel void inner(global uint *w) { local uint a; a = 1; *w += a; }\n"
          "kernel void outer(global uint *w) { local uint b; b = 10; inner(w); *w += b; }");
    uint32_t *at = &word;
    kernel_named("outer")->enter((void *const[]){&at});
    ck_assert_uint_eq(word, 14);
    ck_assert_uint_eq(kernel_named("outer")->local_bytes, 8);
    model_program_fini(&program);
}
END_TEST

static const char *const arguments_source =
    "struct s { int a; float3 b; char c[5]; };\n"
    "kernel __attribute__((reqd_work_group_size(8, 2, 1))) __attribute__((vec_type_hint(uint4)))\n"
    "void k(global float *restrict out, const float3 v, struct s st, local int *q, constant int *c,\n"
    "       volatile global const int *z, double16 w, uchar u)\n"
    "{ out[0] = v.z + st.a + st.b.y + st.c[4] + q[0] + c[0] + z[0] + (float)w.sf + u; }";

START_TEST(arrays_are_counted_where_most_are_kept_at_a_time)
{
    build("uint few(uint i) { uint kept[4] = {i}; return kept[i]; }\n"
          "uint many(uint i) { ulong kept[2][8] = {{i}}; return (uint)kept[0][i] + few(i); }\n"
          "kernel void k(global uint *w) { w[0] = few(w[1]) + many(w[2]); }\n"
          "kernel void own(global uint *w) { uchar kept[3]; kept[w[0]] = 1; w[1] = kept[w[2]]; }\n"
          "kernel void none(global uint *w) { uint one = w[0]; uint4 four = one; w[1] = four.x; }");
    ck_assert_uint_eq(kernel_named("k")->array_bytes, 2 * 8 * 8 + 4 * 4);
    ck_assert_uint_eq(kernel_named("own")->array_bytes, 3);
    ck_assert_uint_eq(kernel_named("none")->array_bytes, 0);
    model_program_fini(&program);
}
END_TEST

START_TEST(arguments_are_told_and_taken)
{
    const struct {
        unsigned kind, qualifiers;
        unsigned long bytes;
        const char *name, *type;
    } wanted[] = {
        {GL_ARGUMENT_GLOBAL, GL_QUALIFIER_RESTRICT, 8, "out", "float*"},
        {GL_ARGUMENT_VALUE, 0, 16, "v", "float3"},
        {GL_ARGUMENT_VALUE, 0, 48, "st", "struct s"},
        {GL_ARGUMENT_LOCAL, 0, 8, "q", "int*"},
        {GL_ARGUMENT_CONSTANT, GL_QUALIFIER_CONST, 8, "c", "int*"},
        {GL_ARGUMENT_GLOBAL, GL_QUALIFIER_CONST | GL_QUALIFIER_VOLATILE, 8, "z", "int*"},
        {GL_ARGUMENT_VALUE, 0, 128, "w", "double16"},
        {GL_ARGUMENT_VALUE, 0, 1, "u", "uchar"},
    };
    enum { COUNT = sizeof wanted / sizeof *wanted };

    build_with(arguments_source, "-cl-kernel-arg-info");
    const struct gl_kernel *kernel = kernel_named("k");
    ck_assert_uint_eq(kernel->argument_count, COUNT);
    for (size_t i = 0; i < COUNT; ++i) {
        ck_assert_uint_eq(kernel->arguments[i].kind, wanted[i].kind);
        ck_assert_uint_eq(kernel->arguments[i].qualifiers, wanted[i].qualifiers);
        ck_assert_uint_eq(kernel->arguments[i].bytes, wanted[i].bytes);
        ck_assert_str_eq(kernel->arguments[i].name, wanted[i].name);
        ck_assert_str_eq(kernel->arguments[i].type, wanted[i].type);
    }
    ck_assert_uint_eq(kernel->required[0], 8);
    ck_assert_uint_eq(kernel->required[1], 2);
    ck_assert_str_eq(kernel->attributes, "reqd_work_group_size(8,2,1) vec_type_hint(uint4)");

    float out = 0, v[4] = {0, 0, 1};
    struct {
        _Alignas(16) int a;
        _Alignas(16) float b[4];
        char c[16];
    } st = {2, {0, 3}, {0, 0, 0, 0, 4}};
    int q = 5, c = 6, z = 7;
    double w[16] = {[15] = 8};
    unsigned char u = 9;
    void *at[] = {&out, &q, &c, &z};
    kernel->enter((void *const[]){&at[0], v, &st, &at[1], &at[2], &at[3], w, &u});
    ck_assert(out == 45);
    model_program_fini(&program);
}
END_TEST

START_TEST(variables_are_each_programs_own)
{
    static const char source[] = "global uint count = 5; static global uint other[3];\n"
                                 "kernel void k(global uint *w) { *w = ++count; other[*w % 3] += 1; }";
    static uint32_t word;

    build(source);
    struct model_program first = program;
    run(&word);
    run(&word);
    ck_assert_uint_eq(word, 7);
    ck_assert_uint_ge(first.image->variable_bytes, 16);
    const char *variables = first.image->variables; /* which it reads first */
    ck_assert((const char *)accesses[0].at >= variables &&
              (const char *)accesses[0].at < variables + first.image->variable_bytes);
    build(source);
    run(&word);
    ck_assert_uint_eq(word, 6);
    model_program_fini(&program);
    model_program_fini(&first);
}
END_TEST

START_TEST(what_is_printed_is_told)
{
    static uint32_t word = 3;

    build("kernel void k(global uint *w) { float4 f = (float4)(1, 2, 3, 4); char3 c = (char3)(-1, 2, 3); double2 d = "
          "0.5;\n"
          "printf(\"%d %5.2f|%v4hlf %v3hhd %v2lg %s %%%lx %c\\n\", *w, 1.5f, f, c, d, \"text\", 255ul, 'x'); }");
    run(&word);
    ck_assert_str_eq(printed, "3  1.50|1.000000,2.000000,3.000000,4.000000 -1,2,3 0.5,0.5 text %ff x\n");
    model_program_fini(&program);
}
END_TEST

START_TEST(what_is_printed_keeps_its_sign)
{
    static uint32_t word = 3;

    build("kernel void k(global uint *w) { int2 v = -(int2)(4, 5); long l = -6; short s = -7;\n"
          "printf(\"%d %i %v2d %u %ld %hd %hhu\", -1, -(int)*w, v, -2, l, s, (uchar)255); }");
    run(&word);
    ck_assert_str_eq(printed, "-1 -3 -4,-5 4294967294 -6 -7 255");
    model_program_fini(&program);
}
END_TEST

START_TEST(ids_and_functions_of_a_group_of_one)
{
    static uint32_t words[8] = {0};

    build(
        "kernel void k(global uint *w) { w[0] = get_global_id(0); w[1] = get_local_size(5); w[2] = get_num_groups(0);\n"
        "  w[3] = work_group_reduce_add(7u); w[4] = work_group_scan_exclusive_max(3u); w[5] = work_group_any(0);\n"
        "  w[6] = work_group_broadcast(4u, 0); w[7] = get_work_dim(); }");
    run(words);
    ck_assert_mem_eq(words, ((uint32_t[8]){7, 1, 16, 7, 0, 0, 4, 1}), sizeof words);
    model_program_fini(&program);
}
END_TEST

START_TEST(without_a_standard_it_is_1_2)
{
    int version = 0;

    build_with("kernel void k(global int *v) { *v = __OPENCL_C_VERSION__; }", "");
    run(&version);
    ck_assert_int_eq(version, 120);
    model_program_fini(&program);
}
END_TEST

/* Where pow(1, NaN) is 1. */
START_TEST(powr_of_no_number_is_none)
{
    float values[2] = {1, __builtin_nanf("")};

    build("kernel void k(global float *v) { v[0] = powr(v[0], v[1]); }");
    run(values);
    ck_assert(values[0] != values[0]);
    model_program_fini(&program);
}
END_TEST

static char *front_of(const char *source)
{
    struct build front;
    struct error error = {STATUS_OK, ""};

    ck_assert_msg(build_begin(&front, "", &error) == 0, "%s", error.text);
    char *text = build_front(&front, source);
    build_fini(&front);
    ck_assert_ptr_nonnull(text);
    return text;
}

/* What is kept is found by this text. */
START_TEST(a_program_always_makes_the_same_text)
{
    static const char source[] = "kernel void k(global int *v) { *v = 1; }";
    char *first = front_of(source), *second = front_of(source);

    ck_assert_int_eq(chdir("/"), 0);
    char *third = front_of(source);
    ck_assert_int_eq(strcmp(first, second), 0);
    ck_assert_int_eq(strcmp(first, third), 0);
    free(first);
    free(second);
    free(third);
}
END_TEST

static void make_old_file(const char *folder, const char *name, long day, off_t bytes)
{
    const struct timespec times[2] = {{day * 86400, 0}, {day * 86400, 0}};
    char path[512];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(ftruncate(fileno(file), bytes), 0); /* takes no room */
    fclose(file);
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

static bool has_file(const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static unsigned stack_of(const char *source)
{
    build(source);
    const unsigned bytes = program.image->stack_bytes;
    model_program_fini(&program);
    return bytes;
}

START_TEST(functions_of_the_c_library_have_room_on_the_stack)
{
    const unsigned plain = stack_of("kernel void k(global float *v) { *v += 1; }");

    ck_assert_uint_gt(stack_of("kernel void k(global float *v) { *v = sin(*v); }"), plain + 2048);
    ck_assert_uint_gt(stack_of("kernel void k(global float *v) { printf(\"%f\", *v); }"), plain + 8192);
}
END_TEST

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind, (void)where;
    return remove(path);
}

START_TEST(what_was_not_used_for_longest_is_kept_no_more)
{
    char base[] = "/tmp/gridlock-kept-XXXXXX", folder[128];
    size_t size;

    ck_assert_ptr_nonnull(mkdtemp(base));
    setenv("XDG_CACHE_HOME", base, 1);
    snprintf(folder, sizeof folder, "%s/gridlock/model", base);
    char *first = kept_path("first", 5), *second = kept_path("second", 6);
    make_old_file(folder, "old", 1, (off_t)200 << 20);
    make_old_file(folder, strrchr(first, '/') + 1, 0, 1);
    make_old_file(folder, "new", 3, (off_t)200 << 20);
    free(kept_get(first, &size)); /* which is a use */
    kept_put(second, "it", 2);
    ck_assert(has_file(folder, "old") && has_file(folder, "new"));
    make_old_file(folder, "newer", 4, (off_t)200 << 20);
    kept_put(second, "it", 2);
    ck_assert(!has_file(folder, "old"));
    ck_assert(has_file(folder, "new") && has_file(folder, "newer"));
    char *kept = kept_get(second, &size);
    ck_assert_uint_eq(size, 2);
    ck_assert_int_eq(memcmp(kept, "it", 2), 0);
    ck_assert_int_eq(access(first, F_OK), 0);
    free(kept);
    free(first);
    free(second);
    ck_assert_int_eq(nftw(base, remove_entry, 8, FTW_DEPTH | FTW_PHYS), 0);
}
END_TEST

START_TEST(what_does_not_build_says_why)
{
    static const struct {
        const char *source, *options, *said;
    } wrong[] = {
        {"kernel void k(global int *v)\n{ *v = nothing; }", "", "kernel.cl:2:8: error: use of undeclared identifier"},
        {"int nobody(void); kernel void k(global int *v) { *v = nobody(); }", "",
         "error: nobody is declared, but nowhere defined"},
        {"int f(int x) { return x < 2 ? 1 : f(x - 1) + f(x - 2); } kernel void k(global int *v) { *v = f(*v); }", "",
         "error: f calls itself, which OpenCL C does not allow"},
        {"kernel void k(read_only pipe int p, global int *v) { read_pipe(p, v); }", "-cl-std=CL2.0",
         "error: read_pipe is not offered by model devices"},
        {"kernel void k(read_only pipe int p, global int *v) { *v = get_pipe_num_packets(p); }", "-cl-std=CL2.0",
         "error: get_pipe_num_packets is not offered by model devices"},
        {"kernel void k(global int *v) { enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ *v = 1; }); }",
         "-cl-std=CL2.0", "error: enqueue_kernel is not offered by model devices"},
        {"kernel void k(global int *v) { }", "-fplugin=x.so",
         "model devices do not know the build option -fplugin=x.so"},
        {"kernel void k(global int *v) { }", "@file", "model devices do not know the build option @file"},
        {"kernel void k(global int *v) { }", "-D", "build option -D lacks"},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        struct error error;
        char *log = build_fails(wrong[i].source, wrong[i].options, &error);
        ck_assert_ptr_nonnull(log);
        ck_assert_msg(strstr(log, wrong[i].said) != NULL, "%s", log);
        ck_assert_int_eq(error.status, STATUS_USAGE);
        free(log);
    }
}
END_TEST

START_TEST(without_clang_the_program_is_not_to_blame)
{
    struct error error;

    setenv("GRIDLOCK_CLANG", "/nonexistent/clang", 1);
    ck_assert_ptr_null(build_fails("kernel void k(global int *v) { }", "", &error));
    ck_assert_int_eq(error.status, STATUS_UNSUPPORTED);
}
END_TEST

HARNESS_MAIN("compile", plain_accesses_are_reported, copies_of_structures_are_reported, atomics_say_order_and_scope,
             local_variables_lie_in_the_memory_of_the_group, a_kernel_that_another_calls_has_local_variables_beside_its,
             arrays_are_counted_where_most_are_kept_at_a_time, arguments_are_told_and_taken,
             variables_are_each_programs_own, what_is_printed_is_told, what_is_printed_keeps_its_sign,
             ids_and_functions_of_a_group_of_one, without_a_standard_it_is_1_2, powr_of_no_number_is_none,
             a_program_always_makes_the_same_text, functions_of_the_c_library_have_room_on_the_stack,
             what_was_not_used_for_longest_is_kept_no_more, what_does_not_build_says_why,
             without_clang_the_program_is_not_to_blame)
