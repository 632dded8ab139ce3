/* Parameters that nobody uses, in the assembly of LLVM. */
#include "harness.h"
#include "model/ir_unused.h"

#include <string.h>

/* Of %3 the address is used, and of %4 a member. */
static const char typed[] = "define spir_kernel void @k(i32* %0, i32 %1, i32 %2, i32 %3, %struct.S* byval(%struct.S) "
                            "align 4 %4, %struct.S* byval(%struct.S) align 4 %5, float %11) #0 !dbg !6 {\n"
                            "  %7 = alloca i32*, align 8\n"
                            "  %8 = alloca i32, align 4\n"
                            "  %9 = alloca i32, align 4\n"
                            "  %10 = alloca i32, align 4\n"
                            "  store i32* %0, i32** %7, align 8, !tbaa !1\n"
                            "  store i32 %1, i32* %8, align 4, !tbaa !2\n"
                            "  store i32 %2, i32* %9, align 4, !tbaa !2\n"
                            "  store i32 %3, i32* %10, align 4, !tbaa !2\n"
                            "  call void @see(i32* noundef %10)\n"
                            "  %12 = getelementptr inbounds %struct.S, %struct.S* %4, i32 0, i32 0\n"
                            "  %13 = load i32*, i32** %7, align 8, !dbg !11\n"
                            "  %14 = load i32, i32* %9, align 4, !dbg !12\n"
                            "  ret void\n"
                            "}\n"
                            "define void @other(i32 %1) {\n"
                            "  %8 = add i32 %1, 1\n"
                            "}\n";

static const char opaque[] = "define dso_local spir_kernel void @k(ptr noundef align 4 %a, i32 noundef %m, ptr %p, "
                             "i32 %n) #0 {\n"
                             "entry:\n"
                             "  %a.addr = alloca ptr, align 8\n"
                             "  %m.addr = alloca i32, align 4\n"
                             "  store ptr %a, ptr %a.addr, align 8, !tbaa !1\n"
                             "  store i32 %m, ptr %m.addr, align 4, !tbaa !2\n"
                             "  store i32 1, ptr %p, align 4\n"
                             "  call void @body(i32 %n)\n"
                             "  ret void\n"
                             "}\n";

static bool is_unused(const char *function, const char *name)
{
    return ir_unused_parameter(function, name, strlen(name));
}

START_TEST(parameters_that_are_put_away_are_unused)
{
    ck_assert(is_unused(typed, "%1"));
    ck_assert(is_unused(typed, "%5"));
    ck_assert(is_unused(typed, "%11"));
    ck_assert(is_unused(opaque, "%m"));
    ck_assert(is_unused(opaque, "%a"));
}
END_TEST

START_TEST(others_may_be_used)
{
    ck_assert(!is_unused(typed, "%0"));
    ck_assert(!is_unused(typed, "%2"));
    ck_assert(!is_unused(typed, "%3"));
    ck_assert(!is_unused(typed, "%4"));
    ck_assert(!is_unused(opaque, "%p"));
    ck_assert(!is_unused(opaque, "%n"));
    ck_assert(!is_unused(typed, ""));
    ck_assert(!is_unused(typed, "%struct.S) align 4"));
    ck_assert(!is_unused("define void @k(i32 %0) {", "%0"));
}
END_TEST

HARNESS_MAIN("ir_unused", parameters_that_are_put_away_are_unused, others_may_be_used)
