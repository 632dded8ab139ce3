#include "store/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int store_write_proof(struct store *store, int64_t trial_row, const struct words *proof, struct error *error)
{
    const struct proof_row row = {trial_row, *proof};
    const int found = store_has_table(store, "main", &store_proof_table, error);

    return found == 1 ? row_insert_one(store, &store_proof_table, &row, NULL, error) : found;
}

int store_read_proof(struct store *store, int64_t trial_row, uint32_t **words, size_t *count, struct error *error)
{
    struct proof_row *rows = NULL;
    size_t found = 0;
    char rest[64];
    int result = store_has_table(store, "main", &store_proof_table, error);

    *words = NULL;
    *count = 0;
    if (result != 1)
        return result;
    snprintf(rest, sizeof rest, "FROM proof WHERE trial = %" PRId64, trial_row);
    result = store_read_rows(store, &store_proof_table, sizeof *rows, rest, NULL, &rows, &found, error);
    if (result == 0 && found > 0) {
        *words = (uint32_t *)rows[0].result.items;
        *count = rows[0].result.count;
        rows[0].result.items = NULL; /* moved */
    }
    for (size_t i = 0; i < found; ++i)
        row_free(&store_proof_table, &rows[i]);
    free(rows);
    return result;
}
