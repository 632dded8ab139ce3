#include "store/columns.h"

_Static_assert(DIALECT_COUNT == 4, "each dialect but DIALECT_NONE has its columns in table device");

#define RUN(column, member) COLUMN(struct store_run, column, member)
static const struct column run_columns[] = {
    {RUN("tool_version", tool_version)},
    {RUN("uuid", uuid), .says = "of the run, random"},
    {RUN("command", command), .says = "run, limits, progress, audit, demo"},
    {RUN("command_line", command_line), .says = "its words, quoted as for a shell"},
    {RUN("folder", folder), .says = "in which it was given"},
    {RUN("shard", shard), .known = offsetof(struct store_run, sharded),
     .says = "this one of so many; NULL: the run is whole"},
    {RUN("shards", shards), .known = offsetof(struct store_run, sharded)},
    {RUN("shard_by", shard_by), .absent = ABSENT_ZERO,
     .says = "what chose it: --shard, or a variable of the environment"},
    {RUN("devices", devices), .absent = ABSENT_ZERO, .says = "that it was to use"},
    {RUN("host", host), .says = "uname: system, release, machine"},
    {RUN("environment", environment), .says = "NAME=value lines: those variables that change a device"},
    {RUN("origin", origin), .says = "code of machine, user and command, by which resume knows its own; '': none"},
    {RUN("started_ms", started_ms), .says = "Unix time"},
};
const struct table store_run_table = {
    TABLE("run", run_columns),
    .says = "What the run says about itself: one row, and in a merged file one for each run.",
    .numbered = "1, unless the file is merged",
    .keys = "PRIMARY KEY (id)\n)",
};

#define ASKED(column, member) COLUMN(struct store_asked, column, member)
static const struct column asked_columns[] = {
    {ASKED("run", run), .says = "its uuid"},
    {ASKED("place", place), .says = "in the order of the command line, operands last"},
    {ASKED("option", option), .says = "without dashes; '': an operand"},
    {ASKED("value", value), .says = "'' if it takes none"},
};
const struct table store_asked_table = {
    TABLE("asked", asked_columns),
    .says = "What a run was asked: its options by their whole names, whatever the command line abbreviates, and its "
            "operands.",
    .keys = "PRIMARY KEY (run, place)\n) WITHOUT ROWID",
};

#define SHARE(column, member) COLUMN(struct store_share, column, member)
static const struct column share_columns[] = {
    {SHARE("run", run), .says = "its uuid"},
    {SHARE("device", device), .refers = "device (id)"},
    {SHARE("planned", planned), .says = "in all shards"},
    {SHARE("own", own), .says = "in this run's shard; like `planned` an estimate until it has ended"},
    {SHARE("ended", ended), .says = "1: all of it was dealt with"},
};
const struct table store_share_table = {
    TABLE("share", share_columns),
    .says = "What a run was to do on a device, in points, footprints or tests.",
    .keys = "PRIMARY KEY (run, device)\n) WITHOUT ROWID",
};

#define ASSERTED(column, member) COLUMN(struct store_asserted, column, member)
static const struct column asserted_columns[] = {
    {ASSERTED("run", run), .says = "its uuid"},
    {ASSERTED("device", device), .refers = "device (id)"},
    {ASSERTED("kind", kind), .says = "the option that asks for it: at-least, against"},
    {ASSERTED("name", name), .says = "a footprint, a line of points, a promise, a model"},
    {ASSERTED("failed", failed), .known = offsetof(struct store_asserted, decided),
     .says = "1: it did not; NULL: undecided"},
    {ASSERTED("said", said), .says = "what was found"},
};
const struct table store_asserted_table = {
    TABLE("asserted", asserted_columns),
    .says = "What a run was to show of a device, and whether it did; written when it had ended.",
    .keys = "PRIMARY KEY (run, device, kind, name)\n) WITHOUT ROWID",
};

#define SOURCE(column, member) COLUMN(struct store_source, column, member)
static const struct column source_columns[] = {
    {SOURCE("name", name), .says = "as it was given"},
    {SOURCE("digest", digest), .says = "FNV-1a, 64 bits, of a scenario's text and its kernel's"},
};
const struct table store_source_table = {
    TABLE("source", source_columns),
    .says = "The files that the run was made of, beside those that the program carries.",
    .keys = "PRIMARY KEY (name)\n) WITHOUT ROWID",
};

#define DEVICE(column, member) COLUMN(struct device_row, column, member)
#define DEVICE_NAMED(column, member, names) NAMED(struct device_row, column, member, names)
#define IF_KNOWN(flag) .known = offsetof(struct device_row, device.info.flag)
static const struct column device_columns[] = {
    {DEVICE("wedged", device.wedged), .says = "1: it stopped working, or its worker could not be killed"},
    {DEVICE("platform", device.info.platform), IN_JSON,
     .part = "What its driver says; texts are the driver's own, cut to fit."},
    {DEVICE("name", device.info.name), IN_JSON},
    {DEVICE("vendor", device.info.vendor), IN_JSON},
    {DEVICE("driver_version", device.info.driver_version), IN_JSON},
    {DEVICE("device_version", device.info.device_version), IN_JSON},
    {DEVICE("c_version", device.info.c_version), IN_JSON, .key = "opencl_c_version"},
    {DEVICE_NAMED("kind", device.info.kind, device_kind), IN_JSON},
    {DEVICE("uuid", device.info.uuid), IN_JSON, .absent = ABSENT_ZERO, .says = "lower-case hexadecimal"},
    {DEVICE("pci", device.info.pci), IN_JSON, .absent = ABSENT_ZERO, .says = "dddd:bb:dd.f"},
    {DEVICE("platform_index", device.info.platform_index), .says = "in the listing of this run; not stable"},
    {DEVICE("device_index", device.info.device_index)},
    {DEVICE("ordinal", device.info.ordinal), .says = "tells devices apart that are alike in all names"},
    {DEVICE("compute_units", device.info.compute_units), IN_JSON, .absent = ABSENT_IN_JSON},
    {DEVICE("address_bits", device.info.address_bits)},
    {DEVICE("max_local_size", device.info.max_local_size), IN_JSON, .absent = ABSENT_IN_JSON,
     .says = "work-items of a work-group"},
    {DEVICE("local_memory_bytes", device.info.local_memory_bytes), IN_JSON, .key = "max_local_memory_bytes",
     .absent = ABSENT_IN_JSON},
    {DEVICE("global_memory_bytes", device.info.global_memory_bytes), IN_JSON, .absent = ABSENT_IN_JSON},
    {DEVICE("max_allocation_bytes", device.info.max_allocation_bytes)},
    {DEVICE("subgroup_width", device.info.subgroup_width), IN_JSON, .absent = ABSENT_ZERO},
    {DEVICE("subgroup_progress", device.info.subgroup_progress), IN_JSON,
     .key = "subgroup_independent_forward_progress", IF_KNOWN(subgroup_progress_known),
     .says = "1: sub-groups make progress independently of each other"},
    {DEVICE("atomics_64", device.info.atomics_64), IN_JSON, .says = "1: cl_khr_int64_base_atomics"},
    {DEVICE("atomic_memory", device.info.atomic_memory), IN_JSON, .key = "atomic_memory_capabilities",
     .naming = &atomics_naming, IF_KNOWN(atomics_known),
     .says = "cl_device_atomic_capabilities, if the driver answered"},
    {DEVICE("atomic_fence", device.info.atomic_fence), IN_JSON, .key = "atomic_fence_capabilities",
     .naming = &atomics_naming, IF_KNOWN(atomics_known),
     .says = "cl_device_atomic_capabilities, if the driver answered"},
    {DEVICE("svm", device.info.svm), IN_JSON, .naming = &svm_naming, .says = "cl_device_svm_capabilities"},
    {DEVICE("extensions", device.info.extensions), IN_JSON,
     .says = "those that matter for synchronization, separated by spaces"},
    {DEVICE("cl30_works", device.probe.dialect_works[DIALECT_CL30]), .part = "What was found by running kernels.",
     .says = "1: kernels of dialect cl30 give right results"},
    {DEVICE("cl30_log", device.probe.dialect_log[DIALECT_CL30]), .absent = ABSENT_ZERO, .says = "why they do not"},
    {DEVICE("cl12_works", device.probe.dialect_works[DIALECT_CL12])},
    {DEVICE("cl12_log", device.probe.dialect_log[DIALECT_CL12]), .absent = ABSENT_ZERO},
    {DEVICE("ptx_works", device.probe.dialect_works[DIALECT_PTX])},
    {DEVICE("ptx_log", device.probe.dialect_log[DIALECT_PTX]), .absent = ABSENT_ZERO},
    {DEVICE_NAMED("dialect", device.probe.dialect, dialect), IN_JSON, .says = "the one used"},
    {DEVICE("yield", device.probe.yield), IN_JSON, .says = "1: sched_yield from inside a kernel works"},
    {DEVICE("left_out", device.probe.left_out), .absent = ABSENT_ZERO,
     .says = "optional parts of kernels that the driver died of, by the work-items of a group: 64: yield; 256: yield, "
             "hints; NULL: it died of none"},
    {DEVICE_NAMED("channel", device.probe.channel, channel), IN_JSON, .says = "how the host reads a running kernel"},
    {DEVICE_NAMED("memory", device.probe.memory, shared_memory), .says = "for channel shared"},
    {DEVICE("read_latency_ns", device.probe.read_latency_ns), IN_JSON, .key = "channel_read_latency_ns",
     .absent = ABSENT_ZERO, .says = "from a change in the kernel to the host's seeing it, at most"},
    {DEVICE("stop_latency_ns", device.probe.stop_latency_ns), IN_JSON, .key = "channel_stop_latency_ns",
     .absent = ABSENT_ZERO, .says = "from writing the stop word to the kernel's end"},
    {DEVICE("loops_cut_at", device.probe.loops_cut_at), IN_JSON, .absent = ABSENT_ZERO,
     .says = "turns after which the driver ended a loop; NULL: not by loops_tried"},
    {DEVICE("loops_tried", device.probe.loops_tried), IN_JSON, .absent = ABSENT_IN_JSON},
    {DEVICE("poll_ps", device.probe.poll_ps), IN_JSON, .key = "poll_ns", .divided_by = 1000, .absent = ABSENT_ZERO,
     .says = "picoseconds a poll, one group alone"},
    {DEVICE("search_estimators", estimators),
     .part = "What its limits were searched with; the same search over the same observations gives the same rows.",
     .says = "names separated by commas"},
    {DEVICE("search_repeats", device.options.repeats), .says = "launches at the limit and one above"},
    {DEVICE("search_given", given), .absent = ABSENT_ZERO,
     .says = "group counts to try instead of searching, separated by commas"},
    {DEVICE("search_live", device.options.live), .says = "1: kernels had neither fuse nor stop word"},
    {DEVICE("search_compute_units", device.settings.compute_units)},
    {DEVICE("search_max_groups", device.settings.max_groups), .says = "that a launch may have"},
    {DEVICE("search_loops_cut_at", device.settings.loops_cut_at), .absent = ABSENT_ZERO},
    {DEVICE("search_suspect_ns", device.settings.suspect_ns), .says = "least times for the stall judge"},
    {DEVICE("search_confirm_ns", device.settings.confirm_ns)},
    {DEVICE("search_close_ns", device.settings.close_ns), .says = "and for the census"},
};
const struct table store_device_table = {
    TABLE("device", device_columns),
    .says = "A device that the run used. NULL is not known, or absent. Unsigned 64-bit numbers are stored as signed "
            "ones in all tables: from 2^63 on they are negative here.",
    .numbered = "in the order in which they were added",
    .keys = "PRIMARY KEY (id)\n)",
};
