/* Promises about bytes that are moved: by the host, between buffers, or filled; at any offset, and of any size. */
#include "act/promising.h"
#include "device/cl_status.h"

#include <string.h>

enum { BYTES = 4096, SPARE = 256, SALT = 3, UNTOUCHED = 0x55, PATTERN_MOST = 128 };

struct moving {
    struct promising *promising;
    cl_mem memory[2]; /* the first one has what is checked, behind which the kernel changes every other byte */
    unsigned char
        whole[BYTES + SPARE]; /* with spare bytes: a copy of all of it that is short by some loses only those */
    unsigned char wanted[BYTES], told[BYTES];
};

/* What is moved. */
struct piece {
    size_t offset, size;
};

static const struct piece pieces[] = {{0, 1},   {1, 1},      {1, 2},       {3, 5},       {7, 64},
                                      {64, 63}, {333, 1000}, {1023, 1021}, {2049, 2047}, {0, 4095}};
enum { PIECES = sizeof pieces / sizeof *pieces };

static unsigned char byte_at(size_t place, uint32_t turn)
{
    return (unsigned char)((place * 2654435761u + turn * 40503u) >> 8);
}

static cl_int copy_whole(struct moving *moving, cl_mem memory, bool writes)
{
    cl_command_queue queue = moving->promising->session->queue;

    if (writes)
        return clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, sizeof moving->whole, moving->whole, 0, NULL, NULL);
    memset(moving->whole, UNTOUCHED, sizeof moving->whole);
    return clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof moving->whole, moving->whole, 0, NULL, NULL);
}

/* What the host has there before, in both buffers; it is what is wanted. */
static cl_int begin(struct moving *moving, uint32_t turn)
{
    cl_int code = CL_SUCCESS;

    for (int i = 1; i >= 0 && code == CL_SUCCESS; --i) {
        for (size_t at = 0; at < sizeof moving->whole; ++at)
            moving->whole[at] = byte_at(at, turn + (uint32_t)i * 7);
        code = copy_whole(moving, moving->memory[i], true);
    }
    memcpy(moving->wanted, moving->whole, BYTES);
    return code;
}

/* Every other byte is changed by the kernel, which sees what is there. */
static cl_int change(struct moving *moving)
{
    const size_t half = BYTES / 2;

    for (size_t at = 0; at < BYTES; at += 2)
        moving->wanted[at] = (unsigned char)(moving->wanted[at] + SALT);
    return clEnqueueNDRangeKernel(moving->promising->session->queue, moving->promising->program->kernel, 1, NULL, &half,
                                  NULL, 0, NULL, NULL);
}

/* --- what is moved --- */

static cl_int write_piece(struct moving *moving, struct piece piece, uint32_t turn)
{
    for (size_t i = 0; i < piece.size; ++i)
        moving->told[i] = moving->wanted[piece.offset + i] = byte_at(i, turn + 1);
    return clEnqueueWriteBuffer(moving->promising->session->queue, moving->memory[0], CL_TRUE, piece.offset, piece.size,
                                moving->told, 0, NULL, NULL);
}

static cl_int copy_piece(struct moving *moving, struct piece piece, uint32_t turn)
{
    const size_t from = (size_t)turn % 5; /* of the second buffer, which has spare bytes as well */

    for (size_t i = 0; i < piece.size; ++i)
        moving->wanted[piece.offset + i] = byte_at(from + i, turn + 7);
    return clEnqueueCopyBuffer(moving->promising->session->queue, moving->memory[1], moving->memory[0], from,
                               piece.offset, piece.size, 0, NULL, NULL);
}

/* Offset and size are multiples of the pattern's, as they must be. */
static cl_int fill_piece(struct moving *moving, struct piece piece, uint32_t turn)
{
    unsigned char pattern[PATTERN_MOST];
    const size_t bytes = (size_t)1 << turn % 8, first = piece.offset / bytes * bytes;
    const size_t size = piece.size < bytes ? bytes : piece.size / bytes * bytes;

    for (size_t i = 0; i < bytes; ++i)
        pattern[i] = byte_at(i, turn + 1);
    for (size_t i = 0; i < size; ++i)
        moving->wanted[first + i] = pattern[i % bytes];
    return clEnqueueFillBuffer(moving->promising->session->queue, moving->memory[0], pattern, bytes, first, size, 0,
                               NULL, NULL);
}

/* --- what came of it --- */

static int judge(struct moving *moving, const char *call, struct piece piece, const unsigned char *found)
{
    for (size_t at = 0; at < BYTES; ++at)
        if (found[at] != moving->wanted[at])
            return promising_says(moving->promising,
                                  "After %s of %zu bytes at offset %zu, byte %zu is 0x%02x and not 0x%02x.", call,
                                  piece.size, piece.offset, at, found[at], moving->wanted[at]);
    return 1;
}

/* The piece is read behind the kernel, and what is beside it must stay as it was. */
static int read_piece(struct moving *moving, struct piece piece)
{
    cl_int code = change(moving);

    memset(moving->told, UNTOUCHED, BYTES);
    if (code == CL_SUCCESS)
        code = clEnqueueReadBuffer(moving->promising->session->queue, moving->memory[0], CL_TRUE, piece.offset,
                                   piece.size, moving->told + piece.offset, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return promising_refused(moving->promising, "clEnqueueReadBuffer", code);
    memset(moving->wanted, UNTOUCHED, piece.offset);
    memset(moving->wanted + piece.offset + piece.size, UNTOUCHED, BYTES - piece.offset - piece.size);
    return judge(moving, "clEnqueueReadBuffer", piece, moving->told);
}

static int move(struct moving *moving, struct piece piece, uint32_t turn)
{
    static const struct {
        cl_int (*call)(struct moving *, struct piece, uint32_t);
        const char *name;
    } calls[] = {[MOVED_WRITE] = {write_piece, "clEnqueueWriteBuffer"},
                 [MOVED_FILL] = {fill_piece, "clEnqueueFillBuffer"},
                 [MOVED_COPY] = {copy_piece, "clEnqueueCopyBuffer"}};
    const uint32_t moved = moving->promising->promise->of[0];
    cl_int code = begin(moving, turn);

    if (code != CL_SUCCESS)
        return promising_refused(moving->promising, "clEnqueueWriteBuffer", code);
    if (moved == MOVED_READ)
        return read_piece(moving, piece);
    code = calls[moved].call(moving, piece, turn);
    if (code != CL_SUCCESS)
        return promising_refused(moving->promising, calls[moved].name, code);
    code = change(moving);
    if (code == CL_SUCCESS)
        code = copy_whole(moving, moving->memory[0], false);
    return code == CL_SUCCESS ? judge(moving, calls[moved].name, piece, moving->whole)
                              : promising_refused(moving->promising, "reading all of it", code);
}

static int try_pieces(void *context, struct error *error)
{
    struct moving *moving = context;
    const struct finding *finding = &moving->promising->finding;
    int outcome = 1;

    (void)error;
    for (uint32_t i = 0; i < PIECES && outcome == 1; ++i)
        outcome = move(moving, pieces[i], finding->tries * 3 + i);
    return outcome;
}

int promise_bytes(struct promising *promising, struct error *error)
{
    struct moving moving = {.promising = promising};
    const cl_uchar salt = SALT;
    cl_int code = CL_SUCCESS;

    if (promising_build(promising, "promise_bytes", error) != 0)
        return -1;
    for (int i = 0; i < 2 && code == CL_SUCCESS; ++i)
        moving.memory[i] = clCreateBuffer(promising->session->context, CL_MEM_READ_WRITE, BYTES + SPARE, NULL, &code);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(promising->program->kernel, 0, sizeof(cl_mem), &moving.memory[0]);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(promising->program->kernel, 1, sizeof salt, &salt);
    const int outcome = code == CL_SUCCESS ? promising_try(promising, try_pieces, &moving, error)
                                           : cl_status_error(error, "preparing buffers", code);
    for (int i = 0; i < 2; ++i)
        if (moving.memory[i] != NULL)
            clReleaseMemObject(moving.memory[i]);
    return outcome;
}
