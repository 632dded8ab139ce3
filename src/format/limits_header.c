/* Limits of kernels of the user's as a C header. */
#include "format/limits.h"

#include "base/source.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 64 + SUBJECT_PATH + SUBJECT_KERNEL + SHAPE_BYTES };

/* "GRIDLOCK_SUM_MAIN_16X16": letters, digits and underscores, in capitals. */
static void print_name(const struct limits_report *report, size_t device, size_t row, char name[NAME_BYTES])
{
    const struct subject *subject = &report->devices[device].rows[row].search.footprint.subject;
    const char *slash = strrchr(subject->file, '/');
    const char *stem = slash != NULL ? slash + 1 : subject->file;
    char number[32] = "", shape[SHAPE_BYTES];

    if (report->count > 1)
        snprintf(number, sizeof number, "DEVICE%zu_", device);
    nd_range_print_shape(&subject->shape, shape);
    snprintf(name, NAME_BYTES, "GRIDLOCK_%s%.*s_%s_%s", number, (int)strcspn(stem, "."), stem, subject->kernel, shape);
    for (char *at = name; *at != '\0'; ++at)
        *at = isalnum((unsigned char)*at) ? (char)toupper((unsigned char)*at) : '_';
}

/* How many rows of the device have the same name before this one: files of different folders, or other options. */
static size_t count_alike(const struct limits_report *report, size_t device, size_t row, const char *name)
{
    char other[NAME_BYTES];
    size_t alike = 0;

    for (size_t i = 0; i < row; ++i) {
        print_name(report, device, i, other);
        alike += strcmp(other, name) == 0;
    }
    return alike;
}

static void print_comment(FILE *out, const char *text)
{
    for (; *text != '\0'; ++text)
        fputc(iscntrl((unsigned char)*text) || (*text == '*' && text[1] == '/') || (*text == '/' && text[1] == '*')
                  ? '?'
                  : *text,
              out);
}

static void print_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; ++text) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\' || c == '?')
            fprintf(out, "\\%c", c);
        else if (c < 32 || c > 126)
            fprintf(out, "\\%03o", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static void print_constants(FILE *out, const struct limits_report *report, size_t number)
{
    const struct limits_device *device = &report->devices[number];

    fprintf(out, "\n/* %s", report->count > 1 ? "" : "Device: ");
    if (report->count > 1)
        fprintf(out, "Device %zu: ", number);
    print_comment(out, device->stored.info.name);
    fputs("; driver: ", out);
    print_comment(out, device->stored.info.driver_version);
    fputs(". So many groups surely fit together; whether they may wait for\n"
          " * each other is another question. */\n",
          out);
    for (size_t i = 0; i < device->count; ++i) {
        const uint32_t most = limits_row_fits(&device->rows[i]);
        const struct subject *subject = &device->rows[i].search.footprint.subject;
        char name[NAME_BYTES];
        if (most == 0 || limits_row_is_ours(&device->rows[i]))
            continue;
        print_name(report, number, i, name);
        const size_t alike = count_alike(report, number, i, name);
        fprintf(out, "#define %s", name);
        if (alike > 0) /* no other name ends so: they end with a shape */
            fprintf(out, "_NO%zu", alike + 1);
        fprintf(out, " %" PRIu32, most);
        if (alike > 0) {
            fputs(" /* ", out);
            print_comment(out, subject->file);
            fputs(": ", out);
            print_comment(out, subject->kernel);
            fputs(" */", out);
        }
        fputc('\n', out);
    }
}

/* A text of the driver's; it is cut to so many bytes, the final zero included. */
static void print_said(FILE *out, const char *text, size_t bytes)
{
    print_string(out, text);
    fprintf(out, ", %zu, ", bytes - 1);
}

static void print_devices(FILE *out, const struct limits_report *report, const struct limits_setting *setting)
{
    for (size_t i = 0; i < report->count; ++i) {
        const struct device_info *info = &report->devices[i].stored.info;
        fputs("        {", out);
        print_said(out, info->platform, sizeof info->platform);
        print_said(out, info->name, sizeof info->name);
        print_said(out, info->driver_version, sizeof info->driver_version);
        print_said(out, info->device_version, sizeof info->device_version);
        fprintf(out, "%" PRIu32 ", %" PRIu64 ", %" PRIu64 ", %d},\n", info->compute_units, info->max_local_size,
                info->local_memory_bytes, info->kind == DEVICE_CPU ? setting->processors : -1);
    }
}

/* The bytes of all local arguments together: those that were given ("3=1024,5=64"), and those that were made up. */
static uint64_t argument_bytes(const struct limits_row *row)
{
    const char *const texts[] = {row->search.footprint.subject.locals, row->facts.sizes};
    uint64_t sum = 0;

    for (int i = 0; i < 2; ++i)
        for (const char *at = texts[i]; (at = strpbrk(at, "=:")) != NULL; ++at)
            sum += strtoull(at + 1, NULL, 10);
    return sum;
}

/* Of the text of the row's file; 0: it is not known, and then nothing surely fits. */
static uint64_t digest_of(const struct limits_setting *setting, const char *file)
{
    for (size_t i = 0; i < setting->file_count; ++i)
        if (strcmp(setting->files[i], file) == 0)
            return setting->digests[i];
    return 0;
}

static void print_table(FILE *out, const struct limits_report *report, const struct limits_setting *setting)
{
    for (size_t d = 0; d < report->count; ++d)
        for (size_t i = 0; i < report->devices[d].count; ++i) {
            const struct limits_row *row = &report->devices[d].rows[i];
            const struct subject *subject = &row->search.footprint.subject;
            const struct kernel_facts *facts = &row->facts.original;
            const uint32_t *local = subject->shape.local;
            const uint64_t digest = digest_of(setting, subject->file);
            if (limits_row_fits(row) == 0 || digest == 0 || limits_row_is_ours(row))
                continue;
            fprintf(out, "        {%zu, ", d);
            print_string(out, subject->kernel);
            fprintf(out, ", {%" PRIu32 ", %" PRIu32 ", %" PRIu32 "}, 0x%016" PRIx64 "ull, 0x%016" PRIx64 "ull,",
                    local[0], local[1], local[2], subject_hash_options(subject->options), digest);
            fprintf(out, "\n         %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu32 "},\n", facts->most_items,
                    facts->private_bytes, facts->local_bytes + argument_bytes(row), limits_row_fits(row));
        }
    fputs("        {0, NULL, {0, 0, 0}, 0, 0, 0, 0, 0, 0}\n", out);
}

static void print_variables(FILE *out, const struct limits_setting *setting)
{
    for (size_t i = 0; i < setting->variable_count; ++i) {
        fputs("        {", out);
        print_string(out, setting->variables[i][0]);
        fputs(", ", out);
        if (setting->variables[i][1] != NULL)
            print_string(out, setting->variables[i][1]);
        else
            fputs("NULL", out);
        fputs("},\n", out);
    }
    fputs("        {NULL, NULL}\n", out);
}

/* The functions, around three tables of which each takes the place of a line that begins with '@'. */
static void print_functions(FILE *out, const struct limits_report *report, const struct limits_setting *setting)
{
    for (const char *line = header_texts[0].text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        if (strncmp(line, "@devices", 8) == 0)
            print_devices(out, report, setting);
        else if (strncmp(line, "@variables", 10) == 0)
            print_variables(out, setting);
        else if (strncmp(line, "@limits", 7) == 0)
            print_table(out, report, setting);
        else
            fprintf(out, "%.*s\n", (int)strcspn(line, "\n"), line);
    }
}

void limits_header(FILE *out, const struct limits_report *report, const struct limits_setting *setting)
{
    fprintf(out,
            GRIDLOCK_HEADER_MARK " %s, on %s, on otherwise idle devices.\n"
                                 " * The constants hold for these devices, drivers, settings and build options only: "
                                 "gridlock_groups_fit compares them. */\n"
                                 "#ifndef GRIDLOCK_LIMITS_H\n#define GRIDLOCK_LIMITS_H\n",
            GRIDLOCK_VERSION, setting->date);
    for (size_t i = 0; i < report->count; ++i)
        print_constants(out, report, i);
    print_functions(out, report, setting);
    fputs("\n#endif\n", out);
}
