#include "door/capture_objects.h"

#include "format/json_writer.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDERS = 10000 };

static const uint64_t bytes_most = UINT64_C(1) << 30;

bool capture_copy(struct capture_kernel *to, const struct capture_kernel *from)
{
    *to = *from;
    for (uint32_t i = 0; i < to->count; ++i) {
        struct capture_argument *argument = &to->arguments[i];
        const unsigned char *value = argument->value;
        argument->contents = NULL;
        argument->value = NULL;
        if (value == NULL || argument->kind != CAPTURE_VALUE_BYTES)
            continue;
        argument->value = malloc(argument->bytes > 0 ? argument->bytes : 1);
        if (argument->value == NULL)
            return false;
        memcpy(argument->value, value, argument->bytes);
    }
    return true;
}

void capture_forget_arguments(struct capture_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->count; ++i) {
        free(kernel->arguments[i].value);
        free(kernel->arguments[i].contents);
    }
    kernel->count = 0;
}

bool capture_may_take(uint64_t bytes)
{
    static _Atomic uint64_t taken;

    if (bytes > bytes_most || atomic_load(&taken) + bytes > bytes_most)
        return false;
    atomic_fetch_add(&taken, bytes);
    return true;
}

enum { LAUNCH_MOST = 65536 }; /* bytes of launch.json */

/* Nothing is left of a file that is not whole. */
static int write_file(const char *folder, const char *name, const void *bytes, size_t size)
{
    char path[CAPTURE_PATH + 64];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = page_may_write(size) ? fopen(path, "we") : NULL;
    if (file == NULL)
        return -1;
    const bool written = fwrite(bytes, 1, size, file) == size;
    if (fclose(file) == 0 && written)
        return 0;
    unlink(path);
    return -1;
}

static void write_three(struct json_writer *json, const char *name, const uint64_t numbers[3], uint32_t count)
{
    json_writer_open_line(json, name, '[');
    for (uint32_t i = 0; i < count; ++i)
        json_writer_integer(json, NULL, numbers[i]);
    json_writer_close_line(json, ']');
}

static void write_shape(struct json_writer *json, const struct capture_argument *argument)
{
    const uint32_t count = argument->kind == CAPTURE_IMAGE ? CAPTURE_SHAPE : 3;

    json_writer_open_line(json, "shape", '[');
    for (uint32_t i = 0; i < count; ++i)
        json_writer_integer(json, NULL, argument->shape[i]);
    json_writer_close_line(json, ']');
}

/* Contents are known once they were read. */
static bool has_addresses(const struct capture_kernel *kernel, const struct capture_argument *argument, bool contents)
{
    const unsigned char *bytes = contents ? argument->contents : NULL;

    return capture_points(kernel, argument->kind == CAPTURE_VALUE_BYTES ? argument->value : bytes, argument->bytes);
}

bool capture_lacks(const struct capture_kernel *of, bool contents)
{
    for (uint32_t i = 0; i < of->count; ++i)
        if (of->arguments[i].kind == CAPTURE_OTHER || capture_shared_with(of, i) < i ||
            has_addresses(of, &of->arguments[i], contents))
            return true;
    return of->reached > 0;
}

static void write_arguments(struct json_writer *json, const struct capture_kernel *kernel, bool contents)
{
    static const char *const kinds[] = {"value", "buffer", "local", "image", "sampler", "svm", "other"};

    json_writer_open(json, "arguments", '[');
    for (uint32_t i = 0; i < kernel->count; ++i) {
        const struct capture_argument *argument = &kernel->arguments[i];
        json_writer_open_line(json, NULL, '{');
        json_writer_text(json, "kind", kinds[argument->kind]);
        json_writer_integer(json, "bytes", argument->bytes);
        json_writer_bool(json, "contents", contents && argument->contents != NULL);
        if (argument->kind == CAPTURE_IMAGE || argument->kind == CAPTURE_SAMPLER)
            write_shape(json, argument);
        if (capture_shared_with(kernel, i) < i)
            json_writer_integer(json, "shares", capture_shared_with(kernel, i));
        if (has_addresses(kernel, argument, contents))
            json_writer_bool(json, "addresses", true);
        json_writer_close_line(json, '}');
    }
    json_writer_close(json, ']');
}

/* It has another name until it is whole. */
static int write_launch(const char *folder, const struct capture_kernel *kernel, const struct page_command *slot,
                        bool contents)
{
    char part[CAPTURE_PATH + 64], path[CAPTURE_PATH + 64];

    snprintf(part, sizeof part, "%s/launch.json.part", folder);
    snprintf(path, sizeof path, "%s/launch.json", folder);
    FILE *file = page_may_write(LAUNCH_MOST) ? fopen(part, "we") : NULL;
    if (file == NULL)
        return -1;
    struct json_writer json = json_writer_begin(file);
    json_writer_text(&json, "kernel", kernel->name);
    json_writer_integer(&json, "dimensions", slot->dimensions);
    write_three(&json, "offset", slot->offset, slot->dimensions);
    write_three(&json, "global", slot->global, slot->dimensions);
    write_three(&json, "local", slot->local, slot->dimensions);
    write_arguments(&json, kernel, contents);
    if (kernel->reached > 0)
        json_writer_integer(&json, "reached", kernel->reached);
    json_writer_end(&json);
    const bool failed = ferror(file) != 0;
    if (fclose(file) == 0 && !failed && rename(part, path) == 0)
        return 0;
    unlink(part);
    return -1;
}

/* KERNEL, KERNEL-2 ...: the first that there is not. */
static int make_folder(const char *root, const char *kernel, char path[CAPTURE_PATH])
{
    char name[65];
    size_t length = 0;

    for (; kernel[length] != '\0' && length + 1 < sizeof name; ++length)
        name[length] = isalnum((unsigned char)kernel[length]) ? kernel[length] : '_';
    name[length] = '\0';
    for (int i = 1; i < FOLDERS; ++i) {
        const int written = i == 1 ? snprintf(path, CAPTURE_PATH, "%s/%s", root, name)
                                   : snprintf(path, CAPTURE_PATH, "%s/%s-%d", root, name, i);
        if (written >= CAPTURE_PATH)
            return -1;
        if (mkdir(path, 0777) == 0)
            return 0;
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

static int write_all(const char *folder, const struct capture_kernel *kernel, const struct page_command *slot)
{
    const char *options = kernel->options != NULL ? kernel->options : "";
    int outcome = write_file(folder, "source.cl", kernel->source, strlen(kernel->source));
    char name[32];

    if (outcome == 0)
        outcome = write_file(folder, "options", options, strlen(options));
    for (uint32_t i = 0; outcome == 0 && i < kernel->count; ++i) {
        snprintf(name, sizeof name, "arg-%u.bin", i);
        if (kernel->arguments[i].kind == CAPTURE_VALUE_BYTES)
            outcome = write_file(folder, name, kernel->arguments[i].value, kernel->arguments[i].bytes);
    }
    return outcome != 0 ? outcome : write_launch(folder, kernel, slot, false);
}

int capture_write(const char *root, const struct capture_kernel *kernel, const struct page_command *slot,
                  char path[CAPTURE_PATH])
{
    char own[CAPTURE_PATH], *folder = path != NULL ? path : own;
    const int before = errno;
    int outcome = make_folder(root, kernel->name, folder);

    if (outcome == 0)
        outcome = write_all(folder, kernel, slot);
    errno = before;
    return outcome;
}

void capture_write_contents(const struct capture *capture)
{
    const struct capture_kernel *kernel = &capture->kernel;
    char name[32];

    for (uint32_t i = 0; i < kernel->count; ++i) {
        snprintf(name, sizeof name, "arg-%u.bin", i);
        if (kernel->arguments[i].contents != NULL &&
            write_file(capture->folder, name, kernel->arguments[i].contents, kernel->arguments[i].bytes) != 0)
            return;
    }
    write_launch(capture->folder, kernel, &capture->slot, true);
}
