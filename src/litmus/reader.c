#include "litmus/reader.h"

#include "litmus/form.h"

#include <errno.h>
#include <string.h>

enum line { LINE_NONE, LINE_EMPTY, LINE_COMMENT, LINE_OTHER };

/* Appends a byte to the record. */
static int append(struct litmus_reader *reader, size_t line_start, int byte, struct error *error)
{
    if (reader->length + 1 == sizeof reader->record)
        return error_set(error, STATUS_USAGE, "line %u, column %zu: a program has at most %d bytes", reader->line + 1,
                         reader->length - line_start + 1, LITMUS_RECORD - 1);
    reader->record[reader->length++] = (char)(byte == '\0' ? '\1' : byte); /* neither is ever right */
    reader->record[reader->length] = '\0';
    return 0;
}

/* What a line is that was `kind` before this byte. */
static enum line kind_with(enum line kind, int byte)
{
    if (kind == LINE_COMMENT || kind == LINE_OTHER)
        return kind;
    if (byte == '#')
        return LINE_COMMENT;
    return byte == ' ' || byte == '\t' || byte == '\r' ? LINE_EMPTY : LINE_OTHER;
}

/* Appends a line to the record, with its end; of a comment only the end, however long it is. */
static int append_line(struct litmus_reader *reader, enum line *kind, struct error *error)
{
    const size_t start = reader->length;
    int byte;

    *kind = LINE_NONE;
    while ((byte = getc(reader->in)) != EOF && byte != '\n') {
        *kind = kind_with(*kind, byte);
        if (*kind != LINE_COMMENT && append(reader, start, byte, error) != 0)
            return -1;
    }
    if (byte == EOF && ferror(reader->in))
        return error_set(error, STATUS_HARNESS, "cannot read the programs: %s", strerror(errno));
    if (byte == EOF && *kind == LINE_NONE)
        return 0;
    if (*kind == LINE_NONE)
        *kind = LINE_EMPTY;
    if (*kind == LINE_COMMENT)
        reader->length = start;
    if (append(reader, start, '\n', error) != 0)
        return -1;
    ++reader->line;
    return 0;
}

/* The first line of a program, or `found` is false. */
static int begin(struct litmus_reader *reader, bool *found, struct error *error)
{
    enum line kind = LINE_OTHER;

    if (reader->held > 0) {
        memmove(reader->record, reader->record + reader->held, reader->length - reader->held + 1);
        reader->length -= reader->held;
        reader->held = 0;
    } else {
        do {
            reader->length = 0;
            if (append_line(reader, &kind, error) != 0)
                return -1;
        } while (kind == LINE_EMPTY || kind == LINE_COMMENT);
    }
    reader->first_line = reader->line;
    *found = kind != LINE_NONE;
    return 0;
}

static bool begins_program(const char *line)
{
    line += strspn(line, " \t\r");
    if (strncmp(line, "thread", 6) != 0)
        return false;
    line += 6 + strspn(line + 6, " \t\r");
    return line[0] == '0' && (line[1] < '0' || line[1] > '9');
}

/* The other lines of a listing. */
static int complete(struct litmus_reader *reader, struct error *error)
{
    for (;;) {
        const size_t start = reader->length;
        enum line kind;
        if (append_line(reader, &kind, error) != 0)
            return -1;
        if (kind == LINE_OTHER && begins_program(reader->record + start)) {
            reader->held = start;
            return 0;
        }
        if (kind == LINE_EMPTY)
            reader->length = start;
        if (kind == LINE_EMPTY || kind == LINE_NONE)
            return 0;
    }
}

int litmus_reader_next(struct litmus_reader *reader, struct litmus_program *program, bool *found, struct error *error)
{
    if (begin(reader, found, error) != 0)
        return -1;
    if (!*found)
        return 0;
    const char *start = reader->record + strspn(reader->record, " \t\r");
    struct litmus_cursor cursor = {.at = start, .line_start = reader->record, .line = reader->first_line};
    if (strncmp(start, "thread", 6) != 0)
        return litmus_read_text(&cursor, program, error);
    if (complete(reader, error) != 0)
        return -1;
    char *end = reader->record + (reader->held > 0 ? reader->held : reader->length);
    const char kept = *end;
    *end = '\0';
    const int outcome = litmus_read_listing(&cursor, program, error);
    *end = kept;
    return outcome;
}
