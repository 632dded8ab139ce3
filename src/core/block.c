#include "core/block.h"

#include "base/tally.h"
#include "core/trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { INSTRUCTIONS = 64, GROUPS = 1 << 20 };

NAMING_DEFINE(engine, enum block_engine, ENGINE_COUNT, "table", "compiled", "shared");
NAMING_DEFINE(level, enum block_level, LEVEL_COUNT, "group", "sub-group", "item", "lane");

enum block_level level_take(const char **text)
{
    const size_t length = strcspn(*text, ":");

    for (enum block_level level = 0; level < LEVEL_COUNT && (*text)[length] == ':'; ++level)
        if (strlen(level_name(level)) == length && strncasecmp(*text, level_name(level), length) == 0) {
            *text += length + 1;
            return level;
        }
    return LEVEL_GROUP;
}

bool block_is_of_limit(const struct trial_block *block)
{
    return strcmp(block->suite, BLOCK_SUITE_LIMIT) == 0;
}

/* Moves *at behind a thread; false if it is none. */
static bool check_thread(const struct block *block, uint32_t *at, unsigned *instructions)
{
    if (*at >= block->code_count)
        return false;
    const uint32_t length = block->codes[*at], first = *at + 1;
    if (length == 0 || length > INSTRUCTIONS || first + length > block->code_count)
        return false;
    *instructions += length;
    *at = first + length;
    for (uint32_t i = first; i < *at; ++i)
        if ((block->codes[i] >> 2 & 3) > 2 || block->codes[i] >> 4 > length)
            return false;
    return *instructions <= INSTRUCTIONS;
}

static bool check_test(const struct block *block, uint32_t *at)
{
    unsigned instructions = 0;

    if (*at >= block->code_count)
        return false;
    const unsigned threads = block->codes[(*at)++];
    for (unsigned thread = 0; thread < threads; ++thread)
        if (!check_thread(block, at, &instructions))
            return false;
    return threads >= 1 && threads <= MAPPING_THREADS;
}

int block_check(const struct block *block, struct error *error)
{
    uint32_t at = 0;
    bool good = (unsigned)block->engine < ENGINE_COUNT && (unsigned)block->level < LEVEL_COUNT &&
                (unsigned)block->mapping.kind < MAPPING_KINDS && block->groups <= GROUPS && block->local_size >= 1 &&
                block->iterations >= 1 && block->test_count >= 1 && block->test_count <= BLOCK_TESTS &&
                block->code_count <= BLOCK_CODES;

    for (uint32_t test = 0; good && test < block->test_count; ++test)
        good = check_test(block, &at);
    return good && at == block->code_count ? 0 : error_set(error, STATUS_HARNESS, "a malformed block of tests");
}

void block_digest(const struct block *block, char digest[17])
{
    char bytes[2 * BLOCK_CODES];

    /* Not as they lie in memory: the order of bytes is the machine's. */
    for (uint32_t i = 0; i < block->code_count; ++i) {
        bytes[2 * i] = (char)(block->codes[i] & 0xff);
        bytes[2 * i + 1] = (char)(block->codes[i] >> 8);
    }
    snprintf(digest, 17, "%016" PRIx64, tally_hash_bytes(bytes, 2 * (size_t)block->code_count));
}

void block_trial(const struct block *block, const char *suite, struct trial *trial)
{
    *trial = (struct trial){
        .footprint = {.local_size = block->local_size},
        .kind = TRIAL_PROGRESS,
        .groups = block->groups,
        .rounds = 1,
        .repeats = block->iterations,
        .proven_groups = block->resident,
        .suspect_ns = block->suspect_ns,
        .confirm_ns = block->confirm_ns,
        .block = {.level = block->level, .engine = block->engine, .mapping = block->mapping, .guarded = block->guarded},
    };
    /* So that equal blocks are equal trials. */
    if (!mapping_has_seed(block->mapping.kind))
        trial->block.mapping.seed = 0;
    snprintf(trial->block.suite, sizeof trial->block.suite, "%s", suite);
    block_digest(block, trial->block.digest);
}

void block_print_id(const struct trial_block *block, char *text, size_t size)
{
    char seed[16] = "";

    if (mapping_has_seed(block->mapping.kind))
        snprintf(seed, sizeof seed, "-s%" PRIu32, block->mapping.seed);
    snprintf(text, size, "%s/%s%s%s%s/%s%s", block->suite, block->level != LEVEL_GROUP ? level_name(block->level) : "",
             block->level != LEVEL_GROUP ? "/" : "", mapping_name(block->mapping.kind), seed,
             engine_name(block->engine), block->guarded ? "-guarded" : "");
}
