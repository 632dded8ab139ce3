"""Boards as run files have them."""
import struct
import zlib


def board_words(blob):
    """The words of a stored board, as src/base/packed.h has them."""
    head, = struct.unpack_from("<I", blob)
    count, by_place = head & 0x7fffffff, head >> 31
    data = zlib.decompress(blob[4:])
    if not by_place:
        return struct.unpack(f"<{count}I", data)
    words, at = [0] * count, 0
    for place in range(32):
        places = range(place, count, 32)
        for shift in range(0, 32, 8):
            for i, byte in zip(places, data[at:at + len(places)]):
                words[i] |= byte << shift
            at += len(places)
    return tuple(words)
