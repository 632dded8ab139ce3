#include "base/sha256.h"

#include "base/file.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, WORDS = 8 };

struct sha256 {
    uint32_t sum[WORDS];
    uint64_t bytes; /* that were added */
    unsigned char block[BLOCK];
};

/* The first 32 bits behind the point of cube roots of the first 64 primes, and of square roots of the first 8. */
static const uint32_t cube_roots[BLOCK] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
static const struct sha256 empty = {
    .sum = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};

static uint32_t turn(uint32_t x, unsigned by)
{
    return x >> by | x << (32 - by);
}

static void spread(const unsigned char block[BLOCK], uint32_t w[BLOCK])
{
    for (int i = 0; i < BLOCK / 4; ++i)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               block[4 * i + 3];
    for (int i = BLOCK / 4; i < BLOCK; ++i) {
        const uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
}

static void add_block(struct sha256 *hash)
{
    uint32_t w[BLOCK], s[WORDS];

    spread(hash->block, w);
    memcpy(s, hash->sum, sizeof s);
    for (int i = 0; i < BLOCK; ++i) {
        const uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        const uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        const uint32_t first = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + choice + cube_roots[i] + w[i];
        const uint32_t second = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + majority;
        memmove(s + 1, s, sizeof s - sizeof *s);
        s[4] += first;
        s[0] = first + second;
    }
    for (int i = 0; i < WORDS; ++i)
        hash->sum[i] += s[i];
}

static void add(struct sha256 *hash, const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length; ++i) {
        hash->block[hash->bytes++ % BLOCK] = bytes[i];
        if (hash->bytes % BLOCK == 0)
            add_block(hash);
    }
}

/* A bit, zeros, and the length in bits, so that the last block is full. */
static void end(struct sha256 *hash, char text[SHA256_TEXT])
{
    static const unsigned char padding[BLOCK] = {0x80};
    const uint64_t bits = hash->bytes * 8, over = hash->bytes % BLOCK;
    unsigned char length[8];

    for (int i = 0; i < 8; ++i)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    add(hash, padding, (over < BLOCK - 8 ? BLOCK - 8 : 2 * BLOCK - 8) - over);
    add(hash, length, sizeof length);
    for (size_t i = 0; i < WORDS; ++i)
        snprintf(text + 8 * i, SHA256_TEXT - 8 * i, "%08x", (unsigned)hash->sum[i]);
}

void sha256_bytes(const void *bytes, size_t length, char text[SHA256_TEXT])
{
    struct sha256 hash = empty;

    add(&hash, bytes, length);
    end(&hash, text);
}

bool sha256_file(const char *path, char text[SHA256_TEXT])
{
    struct sha256 hash = empty;
    unsigned char bytes[1 << 14];
    const char *reason;
    size_t length;

    text[0] = '\0';
    FILE *file = file_open(path, &reason);
    if (file == NULL)
        return false;
    while ((length = fread(bytes, 1, sizeof bytes, file)) > 0)
        add(&hash, bytes, length);
    const bool whole = ferror(file) == 0;
    fclose(file);
    if (whole)
        end(&hash, text);
    return whole;
}
