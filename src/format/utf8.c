#include "format/utf8.h"

static int is_tail(unsigned char byte, unsigned char least, unsigned char most)
{
    return byte >= least && byte <= most;
}

size_t utf8_length(const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    unsigned char least = 0x80, most = 0xbf;

    if (byte[0] < 0x80)
        return 1;
    if (byte[0] >= 0xc2 && byte[0] <= 0xdf)
        return is_tail(byte[1], least, most) ? 2 : 0;
    if (byte[0] >= 0xe0 && byte[0] <= 0xef) {
        least = byte[0] == 0xe0 ? 0xa0 : least; /* no overlong forms */
        most = byte[0] == 0xed ? 0x9f : most;   /* no surrogates */
        return is_tail(byte[1], least, most) && is_tail(byte[2], 0x80, 0xbf) ? 3 : 0;
    }
    if (byte[0] >= 0xf0 && byte[0] <= 0xf4) {
        least = byte[0] == 0xf0 ? 0x90 : least;
        most = byte[0] == 0xf4 ? 0x8f : most;
        return is_tail(byte[1], least, most) && is_tail(byte[2], 0x80, 0xbf) && is_tail(byte[3], 0x80, 0xbf) ? 4 : 0;
    }
    return 0;
}
