#include "engine/subjects.h"

#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Two kernels, the second with a required size and a local argument; of broken.cl nothing builds, old.cl only as 2.0.
 */
static int list_kernels(void *self, const struct subject *subject, struct remote_kernels *kernels, struct error *error)
{
    (void)self;
    *kernels = (struct remote_kernels){NULL, 0, NULL};
    if (strcmp(subject->file, "broken.cl") == 0 ||
        (strcmp(subject->file, "old.cl") == 0 && strstr(subject->options, "-cl-std=CL2.0") == NULL)) {
        kernels->log = strdup("line 3: error");
        return error_set(error, STATUS_SURPRISE, "'%s' does not build", subject->file);
    }
    kernels->kernels = calloc(2, sizeof *kernels->kernels);
    kernels->count = 2;
    strcpy(kernels->kernels[0].name, "light");
    kernels->kernels[0].most_items = 256;
    strcpy(kernels->kernels[1].name, "tiles");
    memcpy(kernels->kernels[1].required, (uint32_t[]){8, 4, 1}, sizeof kernels->kernels[1].required);
    kernels->kernels[1].local_count = 1;
    kernels->kernels[1].locals[0].argument = 2;
    strcpy(kernels->kernels[1].locals[0].name, "tile");
    return 0;
}

static const struct device_info device = {.name = "D", .max_local_size = 1024};
static struct footprint *planned;
static size_t count;
static struct error error;
static char logged[64];
static char hinted[512];

static void take_log(const char *file, const char *log, const char *hint)
{
    ck_assert_str_eq(log, "line 3: error");
    snprintf(hinted, sizeof hinted, "%s", hint);
    snprintf(logged, sizeof logged, "%s", file);
}

static int plan(struct subject_request request)
{
    static const struct executor_operations operations = {.kernels = list_kernels};
    const struct executor executor = {&operations, NULL};

    free(planned);
    planned = NULL;
    logged[0] = '\0';
    count = 0;
    if (request.file_count == 0)
        request.files[request.file_count++] = "a.cl";
    if (request.options == NULL)
        request.options = "";
    request.log = take_log;
    return subjects_plan(&request, &executor, &device, &planned, &count, &error);
}

static void assert_planned(size_t at, const char *kernel, const char *shape)
{
    char text[SHAPE_BYTES];

    ck_assert_uint_lt(at, count);
    nd_range_print_shape(&planned[at].subject.shape, text);
    ck_assert_str_eq(planned[at].subject.kernel, kernel);
    ck_assert_str_eq(text, shape);
    ck_assert_uint_eq(planned[at].local_size, nd_range_local_size(&planned[at].subject.shape));
}

START_TEST(ladder_ends_where_the_kernel_does_and_a_required_size_is_kept)
{
    ck_assert_int_eq(plan((struct subject_request){.file_count = 0}), 0);
    ck_assert_uint_eq(count, 3);
    assert_planned(0, "light", "64");
    assert_planned(1, "light", "256");
    assert_planned(2, "tiles", "8x4");
}
END_TEST

START_TEST(given_sizes_are_those_of_kernels_without_one)
{
    const struct subject_request request = {
        .sizes = {{.dimensions = 2, .local = {16, 2, 1}}, {.dimensions = 1, .local = {32, 1, 1}}}, .size_count = 2};

    ck_assert_int_eq(plan(request), 0);
    ck_assert_uint_eq(count, 3);
    assert_planned(0, "light", "16x2");
    assert_planned(1, "light", "32");
    assert_planned(2, "tiles", "8x4");
}
END_TEST

START_TEST(size_that_the_device_does_not_allow_is_refused)
{
    const struct subject_request request = {.sizes = {{.dimensions = 2, .local = {64, 32, 1}}}, .size_count = 1};

    ck_assert_int_eq(plan(request), -1);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_str_eq(error.text, "--local-size 64x32: D allows 1 to 1024 work-items");
}
END_TEST

START_TEST(kernels_that_are_not_there_are_refused_with_those_that_are)
{
    ck_assert_int_eq(plan((struct subject_request){.kernels = {"tiles"}, .kernel_count = 1}), 0);
    ck_assert_uint_eq(count, 1);
    ck_assert_int_eq(plan((struct subject_request){.kernels = {"tiles", "tile"}, .kernel_count = 2}), -1);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    ck_assert_str_eq(error.text, "no kernel 'tile' in a.cl (there are light, tiles)");
}
END_TEST

START_TEST(local_arguments_are_found_by_number_and_name)
{
    const struct given_local locals[] = {{"", "", "2", 64}, {"", "tiles", "tile", 64}, {"", "", "tile", 64}};

    for (size_t i = 0; i < sizeof locals / sizeof *locals; ++i) {
        struct subject_request request = {.local_count = 1};
        request.locals[0] = locals[i];
        ck_assert_int_eq(plan(request), 0);
        ck_assert_str_eq(planned[0].subject.locals, "");
        ck_assert_str_eq(planned[2].subject.locals, "2=64");
    }
}
END_TEST

START_TEST(local_argument_of_one_kernel_goes_before_that_of_all_and_the_last_before_others)
{
    struct subject_request request = {
        .locals = {{"", "tiles", "2", 16}, {"", "", "tile", 64}, {"", "tiles", "tile", 32}, {"", "", "2", 128}},
        .local_count = 4};

    ck_assert_int_eq(plan(request), 0);
    ck_assert_str_eq(planned[2].subject.locals, "2=32");
    request.locals[0].kernel[0] = request.locals[2].kernel[0] = '\0';
    ck_assert_int_eq(plan(request), 0);
    ck_assert_str_eq(planned[2].subject.locals, "2=128");
}
END_TEST

START_TEST(local_arguments_that_are_not_there_are_refused)
{
    const struct given_local locals[] = {
        {"1=local:64", "", "1", 64}, {"light:2=local:64", "light", "2", 64}, {"tiles:til=local:1", "tiles", "til", 1}};
    const char *const texts[] = {
        "--arg 1=local:64: no kernel that is measured has such a local argument",
        "--arg light:2=local:64: kernel 'light' has no such local argument; it has none",
        "--arg tiles:til=local:1: kernel 'tiles' has no such local argument; it has 2 (tile)",
    };

    for (size_t i = 0; i < sizeof locals / sizeof *locals; ++i) {
        struct subject_request request = {.local_count = 1};
        request.locals[0] = locals[i];
        ck_assert_int_eq(plan(request), -1);
        ck_assert_int_eq(error.status, STATUS_USAGE);
        ck_assert_str_eq(error.text, texts[i]);
    }
}
END_TEST

START_TEST(file_that_does_not_build_has_a_row)
{
    ck_assert_int_eq(plan((struct subject_request){.files = {"broken.cl", "a.cl"}, .file_count = 2}), 0);
    ck_assert_str_eq(logged, "broken.cl");
    ck_assert_uint_eq(count, 4);
    assert_planned(0, "", "1");
    ck_assert_str_eq(planned[0].subject.file, "broken.cl");
    assert_planned(1, "light", "64");
}
END_TEST

START_TEST(version_that_builds_is_told)
{
    const char *const files[] = {"old.cl", "broken.cl"};

    for (int i = 0; i < 2; ++i) {
        struct subject_request request = {.file_count = 1};
        request.files[0] = files[i];
        ck_assert_int_eq(plan(request), 0);
        ck_assert_str_eq(logged, files[i]);
        ck_assert_str_eq(hinted, i == 0 ? "it builds with --build-options=-cl-std=CL2.0" : "");
        request.options = "-cl-std=CL1.1"; /* it was chosen */
        ck_assert_int_eq(plan(request), 0);
        ck_assert_str_eq(hinted, "");
    }
}
END_TEST

START_TEST(file_that_does_not_build_may_have_what_is_asked_for)
{
    struct subject_request request = {.file_count = 2, .kernels = {"tiles", "other"}, .kernel_count = 2};

    request.files[0] = "broken.cl";
    request.files[1] = "a.cl";
    ck_assert_int_eq(plan(request), 0);
    ck_assert_uint_eq(count, 2);
    assert_planned(0, "", "1");
    assert_planned(1, "tiles", "8x4");
}
END_TEST

HARNESS_MAIN("subjects", version_that_builds_is_told, file_that_does_not_build_may_have_what_is_asked_for,
             ladder_ends_where_the_kernel_does_and_a_required_size_is_kept,
             given_sizes_are_those_of_kernels_without_one, size_that_the_device_does_not_allow_is_refused,
             kernels_that_are_not_there_are_refused_with_those_that_are, local_arguments_are_found_by_number_and_name,
             local_argument_of_one_kernel_goes_before_that_of_all_and_the_last_before_others,
             local_arguments_that_are_not_there_are_refused, file_that_does_not_build_has_a_row)
