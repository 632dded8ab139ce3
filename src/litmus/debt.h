/*
 * What the state in which a launch stood says of the models of progress: which groups never got a turn although a model
 * promises them one.
 *
 * While a launch stands no group starts or ends, so the groups to which a model promises turns stay the same, and one
 * of them that has not started is left waiting for ever. That breaks weak fairness, and so strong fairness, too. By the
 * definitions (litmus/model.h), but over the groups of the whole launch, and only where the state of one instance and
 * the counts of the launch leave no doubt, a group that has not started is owed a turn under
 *
 *     HSA, HSA_OBE  if all groups with lower ids are threads of the instance, and have ended;
 *     LOBE          if a group with a higher id has started: a thread of the instance, or one of the launch, because
 *                   more groups have started than there are with lower ids that may have;
 *     FAIR          always;
 *     OBE           never.
 *
 * A thread that goes around in a loop gets its turns, and refutes nothing by itself. Nor does a launch in which no
 * thread waits: it may be that the device just starts nothing.
 */
#pragma once

#include "base/error.h"
#include "core/block.h"
#include "litmus/model.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The threads of the instance that are owed a turn, a bit each; `groups` are the ids of the groups that are its
 * threads.
 */
uint32_t litmus_owed(enum litmus_model model, const struct test_state *state, unsigned threads,
                     const uint32_t groups[MAPPING_THREADS]);

/*
 * The models that the state does not allow, a bit each. They are nested: where HSA is one of them so is HSA_OBE, then
 * LOBE, then FAIR; a greater number is more of them.
 */
uint32_t litmus_debtors(const struct test_state *state, unsigned threads, const uint32_t groups[MAPPING_THREADS]);

/*
 * Writes which groups are the threads of the instance that a state describes. False: there is no such instance, as
 * when the state is all zero.
 */
bool litmus_state_groups(const struct test_state *state, const struct mapping *mapping, unsigned threads,
                         uint32_t groups[MAPPING_THREADS]);
