#include "model/serial.h"

void serial_add(struct run_item *item)
{
    item->held = lanes_are_serial(run.launch->device.lanes);
    if (!item->held)
        ready_add(&run.ready, (uint32_t)(item - run.items));
}

void serial_offer(uint32_t place)
{
    const bool down = run.launch->device.lanes == LANES_SERIAL_DOWN;
    const uint32_t first = place * run.space.items;

    for (uint32_t i = 0; i < run.space.items && lanes_are_serial(run.launch->device.lanes); ++i) {
        struct run_item *item = &run.items[first + (down ? run.space.items - 1 - i : i)];
        if (item->meets || item->meets_team || item->self == item->top)
            continue;
        if (item->held) {
            item->held = false;
            ready_add(&run.ready, (uint32_t)(item - run.items));
        }
        return;
    }
}
