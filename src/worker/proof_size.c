/* How large a launch may be. */
#include "worker/proof.h"

#include <inttypes.h>

bool proof_is_shape_made_up(const struct proof_launch *launch)
{
    return launch->request->shape_made_up && (launch->kernel == NULL || launch->kernel->required[0] == 0);
}

bool proof_take_fewer(struct proof_request *request)
{
    struct trial *trial = &request->trial;
    const uint64_t items = nd_range_local_size(&trial->footprint.subject.shape);

    if (trial->work.kernel[0] != '\0' || !request->groups_made_up || trial->work.range.dimensions != 0 ||
        trial->groups * items <= PROOF_ITEMS || items > PROOF_ITEMS)
        return false;
    trial->groups = (uint32_t)(PROOF_ITEMS / items);
    return true;
}

int proof_refuse_size(const struct trial *trial, struct error *error)
{
    return error_set(error, STATUS_UNSUPPORTED,
                     "%" PRIu32 " groups of %" PRIu64 " work-items are too many: all schedules are explored of at most "
                     "%d work-items, or of %d of which none accesses what another one writes, but for barriers in "
                     "between; gridlock try -d model:fair takes one schedule of any number",
                     trial->groups, proof_group_items(trial), PROOF_ITEMS, PROOF_ITEMS_APART);
}

uint64_t proof_group_items(const struct trial *trial)
{
    return trial->footprint.subject.file[0] != '\0' ? nd_range_local_size(&trial->footprint.subject.shape)
                                                    : trial_items(trial);
}

int proof_check_size(const struct trial *trial, struct error *error)
{
    const uint64_t items = proof_group_items(trial);
    const uint64_t most = trial->footprint.subject.file[0] != '\0' ? PROOF_ITEMS_APART : PROOF_ITEMS;

    return trial->groups <= PROOF_GROUPS && trial->groups * items <= most ? 0 : proof_refuse_size(trial, error);
}
