#include "look/instruction.h"

/* Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, 2.1.1 and 2.2.1: prefixes. */
static size_t skip_prefixes(const uint8_t *code, size_t count)
{
    size_t at = 0;

    while (at < count && (code[at] == 0x66 || code[at] == 0x67 || code[at] == 0xf0 || code[at] == 0xf2 ||
                          code[at] == 0xf3 || code[at] == 0x2e || code[at] == 0x36 || code[at] == 0x3e ||
                          code[at] == 0x26 || code[at] == 0x64 || code[at] == 0x65))
        ++at;
    if (at < count && code[at] >= 0x40 && code[at] <= 0x4f)
        ++at;
    return at;
}

static uint8_t byte(const uint8_t *code, size_t count, size_t at)
{
    return at < count ? code[at] : 0x90;
}

bool instruction_is_call(const uint8_t *code, size_t count)
{
    const size_t at = skip_prefixes(code, count);
    const uint8_t first = byte(code, count, at), second = byte(code, count, at + 1);

    return (first == 0x0f && (second == 0x05 || second == 0x34)) || /* syscall, sysenter */
           (first >= 0xcc && first <= 0xce) || first == 0xf1 ||     /* int3, int, into, int1 */
           first == 0xf4;                                           /* hlt */
}

bool instruction_is_chance(const uint8_t *code, size_t count)
{
    const size_t at = skip_prefixes(code, count);
    const uint8_t first = byte(code, count, at), second = byte(code, count, at + 1), third = byte(code, count, at + 2);

    if (first == 0xc7 && second == 0xf8) /* xbegin */
        return true;
    if (first != 0x0f)
        return false;
    switch (second) {
    case 0x31: /* rdtsc */
    case 0x33: /* rdpmc */
    case 0xa2: /* cpuid, which says which processor this is */
        return true;
    case 0x01: /* rdtscp; xgetbv does not change */
        return third == 0xf9;
    case 0xc7: /* rdrand, rdseed, rdpid */
        return third >= 0xf0;
    case 0xae: /* tpause, umwait */
        return third >= 0xf0 && at > 0 && (code[0] == 0x66 || code[0] == 0xf2 || code[0] == 0xf3) &&
               (third & 0x38) == 0x30;
    default:
        return false;
    }
}

bool instruction_was_call(const uint8_t *before, size_t count)
{
    if (count >= 5 && before[count - 5] == 0xe8)
        return true;
    for (size_t length = 2; length <= 7 && length <= count; ++length)
        if (before[count - length] == 0xff && (before[count - length + 1] & 0x38) == 0x10)
            return true;
    return false;
}
