/* Programs whose kernels may share variables, and those with macros of certain names. */
#include "core/program_scope.h"

#include "harness.h"

#include <stddef.h>

static const char *const none[] = {
    "",
    "kernel void f(global int *a) { int b = 3; a[0] = b; }",
    "int f(int a);\nvoid g(void) { }\nkernel void h(void) { f(1); }",
    "constant int a = 3; __constant float b[] = {1, 2}; const constant int c = F(1);",
    "typedef int a; typedef struct { int a; } b; struct c { int d; }; struct e; enum f { G = 1 };",
    "__attribute__((reqd_work_group_size(1, 1, 1))) kernel void f(void) { }",
    "kernel __attribute__((vec_type_hint(int))) void f(void) { } ;",
    "/* int a; */ // int b;\n#define A int c;\\\n int d;\nvoid f(void) { }",
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\nvoid f(void) { char *a = \"}\"; }",
    "static inline int f(int a) { return (a); } void g(struct h i) { { } }",
};

static const char *const some[] = {
    "int a;",
    "global int a = 3; kernel void f(void) { }",
    "kernel void f(void) { } global int a[4];",
    "static __global atomic_int a = ATOMIC_VAR_INIT(0);",
    "struct a { int b; } c;",
    "int a[] = {1, 2};",
    "__attribute__((aligned(8))) global int a;",
    "global int a __attribute__((aligned(8)));",
    "DECLARE(a);",
    "DECLARE(a) kernel void f(void) { } int b;",
    "kernel void f(void) { static global int a; }",
    "kernel void f(void) { if (1) { global static int a; } }",
};

START_TEST(variables_are_found_outside_of_functions)
{
    for (size_t i = 0; i < sizeof none / sizeof *none; ++i)
        ck_assert_msg(!program_may_share_variables(none[i], "-cl-std=CL2.0"), "%s", none[i]);
    for (size_t i = 0; i < sizeof some / sizeof *some; ++i)
        ck_assert_msg(program_may_share_variables(some[i], "-DA -cl-std=CL3.0"), "%s", some[i]);
}
END_TEST

/* Before OpenCL C 2.0 the compiler refuses them; without an option it is the driver that chooses. */
START_TEST(earlier_standards_have_none)
{
    ck_assert(program_may_share_variables("int a;", ""));
    ck_assert(!program_may_share_variables("int a;", "-cl-std=CL1.2 -DA"));
    ck_assert(!program_may_share_variables("int a;", "-cl-std=CL1.1 -cl-std=CL1.2"));
    ck_assert(program_may_share_variables("int a;", "-cl-std=CL1.2 -cl-std=CL3.0"));
    ck_assert(program_may_share_variables("int a;", "-cl-std=CL3.0 -cl-std=CL1.2"));
    ck_assert(program_may_share_variables("int a;", "-cl-std=CLC++"));
}
END_TEST

START_TEST(macros_are_found_by_name)
{
    static const char *const names[] = {"if", "get_group_id", NULL};

    ck_assert(program_defines("#define get_group_id(a) 3\n", "", names));
    ck_assert(program_defines("# define\tif while", "", names));
    ck_assert(program_defines("", "-DA -Dif=while", names));
    ck_assert(program_defines("", "-D get_group_id=f", names));
    ck_assert(!program_defines("#define get_group_ids 3\n#define A get_group_id(0)\nif (a)", "-DB=if", names));
    ck_assert(!program_defines("#undef if\n#ifdef if\n#endif", "", names));
}
END_TEST

HARNESS_MAIN("program_scope", variables_are_found_outside_of_functions, earlier_standards_have_none,
             macros_are_found_by_name)
