#include "core/sighting.h"

#include <stdlib.h>

NAMING_DEFINE(watch_verdict, enum watch_verdict, WATCH_VERDICTS, "nothing", "long", "host", "deadlock");
NAMING_DEFINE(sighting_kind, enum sighting_kind, SIGHTED_KINDS, "thread", "command", "event");

void sighting_fini(struct sighting *sighting)
{
    free((void *)sighting->told);
    free(sighting->items);
    *sighting = (struct sighting){0};
}
