#include "worker/proof_attempt.h"

#include "base/alloc.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

/* So many in this dimension, from 0, or in each of two. */
static struct nd_range in_dimension(uint32_t dimension, uint32_t count)
{
    if (dimension == PROOF_SQUARE)
        return (struct nd_range){.dimensions = 2, .local = {count, count, 1}};
    struct nd_range range = {.dimensions = dimension + 1};

    for (uint32_t i = 0; i <= dimension; ++i)
        range.local[i] = i == dimension ? count : 1;
    return range;
}

static void shape_launch(struct trial *trial, const struct proof_making *making)
{
    struct nd_range *shape = &trial->footprint.subject.shape;

    if (making->one || making->groups > 0)
        trial->groups = making->one ? 1 : making->groups;
    if (making->item)
        *shape = (struct nd_range){.dimensions = 1, .local = {1}};
    else if (making->second > 0 || making->size > 0)
        *shape = in_dimension(making->second, making->size > 0 ? making->size : shape->local[0]);
    else if (making->more)
        *shape = (struct nd_range){.dimensions = 1, .local = {PROOF_MORE_ITEMS}};
    if (making->column >= PROOF_SQUARE) {
        const bool is_cube = making->column == PROOF_CUBE;
        const struct nd_range groups = {.dimensions = is_cube ? 3 : 2, .local = {2, 2, is_cube ? 2 : 1}};
        trial->groups = is_cube ? 8 : 4;
        trial->work.range = nd_range_of_groups(&groups, shape);
    } else if (making->column > 0) {
        const struct nd_range column = in_dimension(making->column, trial->groups);
        trial->work.range = nd_range_of_groups(&column, shape);
    }
    if (making->offset > 0) {
        const uint32_t by = making->offset;
        const struct nd_range row = {.dimensions = 3, .local = {trial->groups, 1, 1}, .offset = {by, by, by}};
        trial->work.range = nd_range_of_groups(&row, shape);
    }
    if (trial->work.range.dimensions == 0)
        return;
    struct nd_range groups = nd_range_groups(&trial->work.range);
    for (uint32_t i = 0; i < groups.dimensions && making->one; ++i)
        groups.local[i] = 1;
    trial->work.range = nd_range_of_groups(&groups, shape);
}

void proof_note_launch(const struct proof_making *making, struct proof_result *result)
{
    static const char *const dimensions[] = {"", "in the second dimension", "in the third dimension",
                                             "two in each of two dimensions", "two in each of three dimensions"};
    char *text;
    FILE *out = xopen_memstream(&text, NULL);

    fputs(result->texts[result->made_up], out);
    if (making->groups > 0)
        fprintf(out, ", %u groups, for %s", making->groups, making->why);
    if (making->one)
        fputs(", one group, for none asks which one it is", out);
    if (making->item)
        fputs(", one work-item, for none asks which one it is", out);
    else if (making->second > 0 && making->second < PROOF_SQUARE)
        fprintf(out, ", work-items of a group %s", dimensions[making->second]);
    if (making->column > 0)
        fprintf(out, ", groups %s", dimensions[making->column]);
    if (making->more)
        fprintf(out, ", %d work-items of a group", PROOF_MORE_ITEMS);
    if (making->size > 0 && making->second == PROOF_SQUARE)
        fprintf(out, ", %ux", making->size);
    else if (making->size > 0)
        fputs(", ", out);
    if (making->size > 0)
        fprintf(out, "%u work-items of a group, for a number in its text", making->size);
    xclose_memstream(out, &text);
    result->made_up = proof_result_text(result, text);
    free(text);
}

bool proof_attempt_begin(struct proof_attempt *attempt, const struct proof_launch *launch,
                         const struct proof_making *making, uint64_t until_ns)
{
    const uint64_t now_ns = clock_ns();
    struct error ignored;
    char *log = NULL;

    *attempt = (struct proof_attempt){.request = xmalloc(sizeof *attempt->request), .found.extent = PROOF_ALL};
    *attempt->request = *launch->request;
    attempt->request->budget_ns = until_ns > now_ns ? until_ns - now_ns : 1;
    if (making->column > 0 || making->more || making->groups > 0 || making->one || making->offset > 0)
        attempt->request->groups_made_up = false;
    attempt->request->shape_made_up = attempt->request->shape_made_up && !making->more && making->size == 0;
    attempt->launch = (struct proof_launch){
        .session = launch->session, .making = *making, .request = attempt->request, .result = &attempt->result};
    shape_launch(&attempt->request->trial, making);
    attempt->result.column = making->column & 7;
    attempt->result.second = making->second & 3;
    proof_result_text(&attempt->result, "");
    const bool is_explored = until_ns > now_ns && proof_explore(&attempt->launch, &attempt->found, &log, &ignored) == 0;
    free(log);
    return is_explored;
}

void proof_attempt_end(struct proof_attempt *attempt, bool is_taken, struct proof_launch *launch,
                       struct explored *explored)
{
    proof_result_fini(is_taken ? launch->result : &attempt->result);
    explored_fini(is_taken ? explored : &attempt->found);
    if (is_taken) {
        *launch->result = attempt->result;
        *explored = attempt->found;
    }
    free(attempt->request);
}
