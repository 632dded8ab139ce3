/* SHA-256 (FIPS 180-4), as `sha256sum` prints it: for what others are to check. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { SHA256_TEXT = 65 };

/* Of the bytes, as 64 hexadecimal digits. */
void sha256_bytes(const void *bytes, size_t length, char text[SHA256_TEXT]);

/* Of a regular file, or of what stands for one in /proc/self/fd; false, and "": it cannot be read. */
bool sha256_file(const char *path, char text[SHA256_TEXT]);
