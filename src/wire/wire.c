#include "wire/wire.h"

#include "judge/samples.h"

_Static_assert(sizeof(struct trial) <= WIRE_BODY_BYTES && sizeof(struct block) <= WIRE_BODY_BYTES, "bodies fit");

static const uint32_t wire_magic = 0x6b6c6467; /* "gdlk" */

size_t wire_body_bytes(enum wire_type type)
{
    switch (type) {
    case WIRE_CHECK:
        return sizeof(struct wire_check);
    case WIRE_OPEN:
        return sizeof(struct wire_open);
    case WIRE_PROBE:
        return sizeof(struct wire_probe);
    case WIRE_TRIAL:
        return sizeof(struct trial);
    case WIRE_BLOCK:
        return sizeof(struct block);
    case WIRE_PROMISE:
        return sizeof(struct wire_promise);
    case WIRE_FINDING:
        return sizeof(struct wire_finding);
    case WIRE_BINARY:
        return sizeof(struct wire_binary);
    case WIRE_SOURCE:
        return sizeof(struct subject);
    case WIRE_KERNEL:
        return sizeof(struct subject_kernel_info);
    case WIRE_LOG:
        return sizeof(struct wire_log);
    case WIRE_DEVICE:
        return sizeof(struct device_info);
    case WIRE_PLATFORM:
        return sizeof(struct wire_platform);
    case WIRE_PROBED:
        return sizeof(struct device_probe);
    case WIRE_LAUNCH:
    case WIRE_SUSPECT:
        return sizeof(struct wire_launch);
    case WIRE_TEST:
        return sizeof(struct test_outcome);
    case WIRE_DONE:
        return sizeof(struct wire_done);
    case WIRE_LIST:
    case WIRE_CANARY:
        break;
    }
    return 0;
}

static uint32_t mix(uint32_t sum, const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; ++i)
        sum = (sum ^ ((const unsigned char *)bytes)[i]) * 0x01000193u;
    return sum;
}

/* Of the header before its checksum, and of the body. */
static uint32_t checksum(const struct wire_packet *packet, size_t length)
{
    return mix(mix(0x811c9dc5u, &packet->header, offsetof(struct wire_header, checksum)), packet->body.bytes, length);
}

size_t wire_seal(struct wire_packet *packet, enum wire_type type)
{
    const size_t length = wire_body_bytes(type);
    packet->header = (struct wire_header){
        .magic = wire_magic,
        .version = WIRE_VERSION,
        .type = (uint16_t)type,
        .length = (uint32_t)length,
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
    if (header->version != WIRE_VERSION)
        return error_set(error, STATUS_HARNESS, "a message has version %u; expected %u", header->version, WIRE_VERSION);
    if (header->type < WIRE_LIST || header->type > WIRE_DONE ||
        header->length != wire_body_bytes((enum wire_type)header->type) || bytes != sizeof *header + header->length)
        return error_set(error, STATUS_HARNESS, "a message of type %u has the wrong length: %zu bytes", header->type,
                         bytes);
    if (header->checksum != checksum(packet, header->length))
        return error_set(error, STATUS_HARNESS, "a message of type %u is damaged", header->type);
    return 0;
}

static size_t area_bytes(void)
{
    return MIRROR_WORDS * sizeof(uint32_t);
}

size_t mirror_bytes(void)
{
    return 4096 + 2 * area_bytes() + SAMPLES_WORDS * sizeof(uint32_t);
}

uint32_t *mirror_live(struct mirror *mirror)
{
    return (uint32_t *)((unsigned char *)mirror + 4096);
}

uint32_t *mirror_evidence(struct mirror *mirror)
{
    return (uint32_t *)((unsigned char *)mirror + 4096 + area_bytes());
}

uint32_t *mirror_samples(struct mirror *mirror)
{
    return (uint32_t *)((unsigned char *)mirror + 4096 + 2 * area_bytes());
}
