/* Limits of kernels of the user's as a C header. */
#include "format/limits.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Up to so many groups fit surely; above the other number none do. 0: none, or not known. */
struct span {
    uint32_t fits, most;
};

static struct span span_of(const struct limits_row *row)
{
    const enum subject_bound bound = row->bound;
    const struct limit *limit = &row->limit;
    const bool sure = limit->measured && limit->agree && limit->monotone && !limit->fails;

    return (struct span){
        .fits = sure && bound <= BOUND_AT_LEAST && limit->passes == limit->pass_launches ? limit->passes_at : 0,
        .most = sure && (bound == BOUND_EXACT || bound == BOUND_AT_MOST) && limit->stalls_at != 0 ? limit->stalls_at - 1
                : sure                                                                            ? row->most
                                                                                                  : 0,
    };
}

enum { NAME_BYTES = 64 + sizeof((struct subject *)0)->file + sizeof((struct subject *)0)->kernel + SHAPE_BYTES };

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
    fputs(". So many groups surely fit. */\n", out);
    for (size_t i = 0; i < device->count; ++i) {
        const struct span span = span_of(&device->rows[i]);
        const struct subject *subject = &device->rows[i].search.footprint.subject;
        char name[NAME_BYTES];
        if (span.fits == 0 || limits_row_is_ours(&device->rows[i]))
            continue;
        print_name(report, number, i, name);
        const size_t alike = count_alike(report, number, i, name);
        fprintf(out, "#define %s", name);
        if (alike > 0) /* no other name ends so: they end with a shape */
            fprintf(out, "_NO%zu", alike + 1);
        fprintf(out, " %" PRIu32, span.fits);
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

static void print_table(FILE *out, const struct limits_report *report)
{
    for (size_t d = 0; d < report->count; ++d)
        for (size_t i = 0; i < report->devices[d].count; ++i) {
            const struct limits_row *row = &report->devices[d].rows[i];
            const struct span span = span_of(row);
            const uint32_t *local = row->search.footprint.subject.shape.local;
            if (limits_row_is_ours(row))
                continue;
            fputs("        {", out);
            print_string(out, report->devices[d].stored.info.name);
            fputs(", ", out);
            print_string(out, row->search.footprint.subject.kernel);
            fprintf(out, ", {%" PRIu32 ", %" PRIu32 ", %" PRIu32 "}, %" PRIu32 ", %" PRIu32 "},\n", local[0], local[1],
                    local[2], span.fits, span.most);
        }
}

void limits_header(FILE *out, const struct limits_report *report, const char *date)
{
    fprintf(out,
            GRIDLOCK_HEADER_MARK " %s, on %s, on otherwise idle devices.\n"
                                 " * They hold for these devices, drivers and build options only. */\n"
                                 "#ifndef GRIDLOCK_LIMITS_H\n#define GRIDLOCK_LIMITS_H\n\n#include <string.h>\n",
            GRIDLOCK_VERSION, date);
    for (size_t i = 0; i < report->count; ++i)
        print_constants(out, report, i);
    fputs("\n/*\n"
          " * Do so many work-groups of x * y * z work-items of this kernel fit on the device of this name "
          "(CL_DEVICE_NAME),\n"
          " * all resident together? 1: yes. 0: no. -1: that was not measured.\n"
          " */\n"
          "static inline int gridlock_groups_fit(const char *device, const char *kernel, unsigned long x, unsigned "
          "long y,\n"
          "                                      unsigned long z, unsigned long groups)\n"
          "{\n"
          "    static const struct {\n"
          "        const char *device, *kernel;\n"
          "        unsigned long local[3], fits, most; /* up to `fits` do; above `most` none do; 0: not known */\n"
          "    } limits[] = {\n",
          out);
    print_table(out, report);
    fputs("    };\n"
          "    int answer = -1;\n\n"
          "    for (unsigned long i = 0; i < sizeof limits / sizeof *limits; ++i) {\n"
          "        if (strcmp(limits[i].device, device) != 0 || strcmp(limits[i].kernel, kernel) != 0 ||\n"
          "            limits[i].local[0] != x || limits[i].local[1] != y || limits[i].local[2] != z)\n"
          "            continue;\n"
          "        if (limits[i].most != 0 && groups > limits[i].most)\n"
          "            return 0;\n"
          "        answer = groups <= limits[i].fits ? 1 : -1;\n"
          "        if (answer < 0)\n"
          "            return -1;\n"
          "    }\n"
          "    return answer;\n"
          "}\n\n#endif\n",
          out);
}
