#include "worker/try.h"

#include "device/enqueuer.h"
#include "driver/model.h"
#include "model/machine.h"
#include "proof/result.h"
#include "worker/grid.h"
#include "worker/launch.h"
#include "worker/proof.h"

#include <stdlib.h>

/* What a model device says of the end that no driver would. */
static void take_model(struct observation *observation)
{
    if (observation->code == MODEL_STOOD)
        observation->outcome = OUTCOME_STOOD;
    else if (observation->code == MODEL_SPENT)
        observation->outcome = OUTCOME_KILLED;
    else if (observation->code != CL_SUCCESS && model_fault()[0] != '\0')
        observation->outcome = OUTCOME_CL_ERROR;
}

/* Whether waits of one that ended gave up. */
static void read_grids(const struct proof_launch *trying, struct observation *observation, struct error *error)
{
    const struct proof_request *request = trying->request;

    for (uint32_t i = 0; observation->code == CL_SUCCESS && i < request->argument_count; ++i)
        if (request->arguments[i].fill == PROOF_FILL_GRID)
            observation->code =
                grid_read(trying->session, trying->buffers[proof_find_argument(trying, request->arguments[i].name)],
                          observation, error);
}

static void launch(const struct proof_launch *trying, struct observation *observation, struct error *error)
{
    const struct launch launch = launch_over(trying->session, trying->made, &trying->request->trial);

    machine_watch(false, 0);
    session_text(trying->session, TEXT_AS_IS);
    session_stage(trying->session, STAGE_RUNNING);
    const struct launch_end end = launch_carry_out(&launch);
    session_stage(trying->session, STAGE_READING);
    launch_take_codes(observation, &end);
    /* Nobody but its author knows what such a loop would have waited for. */
    if (observation->outcome == OUTCOME_ENDED && trying->session->probe.loops_cut_at != 0)
        observation->ended_cut = observation->groups;
    if (device_info_is_model(&trying->session->info))
        take_model(observation);
    read_grids(trying, observation, error);
}

int try_run(struct session *session, const struct proof_request *request, const struct try_sink *sink,
            struct observation *observation, struct error *error)
{
    struct proof_result result = {.groups = 0};
    struct proof_launch trying = {.session = session, .request = request, .result = &result};
    char *log = NULL;

    *observation = (struct observation){.outcome = OUTCOME_ENDED, .groups = request->trial.groups};
    proof_result_text(&result, "");
    const int outcome = proof_make(&trying, &log, error);
    const char *told = outcome == 0 ? result.texts[result.made_up] : log;
    if (told != NULL)
        sink->tell(sink->context, told);
    if (outcome == 0)
        launch(&trying, observation, error);
    free(log);
    proof_unmake(&trying);
    proof_result_fini(&result);
    return outcome;
}
