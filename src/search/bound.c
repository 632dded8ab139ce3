#include "search/bound.h"

#include <math.h>

double bound_none_seen(uint32_t launches)
{
    return launches == 0 ? 1.0 : 1.0 - pow(0.05, 1.0 / launches);
}
