/* JUnit's XML: a suite is a device, a class is a scenario. */
#include "base/alloc.h"
#include "core/text.h"
#include "format/case.h"
#include "format/escape.h"
#include "format/format.h"
#include "format/run.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* --- XML: an element a line, indented by a blank for each that it is in --- */

enum { XML_DEPTH = 8 };

/* Begins with the stream alone. */
struct xml {
    FILE *out;
    const char *names[XML_DEPTH]; /* of the elements that are open */
    size_t depth;                 /* their number */
    bool in_tag;                  /* that of the last one can take attributes */
    bool has_text;                /* the last one ends on its own line */
};

static void xml_begin(struct xml *xml)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", xml->out);
}

static void end_tag(struct xml *xml, const char *end)
{
    if (xml->in_tag)
        fputs(end, xml->out);
    xml->in_tag = false;
}

/* An element in the one that is open: at most XML_DEPTH are. */
static void xml_open(struct xml *xml, const char *name)
{
    assert(xml->depth < XML_DEPTH);
    end_tag(xml, ">\n");
    fprintf(xml->out, "%*s<%s", (int)xml->depth, "", name);
    xml->names[xml->depth++] = name;
    xml->in_tag = true;
    xml->has_text = false;
}

static void xml_close(struct xml *xml)
{
    assert(xml->depth > 0);
    const char *name = xml->names[--xml->depth];

    if (xml->in_tag)
        end_tag(xml, "/>\n");
    else
        fprintf(xml->out, "%*s</%s>\n", xml->has_text ? 0 : (int)xml->depth, "", name);
    xml->has_text = false;
}

/* Adds to the element opened last, before it has text or elements. Any text is spelt as XML 1.0 can hold it. */
static void xml_attribute(struct xml *xml, const char *name, const char *text)
{
    assert(xml->in_tag);
    fprintf(xml->out, " %s=\"", name);
    escape_xml_value(xml->out, text);
    fputc('"', xml->out);
}

static void xml_text(struct xml *xml, const char *text)
{
    end_tag(xml, ">");
    escape_xml(xml->out, text);
    xml->has_text = true;
}

/* --- JUnit --- */

struct totals {
    size_t tests, failures, errors, skipped;
    uint64_t duration_ns;
};

struct junit {
    const struct report *report;
    size_t device; /* the present one */
    struct xml *xml;
};

/* Text, or the value of an attribute if it has a name, which was allocated and is freed. */
static void write_made(struct junit *junit, const char *name, char *text)
{
    if (name == NULL)
        xml_text(junit->xml, text);
    else
        xml_attribute(junit->xml, name, text);
    free(text);
}

static void write_count(struct xml *xml, const char *name, size_t count)
{
    char text[24];
    snprintf(text, sizeof text, "%zu", count);
    xml_attribute(xml, name, text);
}

/* Whole microseconds, so that no locale has a say in it. */
static void write_seconds(struct xml *xml, uint64_t duration_ns)
{
    const uint64_t us = duration_ns / 1000;
    char text[40];

    snprintf(text, sizeof text, "%" PRIu64 ".%06" PRIu64, us / 1000000, us % 1000000);
    xml_attribute(xml, "time", text);
}

static void write_property(struct xml *xml, const char *name, const char *value)
{
    xml_open(xml, "property");
    xml_attribute(xml, "name", name);
    xml_attribute(xml, "value", value);
    xml_close(xml);
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

static void write_totals(struct xml *xml, const struct totals *totals)
{
    write_count(xml, "tests", totals->tests);
    write_count(xml, "failures", totals->failures);
    write_count(xml, "errors", totals->errors);
    write_count(xml, "skipped", totals->skipped);
    write_seconds(xml, totals->duration_ns);
}

/* Of a failure its cause, where that is known; else the case's own. */
static const char *failure_type(const struct report_case *found)
{
    if (found->result == RESULT_FAIL && found->cause != CAUSE_NONE && found->cause != CAUSE_UNKNOWN)
        return cause_name(found->cause);
    return found->type;
}

/* How to go on with a surprise, each command in a line of its own. */
static char *commands_of(const struct junit *junit, const struct report_case *found)
{
    char *text = NULL;
    FILE *out = xopen_memstream(&text, NULL);

    if (found->point != NULL && run_point_is_surprise(found->point))
        run_text_commands(out, junit->report, junit->device, found->suite, found->point, "\n");
    return xclose_memstream(out, &text);
}

/*
 * <failure>, <error> or <skipped>; what passes and is told has a note, as a known failure; else nothing if it passed.
 */
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
    xml_open(junit->xml, element);
    if (!told) {
        xml_attribute(junit->xml, "type", failure_type(found));
        write_made(junit, "message", report_case_message(found));
    }
    if (found->result != RESULT_SKIP && found->result != RESULT_UNKNOWN) {
        write_made(junit, NULL, report_case_message(found));
        write_made(junit, NULL, commands_of(junit, found));
    }
    xml_close(junit->xml);
}

/* Readers know a case by class and name, and would take those of several devices with one name for the same. */
static void write_name(struct junit *junit, const struct report_case *found)
{
    const struct device_info *info = &report_suite_device(junit->report, junit->device)->info;
    char name[RUN_ID_BYTES + DEVICE_LABEL + sizeof " on "];

    snprintf(name, sizeof name, "%s", found->name);
    if (info->number != 0)
        text_append(name, sizeof name, " on %s", DEVICE_LABEL_OF(info));
    xml_attribute(junit->xml, "name", name);
}

static void write_case(void *context, const struct report_case *found)
{
    struct junit *junit = context;

    if (found->note == NOTE_SHARD)
        return;
    xml_open(junit->xml, "testcase");
    xml_attribute(junit->xml, "classname", found->suite);
    write_name(junit, found);
    write_seconds(junit->xml, found->duration_ns);
    write_outcome(junit, found);
    xml_close(junit->xml);
}

static void write_note(void *context, const struct report_case *found)
{
    struct junit *junit = context;

    if (found->note != NOTE_SHARD)
        return;
    char *message = report_case_message(found);
    write_property(junit->xml, found->name, message);
    free(message);
}

static void write_properties(struct junit *junit, const struct report *report, size_t device)
{
    const struct store_device *stored = report_device(report, device);

    xml_open(junit->xml, "properties");
    write_property(junit->xml, "platform", stored->info.platform);
    write_property(junit->xml, "vendor", stored->info.vendor);
    write_property(junit->xml, "driver_version", stored->info.driver_version);
    write_property(junit->xml, "dialect", dialect_name(stored->probe.dialect));
    write_property(junit->xml, "channel", channel_name(stored->probe.channel));
    report_each_note(report, device, write_note, junit);
    xml_close(junit->xml);
}

static void write_timestamp(struct xml *xml, const struct report *report)
{
    char text[32];
    struct tm when;
    const time_t seconds = report->head_count > 0 ? (time_t)(report->heads[0].run.started_ms / 1000) : 0;

    if (seconds > 0 && gmtime_r(&seconds, &when) != NULL &&
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &when) > 0)
        xml_attribute(xml, "timestamp", text);
}

static void write_suite(struct junit *junit, const struct report *report, size_t device)
{
    junit->device = device;
    const struct store_device *stored = report_suite_device(report, device);
    struct totals totals = {0};

    report_each_case(report, device, add_case, &totals);
    xml_open(junit->xml, "testsuite");
    xml_attribute(junit->xml, "name", DEVICE_LABEL_OF(&stored->info));
    write_totals(junit->xml, &totals);
    write_timestamp(junit->xml, report);
    if (report_device(report, device) != NULL)
        write_properties(junit, report, device);
    report_each_case(report, device, write_case, junit);
    xml_close(junit->xml);
}

int report_write_junit(FILE *out, const struct report *report, const struct text_style *style, struct error *error)
{
    struct xml xml = {.out = out};
    struct junit junit = {.report = report, .xml = &xml};
    struct totals totals = {0};

    (void)style;
    (void)error;
    for (size_t i = 0; i < report_suite_count(report); ++i)
        report_each_case(report, i, add_case, &totals);
    xml_begin(&xml);
    xml_open(&xml, "testsuites");
    xml_attribute(&xml, "name", "gridlock");
    write_totals(&xml, &totals);
    for (size_t i = 0; i < report_suite_count(report); ++i)
        write_suite(&junit, report, i);
    xml_close(&xml);
    return 0;
}
