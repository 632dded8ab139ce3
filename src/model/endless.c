#include "model/endless.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool endless_may_be(const void *object, size_t size)
{
    static const unsigned char jump_to_itself[] = {0xeb, 0xfe};

    return size > 0 && memmem(object, size, jump_to_itself, sizeof jump_to_itself) != NULL;
}

/* Neither an instruction nor a label: "\t.loc ...", "# ..." */
static bool says_nothing(const char *line)
{
    line += strspn(line, " \t");
    return *line == '#' || *line == '\n' || (*line == '.' && line[strcspn(line, " \t:\n")] != ':');
}

static bool is_label(const char *line)
{
    return line[strcspn(line, " \t:\n")] == ':';
}

/* "\tjmp\t.L1": the name of the label; NULL: it is something else. */
static const char *target_of(const char *line)
{
    line += strspn(line, " \t");
    if (strncmp(line, "jmp", 3) != 0 || (line[3] != '\t' && line[3] != ' '))
        return NULL;
    line += 3;
    return line + strspn(line, " \t");
}

/* One of the lines from here to the end is the label that is named there. */
static bool has_label(const char *from, const char *end, const char *name)
{
    const size_t length = strcspn(name, " \t\n");

    for (; from < end; from += strcspn(from, "\n") + 1)
        if (strncmp(from, name, length) == 0 && from[length] == ':')
            return true;
    return false;
}

char *endless_mark(const char *assembly, const char *function)
{
    const char *labels = assembly; /* since the last instruction there were only these */
    char *marked;
    FILE *out = xopen_memstream(&marked, NULL);

    for (const char *line = assembly, *next; *line != '\0'; line = next) {
        const size_t length = strcspn(line, "\n");
        const char *target = target_of(line);
        next = line + length + (line[length] == '\n');
        if (target != NULL && has_label(labels, line, target))
            fprintf(out, "\tcallq\t%s\n", function);
        fwrite(line, 1, (size_t)(next - line), out);
        if (!says_nothing(line) && !is_label(line))
            labels = next;
    }
    return xclose_memstream(out, &marked);
}
