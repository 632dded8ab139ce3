/* Limits of kernels of the user's, as text and JSON. */
#include "core/text.h"
#include "format/escape.h"
#include "format/limits.h"

#include <inttypes.h>
#include <stdio.h>

bool limits_text_is_of_subjects(const struct limits_device *device)
{
    return device->count > 0 && device->rows[0].search.footprint.subject.file[0] != '\0';
}

void limits_text_subject_columns(FILE *out)
{
    fputs("     group         resident    passes at    stalls at  driver     time\n"
          "     items           groups       groups       groups    says        s\n",
          out);
}

static void print_facts(FILE *out, const char *what, const struct kernel_facts *facts)
{
    fprintf(out, "  %s%" PRIu64 " byte%s of local memory, %" PRIu64 " private, up to %" PRIu64 " work-items", what,
            facts->local_bytes, text_s(facts->local_bytes), facts->private_bytes, facts->most_items);
    if (facts->registers != 0)
        fprintf(out, ", %" PRIu32 " registers", facts->registers);
    fputc('\n', out);
}

/* What the kernel occupies by what the driver says, and what was launched in its place, if that is not the same. */
void limits_text_subject(FILE *out, const struct limits_row *row)
{
    const struct subject *subject = &row->search.footprint.subject;
    const struct subject_facts *facts = &row->facts;

    escape_each(escape_text, out, "\n", subject->file, subject->kernel[0] != '\0' ? ": " : "", subject->kernel, "\n",
                NULL);
    if (facts->way == ENTRY_NONE)
        return;
    if (subject_bound_of(facts) == BOUND_EXACT) {
        print_facts(out, "", &facts->original);
    } else {
        print_facts(out, "the kernel: ", &facts->original);
        print_facts(out, "measured:   ", &facts->measured);
    }
    if (facts->sizes[0] != '\0') {
        escape_each(escape_text, out, "  taken, because --arg does not say: ", facts->sizes, "\n", NULL);
    }
}

/* "at least 132" */
void limits_text_subject_size(FILE *out, const struct limits_row *row)
{
    const struct limit *limit = &row->limit;
    char shape[SHAPE_BYTES], count[40] = "-";

    nd_range_print_shape(&row->search.footprint.subject.shape, shape);
    fprintf(out, "%10s", shape);
    if (!limit->measured)
        return;
    if (limit->resident != 0)
        snprintf(count, sizeof count, "%s%" PRIu32, subject_bound_words(subject_bound_of(&row->facts)),
                 limit->resident);
    fprintf(out, " %16s", count);
}

void limits_text_subject_promise(FILE *out, const struct limits_row *row)
{
    if (row->facts.promised_groups != 0)
        fprintf(out, " %7" PRIu64, row->facts.promised_groups);
    else
        fprintf(out, " %7s", "-");
}

static void write_facts(struct json_writer *json, const char *name, const struct kernel_facts *facts)
{
    json_writer_open(json, name, '{');
    json_writer_integer(json, "local_memory_bytes", facts->local_bytes);
    json_writer_integer(json, "private_memory_bytes", facts->private_bytes);
    json_writer_integer(json, "max_local_size", facts->most_items);
    json_writer_count(json, "registers", facts->registers);
    json_writer_close(json, '}');
}

void limits_json_subject(struct json_writer *json, const struct limits_row *row)
{
    const struct subject *subject = &row->search.footprint.subject;
    const struct subject_facts *facts = &row->facts;
    char shape[SHAPE_BYTES];

    if (subject->file[0] == '\0')
        return;
    nd_range_print_shape(&subject->shape, shape);
    json_writer_open(json, "kernel", '{');
    json_writer_text(json, "source", subject->file);
    json_writer_text(json, "name", subject->kernel);
    json_writer_text(json, "build_options", subject->options);
    json_writer_text(json, "group", shape);
    json_writer_text(json, "local_arguments", subject->locals);
    json_writer_text(json, "local_arguments_taken", facts->sizes);
    json_writer_count(json, "promised_groups", facts->promised_groups);
    json_writer_text(json, "bound", facts->way == ENTRY_NONE ? NULL : subject_bound_name(subject_bound_of(facts)));
    json_writer_text(json, "entry", facts->way == ENTRY_NONE ? NULL : entry_way_name(facts->way));
    if (facts->way != ENTRY_NONE) {
        write_facts(json, "original", &facts->original);
        write_facts(json, "launched", &facts->measured);
    }
    json_writer_close(json, '}');
}
