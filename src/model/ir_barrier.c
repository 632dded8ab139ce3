#include "model/ir_barrier.h"

#include "model/image.h"
#include "model/ir_turns.h"

#include <inttypes.h>
#include <string.h>

enum { VALUE_TEXT = 96 }; /* a number, or a name */

/* "  call void @_Z7barrierj(i32 noundef 1) #4, !dbg !18": behind the bracket; NULL: it is another line. */
static const char *arguments_of(const char *line)
{
    static const char *const names[] = {" @_Z7barrierj(", " @_Z18work_group_barrierj(",
                                        " @_Z18work_group_barrierj12memory_scope("};
    const size_t length = strcspn(line, "\n");
    const char *call = *line == ' ' ? memmem(line, length, "call ", strlen("call ")) : NULL;

    for (size_t i = 0; call != NULL && i < sizeof names / sizeof *names; ++i) {
        const char *at = memmem(call, length - (size_t)(call - line), names[i], strlen(names[i]));
        if (at != NULL)
            return at + strlen(names[i]);
    }
    return NULL;
}

bool ir_barrier_is(const char *line)
{
    return arguments_of(line) != NULL;
}

uint32_t ir_barrier_place(uint32_t number, uint32_t line)
{
    return number << GL_MEET_LINE_BITS | (line >> GL_MEET_LINE_BITS == 0 ? line : 0);
}

/* "%7" or "3"; and of what is joined to it, its name or so much. */
static void print_joined(const char *name, uint32_t place, const char *value, const char *with, FILE *out)
{
    fprintf(out, "  %%gl.%s.%" PRIu32 " = or i32 %s, %s\n", name, place, value, with);
}

void ir_barrier_print(const char *line, uint32_t place, struct ir_turns *turns, FILE *out)
{
    const char *at = arguments_of(line), *end = at + strcspn(at, ",)\n");
    char value[VALUE_TEXT], with[VALUE_TEXT];

    while (memchr(at, ' ', (size_t)(end - at)) != NULL) /* behind "i32 noundef" */
        at = strchr(at, ' ') + 1;
    snprintf(value, sizeof value, "%.*s", (int)(end - at), at);
    snprintf(with, sizeof with, "%" PRIu32, GL_MEET_AT(place));
    print_joined("meet", place, value, with, out);
    snprintf(value, sizeof value, "%%gl.meet.%" PRIu32, place);
    if (turns != NULL && ir_turns_print_bits(turns, place, out)) {
        snprintf(with, sizeof with, "%%gl.turn.%" PRIu32, place);
        print_joined("come", place, value, with, out);
        snprintf(value, sizeof value, "%%gl.come.%" PRIu32, place);
    }
    fprintf(out, "%.*s%s%.*s\n", (int)(at - line), line, value, (int)strcspn(end, "\n"), end);
    if (turns != NULL)
        ir_turns_print_met(turns, out);
}
