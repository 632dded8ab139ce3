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
    ck_assert(device_info_matches(&nvidia, "0000:4E:00.0"));
    ck_assert(device_info_matches(&nvidia, "PCI:0000:4E:00.0"));
}
END_TEST

START_TEST(other_pci_address_does_not_match)
{
    ck_assert(!device_info_matches(&nvidia, "pci:0000:4f:00.0"));
    ck_assert(!device_info_matches(&nvidia, "pci:4e:00.0"));
    ck_assert(!device_info_matches(&nvidia, "0000:4f:00.0"));
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

/* --- beside others --- */

/* The labels of a list, joined. */
static const char *labels(struct device_info *devices, size_t count)
{
    static char text[4 * DEVICE_LABEL];
    char label[DEVICE_LABEL];

    text[0] = '\0';
    device_info_number(devices, count);
    for (size_t i = 0; i < count; ++i) {
        strcat(text, i > 0 ? ", " : "");
        strcat(text, device_info_label(&devices[i], label));
    }
    return text;
}

static struct device_info card(const char *pci, const char *uuid)
{
    struct device_info info = {.platform = "P", .name = "card"};
    strcpy(info.pci, pci);
    strcpy(info.uuid, uuid);
    return info;
}

static struct device_info thread(uint32_t ordinal)
{
    return (struct device_info){.platform = "P", .name = "pthread", .ordinal = ordinal};
}

START_TEST(device_that_is_alone_of_its_name_has_no_number)
{
    struct device_info devices[] = {nvidia, pocl};
    ck_assert_str_eq(labels(devices, 1), "NVIDIA H200");
    ck_assert_str_eq(labels(devices, 2), "NVIDIA H200, cpu-haswell-Intel(R) Xeon(R) Processor");
    ck_assert_uint_eq(devices[0].number, 0);
}
END_TEST

START_TEST(devices_of_a_name_are_numbered_by_pci_address)
{
    struct device_info devices[] = {card("0000:8a:00.0", "0a"), pocl, card("0000:4f:00.0", "0b")};
    ck_assert_str_eq(labels(devices, 3), "card #2 (pci 0000:8a:00.0), cpu-haswell-Intel(R) Xeon(R) Processor, card #1 "
                                         "(pci 0000:4f:00.0)");
}
END_TEST

START_TEST(devices_without_a_pci_address_are_numbered_by_uuid)
{
    struct device_info devices[] = {card("", "0b"), card("", "0c"), card("", "0a")};
    ck_assert_str_eq(labels(devices, 3), "card #2 (uuid 0b), card #3 (uuid 0c), card #1 (uuid 0a)");
}
END_TEST

START_TEST(parts_of_a_card_are_told_apart_by_uuid)
{
    struct device_info devices[] = {card("0000:4f:00.0", "0b"), card("0000:4f:00.0", "0a")};
    ck_assert_str_eq(labels(devices, 2), "card #2 (uuid 0b), card #1 (uuid 0a)");
}
END_TEST

START_TEST(what_all_have_tells_none_apart)
{
    struct device_info shared[] = {card("", "0a"), card("", "0a")}, zeros[] = {card("", "00"), card("", "00")};
    shared[0].ordinal = zeros[0].ordinal = 1;
    ck_assert_str_eq(labels(shared, 2), "card #2, card #1");
    ck_assert_str_eq(labels(zeros, 2), "card #2, card #1");
}
END_TEST

START_TEST(devices_alike_in_all_else_are_numbered_by_their_ordinal)
{
    struct device_info all[] = {thread(2), thread(0), thread(1)}, some[] = {thread(2), thread(1)};
    ck_assert_str_eq(labels(all, 3), "pthread #3, pthread #1, pthread #2");
    ck_assert_str_eq(labels(some, 2), "pthread #3, pthread #2");
}
END_TEST

START_TEST(devices_with_one_ordinal_are_numbered_by_their_places)
{
    struct device_info devices[] = {thread(0), thread(0), thread(UINT32_MAX)};
    ck_assert_str_eq(labels(devices, 3), "pthread #1, pthread #2, pthread #3");
}
END_TEST

START_TEST(device_with_two_drivers_has_two_numbers_and_one_address)
{
    struct device_info devices[] = {nvidia, nvidia};
    char selector[DEVICE_LABEL];
    strcpy(devices[1].driver_version, "999");
    ck_assert_str_eq(labels(devices, 2), "NVIDIA H200 #1 (pci 0000:4e:00.0), NVIDIA H200 #2 (pci 0000:4e:00.0)");
    ck_assert_str_eq(device_info_selector(&devices[1], false, selector), "pci:0000:4e:00.0");
}
END_TEST

START_TEST(devices_of_two_platforms_are_told_apart)
{
    struct device_info devices[] = {thread(0), thread(0)};
    strcpy(devices[0].platform, "Q");
    ck_assert_str_eq(labels(devices, 2), "pthread #2, pthread #1");
}
END_TEST

START_TEST(numbers_of_another_list_are_forgotten)
{
    struct device_info devices[] = {card("0000:4f:00.0", ""), card("0000:5a:00.0", "")};
    labels(devices, 2);
    ck_assert_str_eq(labels(&devices[1], 1), "card");
}
END_TEST

START_TEST(longest_label_fits)
{
    struct device_info devices[2] = {{.number = 0}};
    char label[DEVICE_LABEL];
    for (int i = 0; i < 2; ++i) {
        memset(devices[i].name, 'n', sizeof devices[i].name - 1);
        memset(devices[i].uuid, 'a' + i, sizeof devices[i].uuid - 1);
    }
    device_info_number(devices, 2);
    device_info_label(&devices[0], label);
    ck_assert_str_eq(label + strlen(label) - 4, "aaa)");
}
END_TEST

START_TEST(selector_is_what_tells_the_device_apart)
{
    struct device_info cards[] = {card("0000:4f:00.0", "0a"), card("0000:5a:00.0", "0b")};
    struct device_info parts[] = {card("0000:4f:00.0", "0a"), card("0000:4f:00.0", "0b")};
    struct device_info threads[] = {thread(2), thread(1)};
    char selector[DEVICE_LABEL];
    device_info_number(cards, 2);
    device_info_number(parts, 2);
    device_info_number(threads, 2);
    ck_assert_str_eq(device_info_selector(&cards[1], false, selector), "pci:0000:5a:00.0");
    ck_assert_str_eq(device_info_selector(&parts[1], false, selector), "uuid:0b");
    ck_assert_str_eq(device_info_selector(&threads[1], false, selector), "pthread#2");
    ck_assert_str_eq(device_info_selector_in_list(&cards[1], selector), "card#2");
}
END_TEST

START_TEST(selector_of_a_single_device_is_its_name)
{
    char selector[DEVICE_LABEL];
    ck_assert_str_eq(device_info_selector(&nvidia, false, selector), "NVIDIA H200");
    ck_assert_str_eq(device_info_selector_in_list(&nvidia, selector), "NVIDIA H200#1");
}
END_TEST

START_TEST(selector_of_a_single_device_that_was_one_of_several_is_exact)
{
    const struct device_info first = thread(0), third = thread(2);
    char selector[DEVICE_LABEL];
    ck_assert_str_eq(device_info_selector(&nvidia, true, selector), "pci:0000:4e:00.0");
    ck_assert_str_eq(device_info_selector(&first, true, selector), "pthread#1");
    ck_assert_str_eq(device_info_selector(&third, false, selector), "pthread#3");
}
END_TEST

START_TEST(number_matches_the_name_that_stands_before_it)
{
    struct device_info devices[] = {thread(0), thread(1)};
    device_info_number(devices, 2);
    static const char *const selectors[] = {"pthread#2", "pthread #2", "PTHREAD#2", "p*d#2", "pthread#02"};
    for (size_t i = 0; i < sizeof selectors / sizeof *selectors; ++i) {
        ck_assert_msg(device_info_matches(&devices[1], selectors[i]), "%s", selectors[i]);
        ck_assert_msg(!device_info_matches(&devices[0], selectors[i]), "%s", selectors[i]);
    }
}
END_TEST

START_TEST(what_is_no_number_of_this_name_does_not_match)
{
    static const char *const selectors[] = {"pthread#",
                                            "pthread#1x",
                                            "pthread#-1",
                                            "pthread#0",
                                            "#1",
                                            "thread#1",
                                            "pthread-avx#1",
                                            "pthread#11",
                                            "other#1",
                                            "p#1",
                                            "pthread##1",
                                            "pthread#4294967297",
                                            "pthread#18446744073709551617"};
    struct device_info devices[] = {thread(0), thread(1)};
    device_info_number(devices, 2);
    for (size_t i = 0; i < sizeof selectors / sizeof *selectors; ++i)
        ck_assert_msg(!device_info_matches(&devices[0], selectors[i]), "%s", selectors[i]);
}
END_TEST

START_TEST(single_device_has_number_1)
{
    ck_assert(device_info_matches(&nvidia, "NVIDIA H200#1"));
    ck_assert(!device_info_matches(&nvidia, "NVIDIA H200#2"));
}
END_TEST

START_TEST(name_may_end_like_a_number)
{
    const struct device_info device = {.name = "card #2"};
    ck_assert(device_info_matches(&device, "card #2"));
    ck_assert(device_info_matches(&device, "card #2#1"));
}
END_TEST

START_TEST(label_matches)
{
    struct device_info second = nvidia;

    second.number = 2;
    ck_assert(device_info_matches(&second, "NVIDIA H200 #2 (pci 0000:4e:00.0)"));
    ck_assert(!device_info_matches(&second, "NVIDIA H200 #1 (pci 0000:4d:00.0)"));
}
END_TEST

START_TEST(selectors_of_one_device_are_known)
{
    static const char *const one[] = {"0:1", "uuid:0a", "PCI:0000:4f:00.0", "0000:4f:00.0", "pthread#1"};
    static const char *const any[] = {"pocl", "H200", "*", "card #", "1:"};
    for (size_t i = 0; i < sizeof one / sizeof *one; ++i)
        ck_assert_msg(device_selector_is_of_one(one[i]), "%s", one[i]);
    for (size_t i = 0; i < sizeof any / sizeof *any; ++i)
        ck_assert_msg(!device_selector_is_of_one(any[i]), "%s", any[i]);
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
             devices_that_are_alike_in_all_names_are_told_apart_by_their_ordinal,
             device_that_is_alone_of_its_name_has_no_number, devices_of_a_name_are_numbered_by_pci_address,
             devices_without_a_pci_address_are_numbered_by_uuid, parts_of_a_card_are_told_apart_by_uuid,
             what_all_have_tells_none_apart, devices_alike_in_all_else_are_numbered_by_their_ordinal,
             devices_with_one_ordinal_are_numbered_by_their_places,
             device_with_two_drivers_has_two_numbers_and_one_address, devices_of_two_platforms_are_told_apart,
             numbers_of_another_list_are_forgotten, longest_label_fits, selector_is_what_tells_the_device_apart,
             selector_of_a_single_device_is_its_name, selector_of_a_single_device_that_was_one_of_several_is_exact,
             number_matches_the_name_that_stands_before_it, what_is_no_number_of_this_name_does_not_match,
             single_device_has_number_1, name_may_end_like_a_number, label_matches, selectors_of_one_device_are_known,
             each_kind_has_its_name)
