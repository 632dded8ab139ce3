#include "core/device_info.h"

#include "harness.h"

#include <string.h>

static const struct device_info nvidia = {
    .platform = "NVIDIA CUDA",
    .name = "NVIDIA H200",
    .vendor = "NVIDIA Corporation",
    .uuid = "00112233445566778899aabbccddeeff",
    .pci = "0000:4e:00.0",
    .platform_index = 1,
    .device_index = 2,
};
static const struct device_info pocl = {
    .platform = "Portable Computing Language",
    .name = "cpu-haswell-Intel(R) Xeon(R) Processor",
    .vendor = "GenuineIntel",
};

START_TEST(whole_name_matches)
{
    ck_assert(device_info_matches(&nvidia, "NVIDIA H200"));
    ck_assert(!device_info_matches(&pocl, "NVIDIA H200"));
}
END_TEST

START_TEST(part_of_the_name_matches)
{
    ck_assert(device_info_matches(&nvidia, "H200"));
    ck_assert(!device_info_matches(&nvidia, "H100"));
}
END_TEST

START_TEST(part_of_the_platform_matches)
{
    ck_assert(device_info_matches(&nvidia, "CUDA"));
    ck_assert(!device_info_matches(&pocl, "CUDA"));
}
END_TEST

START_TEST(upper_and_lower_case_are_the_same)
{
    ck_assert(device_info_matches(&nvidia, "nvidia h200"));
    ck_assert(device_info_matches(&nvidia, "n?IDIA*h2*"));
    ck_assert(device_info_matches(&pocl, "XEON"));
}
END_TEST

START_TEST(glob_matches_the_whole_name)
{
    ck_assert(device_info_matches(&nvidia, "*H?00"));
    ck_assert(!device_info_matches(&nvidia, "H?00"));
}
END_TEST

START_TEST(vendor_is_not_looked_at)
{
    ck_assert(!device_info_matches(&pocl, "GenuineIntel"));
}
END_TEST

START_TEST(name_with_characters_of_a_glob_matches_as_it_stands)
{
    struct device_info device = {.name = "llvmpipe [x]"};
    ck_assert(device_info_matches(&device, "llvmpipe [x]"));
}
END_TEST

START_TEST(empty_selector_matches_no_device_with_a_name)
{
    ck_assert(!device_info_matches(&nvidia, ""));
}
END_TEST

START_TEST(position_matches_its_platform_and_device)
{
    ck_assert(device_info_matches(&nvidia, "1:2"));
    ck_assert(device_info_matches(&pocl, "0:0"));
}
END_TEST

START_TEST(position_of_another_device_does_not_match)
{
    ck_assert(!device_info_matches(&nvidia, "1:0"));
    ck_assert(!device_info_matches(&nvidia, "0:2"));
    ck_assert(!device_info_matches(&nvidia, "2:1"));
}
END_TEST

START_TEST(position_with_more_behind_it_is_no_position)
{
    ck_assert(!device_info_matches(&nvidia, "1:2x"));
    ck_assert(!device_info_matches(&nvidia, "1:2:3"));
    ck_assert(!device_info_matches(&nvidia, "1:"));
    ck_assert(!device_info_matches(&pocl, "0:"));
    ck_assert(!device_info_matches(&pocl, ":0"));
    ck_assert(!device_info_matches(&pocl, ":"));
}
END_TEST

START_TEST(position_beyond_32_bits_matches_nothing)
{
    ck_assert(!device_info_matches(&pocl, "4294967296:0"));
    ck_assert(!device_info_matches(&pocl, "0:4294967296"));
}
END_TEST

START_TEST(uuid_matches_with_and_without_dashes)
{
    ck_assert(device_info_matches(&nvidia, "uuid:00112233445566778899aabbccddeeff"));
    ck_assert(device_info_matches(&nvidia, "uuid:00112233-4455-6677-8899-aabbccddeeff"));
}
END_TEST

START_TEST(uuid_matches_in_upper_case)
{
    ck_assert(device_info_matches(&nvidia, "UUID:00112233445566778899AABBCCDDEEFF"));
}
END_TEST

START_TEST(other_uuid_does_not_match)
{
    ck_assert(!device_info_matches(&nvidia, "uuid:00112233445566778899aabbccddeefe"));
}
END_TEST

START_TEST(uuid_must_be_whole)
{
    ck_assert(!device_info_matches(&nvidia, "uuid:00112233"));
    ck_assert(!device_info_matches(&nvidia, "uuid:00112233445566778899aabbccddeeff00"));
    ck_assert(!device_info_matches(&nvidia, "uuid:"));
    ck_assert(!device_info_matches(&nvidia, "uuid:--"));
}
END_TEST

START_TEST(device_without_a_uuid_matches_none)
{
    ck_assert(!device_info_matches(&pocl, "uuid:"));
    ck_assert(!device_info_matches(&pocl, "uuid:-"));
}
END_TEST

START_TEST(pci_address_matches_in_any_case)
{
    ck_assert(device_info_matches(&nvidia, "pci:0000:4e:00.0"));
    ck_assert(device_info_matches(&nvidia, "PCI:0000:4E:00.0"));
}
END_TEST

START_TEST(other_pci_address_does_not_match)
{
    ck_assert(!device_info_matches(&nvidia, "pci:0000:4f:00.0"));
    ck_assert(!device_info_matches(&nvidia, "pci:4e:00.0"));
}
END_TEST

START_TEST(device_without_a_pci_address_matches_none)
{
    ck_assert(!device_info_matches(&pocl, "pci:"));
}
END_TEST

START_TEST(short_name_stands_for_its_platform)
{
    static const char *const pairs[][2] = {
        {"pocl", "Portable Computing Language"},
        {"rusticl", "rusticl"},
        {"oclgrind", "Oclgrind"},
        {"nvidia", "NVIDIA CUDA"},
        {"intel", "Intel(R) OpenCL Graphics"},
        {"amd", "AMD Accelerated Parallel Processing"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
        for (size_t j = 0; j < sizeof pairs / sizeof *pairs; ++j) {
            struct device_info device = {.name = "any"};
            strcpy(device.platform, pairs[j][1]);
            ck_assert_msg(device_info_matches(&device, pairs[i][0]) == (i == j), "%s, %s", pairs[i][0], pairs[j][1]);
        }
}
END_TEST

START_TEST(short_name_does_not_stand_for_a_device_of_another_platform)
{
    ck_assert(!device_info_matches(&pocl, "intel"));
    ck_assert(device_info_matches(&pocl, "Intel(R)"));
}
END_TEST

/* --- the same device --- */

START_TEST(device_is_the_same_as_itself_wherever_it_is_listed)
{
    struct device_info other = nvidia;
    other.platform_index = 7;
    other.device_index = 0;
    ck_assert(device_info_same(&nvidia, &other));
}
END_TEST

START_TEST(device_with_a_new_driver_is_the_same)
{
    struct device_info other = nvidia;
    strcpy(other.driver_version, "999");
    ck_assert(device_info_same(&nvidia, &other));
}
END_TEST

START_TEST(device_that_differs_in_a_name_is_another)
{
    struct device_info platform = nvidia, name = nvidia, vendor = nvidia;
    strcpy(platform.platform, "Clover");
    strcpy(name.name, "NVIDIA H100");
    strcpy(vendor.vendor, "Mesa");
    ck_assert(!device_info_same(&nvidia, &platform));
    ck_assert(!device_info_same(&nvidia, &name));
    ck_assert(!device_info_same(&nvidia, &vendor));
}
END_TEST

START_TEST(device_that_differs_in_uuid_or_pci_address_is_another)
{
    struct device_info uuid = nvidia, pci = nvidia;
    uuid.uuid[31] = '0';
    strcpy(pci.pci, "0000:4f:00.0");
    ck_assert(!device_info_same(&nvidia, &uuid));
    ck_assert(!device_info_same(&nvidia, &pci));
}
END_TEST

START_TEST(devices_that_are_alike_in_all_names_are_told_apart_by_their_ordinal)
{
    struct device_info other = pocl;
    other.ordinal = 1;
    ck_assert(!device_info_same(&pocl, &other));
}
END_TEST

START_TEST(each_kind_has_its_name)
{
    ck_assert_str_eq(device_kind_name(DEVICE_CPU), "CPU");
    ck_assert_str_eq(device_kind_name(DEVICE_GPU), "GPU");
    ck_assert_str_eq(device_kind_name(DEVICE_OTHER), "other");
}
END_TEST

HARNESS_MAIN("device_info", whole_name_matches, part_of_the_name_matches, part_of_the_platform_matches,
             upper_and_lower_case_are_the_same, glob_matches_the_whole_name, vendor_is_not_looked_at,
             name_with_characters_of_a_glob_matches_as_it_stands, empty_selector_matches_no_device_with_a_name,
             position_matches_its_platform_and_device, position_of_another_device_does_not_match,
             position_with_more_behind_it_is_no_position, position_beyond_32_bits_matches_nothing,
             uuid_matches_with_and_without_dashes, uuid_matches_in_upper_case, other_uuid_does_not_match,
             uuid_must_be_whole, device_without_a_uuid_matches_none, pci_address_matches_in_any_case,
             other_pci_address_does_not_match, device_without_a_pci_address_matches_none,
             short_name_stands_for_its_platform, short_name_does_not_stand_for_a_device_of_another_platform,
             device_is_the_same_as_itself_wherever_it_is_listed, device_with_a_new_driver_is_the_same,
             device_that_differs_in_a_name_is_another, device_that_differs_in_uuid_or_pci_address_is_another,
             devices_that_are_alike_in_all_names_are_told_apart_by_their_ordinal, each_kind_has_its_name)
