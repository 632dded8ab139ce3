#include "model/ir_type.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { POINTER_BYTES = 8 };

const char *ir_item_end(const char *text)
{
    int depth = 0;

    for (; *text != '\0' && *text != '\n'; ++text) {
        if (*text == '"') {
            const char *end = strchr(text + 1, '"');
            if (end == NULL)
                break;
            text = end;
        } else if (strchr("([{<", *text) != NULL) {
            depth += 1;
        } else if (strchr(")]}>", *text) != NULL) {
            if (depth-- == 0)
                break;
        } else if (*text == ',' && depth == 0) {
            break;
        }
    }
    return text;
}

static bool take(const char **text, const char *word)
{
    const size_t length = strlen(word);

    if (strncmp(*text, word, length) != 0)
        return false;
    *text += length;
    return true;
}

static void blanks(const char **text)
{
    *text += strspn(*text, " ");
}

static uint64_t round_up(uint64_t bytes, uint64_t align)
{
    return (bytes + align - 1) / align * align;
}

/* Behind "{" or "<{". */
static bool structure(const struct ir_types *types, const char **text, bool packed, struct ir_layout *layout)
{
    struct ir_layout part;

    *layout = (struct ir_layout){.align = 1};
    for (blanks(text); !take(text, "}"); blanks(text)) {
        if (!ir_type_layout(types, text, &part))
            return false;
        if (!packed) {
            layout->bytes = round_up(layout->bytes, part.align);
            layout->align = part.align > layout->align ? part.align : layout->align;
        }
        layout->bytes += part.bytes;
        take(text, ",");
    }
    layout->bytes = round_up(layout->bytes, layout->align);
    return !packed || take(text, ">");
}

/* Behind "[" or "<": so many of a type. */
static bool row(const struct ir_types *types, const char **text, bool vector, struct ir_layout *layout)
{
    char *end;
    const uint64_t count = strtoull(*text, &end, 10);
    *text = end;
    if (!take(text, " x ") || !ir_type_layout(types, text, layout) || !take(text, vector ? ">" : "]"))
        return false;
    layout->bytes *= count;
    if (vector) {
        uint64_t power = 1;
        while (power < layout->bytes)
            power *= 2;
        *layout = (struct ir_layout){power, power};
    }
    return true;
}

static bool named(const struct ir_types *types, const char **text, struct ir_layout *layout)
{
    const char *name = *text;
    *text += (*text)[1] == '"' ? strcspn(*text + 2, "\"") + 3 : 1 + strcspn(*text + 1, " ,*)]}>\n");
    const size_t length = (size_t)(*text - name);

    *layout = (struct ir_layout){0, 1};
    for (size_t i = 0; i < types->count; ++i) {
        const char *line = types->lines[i];
        if (strncmp(line, name, length) != 0 || !(line += length, take(&line, " = type ")))
            continue;
        return take(&line, "opaque") || ir_type_layout(types, &line, layout);
    }
    return false;
}

static bool simple(const char **text, struct ir_layout *layout)
{
    static const struct {
        const char *name;
        uint64_t bytes;
    } known[] = {{"half", 2}, {"float", 4}, {"double", 8}, {"ptr", POINTER_BYTES}};

    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (take(text, known[i].name)) {
            *layout = (struct ir_layout){known[i].bytes, known[i].bytes};
            return true;
        }
    if (**text != 'i' || !isdigit((unsigned char)(*text)[1]))
        return false;
    char *end;
    const uint64_t bytes = (strtoull(*text + 1, &end, 10) + 7) / 8;
    *text = end;
    *layout = (struct ir_layout){bytes, bytes};
    return true;
}

bool ir_type_layout(const struct ir_types *types, const char **text, struct ir_layout *layout)
{
    bool known;

    blanks(text);
    if (take(text, "{"))
        known = structure(types, text, false, layout);
    else if (take(text, "<{"))
        known = structure(types, text, true, layout);
    else if (take(text, "["))
        known = row(types, text, false, layout);
    else if (take(text, "<"))
        known = row(types, text, true, layout);
    else if (**text == '%')
        known = named(types, text, layout);
    else
        known = simple(text, layout);
    while (known && take(text, "*"))
        *layout = (struct ir_layout){POINTER_BYTES, POINTER_BYTES};
    return known;
}
