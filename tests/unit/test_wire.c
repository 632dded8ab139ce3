#include "wire/wire.h"

#include "base/icd_folder.h"
#include "core/board.h"
#include "harness.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A sealed message of the type, with a body that is not all zeros; its length in *bytes. */
static struct wire_packet sealed(enum wire_type type, size_t *bytes)
{
    struct wire_packet packet;
    memset(&packet, 0, sizeof packet);
    for (size_t i = 0; i < wire_body_bytes(type); ++i)
        packet.body.bytes[i] = (unsigned char)(i * 37 + (size_t)type);
    *bytes = wire_seal(&packet, type, 0);
    return packet;
}

static bool accepted(const struct wire_packet *packet, size_t bytes)
{
    struct error error = {0};
    int outcome = wire_check_packet(packet, bytes, &error);
    ck_assert(outcome == 0 || (outcome == -1 && error.status == STATUS_HARNESS && error.text[0] != '\0'));
    return outcome == 0;
}

/* As if only `bytes` bytes had come: a sanitizer sees any look beyond them. */
static bool accepted_alone(const struct wire_packet *packet, size_t bytes)
{
    struct wire_packet *copy = malloc(bytes > 0 ? bytes : 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, packet, bytes);
    bool result = accepted(copy, bytes);
    free(copy);
    return result;
}

static void flip(struct wire_packet *packet, size_t bit)
{
    ((unsigned char *)packet)[bit / 8] ^= (unsigned char)(1u << bit % 8);
}

/* Flips a bit of each byte of a message of this type, each time another one, and counts those that nobody notices. */
static size_t unnoticed_flips(enum wire_type type)
{
    size_t bytes, unnoticed = 0;
    struct wire_packet packet = sealed(type, &bytes);
    for (size_t i = 0; i < bytes; ++i) {
        flip(&packet, 8 * i + i % 8);
        unnoticed += accepted(&packet, bytes);
        flip(&packet, 8 * i + i % 8);
    }
    ck_assert(accepted(&packet, bytes));
    return unnoticed;
}

START_TEST(sealed_message_of_each_type_is_accepted)
{
    for (int type = WIRE_LIST; type <= WIRE_DONE; ++type) {
        size_t bytes;
        struct wire_packet packet = sealed((enum wire_type)type, &bytes);
        ck_assert_int_eq(packet.header.type, type);
        ck_assert_msg(accepted_alone(&packet, bytes), "type %d", type);
    }
}
END_TEST

START_TEST(length_of_a_sealed_message_is_that_of_header_and_body)
{
    for (int type = WIRE_LIST; type <= WIRE_DONE; ++type) {
        size_t bytes;
        sealed((enum wire_type)type, &bytes);
        ck_assert_uint_eq(bytes, sizeof(struct wire_header) + wire_body_bytes((enum wire_type)type));
        ck_assert_uint_le(bytes, sizeof(struct wire_packet));
    }
}
END_TEST

START_TEST(only_canary_has_no_body)
{
    for (int type = WIRE_LIST; type <= WIRE_DONE; ++type)
        ck_assert_int_eq(wire_body_bytes((enum wire_type)type) == 0, type == WIRE_CANARY);
}
END_TEST

START_TEST(flipped_bit_of_a_request_is_refused)
{
    for (int type = WIRE_LIST; type <= WIRE_BINARY; ++type)
        ck_assert_msg(unnoticed_flips((enum wire_type)type) == 0, "type %d", type);
}
END_TEST

START_TEST(flipped_bit_of_a_device_is_refused)
{
    ck_assert_uint_eq(unnoticed_flips(WIRE_DEVICE), 0);
    ck_assert_uint_eq(unnoticed_flips(WIRE_PROBED), 0);
}
END_TEST

START_TEST(flipped_bit_of_a_launch_is_refused)
{
    ck_assert_uint_eq(unnoticed_flips(WIRE_LAUNCH), 0);
}
END_TEST

START_TEST(flipped_bit_of_a_suspicion_is_refused)
{
    ck_assert_uint_eq(unnoticed_flips(WIRE_SUSPECT), 0);
}
END_TEST

START_TEST(flipped_bit_of_an_end_is_refused)
{
    ck_assert_uint_eq(unnoticed_flips(WIRE_DONE), 0);
}
END_TEST

START_TEST(two_bytes_of_the_body_that_changed_places_are_refused)
{
    size_t bytes;
    struct wire_packet packet = sealed(WIRE_TRIAL, &bytes);
    unsigned char *body = packet.body.bytes;
    for (size_t i = 1; i < wire_body_bytes(WIRE_TRIAL); ++i) {
        const unsigned char before = body[i - 1], after = body[i];
        body[i - 1] = after;
        body[i] = before;
        ck_assert(!accepted(&packet, bytes));
        body[i - 1] = before;
        body[i] = after;
    }
}
END_TEST

START_TEST(truncated_message_is_refused)
{
    for (int type = WIRE_LIST; type <= WIRE_DONE; ++type) {
        size_t whole;
        struct wire_packet packet = sealed((enum wire_type)type, &whole);
        for (size_t bytes = 0; bytes < whole; ++bytes)
            ck_assert_msg(!accepted_alone(&packet, bytes), "type %d, %zu of %zu bytes", type, bytes, whole);
    }
}
END_TEST

START_TEST(overlong_message_is_refused)
{
    for (int type = WIRE_LIST; type <= WIRE_DONE; ++type) {
        size_t whole;
        struct wire_packet packet = sealed((enum wire_type)type, &whole);
        ck_assert_msg(!accepted(&packet, whole + 1), "type %d", type);
        ck_assert_msg(!accepted(&packet, sizeof packet), "type %d", type);
    }
}
END_TEST

START_TEST(length_in_the_header_that_is_not_that_of_the_type_is_refused)
{
    size_t bytes;
    struct wire_packet packet = sealed(WIRE_TRIAL, &bytes);
    packet.header.length += 4;
    ck_assert(!accepted(&packet, bytes));
    ck_assert(!accepted(&packet, bytes + 4));
    packet.header.length = UINT32_MAX;
    ck_assert(!accepted(&packet, sizeof packet.header + UINT32_MAX));
}
END_TEST

START_TEST(unknown_type_is_refused)
{
    static const uint8_t types[] = {0, WIRE_DONE + 1, UINT8_MAX};
    size_t bytes;
    struct wire_packet packet;
    memset(&packet, 0, sizeof packet);
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
        bytes = wire_seal(&packet, (enum wire_type)types[i], 0);
        ck_assert_uint_eq(packet.header.type, types[i]);
        ck_assert(!accepted(&packet, bytes));
    }
}
END_TEST

START_TEST(check_can_do_without_an_error)
{
    size_t bytes;
    struct wire_packet packet = sealed(WIRE_LIST, &bytes);
    ck_assert_int_eq(wire_check_packet(&packet, bytes, NULL), 0);
    ck_assert_int_eq(wire_check_packet(&packet, 0, NULL), -1);
}
END_TEST

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void fill_with_random(unsigned char *bytes, size_t count, uint32_t *state)
{
    for (size_t i = 0; i < count; ++i)
        bytes[i] = (unsigned char)next_random(state);
}

START_TEST(random_bytes_are_refused)
{
    uint32_t state = 1;
    struct wire_packet packet;
    for (int i = 0; i < 10000; ++i) {
        size_t bytes = next_random(&state) % 1024;
        fill_with_random((unsigned char *)&packet, bytes, &state);
        ck_assert(!accepted_alone(&packet, bytes));
    }
}
END_TEST

START_TEST(random_bodies_behind_a_true_header_are_refused)
{
    uint32_t state = 2;
    for (int i = 0; i < 10000; ++i) {
        size_t bytes;
        enum wire_type type = i % 2 == 0 ? WIRE_TRIAL : WIRE_LAUNCH;
        struct wire_packet packet = sealed(type, &bytes);
        fill_with_random(packet.body.bytes, wire_body_bytes(type), &state);
        ck_assert(!accepted_alone(&packet, bytes));
    }
}
END_TEST

/* --- the shared page --- */

START_TEST(areas_of_the_mirror_hold_the_largest_board_and_do_not_overlap)
{
    const size_t board_bytes = board_words(MIRROR_GROUPS, 0) * sizeof(uint32_t);
    const size_t live = offsetof(struct mirror, live);
    const size_t evidence = offsetof(struct mirror, evidence);
    ck_assert(live > offsetof(struct mirror, fatal));
    ck_assert(evidence >= live + board_bytes);
    ck_assert(evidence + board_bytes <= sizeof(struct mirror));
}
END_TEST

/* --- the folder of .icd files --- */

static void touch(const char *folder, const char *name)
{
    char path[ICD_FOLDER_BYTES + 32];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fclose(file);
}

static void make_folder(char folder[ICD_FOLDER_BYTES])
{
    struct error error;
    ck_assert_int_eq(icd_folder_make(folder, &error), 0);
}

START_TEST(each_folder_is_another)
{
    char a[ICD_FOLDER_BYTES], b[ICD_FOLDER_BYTES];
    make_folder(a);
    make_folder(b);
    ck_assert_str_ne(a, b);
    icd_folder_remove(a);
    icd_folder_remove(b);
}
END_TEST

START_TEST(folder_is_removed_with_its_icd_files)
{
    char folder[ICD_FOLDER_BYTES];
    make_folder(folder);
    for (int i = 0; i < ICD_FOLDER_FILES; ++i) {
        char name[16];
        snprintf(name, sizeof name, "%d.icd", i);
        touch(folder, name);
    }
    icd_folder_remove(folder);
    ck_assert_int_eq(access(folder, F_OK), -1);
}
END_TEST

START_TEST(folder_with_a_file_of_somebody_else_is_left)
{
    char folder[ICD_FOLDER_BYTES], path[ICD_FOLDER_BYTES + 16];
    make_folder(folder);
    touch(folder, "mine");
    icd_folder_remove(folder);
    snprintf(path, sizeof path, "%s/mine", folder);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* The worker removes it, then somebody makes a link of that name, then the supervisor removes it. */
START_TEST(link_in_its_place_is_not_followed)
{
    char folder[ICD_FOLDER_BYTES], other[ICD_FOLDER_BYTES], path[ICD_FOLDER_BYTES + 16];
    make_folder(folder);
    make_folder(other);
    touch(other, "0.icd");
    icd_folder_remove(folder);
    ck_assert_int_eq(symlink(other, folder), 0);
    icd_folder_remove(folder);
    snprintf(path, sizeof path, "%s/0.icd", other);
    ck_assert_int_eq(access(path, F_OK), 0);
    ck_assert_int_eq(unlink(folder), 0);
    icd_folder_remove(other);
}
END_TEST

START_TEST(folder_that_is_not_there_can_be_removed)
{
    char folder[ICD_FOLDER_BYTES];
    make_folder(folder);
    icd_folder_remove(folder);
    icd_folder_remove(folder);
    icd_folder_remove("");
    ck_assert_int_eq(access(folder, F_OK), -1);
}
END_TEST

HARNESS_MAIN("wire", sealed_message_of_each_type_is_accepted, length_of_a_sealed_message_is_that_of_header_and_body,
             only_canary_has_no_body, flipped_bit_of_a_request_is_refused, flipped_bit_of_a_device_is_refused,
             flipped_bit_of_a_launch_is_refused, flipped_bit_of_a_suspicion_is_refused,
             flipped_bit_of_an_end_is_refused, truncated_message_is_refused, overlong_message_is_refused,
             length_in_the_header_that_is_not_that_of_the_type_is_refused, unknown_type_is_refused,
             check_can_do_without_an_error, random_bytes_are_refused, random_bodies_behind_a_true_header_are_refused,
             areas_of_the_mirror_hold_the_largest_board_and_do_not_overlap,
             two_bytes_of_the_body_that_changed_places_are_refused, each_folder_is_another,
             link_in_its_place_is_not_followed, folder_is_removed_with_its_icd_files,
             folder_with_a_file_of_somebody_else_is_left, folder_that_is_not_there_can_be_removed)
