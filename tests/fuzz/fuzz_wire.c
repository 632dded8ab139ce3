/*
 * Packets between worker and supervisor. The first byte says what is done: the rest is a packet as it came; or the rest
 * is the body of a message, which is accepted as it was sealed and refused with a byte changed, or cut, or longer.
 */
#include "fuzz.h"
#include "wire/wire.h"

/* As if only `bytes` bytes had come: a sanitizer sees any look beyond them. */
static bool accepted(const void *packet, size_t bytes)
{
    struct wire_packet *copy = malloc(bytes > 0 ? bytes : 1);
    struct error error;

    CLAIM(copy != NULL);
    memcpy(copy, packet, bytes);
    const int outcome = wire_check_packet(copy, bytes, &error);
    CLAIM(outcome == 0 || (error.status == STATUS_HARNESS && error.text[0] != '\0'));
    if (outcome == 0)
        CLAIM(bytes == sizeof copy->header + wire_body_bytes((enum wire_type)copy->header.type));
    free(copy);
    return outcome == 0;
}

static void spoil(struct wire_packet *packet, size_t bytes, size_t at, uint8_t with)
{
    uint8_t *const changed = (uint8_t *)packet + at % bytes;

    CLAIM(accepted(packet, bytes));
    CLAIM(!accepted(packet, at % bytes));
    CLAIM(bytes == sizeof *packet || !accepted(packet, bytes + 1));
    *changed = (uint8_t)(*changed ^ with);
    CLAIM(with == 0 || !accepted(packet, bytes));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct wire_packet packet;

    memset(&packet, 0, sizeof packet);
    if (size < 5)
        return 0;
    if (data[0] % 2 == 0) {
        const size_t bytes = size - 1 < sizeof packet ? size - 1 : sizeof packet;
        accepted(data + 1, bytes);
        return 0;
    }
    const enum wire_type type = (enum wire_type)(WIRE_LIST + data[1] % WIRE_DONE);
    const size_t most = wire_body_bytes(type);
    memcpy(packet.body.bytes, data + 5, size - 5 < most ? size - 5 : most);
    spoil(&packet, wire_seal(&packet, type, 0), (size_t)(data[2] << 8 | data[3]), data[4]);
    return 0;
}
