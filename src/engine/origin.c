#include "engine/origin.h"

#include "base/alloc.h"
#include "base/file.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- SipHash-2-4: a short code that only who has the key can make --- */

static uint64_t turn(uint64_t word, unsigned bits)
{
    return word << bits | word >> (64 - bits);
}

static void stir(uint64_t v[4], int rounds)
{
    for (; rounds > 0; --rounds) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = turn(v[1], 13) ^ v[0];
        v[3] = turn(v[3], 16) ^ v[2];
        v[0] = turn(v[0], 32);
        v[2] += v[1];
        v[0] += v[3];
        v[1] = turn(v[1], 17) ^ v[2];
        v[3] = turn(v[3], 21) ^ v[0];
        v[2] = turn(v[2], 32);
    }
}

static void take(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    stir(v, 2);
    v[0] ^= word;
}

static uint64_t siphash(const uint64_t key[2], const unsigned char *bytes, size_t length)
{
    uint64_t v[4] = {key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
                     key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
    uint64_t word = 0;

    for (size_t i = 0; i < length; ++i) {
        word |= (uint64_t)bytes[i] << 8 * (i % 8);
        if (i % 8 != 7)
            continue;
        take(v, word);
        word = 0;
    }
    take(v, word | (uint64_t)length << 56);
    v[2] ^= 0xff;
    stir(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* --- the key --- */

/* 32 hexadecimal digits, with or without dashes. */
static bool read_id(const char *path, uint64_t key[2])
{
    size_t length = 0, digits = 0;
    char *text = file_read(path, "machine id", 1, &length, NULL);

    key[0] = key[1] = 0;
    for (size_t i = 0; i < length && digits < 32; ++i) {
        if (isxdigit((unsigned char)text[i]) == 0)
            continue;
        const char digit[2] = {text[i], '\0'};
        key[digits / 16] = key[digits / 16] << 4 | strtoul(digit, NULL, 16);
        ++digits;
    }
    free(text);
    return digits == 32;
}

void origin_make(const struct store_run *run, char text[ORIGIN_TEXT])
{
    uint64_t key[2];
    char *told = NULL;
    size_t size = 0;
    FILE *out = xopen_memstream(&told, &size);

    text[0] = '\0';
    fprintf(out, "%ju%c%s%c%s%c%s", (uintmax_t)geteuid(), 0, run->command_line, 0, run->folder, 0, run->environment);
    xclose_memstream(out, &told);
    /* A container may have no id of its own; then that of the time since the machine started will do. */
    if (read_id("/etc/machine-id", key) || read_id("/proc/sys/kernel/random/boot_id", key))
        snprintf(text, ORIGIN_TEXT, "%016" PRIx64, siphash(key, (const unsigned char *)told, size));
    free(told);
}

bool origin_is_here(const struct store_run *run, const char *path)
{
    struct stat status;
    char text[ORIGIN_TEXT];

    origin_make(run, text);
    return text[0] != '\0' && strcmp(text, run->origin) == 0 && stat(path, &status) == 0 && status.st_uid == geteuid();
}
