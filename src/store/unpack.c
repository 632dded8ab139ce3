#include "store/unpack.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How a file begins that xz has packed, and how a database does. */
static const unsigned char xz_magic[] = {0xfd, '7', 'z', 'X', 'Z', 0};
static const char database_magic[] = "SQLite format 3";

/* What the decoder may take (xz -9 needs 65 MiB), and what is read and written at a time. */
enum { DECODER_BYTES = 128 << 20, PART_BYTES = 1 << 16 };

struct unpacking {
    const char *path;
    FILE *in, *out;
    lzma_stream stream;
    unsigned char read[PART_BYTES], made[PART_BYTES];
    uint64_t size; /* written so far */
    struct error *error;
};

static int refuse(const struct unpacking *unpacking, const char *why)
{
    return error_set(unpacking->error, STATUS_USAGE, "cannot unpack '%s': %s", unpacking->path, why);
}

static int refuse_code(const struct unpacking *unpacking, lzma_ret code)
{
    if (code == LZMA_MEM_ERROR)
        return error_set(unpacking->error, STATUS_HARNESS, "cannot unpack '%s': out of memory", unpacking->path);
    if (code == LZMA_MEMLIMIT_ERROR)
        return refuse(unpacking, "it was packed with a dictionary that is too large");
    return refuse(unpacking, code == LZMA_BUF_ERROR ? "its end is missing" : "it is damaged");
}

/* The first bytes tell whether the rest is worth the room. */
static int take(struct unpacking *unpacking, const unsigned char *bytes, size_t size)
{
    if (unpacking->size == 0 &&
        (size < sizeof database_magic || memcmp(bytes, database_magic, sizeof database_magic) != 0))
        return refuse(unpacking, "it holds no run file (a file that a run wrote with -o)");
    if (size > UNPACK_BYTES_MOST - unpacking->size)
        return refuse(unpacking, "it holds more than 512 MiB, the most that is read from a packed file");
    unpacking->size += size;
    if (fwrite(bytes, 1, size, unpacking->out) == size)
        return 0;
    return error_set(unpacking->error, STATUS_HARNESS, "cannot unpack '%s' into a temporary file: %s", unpacking->path,
                     strerror(errno));
}

/* Takes what the decoder makes of its input. 1: it has ended. */
static int decode(struct unpacking *unpacking)
{
    lzma_stream *stream = &unpacking->stream;
    const lzma_action action = stream->avail_in == 0 ? LZMA_FINISH : LZMA_RUN;
    lzma_ret code;

    do {
        stream->next_out = unpacking->made;
        stream->avail_out = sizeof unpacking->made;
        code = lzma_code(stream, action);
        const size_t made = sizeof unpacking->made - stream->avail_out;
        if (code != LZMA_OK && code != LZMA_STREAM_END)
            return refuse_code(unpacking, code);
        if ((made > 0 || code == LZMA_STREAM_END) && take(unpacking, unpacking->made, made) != 0)
            return -1;
    } while (code == LZMA_OK && (stream->avail_out == 0 || action == LZMA_FINISH));
    return code == LZMA_STREAM_END;
}

static int unpack(struct unpacking *unpacking)
{
    int result = 0;

    if (lzma_stream_decoder(&unpacking->stream, DECODER_BYTES, LZMA_CONCATENATED) != LZMA_OK)
        return refuse_code(unpacking, LZMA_MEM_ERROR);
    while (result == 0) {
        unpacking->stream.next_in = unpacking->read;
        unpacking->stream.avail_in = fread(unpacking->read, 1, sizeof unpacking->read, unpacking->in);
        if (ferror(unpacking->in))
            return error_set(unpacking->error, STATUS_HARNESS, "cannot read '%s': %s", unpacking->path,
                             strerror(errno));
        result = decode(unpacking);
    }
    return result < 0 ? -1 : 0;
}

/* Unpacks into a new file. Its name, or NULL. */
static char *unpack_into_file(struct unpacking *unpacking)
{
    const char *folder = getenv("TMPDIR");
    char *name = xasprintf("%s/gridlock-unpacked-XXXXXX", folder != NULL && folder[0] != '\0' ? folder : "/tmp");
    const int descriptor = mkostemp(name, O_CLOEXEC);
    unpacking->out = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (unpacking->out == NULL) {
        error_set(unpacking->error, STATUS_HARNESS, "cannot unpack '%s' into a temporary file %s: %s", unpacking->path,
                  name, strerror(errno));
        goto out;
    }
    int result = unpack(unpacking);
    if (fclose(unpacking->out) != 0 && result == 0)
        result = error_set(unpacking->error, STATUS_HARNESS, "cannot unpack '%s' into a temporary file: %s",
                           unpacking->path, strerror(errno));
    lzma_end(&unpacking->stream);
    if (result == 0)
        return name;
out:
    if (descriptor >= 0)
        unlink(name);
    free(name);
    return NULL;
}

static bool begins_as_xz(FILE *file)
{
    unsigned char first[sizeof xz_magic];
    const bool found =
        fread(first, 1, sizeof first, file) == sizeof first && memcmp(first, xz_magic, sizeof first) == 0;

    rewind(file);
    return found;
}

int unpack_xz(const char *path, char **unpacked, struct error *error)
{
    struct unpacking unpacking = {.path = path, .stream = LZMA_STREAM_INIT, .error = error};
    int result = 0;

    *unpacked = NULL;
    unpacking.in = fopen(path, "re");
    if (unpacking.in == NULL)
        return error_set(error, STATUS_USAGE, "cannot open '%s': %s", path, strerror(errno));
    if (begins_as_xz(unpacking.in)) {
        *unpacked = unpack_into_file(&unpacking);
        result = *unpacked != NULL ? 0 : -1;
    }
    fclose(unpacking.in);
    return result;
}
