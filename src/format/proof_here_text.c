/* With how many groups kernels that were proved are safe on devices of run files, as text. */
#include "report/here.h"

#include "core/text.h"
#include "format/escape.h"
#include "format/kind.h"

static void print_shape(FILE *out, const struct nd_range *shape)
{
    char text[SHAPE_BYTES];

    nd_range_print_shape(shape, text);
    fputs(text, out);
}

/* "64", or "1 to 64" of several in a row. */
static void print_shapes(FILE *out, const struct here_fit *first, const struct here_fit *last)
{
    print_shape(out, &first->shape);
    if (last > first) {
        fputs(" to ", out);
        print_shape(out, &last->shape);
    }
}

/* The last of those behind it with as many groups. */
static size_t last_alike(const struct here *here, size_t first)
{
    while (first + 1 < here->fit_count && here->fits[first + 1].resident == here->fits[first].resident)
        ++first;
    return first;
}

/* "4224 groups of 1 to 64, 2112 of 128 and 264 of 1024 work-items" */
static void print_groups(FILE *out, const struct here *here)
{
    for (size_t i = 0; i < here->fit_count; ++i) {
        const struct here_fit *fit = &here->fits[i];
        const uint32_t groups = certificate_groups(&here->certificate, fit->resident);
        const size_t last = last_alike(here, i);
        fputs(i == 0 ? "" : last + 1 == here->fit_count ? " and " : ", ", out);
        if (groups == UINT32_MAX)
            fputs("any number", out);
        else
            fprintf(out, "%" PRIu32, groups);
        if (i == 0)
            fprintf(out, " group%s", groups == UINT32_MAX ? " of groups" : text_s(groups));
        fputs(" of ", out);
        print_shapes(out, fit, &here->fits[last]);
        i = last;
    }
    fputs(" work-items", out);
}

static void print_launch(FILE *out, const struct proof_row *row)
{
    char launch[PROOF_LAUNCH];

    proof_print_launch(&row->trial, launch);
    fputs(launch, out);
}

/* The next launch of the same kernel, or NULL. */
static const struct proof_row *next_launch(const struct proofs_device *device, const struct proof_row *row)
{
    for (const struct proof_row *next = row + 1; next < device->rows + device->count; ++next)
        if (here_same_kernel(next, row))
            return next;
    return NULL;
}

/* Of a launch, or of a row's verdict. */
static const char *fault_words(enum proof_verdict proved)
{
    static const char *const words[PROOF_VERDICTS] = {
        [PROOF_RACE] = "it has data races",
        [PROOF_RESULT] = "its result may be wrong",
        [PROOF_WRONG] = "no promise is enough for it to end",
        [PROOF_FAULT] = "a work-item does what no kernel may",
        [PROOF_NOT_REFUTED] = "not all states were explored, or it is wrong with numbers that are made up",
        [PROOF_NOTHING] = "nothing was explored",
    };
    return words[proved];
}

static bool needs_fits(const struct certificate *certificate)
{
    return certificate->answer == CERTIFICATE_RESIDENT ||
           (certificate->answer == CERTIFICATE_ANY && certificate->promise.places > 1);
}

static const struct proof_row *launch_of(const struct proofs_device *device, const struct here *here)
{
    const struct proof_row *row = &device->rows[here->row];

    for (size_t left = here->certificate.launch; left > 0; --left)
        row = next_launch(device, row);
    return row;
}

/* "safe up to 264 groups of 256 work-items" */
static void print_safety(FILE *out, const struct here *here)
{
    if (!needs_fits(&here->certificate)) {
        fputs("safe with any number of groups", out);
        return;
    }
    fputs("safe up to ", out);
    print_groups(out, here);
    if (here->counted == HERE_OURS)
        fputs(", if it occupies no more than gridlock's own kernel,", out);
}

static bool is_safe(const struct here *here)
{
    const enum certificate_answer answer = here->certificate.answer;

    return (answer == CERTIFICATE_ANY || answer == CERTIFICATE_RESIDENT) &&
           (!needs_fits(&here->certificate) || here->fit_count > 0);
}

/* Why it is not safe, or why that is not known. */
static void print_refusal(FILE *out, const struct proofs_device *device, const struct here *here)
{
    switch (here->certificate.answer) {
    case CERTIFICATE_NEVER:
    case CERTIFICATE_UNPROVED:
        fputs("with ", out);
        print_launch(out, launch_of(device, here));
        fprintf(out, " %s", fault_words(launch_of(device, here)->proved));
        break;
    case CERTIFICATE_REFUSED:
        fputs("the device was found to break what is needed", out);
        break;
    case CERTIFICATE_UNPUBLISHED:
        fputs("groups were found to read old data", out);
        break;
    case CERTIFICATE_UNMEASURED:
        fputs("litmus tests have not told whether the device keeps what is needed, which gridlock progress asks", out);
        break;
    default:
        fputs("how many groups fit was not measured, which gridlock limits --source does", out);
        break;
    }
}

void proof_text_refusal(FILE *out, const struct proofs_device *device, const struct here *here)
{
    print_refusal(out, device, here);
}

static void print_answer(FILE *out, const struct proofs_device *device, const struct here *here)
{
    const bool safe = is_safe(here);

    if (safe)
        print_safety(out, here);
    else
        fputs(certificate_is_refusal(&here->certificate) ? "not safe" : "not known to be safe", out);
    fprintf(out, " on %s", DEVICE_LABEL_OF(here->device));
    if (!device_info_is_model(here->device))
        fprintf(out, ", driver %s", here->device->driver_version);
    if (safe)
        return;
    fputs(": ", out);
    print_refusal(out, device, here);
}

static void print_tests(FILE *out, const struct certificate *certificate, const struct certificate_tests *tests)
{
    const char *name = litmus_model_name((enum litmus_model)certificate->model);
    const char *fairness = litmus_fairness_name(certificate->promise.fairness);

    if (tests->guaranteed == 0) {
        fputs(". No litmus test was run for it.", out);
        return;
    }
    fprintf(out, ". Of %" PRIu32 " litmus tests that end under %s (%s) %" PRIu32 " did", tests->guaranteed, name,
            fairness, tests->ended);
    if (tests->stalled > 0)
        fprintf(out, ", and %" PRIu32 " stalled", tests->stalled);
    if (tests->undecided > 0)
        fprintf(out, ", and %" PRIu32 " were undecided", tests->undecided);
    if (tests->states > 0)
        fprintf(out, "; %" PRIu32 " stood in a state that it does not allow", tests->states);
    fputc('.', out);
}

static void print_promise(FILE *out, const struct here *here)
{
    const struct certificate *certificate = &here->certificate;
    const bool unfair = certificate->model == PROOF_UNFAIR, all = certificate->promise.places == 0;

    fprintf(out, "It relies on this: %s%s", proof_turns_text(certificate->model),
            !unfair && certificate->promise.fairness == LITMUS_STRONG ? ", fairly" : "");
    if (all)
        fputs(", and all groups are resident", out);
    else if (certificate->promise.places > 1)
        fprintf(out, ", and %u groups are resident", certificate->promise.places);
    if (unfair)
        fputc('.', out);
    else
        print_tests(out, certificate, &here->found.tests[certificate->model][certificate->promise.fairness]);
}

/* A barrier of ours stalled with one group more than fit, of each shape. */
static bool one_more_stalls(const struct here *here)
{
    for (size_t i = 0; i < here->fit_count; ++i)
        if (here->fits[i].stalls_at != here->fits[i].resident + 1)
            return false;
    return true;
}

static void print_counted(FILE *out, const struct here *here)
{
    static const char *const by[] = {
        [HERE_KERNEL] = "So many groups of this very kernel fit, as gridlock limits measured",
        [HERE_SCENARIO] = "So many groups of the scenario's kernels fit, as gridlock run counted",
        [HERE_OURS] = "So many groups of gridlock's own kernel fit; of this one gridlock limits --source measures it",
    };

    fputs(by[here->counted], out);
    fputs(one_more_stalls(here) ? "; a barrier over one group more stalled." : ".", out);
}

/* "2 groups of 1, 3 groups of 1" */
static void print_proved(FILE *out, const struct proofs_device *device, const struct here *here)
{
    const struct proof_row *row = &device->rows[here->row];

    fputs("Proved for ", out);
    for (const char *between = ""; row != NULL; row = next_launch(device, row), between = ", ") {
        fputs(between, out);
        print_launch(out, row);
    }
    fputs(". It is assumed that more groups, larger ones and other arguments need the same, and that each work-item of "
          "a group gets turns.",
          out);
    if (!here->certificate.uniform)
        fputs(" Fewer resident groups may be enough: three larger numbers of groups that agree show it (--groups).",
              out);
}

static void print_published(FILE *out, const struct certificate_device *found, enum dialect dialect)
{
    static const char *const by[DIALECT_COUNT] = {[DIALECT_CL30] = "atomics of OpenCL C 3.0",
                                                  [DIALECT_CL12] = "volatile words",
                                                  [DIALECT_PTX] = "NVIDIA's fences"};

    if (found->published + found->stale == 0)
        fputs("Whether groups see what others write was not measured (gridlock run 'publish_*').", out);
    else
        fprintf(out, "Groups saw what others write with %s in %" PRIu64 " of %" PRIu64 " launches.", by[dialect],
                found->published, found->published + found->stale);
}

static void print_conditions(FILE *out, const struct here *here, const struct proof_row *row)
{
    const struct device_info *info = here->device;

    fprintf(out, "It holds for driver %s, %" PRIu32 " compute unit%s", info->driver_version, info->compute_units,
            text_s(info->compute_units));
    if (row->trial.footprint.subject.options[0] != '\0')
        fprintf(out, ", the build options %s", row->trial.footprint.subject.options);
    fputs(", and a device that is otherwise idle.", out);
}

static void print_hashes(FILE *out, const struct here *here, const struct here_runs *runs)
{
    fputs("  SHA-256:\n", out);
    if (here->source_sha256[0] != '\0')
        escape_each(escape_text, out, "    ", here->source_sha256, "  ", here->path, "\n", NULL);
    for (size_t i = 0; i < runs->count; ++i)
        if ((here->used >> i & 1) != 0)
            escape_each(escape_text, out, "    ", runs->runs[i].sha256, "  ", runs->runs[i].path, "\n", NULL);
}

/* A sentence, in lines of its own. */
#define PRINT(out, print, ...)                                                                                         \
    do {                                                                                                               \
        struct text_lines lines;                                                                                       \
        print(text_lines_begin(&lines), __VA_ARGS__);                                                                  \
        text_lines_end(&lines, out, "  ", "    ");                                                                     \
    } while (0)

static void print_here(FILE *out, const struct text_style *style, const struct proofs_device *device,
                       const struct here *here)
{
    const struct certificate *certificate = &here->certificate;
    const struct proof_row *row = &device->rows[here->row];
    const char *color = certificate_is_refusal(certificate) ? style->colors->surprise : "";
    char name[PROOF_NAME], shape[SHAPE_BYTES];

    proof_print_name(&row->trial, name, shape);
    escape_each(escape_text, out, "\nCertificate: ", name, "\n", NULL);
    color_begin(out, color);
    PRINT(out, print_answer, device, here);
    color_end(out, color);
    if (certificate->has_promise) {
        PRINT(out, print_promise, here);
        if (needs_fits(certificate) && here->fit_count > 0)
            PRINT(out, print_counted, here);
        PRINT(out, print_proved, device, here);
        PRINT(out, print_published, &here->found, here_dialect(device->here_runs));
        PRINT(out, print_conditions, here, row);
    }
    print_hashes(out, here, device->here_runs);
}

void proof_text_here(FILE *out, const struct report *report, size_t number, const struct text_style *style)
{
    const struct proofs_device *device = &report->proofs.devices[number];

    for (size_t i = 0; i < device->here_count; ++i)
        print_here(out, style, device, &device->here[i]);
}
