/*
 * Two runs on one device spoil each other's figures. A run holds a lock on its device: a file in a folder of this
 * host, which is locked as long as the process lives, however it ends.
 */
#pragma once

#include "base/error.h"
#include "core/device_info.h"

#include <stdint.h>

/*
 * Waits for the lock, `wait_ns` at most, and says so once on stderr, if `quiet` only on a terminal. Returns a
 * descriptor to be given to device_unlock, or -1: STATUS_STOPPED if somebody else still holds it, STATUS_HARNESS if
 * there is no place for it.
 */
int device_lock(const struct device_info *device, uint64_t wait_ns, bool quiet, struct error *error);
void device_unlock(int descriptor); /* -1 is fine */
