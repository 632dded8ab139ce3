#include "format/xml.h"

#include "format/escape.h"

#include <assert.h>

void xml_begin(struct xml *xml)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", xml->out);
}

static void end_tag(struct xml *xml, const char *end)
{
    if (xml->in_tag)
        fputs(end, xml->out);
    xml->in_tag = false;
}

void xml_open(struct xml *xml, const char *name)
{
    assert(xml->depth < XML_DEPTH);
    end_tag(xml, ">\n");
    fprintf(xml->out, "%*s<%s", (int)xml->depth, "", name);
    xml->names[xml->depth++] = name;
    xml->in_tag = true;
    xml->has_text = false;
}

void xml_close(struct xml *xml)
{
    assert(xml->depth > 0);
    const char *name = xml->names[--xml->depth];

    if (xml->in_tag)
        end_tag(xml, "/>\n");
    else
        fprintf(xml->out, "%*s</%s>\n", xml->has_text ? 0 : (int)xml->depth, "", name);
    xml->has_text = false;
}

void xml_attribute(struct xml *xml, const char *name, const char *text)
{
    assert(xml->in_tag);
    fprintf(xml->out, " %s=\"", name);
    escape_xml_value(xml->out, text);
    fputc('"', xml->out);
}

void xml_text(struct xml *xml, const char *text)
{
    end_tag(xml, ">");
    escape_xml(xml->out, text);
    xml->has_text = true;
}
