#include "wire/wire.h"

#include "judge/samples.h"

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(struct wire_packet) == sizeof(struct wire_header) + WIRE_BODY_BYTES, "bodies fit");
_Static_assert(OPTIONAL_COUNT <= 16, "a header has room for its members");
_Static_assert((int)MIRROR_SAMPLES == (int)SAMPLES_WORDS, "the mirror has room for all samples");

static const uint32_t wire_magic = 0x6b6c6467; /* "gdlk" */

size_t wire_body_bytes(enum wire_type type)
{
    static const size_t bytes[WIRE_DONE + 1] = {
        [WIRE_LIST] = sizeof(struct wire_list),       [WIRE_CHECK] = sizeof(struct wire_check),
        [WIRE_OPEN] = sizeof(struct wire_open),       [WIRE_PROBE] = sizeof(enum probe_step),
        [WIRE_TRIAL] = sizeof(struct trial),          [WIRE_BLOCK] = sizeof(struct block),
        [WIRE_BINARY] = sizeof(struct wire_binary),   [WIRE_PROMISE] = sizeof(struct wire_promise),
        [WIRE_PROOF] = sizeof(struct proof_request),  [WIRE_SOURCE] = sizeof(struct subject),
        [WIRE_DEVICE] = sizeof(struct device_info),   [WIRE_PLATFORM] = sizeof(struct wire_platform),
        [WIRE_PROBED] = sizeof(struct device_probe),  [WIRE_LAUNCH] = sizeof(struct wire_launch),
        [WIRE_TEST] = sizeof(struct test_outcome),    [WIRE_SUSPECT] = sizeof(struct wire_launch),
        [WIRE_FINDING] = sizeof(struct wire_finding), [WIRE_KERNEL] = sizeof(struct subject_kernel_info),
        [WIRE_PROVED] = sizeof(struct wire_proved),   [WIRE_LOG] = sizeof(struct wire_log),
        [WIRE_TRY] = sizeof(struct proof_request),    [WIRE_DONE] = sizeof(struct wire_done),
    };
    return type <= WIRE_DONE ? bytes[type] : 0;
}

/* FNV-1a of words rather than of bytes: a trial has thousands of these, most of them 0. */
static uint64_t mix(uint64_t sum, const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i += sizeof sum) {
        const size_t rest = length - i;
        uint64_t word = 0;
        memcpy(&word, (const unsigned char *)bytes + i, rest < sizeof word ? rest : sizeof word);
        sum = (sum ^ word) * UINT64_C(0x100000001b3);
    }
    return sum;
}

/* Of the header before its checksum, and of the body. */
static uint32_t checksum(const struct wire_packet *packet, size_t length)
{
    const uint64_t sum = mix(mix(UINT64_C(0xcbf29ce484222325), &packet->header, offsetof(struct wire_header, checksum)),
                             packet->body.bytes, length);
    return (uint32_t)(sum ^ sum >> 32);
}

size_t wire_seal(struct wire_packet *packet, enum wire_type type, uint32_t left_out)
{
    const size_t length = wire_body_bytes(type);
    packet->header = (struct wire_header){
        .magic = wire_magic,
        .type = (uint16_t)type,
        .length = (uint32_t)length,
        .left_out = (uint16_t)left_out,
    };
    packet->header.checksum = checksum(packet, length);
    return sizeof packet->header + length;
}

int wire_check_packet(const struct wire_packet *packet, size_t bytes, struct error *error)
{
    const struct wire_header *header = &packet->header;

    if (bytes < sizeof *header || header->magic != wire_magic)
        return error_set(error, STATUS_HARNESS, "a packet of %zu bytes between worker and supervisor is not a message",
                         bytes);
    if (header->type < WIRE_LIST || header->type > WIRE_DONE ||
        header->length != wire_body_bytes((enum wire_type)header->type) || bytes != sizeof *header + header->length)
        return error_set(error, STATUS_HARNESS, "a message of type %u has the wrong length: %zu bytes", header->type,
                         bytes);
    if (header->checksum != checksum(packet, header->length))
        return error_set(error, STATUS_HARNESS, "a message of type %u is damaged", header->type);
    return 0;
}

void wire_fail(struct wire_done *done, enum outcome outcome, const struct error *error)
{
    done->status = error->status;
    done->outcome = outcome;
    snprintf(done->text, sizeof done->text, "%s", error->text);
}

const char *stage_words(enum stage stage)
{
    static const char *const words[] = {
        "while idle",
        "while loading drivers or preparing a launch",
        "while building a kernel",
        "while running a kernel",
        "while stopping the kernel",
        "while reading results",
    };
    _Static_assert(sizeof words / sizeof *words == STAGE_COUNT, "each has words");
    return words[(size_t)stage < STAGE_COUNT ? stage : STAGE_IDLE];
}
