#include "core/build_options.h"

#include "core/text.h"

#include <stdio.h>

void build_options(enum device_kind kind, const struct device_probe *probe, enum dialect dialect, bool live,
                   char text[BUILD_OPTIONS])
{
    static const char *const dialects[DIALECT_COUNT] = {
        [DIALECT_NONE] = "",
        [DIALECT_CL30] = "-cl-std=CL3.0 -DGL_DIALECT_CL30",
        [DIALECT_CL12] = "-DGL_DIALECT_CL12",
        [DIALECT_PTX] = "-DGL_DIALECT_PTX",
    };

    snprintf(text, BUILD_OPTIONS, "%s%s%s%s%s%s%s%s", dialects[dialect], kind == DEVICE_CPU ? " -DGL_CPU" : "",
             device_has_part(probe, OPTIONAL_YIELD) ? " -DGL_YIELD" : "",
             device_has_part(probe, OPTIONAL_HINTS) ? "" : " -DGL_NO_HINTS",
             probe->loops_cut_at != 0 ? " -DGL_LOOPS_CUT" : "", live ? " -DGL_LIVE" : "",
             probe->channel == CHANNEL_NONE ? " -DGL_UNWATCHED" : "",
             probe->channel == CHANNEL_PROOF ? " -DGL_PROVED" : "");
}

void build_options_limits(enum device_kind kind, const struct device_probe *probe, const struct footprint *footprint,
                          bool live, char text[BUILD_OPTIONS])
{
    build_options(kind, probe, device_dialect(probe), live, text);
    text_append(text, BUILD_OPTIONS, " -DGL_PRIVATE_WORDS=%u%s", footprint->private_bytes / 4,
                footprint->local_memory_bytes > 0 ? " -DGL_LOCAL" : "");
}

void build_options_trial(enum device_kind kind, const struct device_probe *probe, const struct trial *trial,
                         char text[BUILD_OPTIONS])
{
    struct device_probe without = *probe;

    without.without |= optional_parse(trial->left_out);
    if (trial->work.kernel[0] == '\0') {
        build_options_limits(kind, &without, &trial->footprint, trial->live, text);
        return;
    }
    build_options(kind, &without, trial->dialect, trial->live, text);
    text_append(text, BUILD_OPTIONS, " -DGL_LOCAL_SIZE=%u %s", trial->footprint.local_size, trial->work.options);
}
