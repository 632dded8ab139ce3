#include "watch/asleep.h"

#include "base/tally.h"
#include "look/process.h"

#include <stdlib.h>

/* Where it sleeps, and how often it has gone to sleep. */
static uint64_t hash(const struct thread_state *state, uint64_t sleeps)
{
    uint64_t sum = tally_hash_bytes((const char *)state->arguments, sizeof state->arguments);

    return (sum * 1099511628211u + state->sp) * 1099511628211u + state->pc + sleeps;
}

static const struct asleep_known *find_known(const struct asleep_known *known, size_t count, pid_t thread)
{
    for (size_t i = 0; i < count; ++i)
        if ((pid_t)known[i].thread == thread)
            return &known[i];
    return NULL;
}

struct asleep asleep_look(pid_t process, const struct asleep_known *known, size_t known_count)
{
    struct asleep look = {.all = false};
    struct error error = {0};
    struct maps maps;
    pid_t *threads;

    if (maps_read(&maps, process_living(process), &error) != 0)
        return look;
    const size_t count = process_threads(process, &threads);
    look.all = count > 0;
    for (size_t i = 0; look.all && i < count; ++i) {
        const struct asleep_known *of = find_known(known, known_count, threads[i]);
        struct thread_state state;
        if (of != NULL && of->held)
            continue;
        look.all = thread_state_read(&state, process, threads[i]) &&
                   (state.state == 'Z' || thread_is_bound(&state, &maps, of != NULL));
        if (of == NULL)
            look.states = look.states * 1099511628211u + hash(&state, thread_sleeps(process, threads[i]));
    }
    free(threads);
    maps_fini(&maps);
    return look;
}

int asleep_state(pid_t process)
{
    struct thread_state state;

    return thread_state_read(&state, process, process_living(process)) ? state.state : 0;
}
