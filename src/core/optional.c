#include "core/optional.h"

#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

NAMING_DEFINE(optional, enum optional, OPTIONAL_COUNT, "pocl-loops", "yield", "registers", "hints", "dialect",
              "arguments");

void optional_print(uint32_t parts, char text[OPTIONAL_TEXT])
{
    naming_print_set(&optional_naming, parts, ", ", text, OPTIONAL_TEXT);
}

void optional_say(uint32_t parts, char text[OPTIONAL_WORDS])
{
    static const char *const words[OPTIONAL_COUNT] = {
        [OPTIONAL_LOOPS] = "PoCL's own choice of loops over work-items",
        [OPTIONAL_YIELD] = "calls of sched_yield",
        [OPTIONAL_REGISTERS] = "the option that tells registers",
        [OPTIONAL_HINTS] = "hints on inlining",
        [OPTIONAL_DIALECT] = "the best atomics",
        [OPTIONAL_ARGUMENTS] = "the option that tells arguments",
    };

    text[0] = '\0';
    for (enum optional part = 0; part < OPTIONAL_COUNT; ++part)
        if ((parts & OPTIONAL_BIT(part)) != 0)
            text_list(text, OPTIONAL_WORDS, ", ", "%s (%s)", words[part], optional_name(part));
}

uint32_t optional_parse(const char *text)
{
    char name[16];
    uint32_t parts = 0;

    while (text != NULL) {
        text_item(&text, name, sizeof name);
        const int part = naming_find(&optional_naming, name + strspn(name, " "));
        parts |= part >= 0 ? OPTIONAL_BIT(part) : 0;
    }
    return parts;
}

uint32_t optional_next(uint32_t may, uint32_t left_out)
{
    for (int part = 0; part < OPTIONAL_COUNT; ++part)
        if ((may & ~left_out & OPTIONAL_BIT(part)) != 0)
            return left_out | OPTIONAL_BIT(part);
    return left_out;
}

bool optional_walk(const char **notes, uint64_t *items, uint32_t *parts)
{
    char text[OPTIONAL_TEXT];
    char *behind;

    *notes += strspn(*notes, "; ");
    if (**notes == '\0')
        return false;
    *items = strtoull(*notes, &behind, 10);
    behind += *behind == ':';
    const size_t length = strcspn(behind, ";");
    snprintf(text, sizeof text, "%.*s", (int)length, behind);
    *parts = optional_parse(text);
    *notes = behind + length;
    return true;
}

uint32_t optional_noted(const char *notes, uint64_t items)
{
    uint64_t of;
    uint32_t parts;

    while (optional_walk(&notes, &of, &parts))
        if (of == items)
            return parts;
    return 0;
}

void optional_note(char notes[OPTIONAL_NOTES], uint64_t items, uint32_t parts)
{
    char changed[OPTIONAL_NOTES + OPTIONAL_TEXT] = "", text[OPTIONAL_TEXT];
    const char *rest = notes;
    bool more = true, noted = false;

    while (more) {
        uint64_t of = items;
        uint32_t left_out = parts;
        more = optional_walk(&rest, &of, &left_out);
        if (!more && noted)
            break;
        noted = noted || of == items;
        optional_print(of == items ? parts : left_out, text);
        text_list(changed, sizeof changed, "; ", "%" PRIu64 ": %s", of, text);
    }
    if (strlen(changed) < OPTIONAL_NOTES)
        snprintf(notes, OPTIONAL_NOTES, "%.*s", OPTIONAL_NOTES - 1, changed);
}

void optional_describe(const char *notes, char *text, size_t size)
{
    char parts[OPTIONAL_WORDS];
    uint64_t items;
    uint32_t left_out;

    text[0] = '\0';
    while (optional_walk(&notes, &items, &left_out)) {
        optional_say(left_out, parts);
        text_list(text, size, "; ", "%s in ", parts);
        if (items == 0)
            text_append(text, size, "files of kernels");
        else
            text_append(text, size, "groups of %" PRIu64 " work-item%s", items, text_s(items));
    }
}
