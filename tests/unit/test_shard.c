/* Which part of a plan this process runs. */
#include "base/shard.h"

#include "harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct error error;

static const char *const variables[] = {"GTEST_SHARD_INDEX",    "GTEST_TOTAL_SHARDS",   "SLURM_ARRAY_TASK_ID",
                                        "CI_NODE_INDEX",        "CI_NODE_TOTAL",        "SLURM_ARRAY_TASK_COUNT",
                                        "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "SLURM_ARRAY_TASK_MIN",
                                        "SLURM_ARRAY_TASK_STEP"};

static void clear_environment(void)
{
    for (size_t i = 0; i < sizeof variables / sizeof *variables; ++i)
        unsetenv(variables[i]);
}

/* "NAME=value NAME=value ...": what the environment says, and nothing else. */
static void set_environment(const char *settings)
{
    char text[256];
    char *rest = NULL;

    clear_environment();
    snprintf(text, sizeof text, "%s", settings);
    for (char *name = strtok_r(text, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(name, '=');
        *value = '\0';
        setenv(name, value + 1, 1);
    }
}

/* --- --shard --- */

START_TEST(index_and_count_are_read)
{
    static const struct {
        const char *text;
        struct shard shard;
    } cases[] = {{"0/1", {0, 1, NULL}},
                 {"0/4", {0, 4, NULL}},
                 {"3/4", {3, 4, NULL}},
                 {"007/10", {7, 10, NULL}},
                 {"999999/1000000", {999999, 1000000, NULL}}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct shard shard;
        ck_assert_msg(shard_parse(cases[i].text, &shard, &error) == 0, "%s", error.text);
        ck_assert_uint_eq(shard.index, cases[i].shard.index);
        ck_assert_uint_eq(shard.count, cases[i].shard.count);
    }
}
END_TEST

START_TEST(what_names_no_shard_is_refused)
{
    static const char *const texts[] = {"",
                                        "/",
                                        "1",
                                        "1/",
                                        "/2",
                                        "2/2",
                                        "3/2",
                                        "0/0",
                                        "-1/2",
                                        "0/-2",
                                        "+1/2",
                                        " 1/2",
                                        "1 /2",
                                        "1/2 ",
                                        "1/2/3",
                                        "a/2",
                                        "1/b",
                                        "0x1/2",
                                        "1.0/2",
                                        "0/1000001",
                                        "0/99999999999999999999",
                                        "00000000000000000000001/2"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        struct shard shard = {77, 88, NULL};
        ck_assert_msg(shard_parse(texts[i], &shard, &error) == -1, "%s", texts[i]);
        ck_assert_int_eq(error.status, STATUS_USAGE);
        ck_assert_ptr_nonnull(strstr(error.text, "--shard"));
        ck_assert_uint_eq(shard.index, 77);
    }
}
END_TEST

/* --- the environment --- */

static const struct {
    const char *settings;
    struct shard shard;
    const char *by;
} environments[] = {
    {"GTEST_SHARD_INDEX=2 GTEST_TOTAL_SHARDS=5", {2, 5, NULL}, "GTEST_SHARD_INDEX"},
    {"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=0", {3, 4, NULL}, "SLURM_ARRAY_TASK_ID"},
    {"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=4", {3, 4, NULL}, "SLURM_ARRAY_TASK_ID"},
    {"SLURM_ARRAY_TASK_ID=11 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_STEP=2",
     {3, 4, NULL},
     "SLURM_ARRAY_TASK_ID"},
    {"CI_NODE_INDEX=1 CI_NODE_TOTAL=3", {0, 3, NULL}, "CI_NODE_INDEX"}, /* from 1 */
    {"CI_NODE_INDEX=3 CI_NODE_TOTAL=3", {2, 3, NULL}, "CI_NODE_INDEX"},
    {"OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2", {1, 2, NULL}, "OMPI_COMM_WORLD_RANK"},
    {"OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1", {0, 1, NULL}, "OMPI_COMM_WORLD_RANK"},
    /* One of two is as good as none. */
    {"GTEST_SHARD_INDEX=2 OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2", {1, 2, NULL}, "OMPI_COMM_WORLD_RANK"},
    /* Two that say the same. */
    {"GTEST_SHARD_INDEX=1 GTEST_TOTAL_SHARDS=2 OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2",
     {1, 2, NULL},
     "GTEST_SHARD_INDEX"},
};

START_TEST(environment_chooses_the_shard_when_asked)
{
    for (size_t i = 0; i < sizeof environments / sizeof *environments; ++i) {
        struct shard shard = {77, 88, NULL};
        set_environment(environments[i].settings);
        ck_assert_msg(shard_parse("env", &shard, &error) == 0, "%s", error.text);
        ck_assert_uint_eq(shard.index, environments[i].shard.index);
        ck_assert_uint_eq(shard.count, environments[i].shard.count);
        ck_assert_str_eq(shard.by, environments[i].by);
    }
    clear_environment();
}
END_TEST

/* GitLab, Slurm and MPI set their variables for jobs, too, that are not to be divided. */
START_TEST(only_gtest_shards_by_itself)
{
    for (size_t i = 0; i < sizeof environments / sizeof *environments; ++i) {
        const bool gtest = strcmp(environments[i].by, "GTEST_SHARD_INDEX") == 0;
        struct shard shard = {77, 88, NULL};
        set_environment(environments[i].settings);
        ck_assert_msg(shard_of_gtest(&shard, &error) == 0, "%s", error.text);
        ck_assert_uint_eq(shard.count, gtest ? environments[i].shard.count : 0);
    }
    clear_environment();
}
END_TEST

START_TEST(environment_that_names_no_shard_is_refused)
{
    static const struct {
        const char *settings, *named;
    } cases[] = {
        {"", "GTEST_SHARD_INDEX"},
        /* GitLab sets CI_NODE_TOTAL to 1 for jobs that are not parallel. */
        {"CI_NODE_TOTAL=1", "the environment names no shard"},
        {"GTEST_SHARD_INDEX=2", "the environment names no shard"},
        {"GTEST_SHARD_INDEX=2 GTEST_TOTAL_SHARDS=5 OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2",
         "GTEST_SHARD_INDEX names shard 2/5, but OMPI_COMM_WORLD_RANK 1/2"},
        {"SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=2 OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=3",
         "SLURM_ARRAY_TASK_ID names shard 1/2"},
        {"GTEST_SHARD_INDEX=5 GTEST_TOTAL_SHARDS=5", "GTEST_SHARD_INDEX"},
        {"GTEST_SHARD_INDEX=x GTEST_TOTAL_SHARDS=5", "GTEST_SHARD_INDEX=x"},
        {"GTEST_SHARD_INDEX=0 GTEST_TOTAL_SHARDS=", "GTEST_TOTAL_SHARDS="},
        {"GTEST_SHARD_INDEX=0 GTEST_TOTAL_SHARDS=0", "GTEST_TOTAL_SHARDS"},
        {"GTEST_SHARD_INDEX=-1 GTEST_TOTAL_SHARDS=2", "GTEST_SHARD_INDEX"},
        {"CI_NODE_INDEX=0 CI_NODE_TOTAL=3", "CI_NODE_INDEX"},
        {"CI_NODE_INDEX=4 CI_NODE_TOTAL=3", "CI_NODE_INDEX"},
        {"OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1000001", "OMPI_COMM_WORLD_SIZE"},
        {"SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1", "SLURM_ARRAY_TASK_ID"},
        {"SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_STEP=two", "SLURM_ARRAY_TASK_STEP=two"},
        /* Arrays with gaps: two of their tasks would run the same shard, and none another. */
        {"SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=3", "SLURM_ARRAY_TASK_ID"},
        {"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_STEP=2", "SLURM_ARRAY_TASK_ID"},
        {"SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_STEP=0", "SLURM_ARRAY_TASK_ID"},
        {"SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP=2",
         "SLURM_ARRAY_TASK_ID"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct shard shard;
        set_environment(cases[i].settings);
        ck_assert_msg(shard_parse("env", &shard, &error) == -1, "%s", cases[i].settings);
        ck_assert_int_eq(error.status, STATUS_USAGE);
        ck_assert_msg(strstr(error.text, cases[i].named) != NULL, "%s", error.text);
    }
    clear_environment();
}
END_TEST

/* --- which trials --- */

static void name_point(char name[96], int i)
{
    static const char *const scenarios[] = {"barrier_central", "lock_ticket", "reduce_levels"};
    snprintf(name, 96, "%s/cl30/l%d/rounds=%d,test=no/g%d", scenarios[i % 3], 1 << i / 3 % 9, i % 7, 1 + i / 27);
}

START_TEST(each_trial_is_in_one_shard)
{
    for (uint32_t count = 1; count < 40; ++count) {
        for (int i = 0; i < 300; ++i) {
            char name[96];
            int owners = 0;
            name_point(name, i);
            for (uint32_t index = 0; index < count; ++index)
                owners += shard_has(&(struct shard){index, count, NULL}, name);
            ck_assert_int_eq(owners, 1);
        }
    }
}
END_TEST

START_TEST(undivided_plan_has_all)
{
    ck_assert(shard_has(&(struct shard){0, 0, NULL}, "barrier_central/cl30/l1/g1"));
    ck_assert(shard_has(&(struct shard){0, 1, NULL}, "barrier_central/cl30/l1/g1"));
}
END_TEST

/* With so many names six standard deviations are less than a tenth of what each shard is to have. */
START_TEST(shards_are_of_about_one_size)
{
    static const uint32_t counts[] = {2, 3, 4, 7, 16, 32};
    enum { NAMES = 120000 };

    for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c) {
        uint32_t sizes[32] = {0};
        for (int i = 0; i < NAMES; ++i) {
            char name[96];
            name_point(name, i);
            for (uint32_t index = 0; index < counts[c]; ++index)
                sizes[index] += shard_has(&(struct shard){index, counts[c], NULL}, name);
        }
        for (uint32_t index = 0; index < counts[c]; ++index) {
            const uint32_t fair = NAMES / counts[c];
            ck_assert_msg(sizes[index] > fair - fair / 10 && sizes[index] < fair + fair / 10,
                          "shard %" PRIu32 "/%" PRIu32 " has %" PRIu32, index, counts[c], sizes[index]);
        }
    }
}
END_TEST

/* A shard that fails is run again later, elsewhere, perhaps by a newer version: it must find the same trials. */
START_TEST(shard_of_a_trial_never_changes)
{
    static const struct {
        const char *id;
        uint32_t of_4, of_7, of_1000;
    } known[] = {
        {"barrier_central/cl30/l1/g1", 0, 2, 824},       {"barrier_central/cl30/l64/g3", 1, 1, 193},
        {"lock_ticket/cl30/l64/rounds=3/g4", 3, 0, 891}, {"limits/l64-m0-p0", 1, 4, 841},
        {"limits/l4096-m1024-p256", 2, 2, 338},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        ck_assert_msg(shard_has(&(struct shard){known[i].of_4, 4, NULL}, known[i].id), "%s", known[i].id);
        ck_assert_msg(shard_has(&(struct shard){known[i].of_7, 7, NULL}, known[i].id), "%s", known[i].id);
        ck_assert_msg(shard_has(&(struct shard){known[i].of_1000, 1000, NULL}, known[i].id), "%s", known[i].id);
    }
}
END_TEST

HARNESS_MAIN("shard", index_and_count_are_read, what_names_no_shard_is_refused,
             environment_chooses_the_shard_when_asked, only_gtest_shards_by_itself,
             environment_that_names_no_shard_is_refused, each_trial_is_in_one_shard, undivided_plan_has_all,
             shards_are_of_about_one_size, shard_of_a_trial_never_changes)
