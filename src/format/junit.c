/* JUnit's XML: a suite is a device, a class is a scenario. */
#include "core/text.h"
#include "format/case.h"
#include "format/format.h"
#include "format/run.h"

#include <inttypes.h>
#include <libxml/xmlwriter.h>
#include <stdlib.h>
#include <time.h>

struct totals {
    size_t tests, failures, errors, skipped;
    uint64_t duration_ns;
};

struct junit {
    const struct report *report;
    size_t device; /* the present one */
    xmlTextWriterPtr writer;
    bool failed; /* memory was short, or the stream did not take it */
};

static void check(struct junit *junit, int outcome)
{
    junit->failed = junit->failed || outcome < 0;
}

static void open_element(struct junit *junit, const char *name)
{
    check(junit, xmlTextWriterStartElement(junit->writer, (const xmlChar *)name));
}

static void close_element(struct junit *junit)
{
    check(junit, xmlTextWriterEndElement(junit->writer));
}

/* Text, or the value of an attribute if it has a name. NULL: memory is short. */
static void write_text(struct junit *junit, const char *name, const char *text)
{
    char *clean = text != NULL ? escape_xml(text) : NULL;

    if (clean == NULL)
        junit->failed = true;
    else if (name == NULL)
        check(junit, xmlTextWriterWriteString(junit->writer, (const xmlChar *)clean));
    else
        check(junit, xmlTextWriterWriteAttribute(junit->writer, (const xmlChar *)name, (const xmlChar *)clean));
    free(clean);
}

/* Likewise of an allocated text, which it frees. */
static void write_made(struct junit *junit, const char *name, char *text)
{
    write_text(junit, name, text);
    free(text);
}

static void write_count(struct junit *junit, const char *name, size_t count)
{
    check(junit, xmlTextWriterWriteFormatAttribute(junit->writer, (const xmlChar *)name, "%zu", count));
}

/* Whole microseconds, so that no locale has a say in it. */
static void write_seconds(struct junit *junit, uint64_t duration_ns)
{
    const uint64_t us = duration_ns / 1000;
    check(junit, xmlTextWriterWriteFormatAttribute(junit->writer, (const xmlChar *)"time", "%" PRIu64 ".%06" PRIu64,
                                                   us / 1000000, us % 1000000));
}

static void write_property(struct junit *junit, const char *name, const char *value)
{
    open_element(junit, "property");
    write_text(junit, "name", name);
    write_text(junit, "value", value);
    close_element(junit);
}

static void add_case(void *context, const struct report_case *found)
{
    struct totals *totals = context;
    if (found->note == NOTE_SHARD)
        return; /* it is no test */
    totals->tests += 1;
    totals->failures += found->result == RESULT_FAIL;
    totals->errors += found->result == RESULT_ERROR;
    totals->skipped += found->result == RESULT_SKIP || found->result == RESULT_UNKNOWN;
    totals->duration_ns += found->duration_ns;
}

static void write_totals(struct junit *junit, const struct totals *totals)
{
    write_count(junit, "tests", totals->tests);
    write_count(junit, "failures", totals->failures);
    write_count(junit, "errors", totals->errors);
    write_count(junit, "skipped", totals->skipped);
    write_seconds(junit, totals->duration_ns);
}

/* Of a failure its cause, where that is known; else the case's own. */
static const char *failure_type(const struct report_case *found)
{
    if (found->result == RESULT_FAIL && found->cause != CAUSE_NONE && found->cause != CAUSE_UNKNOWN)
        return cause_name(found->cause);
    return found->type;
}

/* How to go on with a surprise, each command in a line of its own. NULL: memory is short. */
static char *commands_of(const struct junit *junit, const struct report_case *found)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        return NULL;
    if (found->point != NULL && run_point_is_surprise(found->point))
        run_text_commands(out, junit->report, junit->device, found->suite, found->point, "\n");
    return fclose(out) == 0 ? text : NULL;
}

/* <failure>, <error> or <skipped>; what passes and is told has a note, as a known failure; else nothing if it passed. */
static void write_outcome(struct junit *junit, const struct report_case *found)
{
    static const char *const elements[] = {
        [RESULT_PASS] = NULL,      [RESULT_FAIL] = "failure",    [RESULT_ERROR] = "error",
        [RESULT_SKIP] = "skipped", [RESULT_UNKNOWN] = "skipped", [RESULT_KNOWN] = "system-out",
    };
    const bool told = found->result == RESULT_KNOWN || (found->result == RESULT_PASS && found->told);
    const char *element = told ? elements[RESULT_KNOWN] : elements[found->result];

    if (element == NULL)
        return;
    open_element(junit, element);
    if (!told) {
        write_text(junit, "type", failure_type(found));
        write_made(junit, "message", report_case_message(found));
    }
    if (found->result != RESULT_SKIP && found->result != RESULT_UNKNOWN) {
        write_made(junit, NULL, report_case_message(found));
        write_made(junit, NULL, commands_of(junit, found));
    }
    close_element(junit);
}

/* Readers know a case by class and name, and would take those of several devices with one name for the same. */
static void write_name(struct junit *junit, const struct report_case *found)
{
    const struct device_info *info = &report_suite_device(junit->report, junit->device)->info;
    char name[RUN_ID_BYTES + DEVICE_LABEL + sizeof " on "];

    snprintf(name, sizeof name, "%s", found->name);
    if (info->number != 0)
        text_append(name, sizeof name, " on %s", DEVICE_LABEL_OF(info));
    write_text(junit, "name", name);
}

static void write_case(void *context, const struct report_case *found)
{
    struct junit *junit = context;

    if (found->note == NOTE_SHARD)
        return;
    open_element(junit, "testcase");
    write_text(junit, "classname", found->suite);
    write_name(junit, found);
    write_seconds(junit, found->duration_ns);
    write_outcome(junit, found);
    close_element(junit);
}

static void write_note(void *context, const struct report_case *found)
{
    struct junit *junit = context;

    if (found->note != NOTE_SHARD)
        return;
    char *message = report_case_message(found);
    junit->failed = junit->failed || message == NULL;
    write_property(junit, found->name, message != NULL ? message : "");
    free(message);
}

static void write_properties(struct junit *junit, const struct report *report, size_t device)
{
    const struct store_device *stored = report_device(report, device);

    open_element(junit, "properties");
    write_property(junit, "platform", stored->info.platform);
    write_property(junit, "vendor", stored->info.vendor);
    write_property(junit, "driver_version", stored->info.driver_version);
    write_property(junit, "dialect", dialect_name(stored->probe.dialect));
    write_property(junit, "channel", channel_name(stored->probe.channel));
    report_each_note(report, device, write_note, junit);
    close_element(junit);
}

static void write_timestamp(struct junit *junit, const struct report *report)
{
    char text[32];
    struct tm when;
    const time_t seconds = report->head_count > 0 ? (time_t)(report->heads[0].run.started_ms / 1000) : 0;

    if (seconds > 0 && gmtime_r(&seconds, &when) != NULL &&
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &when) > 0)
        write_text(junit, "timestamp", text);
}

static void write_suite(struct junit *junit, const struct report *report, size_t device)
{
    junit->device = device;
    const struct store_device *stored = report_suite_device(report, device);
    struct totals totals = {0};

    report_each_case(report, device, add_case, &totals);
    open_element(junit, "testsuite");
    write_text(junit, "name", DEVICE_LABEL_OF(&stored->info));
    write_totals(junit, &totals);
    write_timestamp(junit, report);
    if (report_device(report, device) != NULL)
        write_properties(junit, report, device);
    report_each_case(report, device, write_case, junit);
    close_element(junit);
}

static void write_document(struct junit *junit, const struct report *report)
{
    struct totals totals = {0};

    for (size_t i = 0; i < report_suite_count(report); ++i)
        report_each_case(report, i, add_case, &totals);
    check(junit, xmlTextWriterSetIndent(junit->writer, 1));
    check(junit, xmlTextWriterStartDocument(junit->writer, "1.0", "UTF-8", NULL));
    open_element(junit, "testsuites");
    write_text(junit, "name", "gridlock");
    write_totals(junit, &totals);
    for (size_t i = 0; i < report_suite_count(report); ++i)
        write_suite(junit, report, i);
    check(junit, xmlTextWriterEndDocument(junit->writer));
}

/* What fails is said by the caller, once. */
static void say_nothing(void *context, xmlErrorPtr failure)
{
    (void)context;
    (void)failure;
}

int report_write_junit(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    xmlSetStructuredErrorFunc(NULL, say_nothing);
    xmlOutputBufferPtr buffer = xmlOutputBufferCreateFile(out, NULL);
    struct junit junit = {.report = report, .writer = buffer != NULL ? xmlNewTextWriter(buffer) : NULL};

    (void)style;
    if (junit.writer == NULL) {
        xmlOutputBufferClose(buffer);
        return error_set(error, STATUS_HARNESS, "no memory for the report");
    }
    write_document(&junit, report);
    xmlFreeTextWriter(junit.writer);
    xmlCleanupParser();
    return junit.failed ? error_set(error, STATUS_HARNESS, "cannot write the report as XML") : 0;
}
