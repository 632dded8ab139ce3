#include "report/schedule_file.h"

#include "base/file.h"
#include "litmus/emulate.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MIB = 128 };

static const char still[] = "still";

/* --- written --- */

/* `stop` is where it was cut, or "". */
static void write_turn(FILE *out, const struct schedule_turn *turn, const char *stop)
{
    if (turn->steps == 0)
        fprintf(out, "%s  # nobody could go on, and the host ended the launch\n", still);
    else
        fprintf(out, "group %" PRIu32 " item %" PRIu32 " steps %" PRIu32 "%s%s%s\n", turn->group, turn->item,
                schedule_steps(turn), schedule_is_cut(turn) ? " cut" : "", stop[0] != '\0' ? "  # " : "", stop);
}

void schedule_file_write(FILE *out, const struct evidence *evidence)
{
    const struct schedule_kept *kept = &evidence->schedule;
    const struct schedule all = schedule_of(kept), told = schedule_until_still(&all);
    const uint32_t cuts = schedule_cuts(&told);
    uint32_t cut = 0;

    fprintf(
        out,
        "# A launch that came to: %s. gridlock run --schedule FILE repeats it; a scenario that is a file of yours\n"
        "# is named before FILE. Each line is a turn: so many steps of a work-item. A step ends before an access of\n"
        "# memory, at a barrier or with the work-item; cut: it could have gone on.\n"
        "device %s\npoint %.*s\nseed %" PRIu32 "\n",
        verdict_name(evidence->verdict), evidence->device.info.name, (int)strcspn(evidence->name, "#"), evidence->name,
        evidence->observation.seed);
    for (uint32_t i = 0; i < kept->count; ++i) {
        char stop[SCHEDULE_STOP] = "";
        if (schedule_is_cut(&kept->turns[i]))
            schedule_stop(kept->stops, cut++, cuts, stop);
        write_turn(out, &kept->turns[i], stop);
    }
}

/* --- read --- */

/* Takes a word and what follows it, up to blanks; false: something else stands there. */
static bool take_word(const char **at, const char *word)
{
    const size_t length = strlen(word);

    if (strncmp(*at, word, length) != 0 || isalnum((unsigned char)(*at)[length]))
        return false;
    *at += length;
    *at += strspn(*at, " \t");
    return true;
}

static bool take_number(const char **at, uint64_t most, uint32_t *number)
{
    char *end;

    if (!isdigit((unsigned char)**at))
        return false;
    const unsigned long long value = strtoull(*at, &end, 10);
    *number = (uint32_t)value;
    *at = end + strspn(end, " \t");
    return value <= most;
}

static bool take_turn(const char **at, struct schedule_turn *turn)
{
    *turn = (struct schedule_turn){0, 0, 0};
    if (take_word(at, still))
        return true;
    if (!take_word(at, "group") || !take_number(at, UINT32_MAX, &turn->group) || !take_word(at, "item") ||
        !take_number(at, UINT32_MAX, &turn->item) || !take_word(at, "steps") ||
        !take_number(at, SCHEDULE_CUT - 1, &turn->steps) || turn->steps == 0)
        return false;
    if (take_word(at, "cut"))
        turn->steps |= SCHEDULE_CUT;
    return true;
}

static bool take_text(const char **at, char *text, size_t size)
{
    const size_t length = strcspn(*at, " \t\r");

    if (length == 0 || length >= size)
        return false;
    memcpy(text, *at, length);
    text[length] = '\0';
    *at += length + strspn(*at + length, " \t\r");
    return true;
}

static bool take_line(const char *at, struct schedule_file *file)
{
    struct schedule_turn turn;
    bool taken;

    at += strspn(at, " \t\r");
    if (*at == '\0' || *at == '#')
        return true;
    if (take_word(&at, "device"))
        taken = take_text(&at, file->device, sizeof file->device);
    else if (take_word(&at, "point"))
        taken = take_text(&at, file->point, sizeof file->point);
    else if (take_word(&at, "seed"))
        taken = take_number(&at, UINT32_MAX, &file->seed);
    else if ((taken = take_turn(&at, &turn)))
        schedule_add(&file->schedule, &turn);
    at += strspn(at, " \t\r");
    return taken && (*at == '\0' || *at == '#');
}

static int take_lines(const char *path, char *text, struct schedule_file *file, struct error *error)
{
    unsigned number = 0;

    for (char *line = text, *next; *line != '\0'; line = next) {
        const size_t length = strcspn(line, "\n");
        next = line + length + (line[length] == '\n');
        line[length] = '\0';
        ++number;
        if (!take_line(line, file))
            return error_set(error, STATUS_USAGE, "%.200s:%u: '%.60s' is no line of a schedule", path, number, line);
    }
    return 0;
}

int schedule_file_read(const char *path, struct schedule_file *file, struct error *error)
{
    size_t length;
    struct model_device device;

    *file = (struct schedule_file){.seed = 0};
    char *text = file_read(path, "schedule", FILE_MIB, &length, error);
    if (text == NULL)
        return -1;
    const int taken = take_lines(path, text, file, error);
    free(text);
    if (taken != 0)
        return -1;
    if (file->point[0] == '\0' || file->device[0] == '\0' || file->schedule.count == 0)
        return error_set(error, STATUS_USAGE,
                         "%.200s is no schedule: it lacks the device, the point, or its turns, or has more than %d",
                         path, SCHEDULE_TURNS);
    return model_device_parse(file->device, &device, error) == 0 ? 0 : error_context(error, "%.200s", path);
}

void schedule_file_fini(struct schedule_file *file)
{
    schedule_fini(&file->schedule);
}
