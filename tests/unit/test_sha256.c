/* SHA-256, held against the examples of FIPS 180-4, and lengths around that of a block. */
#include "base/sha256.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void check(const char *bytes, size_t length, const char *wanted)
{
    char text[SHA256_TEXT];

    sha256_bytes(bytes, length, text);
    ck_assert_str_eq(text, wanted);
}

START_TEST(examples)
{
    static char million[1000000];

    memset(million, 'a', sizeof million);
    check("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    check(million, 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    check(million, 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    check(million, sizeof million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
END_TEST

START_TEST(a_file_has_the_hash_of_its_bytes)
{
    char path[] = "sha256-XXXXXX", text[SHA256_TEXT];
    const int file = mkstemp(path);

    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, "abc", 3), 3);
    close(file);
    ck_assert(sha256_file(path, text));
    ck_assert_str_eq(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    unlink(path);
    ck_assert(!sha256_file(path, text));
    ck_assert_str_eq(text, "");
    ck_assert(!sha256_file(".", text));
}
END_TEST

HARNESS_MAIN("sha256", examples, a_file_has_the_hash_of_its_bytes)
