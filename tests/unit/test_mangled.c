/* Names of functions as clang mangles them. */
#include "harness.h"
#include "model/mangled.h"

#include <stdio.h>
#include <string.h>

/* "clamp(float4, float, float)" */
static const char *print(const char *symbol, char text[256])
{
    struct mangled mangled;
    FILE *out = fmemopen(text, 256, "w");

    if (!mangled_read(symbol, &mangled)) {
        fputs("none", out);
    } else {
        fprintf(out, "%s(", mangled.name);
        for (size_t i = 0; i < mangled.parameter_count; ++i) {
            const struct mangled_type *type = &mangled.parameters[i];
            fprintf(out, "%s%s%s%u%s", i == 0 ? "" : " ", type->global ? "global " : "", type->element, type->width,
                    type->pointer ? "*" : "");
        }
        fputs(")", out);
    }
    fclose(out);
    return text;
}

START_TEST(types_are_read_and_those_that_are_named_again)
{
    static const char *const names[][2] = {
        {"_Z12get_work_dimv", "get_work_dim()"},
        {"_Z13get_global_idj", "get_global_id(uint1)"},
        {"_Z5clampDv4_fff", "clamp(float4 float1 float1)"},
        {"_Z5clampDv16_hS_S_", "clamp(uchar16 uchar16 uchar16)"},
        {"_Z6selectDv4_fS_Dv4_i", "select(float4 float4 int4)"},
        {"_Z5fractDv3_fPU9CLgenericS_", "fract(float3 float3*)"},
        {"_Z6remquoDv2_dS_PU9CLprivateDv2_i", "remquo(double2 double2 int2*)"},
        {"_Z7vstore4Dv4_fmPU8CLglobalf", "vstore4(float4 ulong1 global float1*)"},
        {"_Z10vload_halfmPU10CLconstantKDh", "vload_half(ulong1 half1*)"},
        {"_Z10atomic_addPU8CLglobalVii", "atomic_add(global int1* int1)"},
        {"_Z25atomic_fetch_add_explicitPU9CLgenericVU7_Atomicjj12memory_order12memory_scope",
         "atomic_fetch_add_explicit(uint1* uint1 int1 int1)"},
        {"_Z30atomic_compare_exchange_strongPU9CLgenericVU7_AtomiciPU9CLgenericii",
         "atomic_compare_exchange_strong(int1* int1* int1)"},
        {"_Z39atomic_compare_exchange_strong_explicitPU8CLglobalVU7_AtomiciPU7CLlocalii12memory_orderS4_12memory_scope",
         "atomic_compare_exchange_strong_explicit(global int1* int1* int1 int1 int1 int1)"},
        {"_Z21async_work_group_copyPU7CLlocalDv4_fPU8CLglobalKS_m9ocl_event",
         "async_work_group_copy(float4* global float4* ulong1 event_t1)"},
        {"_Z11read_imagef20ocl_image2d_depth_ro11ocl_samplerDv2_f", "read_imagef(gl_depth1 gl_sampler1 float2)"},
        {"_Z12write_imagef14ocl_image3d_woDv4_iDv4_f", "write_imagef(gl_volume1 int4 float4)"},
        {"_Z15get_image_width20ocl_image1d_array_ro", "get_image_width(gl_picture1)"},
        {"_Z17wait_group_eventsiPU9CLgeneric9ocl_event", "wait_group_events(int1 event_t1*)"},
    };
    char text[256];

    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        ck_assert_str_eq(print(names[i][0], text), names[i][1]);
}
END_TEST

START_TEST(what_is_no_such_name_is_none)
{
    static const char *const names[] = {
        "",         "printf",      "_Z",           "_Z3",         "_Z3sin",
        "_Z99sinf", "_Z3sinS_",    "_Z3sinQ",      "_Z3sinDv_f",  "_Z3sinDv99_f",
        "_Z3sinP",  "_Z3sinPPf",   "_Z3sinU",      "_Z3sinU99xf", "_Z9read_pipe8ocl_pipe",
        "_Z3sinfS", "_Z3sinfSZZZ", "_Z1fiiiiiiiii"};
    char text[256];

    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        ck_assert_msg(strcmp(print(names[i], text), strcmp(names[i], "_Z3sin") == 0 ? "sin()" : "none") == 0, "%s: %s",
                      names[i], text);
}
END_TEST

HARNESS_MAIN("mangled", types_are_read_and_those_that_are_named_again, what_is_no_such_name_is_none)
