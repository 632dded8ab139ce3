#include "search/footprints.h"

#include "harness.h"

#include <string.h>

struct plan {
    struct footprint *items;
    size_t count;
};

static const struct device_info gpu = {
    .name = "A GPU", .kind = DEVICE_GPU, .max_local_size = 1024, .local_memory_bytes = 49152};
static const struct device_info cpu = {
    .name = "A CPU", .kind = DEVICE_CPU, .max_local_size = 4096, .local_memory_bytes = 524288};
static const struct device_info small = {
    .name = "Small", .kind = DEVICE_OTHER, .max_local_size = 8, .local_memory_bytes = 300};
static const struct device_info cpu_without_memory = {.name = "C", .kind = DEVICE_CPU, .max_local_size = 4096};
static const struct device_info gpu_of_32k = {
    .name = "G", .kind = DEVICE_GPU, .max_local_size = 256, .local_memory_bytes = 32768};
static const struct device_info bare = {.name = "Bare", .kind = DEVICE_OTHER, .max_local_size = 1};

static const struct footprint_axes no_axes;

static struct plan plan(const struct footprint_axes *axes, const struct device_info *device)
{
    struct plan result = {0};
    ck_assert_int_eq(footprints_plan(axes, device, &result.items, &result.count, NULL), 0);
    return result;
}

static struct error refuse(const struct footprint_axes *axes, const struct device_info *device)
{
    struct plan result = {0};
    struct error error = {0};
    ck_assert_int_eq(footprints_plan(axes, device, &result.items, &result.count, &error), -1);
    ck_assert_int_eq(error.status, STATUS_USAGE);
    return error;
}

static bool same(const struct footprint *a, const struct footprint *b)
{
    return a->local_size == b->local_size && a->local_memory_bytes == b->local_memory_bytes &&
           a->private_bytes == b->private_bytes;
}

static size_t count_of(const struct plan *result, struct footprint wanted)
{
    size_t count = 0;
    for (size_t i = 0; i < result->count; ++i)
        count += same(&result->items[i], &wanted);
    return count;
}

/* All that the sweep must promise on any device. */
static void assert_sound(const struct device_info *device)
{
    struct plan sweep = plan(&no_axes, device);
    for (size_t i = 0; i < sweep.count; ++i) {
        const struct footprint *footprint = &sweep.items[i];
        ck_assert_uint_ge(footprint->local_size, 1);
        ck_assert_uint_le(footprint->local_size, device->max_local_size);
        ck_assert_uint_le(footprint->local_memory_bytes, device->local_memory_bytes);
        ck_assert_uint_le(footprint->private_bytes, FOOTPRINT_PRIVATE_MAX);
        ck_assert_uint_eq(footprint->private_bytes % 4, 0);
        ck_assert(footprint->local_memory_bytes == 0 || footprint->private_bytes == 0);
        ck_assert_uint_eq(count_of(&sweep, *footprint), 1);
    }
    free(sweep.items);
}

static uint64_t most_local_memory(const struct plan *result)
{
    uint64_t most = 0;
    for (size_t i = 0; i < result->count; ++i)
        if (result->items[i].local_memory_bytes > most)
            most = result->items[i].local_memory_bytes;
    return most;
}

static uint32_t most_private_bytes(const struct plan *result)
{
    uint32_t most = 0;
    for (size_t i = 0; i < result->count; ++i)
        if (result->items[i].private_bytes > most)
            most = result->items[i].private_bytes;
    return most;
}

/* --- the sweep --- */

START_TEST(sweep_is_sound_on_each_device)
{
    assert_sound(&gpu);
    assert_sound(&cpu);
    assert_sound(&small);
    assert_sound(&bare);
    assert_sound(&cpu_without_memory);
    assert_sound(&gpu_of_32k);
}
END_TEST

START_TEST(sweep_has_each_power_of_two_of_work_items)
{
    struct plan sweep = plan(&no_axes, &gpu);
    for (uint32_t size = 1; size <= 1024; size *= 2)
        ck_assert_uint_eq(count_of(&sweep, (struct footprint){.local_size = size}), 1);
    free(sweep.items);
}
END_TEST

START_TEST(sweep_stays_below_a_largest_size_that_is_no_power_of_two)
{
    struct device_info device = gpu;
    device.max_local_size = 1000;
    assert_sound(&device);
    struct plan sweep = plan(&no_axes, &device);
    ck_assert_uint_eq(count_of(&sweep, (struct footprint){.local_size = 512}), 1);
    free(sweep.items);
}
END_TEST

START_TEST(memory_ladder_of_a_gpu_ends_near_all_that_there_is)
{
    struct plan sweep = plan(&no_axes, &gpu);
    ck_assert_uint_eq(count_of(&sweep, (struct footprint){.local_size = 64, .local_memory_bytes = 512}), 1);
    ck_assert_uint_eq(count_of(&sweep, (struct footprint){.local_size = 64, .local_memory_bytes = 768}), 1);
    ck_assert_uint_eq(count_of(&sweep, (struct footprint){.local_size = 64, .local_memory_bytes = 24576}), 1);
    ck_assert_uint_ge(most_local_memory(&sweep), 49152 - 1024);
    free(sweep.items);
}
END_TEST

START_TEST(memory_ladder_of_a_cpu_ends_near_all_that_there_is)
{
    struct plan sweep = plan(&no_axes, &cpu);
    ck_assert_uint_eq(count_of(&sweep, (struct footprint){.local_size = 64, .local_memory_bytes = 8192}), 1);
    ck_assert_uint_ge(most_local_memory(&sweep), 524288 - 1024);
    free(sweep.items);
}
END_TEST

START_TEST(device_without_local_memory_has_no_memory_ladder)
{
    struct plan sweep = plan(&no_axes, &bare);
    for (size_t i = 0; i < sweep.count; ++i)
        ck_assert_uint_eq(sweep.items[i].local_memory_bytes, 0);
    free(sweep.items);
}
END_TEST

START_TEST(ladders_are_at_the_largest_size_of_a_small_device)
{
    struct plan sweep = plan(&no_axes, &small);
    for (size_t i = 0; i < sweep.count; ++i)
        if (sweep.items[i].local_memory_bytes + sweep.items[i].private_bytes > 0)
            ck_assert_uint_eq(sweep.items[i].local_size, 8);
    ck_assert_uint_gt(most_local_memory(&sweep), 0);
    ck_assert_uint_gt(most_private_bytes(&sweep), 0);
    free(sweep.items);
}
END_TEST

START_TEST(register_ladder_of_a_gpu_has_more_rungs_than_that_of_a_cpu)
{
    struct plan of_gpu = plan(&no_axes, &gpu);
    struct plan of_cpu = plan(&no_axes, &cpu);
    size_t gpu_rungs = 0, cpu_rungs = 0;
    for (size_t i = 0; i < of_gpu.count; ++i)
        gpu_rungs += of_gpu.items[i].private_bytes > 0;
    for (size_t i = 0; i < of_cpu.count; ++i)
        cpu_rungs += of_cpu.items[i].private_bytes > 0;
    ck_assert_uint_gt(cpu_rungs, 0);
    ck_assert_uint_eq(count_of(&of_gpu, (struct footprint){.local_size = 64, .private_bytes = 32}), 1);
    ck_assert_uint_ge(most_private_bytes(&of_gpu), 4 * 192);
    ck_assert_uint_ge(most_private_bytes(&of_cpu), 4 * 192);
    ck_assert_uint_gt(gpu_rungs, cpu_rungs);
    free(of_gpu.items);
    free(of_cpu.items);
}
END_TEST

/* --- given values --- */

START_TEST(given_axes_are_combined)
{
    struct footprint_axes axes = {.local_size = {{32, 128}, 2}, .local_memory = {{0, 1024, 2048}, 3}};
    axes.private_bytes = (struct axis){{0, 64}, 2};
    struct plan result = plan(&axes, &gpu);
    ck_assert_uint_eq(result.count, 12);
    for (size_t s = 0; s < 2; ++s)
        for (size_t m = 0; m < 3; ++m)
            for (size_t p = 0; p < 2; ++p) {
                struct footprint wanted = {.local_size = (uint32_t)axes.local_size.values[s],
                                           .local_memory_bytes = axes.local_memory.values[m],
                                           .private_bytes = (uint32_t)axes.private_bytes.values[p]};
                ck_assert_uint_eq(count_of(&result, wanted), 1);
            }
    free(result.items);
}
END_TEST

START_TEST(grid_is_a_product_that_is_not_too_large)
{
    const struct device_info *devices[] = {&gpu, &cpu, &small};
    const struct footprint_axes axes = {.grid = true};
    for (size_t d = 0; d < sizeof devices / sizeof *devices; ++d) {
        struct plan result = plan(&axes, devices[d]);
        ck_assert_uint_gt(result.count, 0);
        ck_assert_uint_le(result.count, FOOTPRINTS_GRID);
        for (size_t i = 0; i < result.count; ++i) {
            const struct footprint *footprint = &result.items[i];
            ck_assert_uint_eq(count_of(&result, *footprint), 1);
            ck_assert_uint_ge(footprint->local_size, 1);
            ck_assert_uint_le(footprint->local_size, devices[d]->max_local_size);
            ck_assert_uint_le(footprint->local_memory_bytes, devices[d]->local_memory_bytes);
            for (size_t j = 0; j < result.count; ++j) {
                struct footprint crossed = *footprint;
                crossed.local_memory_bytes = result.items[j].local_memory_bytes;
                ck_assert_uint_eq(count_of(&result, crossed), 1);
            }
        }
        free(result.items);
    }
    struct plan result = plan(&axes, &gpu);
    ck_assert_uint_eq(result.count, FOOTPRINTS_GRID);
    free(result.items);
}
END_TEST

START_TEST(grid_has_given_values_and_completes_the_others)
{
    const struct footprint_axes axes = {.local_size = {{48}, 1}, .private_bytes = {{0, 8}, 2}, .grid = true};
    struct plan result = plan(&axes, &gpu);
    ck_assert_uint_eq(result.count, 10);
    for (size_t i = 0; i < result.count; ++i)
        ck_assert_uint_eq(result.items[i].local_size, 48);
    ck_assert_uint_eq(most_private_bytes(&result), 8);
    free(result.items);
}
END_TEST

START_TEST(grid_that_is_too_large_is_refused)
{
    struct footprint_axes axes = {.grid = true, .local_size = {.count = 5}};
    for (uint32_t i = 0; i < axes.local_size.count; ++i)
        axes.local_size.values[i] = i + 1;
    struct error error = refuse(&axes, &gpu);
    ck_assert_str_eq(error.text,
                     "--grid: 5 work-group sizes x 5 amounts of local memory x 3 of private memory: at most 60 "
                     "footprints are allowed");
}
END_TEST

START_TEST(given_size_alone_has_neither_local_nor_private_memory)
{
    struct footprint_axes axes = {.local_size = {{256}, 1}};
    struct plan result = plan(&axes, &gpu);
    ck_assert_uint_eq(result.count, 1);
    ck_assert_uint_eq(count_of(&result, (struct footprint){.local_size = 256}), 1);
    free(result.items);
}
END_TEST

START_TEST(given_memory_alone_is_measured_at_one_size)
{
    struct footprint_axes axes = {.local_memory = {{1024, 2048}, 2}};
    struct plan result = plan(&axes, &gpu);
    ck_assert_uint_eq(result.count, 2);
    ck_assert_uint_eq(result.items[0].local_size, result.items[1].local_size);
    free(result.items);
}
END_TEST

START_TEST(single_footprint_without_given_values_has_neither_local_nor_private_memory)
{
    struct footprint_axes axes = {.single = true};
    struct plan result = plan(&axes, &gpu);
    ck_assert_uint_eq(result.count, 1);
    ck_assert_uint_eq(result.items[0].local_memory_bytes, 0);
    ck_assert_uint_eq(result.items[0].private_bytes, 0);
    free(result.items);
}
END_TEST

START_TEST(single_footprint_is_possible_on_a_small_device)
{
    struct footprint_axes axes = {.single = true};
    struct plan result = plan(&axes, &small);
    ck_assert_uint_le(result.items[0].local_size, small.max_local_size);
    free(result.items);
}
END_TEST

START_TEST(single_does_not_reduce_given_values)
{
    struct footprint_axes axes = {.single = true, .local_size = {{32, 64, 128}, 3}};
    struct plan result = plan(&axes, &gpu);
    ck_assert_uint_eq(result.count, 3);
    free(result.items);
}
END_TEST

START_TEST(size_that_was_not_given_is_possible_on_a_small_device)
{
    struct footprint_axes axes = {.local_memory = {{256}, 1}};
    struct plan result = plan(&axes, &small);
    ck_assert_uint_eq(result.count, 1);
    ck_assert_uint_le(result.items[0].local_size, small.max_local_size);
    free(result.items);
}
END_TEST

START_TEST(most_that_the_device_allows_can_be_given)
{
    struct footprint_axes axes = {.local_size = {{1, 1024}, 2}, .local_memory = {{49152}, 1}};
    axes.private_bytes = (struct axis){{FOOTPRINT_PRIVATE_MAX}, 1};
    struct plan result = plan(&axes, &gpu);
    ck_assert_uint_eq(result.count, 2);
    free(result.items);
}
END_TEST

START_TEST(more_combinations_than_the_first_allocation_holds_are_planned)
{
    struct footprint_axes axes = {.local_size.count = 40, .private_bytes.count = 40};
    for (uint64_t i = 0; i < 40; ++i) {
        axes.local_size.values[i] = i + 1;
        axes.private_bytes.values[i] = 4 * i;
    }
    struct plan result = plan(&axes, &gpu);
    ck_assert_uint_eq(result.count, 1600);
    ck_assert_uint_eq(count_of(&result, (struct footprint){.local_size = 40, .private_bytes = 156}), 1);
    free(result.items);
}
END_TEST

START_TEST(size_above_the_largest_is_refused_by_name)
{
    struct footprint_axes axes = {.local_size = {{64, 1025}, 2}};
    struct error error = refuse(&axes, &gpu);
    ck_assert_ptr_nonnull(strstr(error.text, "--local-size 1025"));
    ck_assert_ptr_nonnull(strstr(error.text, "A GPU"));
    ck_assert_ptr_nonnull(strstr(error.text, "1 to 1024"));
    ck_assert_ptr_null(strstr(error.text, "multiple"));
}
END_TEST

START_TEST(size_0_is_refused)
{
    struct footprint_axes axes = {.local_size = {{0}, 1}};
    refuse(&axes, &gpu);
}
END_TEST

START_TEST(more_local_memory_than_there_is_is_refused_by_name)
{
    struct footprint_axes axes = {.local_memory = {{49153}, 1}};
    struct error error = refuse(&axes, &gpu);
    ck_assert_ptr_nonnull(strstr(error.text, "--local-memory 49153"));
    ck_assert_ptr_nonnull(strstr(error.text, "0 to 49152"));
}
END_TEST

START_TEST(too_many_private_bytes_are_refused_by_name)
{
    struct footprint_axes axes = {.private_bytes = {{1028}, 1}};
    struct error error = refuse(&axes, &gpu);
    ck_assert_ptr_nonnull(strstr(error.text, "--private 1028"));
    ck_assert_ptr_nonnull(strstr(error.text, "0 to 1024"));
}
END_TEST

START_TEST(private_bytes_that_are_no_whole_words_are_refused)
{
    struct footprint_axes axes = {.private_bytes = {{6}, 1}};
    ck_assert_ptr_nonnull(strstr(refuse(&axes, &gpu).text, "multiple of 4"));
}
END_TEST

/* --- ids of trials, which name the footprint --- */

static const struct trial named = {
    .footprint = {.local_size = 64, .local_memory_bytes = 1024, .private_bytes = 32},
    .kind = TRIAL_BARRIER,
    .groups = 133,
    .rounds = 3,
    .repeats = 20,
};

static void assert_id(const struct trial *trial, uint32_t sequence, const char *wanted)
{
    char text[128];
    trial_id(trial, sequence, text, sizeof text);
    ck_assert_str_eq(text, wanted);
}

START_TEST(id_names_the_point_and_the_sequence)
{
    assert_id(&named, 7, "limits/barrier/l64-m1024-p32/g133#7");
}
END_TEST

START_TEST(id_of_a_point_has_no_sequence)
{
    char text[128];
    trial_point_id(&named, text, sizeof text);
    ck_assert_str_eq(text, "limits/barrier/l64-m1024-p32/g133");
}
END_TEST

START_TEST(id_of_a_live_trial_says_so)
{
    struct trial trial = named;
    trial.live = true;
    assert_id(&trial, 0, "limits/barrier/l64-m1024-p32/g133-live#0");
}
END_TEST

START_TEST(id_of_a_trial_over_a_range_has_its_shape_and_whether_it_is_live)
{
    struct trial trial = named;
    trial.work = (struct workload){.scenario = "copy", .kernel = "copy", .point = "mapping=row"};
    trial.work.range = (struct nd_range){.dimensions = 2, .local = {16, 8, 1}};
    trial.dialect = DIALECT_CL12;
    assert_id(&trial, 3, "copy/cl12/mapping=row/16x8#3");
    trial.live = true;
    assert_id(&trial, 3, "copy/cl12/mapping=row/16x8-live#3");
}
END_TEST

START_TEST(id_does_not_depend_on_how_often_and_how_long)
{
    struct trial trial = named;
    trial.repeats = 5;
    trial.enough_stalls = 1;
    trial.gap_ns = trial.suspect_ns = trial.confirm_ns = trial.close_ns = 99;
    trial.proven_groups = 50;
    assert_id(&trial, 7, "limits/barrier/l64-m1024-p32/g133#7");
}
END_TEST

START_TEST(id_is_cut_to_fit)
{
    char text[8];
    trial_id(&named, 7, text, sizeof text);
    ck_assert_str_eq(text, "limits/");
}
END_TEST

START_TEST(each_dialect_channel_and_estimator_is_found_by_its_name)
{
    for (int i = 0; i < DIALECT_COUNT; ++i)
        ck_assert_int_eq(naming_find(&dialect_naming, dialect_name((enum dialect)i)), i);
    for (int i = CHANNEL_NONE; i <= CHANNEL_AUTO; ++i)
        ck_assert_int_eq(naming_find(&channel_naming, channel_name((enum channel)i)), i);
    for (int i = 0; i < ESTIMATOR_COUNT; ++i)
        ck_assert_int_eq(naming_find(&estimator_naming, trial_kind_name((enum trial_kind)i)), i);
}
END_TEST

START_TEST(unknown_dialect_channel_and_estimator_are_not_found)
{
    ck_assert_int_eq(naming_find(&dialect_naming, "cl20"), -1);
    ck_assert_int_eq(naming_find(&channel_naming, "cl30"), -1);
    ck_assert_int_eq(naming_find(&estimator_naming, ""), -1);
}
END_TEST

HARNESS_MAIN("footprints", sweep_is_sound_on_each_device, sweep_has_each_power_of_two_of_work_items,
             sweep_stays_below_a_largest_size_that_is_no_power_of_two,
             memory_ladder_of_a_gpu_ends_near_all_that_there_is, memory_ladder_of_a_cpu_ends_near_all_that_there_is,
             device_without_local_memory_has_no_memory_ladder, ladders_are_at_the_largest_size_of_a_small_device,
             register_ladder_of_a_gpu_has_more_rungs_than_that_of_a_cpu, given_axes_are_combined,
             grid_is_a_product_that_is_not_too_large, grid_has_given_values_and_completes_the_others,
             grid_that_is_too_large_is_refused, given_size_alone_has_neither_local_nor_private_memory,
             given_memory_alone_is_measured_at_one_size, size_that_was_not_given_is_possible_on_a_small_device,
             most_that_the_device_allows_can_be_given, more_combinations_than_the_first_allocation_holds_are_planned,
             size_above_the_largest_is_refused_by_name, size_0_is_refused,
             more_local_memory_than_there_is_is_refused_by_name, too_many_private_bytes_are_refused_by_name,
             private_bytes_that_are_no_whole_words_are_refused, id_names_the_point_and_the_sequence,
             id_of_a_point_has_no_sequence, id_of_a_live_trial_says_so,
             id_of_a_trial_over_a_range_has_its_shape_and_whether_it_is_live,
             id_does_not_depend_on_how_often_and_how_long, id_is_cut_to_fit,
             each_dialect_channel_and_estimator_is_found_by_its_name,
             unknown_dialect_channel_and_estimator_are_not_found,
             single_footprint_without_given_values_has_neither_local_nor_private_memory,
             single_footprint_is_possible_on_a_small_device, single_does_not_reduce_given_values)
