/* Names of model devices that are like another device. */
#include "harness.h"
#include "litmus/emulate.h"

#include <string.h>

static struct error error;

static struct model_like parse(const char *text)
{
    struct model_like like;
    ck_assert_msg(model_like_parse(text, &like, &error) == 0, "%s", error.text);
    return like;
}

static void assert_run(const char *text, const char *run)
{
    struct model_like like = parse(text);
    ck_assert_str_eq(like.run, run);
    model_like_fini(&like);
}

START_TEST(run_file_is_what_stands_before_the_parts)
{
    assert_run("model:like:x.run", "x.run");
    assert_run("MODEL:LIKE:/Tmp/X.run,Order=up", "/Tmp/X.run");
    assert_run("model:like:a,b.run", "a,b.run");
    assert_run("model:like:a,order=up,b.run", "a,order=up,b.run");
    assert_run("model:like:a,colour=red,order=up,seed=1", "a,colour=red");
    assert_run("model:like:obe:8", "obe:8");
}
END_TEST

START_TEST(parts_say_what_the_file_need_not)
{
    struct model_like like =
        parse("model:like:x,order=down,turns=lot,reads=written,seed=7,sub-groups=32,model=hsa_obe,device=Some GPU#2");

    ck_assert_str_eq(like.device, "some gpu#2");
    ck_assert_uint_eq(like.model.order, MODEL_ORDER_DOWN);
    ck_assert_uint_eq(like.model.turns, MODEL_TURNS_LOT);
    ck_assert_uint_eq(like.model.reads, MODEL_READS_WRITTEN);
    ck_assert_uint_eq(like.model.seed, 7);
    ck_assert_uint_eq(like.model.sub_groups, 32);
    ck_assert_uint_eq(like.model.model, LITMUS_HSA_OBE);
    ck_assert_uint_eq(like.said, (1u << (MODEL_PART_DEVICE + 1)) - 1);
    ck_assert_ptr_null(like.kernels);
    model_like_fini(&like);
    like = parse("model:like:x,Kernels=/Tmp/Y.run,seed=1");
    ck_assert_str_eq(like.kernels, "/Tmp/Y.run");
    model_like_fini(&like);
    like = parse("model:like:x");
    ck_assert_uint_eq(like.said, 0);
    ck_assert_str_eq(like.device, "");
    model_like_fini(&like);
}
END_TEST

START_TEST(what_says_nothing_is_refused)
{
    static const char *const cases[][2] = {
        {"model:like:", "expected a run file of gridlock limits"},
        {"model:like:,order=up", "expected a run file of gridlock limits"},
        {"model:like:x,order=side", "\"order=side\": expected mixed, up, down, chunked, split or lot"},
        {"model:like:x,model=fair", "\"model=fair\": expected obe, hsa_obe or lobe"},
        {"model:like:x,model=obe:8", "\"model=obe:8\": expected obe, hsa_obe or lobe"},
        {"model:like:x,seed=1,seed=2", "device=... or kernels=RUN, each once"},
        {"model:like:x,seed=", "expected a number"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct model_like like;
        ck_assert_msg(model_like_parse(cases[i][0], &like, &error) == -1, "%s", cases[i][0]);
        ck_assert_uint_eq(error.status, STATUS_USAGE);
        ck_assert_msg(strstr(error.text, cases[i][1]) != NULL, "%s", error.text);
        model_like_fini(&like);
    }
}
END_TEST

START_TEST(only_what_is_like_another_takes_its_parts)
{
    struct model_device device;

    ck_assert_int_eq(model_device_parse("model:obe:8,model=lobe", &device, &error), -1);
    ck_assert_int_eq(model_device_parse("model:obe:8,device=gpu", &device, &error), -1);
    ck_assert(model_like_is_named("Model:Like:x"));
    ck_assert(!model_like_is_named("model:obe:8"));
}
END_TEST

START_TEST(name_says_what_it_is_like)
{
    static const char *const names[] = {
        "model:lobe:4224,like=NVIDIA H200",
        "model:hsa_obe:2,order=chunked,like=pthread, order=up (LLVM 1, 256 bits)",
        "model:obe:3,order=up,turns=pct,seed=9,like=,",
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        struct model_device device;
        char name[MODEL_DEVICE_NAME];
        ck_assert_msg(model_device_parse(names[i], &device, &error) == 0, "%s", error.text);
        model_device_name(&device, name);
        ck_assert_str_eq(name, names[i]);
        ck_assert(model_like_has(names[i]));
        ck_assert_int_eq(model_device_check_litmus(&device, &error), -1);
    }
    ck_assert(!model_like_has("model:obe:3"));
    ck_assert(!model_like_has("NVIDIA H200,like=model"));
}
END_TEST

START_TEST(long_names_are_cut)
{
    struct model_device device = {.model = LITMUS_HSA_OBE,
                                  .resident = 65536,
                                  .weak = true,
                                  .order = MODEL_ORDER_CHUNKED,
                                  .turns = MODEL_TURNS_ROUND + 1,
                                  .reads = MODEL_READS_WRITTEN,
                                  .seed = UINT32_MAX};
    char name[MODEL_DEVICE_NAME];

    memset(device.like, 'x', sizeof device.like - 1);
    model_device_name(&device, name);
    ck_assert_uint_lt(strlen(name), sizeof name - 1);
    ck_assert_str_eq(strrchr(name, '=') + 1, device.like);
}
END_TEST

HARNESS_MAIN("model_like", run_file_is_what_stands_before_the_parts, parts_say_what_the_file_need_not,
             what_says_nothing_is_refused, only_what_is_like_another_takes_its_parts, name_says_what_it_is_like,
             long_names_are_cut)
