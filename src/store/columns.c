#include "store/internal.h"

/* The members of a row need no evaluation: only their types, sizes and places matter. */
#define MEMBER(type, member) (((type *)0)->member)
#define KIND_OF(expression)                                                                                            \
    _Generic((expression),                                                                                             \
        bool: KIND_BOOL,                                                                                               \
        uint8_t: KIND_U8,                                                                                              \
        uint16_t: KIND_U16,                                                                                            \
        int32_t: KIND_I32,                                                                                             \
        uint32_t: KIND_U32,                                                                                            \
        int64_t: KIND_I64,                                                                                             \
        uint64_t: KIND_U64,                                                                                            \
        char *: KIND_CHARS,                                                                                            \
        const char *: KIND_STRING,                                                                                     \
        struct words: KIND_WORDS)
#define PLACE(type, member) .offset = offsetof(type, member), .size = sizeof MEMBER(type, member)
#define COLUMN(type, column, member) .name = (column), .kind = KIND_OF(MEMBER(type, member)), PLACE(type, member)
#define NAMED(type, column, member, names)                                                                             \
    .name = (column), .kind = KIND_NAME, .naming = &names##_naming, PLACE(type, member)
#define TABLE(title, list)                                                                                             \
    {                                                                                                                  \
        .name = (title), .columns = (list), .count = sizeof(list) / sizeof *(list)                                     \
    }

/* A member of KIND_NAME is read and written as an int. */
_Static_assert(sizeof(enum verdict) == sizeof(int) && sizeof(enum dialect) == sizeof(int), "enums are as wide as int");
_Static_assert(DIALECT_COUNT == 4, "each dialect but DIALECT_NONE has its columns in table device");

#define RUN(column, member) COLUMN(struct store_run, column, member)
static const struct column run_columns[] = {
    {RUN("uuid", uuid)},
    {RUN("tool_version", tool_version)},
    {RUN("command", command)},
    {RUN("command_line", command_line)},
    {RUN("folder", folder)},
    {RUN("shard", shard), .known = offsetof(struct store_run, sharded)},
    {RUN("shards", shards), .known = offsetof(struct store_run, sharded)},
    {RUN("shard_by", shard_by), .absent = ABSENT_ZERO},
    {RUN("devices", devices), .absent = ABSENT_ZERO},
    {RUN("host", host)},
    {RUN("environment", environment)},
    {RUN("origin", origin)},
    {RUN("started_ms", started_ms)},
};
const struct table store_run_table = TABLE("run", run_columns);

#define ASKED(column, member) COLUMN(struct store_asked, column, member)
static const struct column asked_columns[] = {
    {ASKED("run", run)}, {ASKED("place", place)}, {ASKED("option", option)}, {ASKED("value", value)}};
const struct table store_asked_table = TABLE("asked", asked_columns);

#define SHARE(column, member) COLUMN(struct store_share, column, member)
static const struct column share_columns[] = {
    {SHARE("run", run)}, {SHARE("device", device)}, {SHARE("planned", planned)},
    {SHARE("own", own)}, {SHARE("ended", ended)},
};
const struct table store_share_table = TABLE("share", share_columns);

#define ASSERTED(column, member) COLUMN(struct store_asserted, column, member)
static const struct column asserted_columns[] = {
    {ASSERTED("run", run)},
    {ASSERTED("device", device)},
    {ASSERTED("kind", kind)},
    {ASSERTED("name", name)},
    {ASSERTED("failed", failed), .known = offsetof(struct store_asserted, decided)},
    {ASSERTED("said", said)},
};
const struct table store_asserted_table = TABLE("asserted", asserted_columns);

#define SOURCE(column, member) COLUMN(struct store_source, column, member)
static const struct column source_columns[] = {
    {SOURCE("name", name)},
    {SOURCE("digest", digest)},
};
const struct table store_source_table = TABLE("source", source_columns);

#define DEVICE(column, member) COLUMN(struct device_row, column, member)
#define DEVICE_NAMED(column, member, names) NAMED(struct device_row, column, member, names)
#define IF_KNOWN(flag) .known = offsetof(struct device_row, device.info.flag)
static const struct column device_columns[] = {
    {DEVICE("wedged", device.wedged)},

    {DEVICE("platform", device.info.platform)},
    {DEVICE("name", device.info.name)},
    {DEVICE("vendor", device.info.vendor)},
    {DEVICE("driver_version", device.info.driver_version)},
    {DEVICE("device_version", device.info.device_version)},
    {DEVICE("c_version", device.info.c_version)},
    {DEVICE("extensions", device.info.extensions)},
    {DEVICE("uuid", device.info.uuid), .absent = ABSENT_ZERO},
    {DEVICE("pci", device.info.pci), .absent = ABSENT_ZERO},
    {DEVICE("platform_index", device.info.platform_index)},
    {DEVICE("device_index", device.info.device_index)},
    {DEVICE("ordinal", device.info.ordinal)},
    {DEVICE_NAMED("kind", device.info.kind, device_kind)},
    {DEVICE("compute_units", device.info.compute_units)},
    {DEVICE("address_bits", device.info.address_bits)},
    {DEVICE("max_local_size", device.info.max_local_size)},
    {DEVICE("local_memory_bytes", device.info.local_memory_bytes)},
    {DEVICE("global_memory_bytes", device.info.global_memory_bytes)},
    {DEVICE("max_allocation_bytes", device.info.max_allocation_bytes)},
    {DEVICE("svm", device.info.svm)},
    {DEVICE("atomic_memory", device.info.atomic_memory), IF_KNOWN(atomics_known)},
    {DEVICE("atomic_fence", device.info.atomic_fence), IF_KNOWN(atomics_known)},
    {DEVICE("atomics_64", device.info.atomics_64)},
    {DEVICE("subgroup_progress", device.info.subgroup_progress), IF_KNOWN(subgroup_progress_known)},
    {DEVICE("subgroup_width", device.info.subgroup_width), .absent = ABSENT_ZERO},

    {DEVICE("cl30_works", device.probe.dialect_works[DIALECT_CL30])},
    {DEVICE("cl30_log", device.probe.dialect_log[DIALECT_CL30]), .absent = ABSENT_ZERO},
    {DEVICE("cl12_works", device.probe.dialect_works[DIALECT_CL12])},
    {DEVICE("cl12_log", device.probe.dialect_log[DIALECT_CL12]), .absent = ABSENT_ZERO},
    {DEVICE("ptx_works", device.probe.dialect_works[DIALECT_PTX])},
    {DEVICE("ptx_log", device.probe.dialect_log[DIALECT_PTX]), .absent = ABSENT_ZERO},
    {DEVICE_NAMED("dialect", device.probe.dialect, dialect)},
    {DEVICE("yield", device.probe.yield)},
    {DEVICE("left_out", device.probe.left_out), .absent = ABSENT_ZERO},
    {DEVICE_NAMED("channel", device.probe.channel, channel)},
    {DEVICE_NAMED("memory", device.probe.memory, shared_memory)},
    {DEVICE("read_latency_ns", device.probe.read_latency_ns), .absent = ABSENT_ZERO},
    {DEVICE("stop_latency_ns", device.probe.stop_latency_ns), .absent = ABSENT_ZERO},
    {DEVICE("loops_cut_at", device.probe.loops_cut_at), .absent = ABSENT_ZERO},
    {DEVICE("loops_tried", device.probe.loops_tried)},
    {DEVICE("poll_ps", device.probe.poll_ps), .absent = ABSENT_ZERO},

    {DEVICE("search_estimators", estimators)},
    {DEVICE("search_repeats", device.options.repeats)},
    {DEVICE("search_given", given), .absent = ABSENT_ZERO},
    {DEVICE("search_live", device.options.live)},
    {DEVICE("search_compute_units", device.settings.compute_units)},
    {DEVICE("search_max_groups", device.settings.max_groups)},
    {DEVICE("search_loops_cut_at", device.settings.loops_cut_at), .absent = ABSENT_ZERO},
    {DEVICE("search_suspect_ns", device.settings.suspect_ns)},
    {DEVICE("search_confirm_ns", device.settings.confirm_ns)},
    {DEVICE("search_close_ns", device.settings.close_ns)},
};
const struct table store_device_table = TABLE("device", device_columns);

#define TRIAL(column, member) COLUMN(struct trial_row, column, member)
#define TRIAL_HAS(column, member) TRIAL(column, stored.member)
#define TRIAL_NAMED(column, member, names) NAMED(struct trial_row, column, stored.member, names)
#define OF_SCENARIO .known = offsetof(struct trial_row, of_scenario)
#define OF_RANGE .known = offsetof(struct trial_row, of_range)
#define OF_SUBJECT .known = offsetof(struct trial_row, of_subject)
#define OF_BLOCK .known = offsetof(struct trial_row, of_block)
static const struct column begun_columns[] = {
    {TRIAL("device", device)},
    {TRIAL_HAS("run", run)},
    {TRIAL("sequence", sequence)},
    {TRIAL_HAS("name", name)},
    {TRIAL_HAS("position", prediction.position)},
    {TRIAL_NAMED("estimator", trial.act, act)},
    {TRIAL_NAMED("dialect", trial.dialect, dialect)},
    {TRIAL_HAS("scenario", trial.work.scenario), .absent = ABSENT_ZERO},
    {TRIAL_HAS("publication", trial.work.publication), .absent = ABSENT_ZERO},
    {TRIAL_HAS("anti_pattern", trial.work.anti_pattern), .absent = ABSENT_ZERO},
    {TRIAL_HAS("kernel", trial.work.kernel), .absent = ABSENT_ZERO},
    {TRIAL_HAS("options", trial.work.options), .absent = ABSENT_ZERO},
    {TRIAL_HAS("point", trial.work.point), .absent = ABSENT_ZERO},
    {TRIAL_HAS("fuse", trial.work.fuse), .absent = ABSENT_ZERO},
    {TRIAL_HAS("seed", trial.work.seed), OF_SCENARIO},
    {TRIAL_HAS("jitter", trial.work.jitter), OF_SCENARIO},
    {TRIAL_HAS("uneven", trial.work.uneven), OF_SCENARIO},
    {TRIAL_HAS("burners", trial.work.burners), OF_SCENARIO},
    {TRIAL_HAS("held", trial.work.held), OF_SCENARIO},
    {TRIAL_HAS("traffic", trial.work.traffic), OF_SCENARIO},
    {TRIAL_HAS("sync_words", trial.work.sync_words), OF_SCENARIO},
    {TRIAL_HAS("names", trial.work.names), .absent = ABSENT_ZERO},
    {TRIAL_HAS("dimensions", trial.work.range.dimensions), .absent = ABSENT_ZERO},
    {TRIAL_HAS("local_x", trial.work.range.local[0]), OF_RANGE},
    {TRIAL_HAS("local_y", trial.work.range.local[1]), OF_RANGE},
    {TRIAL_HAS("local_z", trial.work.range.local[2]), OF_RANGE},
    {TRIAL_HAS("global_x", trial.work.range.global[0]), OF_RANGE},
    {TRIAL_HAS("global_y", trial.work.range.global[1]), OF_RANGE},
    {TRIAL_HAS("global_z", trial.work.range.global[2]), OF_RANGE},
    {TRIAL_HAS("checks", trial.work.checks), .known = offsetof(struct trial_row, stored.trial.work.checks_counted)},
    {TRIAL_NAMED("engine", trial.block.engine, engine), OF_BLOCK},
    {TRIAL_NAMED("mapping", trial.block.mapping.kind, mapping), OF_BLOCK},
    {TRIAL_HAS("mapping_seed", trial.block.mapping.seed), .known = offsetof(struct trial_row, of_lot)},
    {TRIAL_HAS("guarded", trial.block.guarded), OF_BLOCK},
    {TRIAL_HAS("suite", trial.block.suite), OF_BLOCK},
    {TRIAL_HAS("digest", trial.block.digest), OF_BLOCK},
    {TRIAL_HAS("resident", prediction.resident), .absent = ABSENT_ZERO},
    {TRIAL_HAS("expected", prediction.expected), .absent = ABSENT_ZERO},
    {TRIAL_HAS("allowed", prediction.allowed), .absent = ABSENT_ZERO},
    {TRIAL_HAS("expected_causes", prediction.expected_causes), .absent = ABSENT_ZERO},
    {TRIAL_HAS("expected_some", prediction.expected_some), .absent = ABSENT_ZERO},
    {TRIAL_HAS("expected_rate", prediction.expected_rate), .absent = ABSENT_ZERO},
    {TRIAL_HAS("known", prediction.known), .absent = ABSENT_ZERO},
    {TRIAL_HAS("known_verdicts", prediction.known_verdicts), .absent = ABSENT_ZERO},
    {TRIAL_HAS("quoted", prediction.quoted), .absent = ABSENT_ZERO},
    {TRIAL_HAS("local_size", trial.footprint.local_size)},
    {TRIAL_HAS("private_bytes", trial.footprint.private_bytes)},
    {TRIAL_HAS("local_memory_bytes", trial.footprint.local_memory_bytes)},
    {TRIAL_HAS("source", trial.footprint.subject.file), .absent = ABSENT_ZERO},
    {TRIAL_HAS("source_options", trial.footprint.subject.options), OF_SUBJECT},
    {TRIAL_HAS("source_kernel", trial.footprint.subject.kernel), OF_SUBJECT},
    {TRIAL_HAS("group_dimensions", trial.footprint.subject.shape.dimensions), OF_SUBJECT},
    {TRIAL_HAS("group_x", trial.footprint.subject.shape.local[0]), OF_SUBJECT},
    {TRIAL_HAS("group_y", trial.footprint.subject.shape.local[1]), OF_SUBJECT},
    {TRIAL_HAS("group_z", trial.footprint.subject.shape.local[2]), OF_SUBJECT},
    {TRIAL_HAS("local_arguments", trial.footprint.subject.locals), OF_SUBJECT},
    {TRIAL_HAS("groups", trial.groups)},
    {TRIAL_HAS("rounds", trial.rounds)},
    {TRIAL_HAS("repeats", trial.repeats)},
    {TRIAL_HAS("enough_stalls", trial.enough_stalls)},
    {TRIAL_HAS("gap_ns", trial.gap_ns)},
    {TRIAL_HAS("proven_groups", trial.proven_groups)},
    {TRIAL_HAS("suspect_ns", trial.suspect_ns)},
    {TRIAL_HAS("confirm_ns", trial.confirm_ns)},
    {TRIAL_HAS("close_ns", trial.close_ns)},
    {TRIAL_HAS("live", trial.live)},
};
const struct table store_begun_table = TABLE("trial", begun_columns);

#define IF_FOUND .known = offsetof(struct trial_row, found)
#define IF_BUILT .known = offsetof(struct trial_row, built)
#define IF_ENDED .known = offsetof(struct trial_row, stored.ended)
static const struct column ended_columns[] = {
    {TRIAL_HAS("duration_ns", duration_ns), IF_ENDED},
    {TRIAL_HAS("build_ns", facts.build_ns), IF_ENDED},
    {TRIAL_HAS("kernel_max_local_size", facts.most_items), .absent = ABSENT_ZERO},
    {TRIAL_HAS("kernel_preferred_multiple", facts.multiple_items), .absent = ABSENT_ZERO},
    {TRIAL_NAMED("entry_way", subject.way, entry_way), IF_BUILT},
    {TRIAL_HAS("original_local_bytes", subject.original.local_bytes), IF_BUILT},
    {TRIAL_HAS("original_private_bytes", subject.original.private_bytes), IF_BUILT},
    {TRIAL_HAS("original_most_items", subject.original.most_items), IF_BUILT},
    {TRIAL_HAS("original_registers", subject.original.registers), IF_BUILT},
    {TRIAL_HAS("measured_local_bytes", subject.measured.local_bytes), IF_BUILT},
    {TRIAL_HAS("measured_private_bytes", subject.measured.private_bytes), IF_BUILT},
    {TRIAL_HAS("measured_most_items", subject.measured.most_items), IF_BUILT},
    {TRIAL_HAS("measured_registers", subject.measured.registers), IF_BUILT},
    {TRIAL_HAS("group_local_bytes", subject.group_bytes), IF_BUILT},
    {TRIAL_HAS("promised_groups", subject.promised_groups), IF_BUILT},
    {TRIAL_HAS("local_arguments_taken", subject.sizes), IF_BUILT},
    {TRIAL_HAS("left_out", trial.left_out), .absent = ABSENT_ZERO},
    {TRIAL_HAS("processors", strain.processors), .known = offsetof(struct trial_row, stored.strain.known)},
    {TRIAL_HAS("others_used", strain.others), .known = offsetof(struct trial_row, stored.strain.known)},
    {TRIAL_HAS("pressure", strain.pressure), .known = offsetof(struct trial_row, stored.strain.pressure_known)},
    {TRIAL("rungs", rungs), .absent = ABSENT_ZERO},
    {TRIAL("stderr_tail", stderr_tail), .absent = ABSENT_ZERO},
    {TRIAL_HAS("note", note), .absent = ABSENT_ZERO},
    {TRIAL_HAS("tried_text", tried.text), .absent = ABSENT_ZERO},
    {TRIAL_HAS("tried_options", tried.options), .absent = ABSENT_ZERO},
    {TRIAL_HAS("tried_kernel", tried.kernel), .absent = ABSENT_ZERO},
    {TRIAL_HAS("tried_arguments", tried.arguments), .absent = ABSENT_ZERO},
    {TRIAL_HAS("offered", finding.offered), IF_FOUND},
    {TRIAL_HAS("promise_undecided", finding.undecided), IF_FOUND},
    {TRIAL_HAS("promised", finding.promised), IF_FOUND},
    {TRIAL_HAS("measured", finding.measured), IF_FOUND},
    {TRIAL_HAS("tries", finding.tries), IF_FOUND},
    {TRIAL_HAS("fails", finding.fails), IF_FOUND},
    {TRIAL_HAS("finding", finding.text), IF_FOUND},
};
const struct table store_ended_table = TABLE("trial", ended_columns);

#define LAUNCH(column, member) COLUMN(struct launch_row, column, member)
#define SEEN(column, member) LAUNCH(column, stored.observation.member)
/* What only a board tells. */
#define ON_BOARD .known = offsetof(struct launch_row, stored.observation.board_read)
static const struct column observation_columns[] = {
    {LAUNCH("trial", trial)},
    {LAUNCH("launch", launch)},
    {NAMED(struct launch_row, "outcome", stored.observation.outcome, outcome)},
    {SEEN("groups", groups)},
    {SEEN("judged", judged)},
    {SEEN("confirmed", confirmed)},
    {SEEN("churned", churned)},
    {SEEN("relapsed", relapsed)},
    {SEEN("overdue", overdue)},
    {SEEN("seed", seed), .absent = ABSENT_ZERO},
    {SEEN("busy", busy), ON_BOARD},
    {SEEN("busy_at", busy_at), ON_BOARD},
    {SEEN("started", started), ON_BOARD},
    {SEEN("waiting", waiting), ON_BOARD},
    {SEEN("ready", ready), ON_BOARD},
    {SEEN("done", done), ON_BOARD},
    {SEEN("late", late), ON_BOARD},
    {SEEN("counted", counted), ON_BOARD},
    {SEEN("witnesses", witnesses), ON_BOARD},
    {SEEN("ended_stop", ended_stop), ON_BOARD},
    {SEEN("ended_idle", ended_idle), ON_BOARD},
    {SEEN("ended_total", ended_total), ON_BOARD},
    {SEEN("ended_cut", ended_cut), ON_BOARD},
    {SEEN("busy_total", busy_total), ON_BOARD},
    {SEEN("checked", checked), ON_BOARD},
    {SEEN("stale", stale), ON_BOARD},
    {SEEN("wrong", wrong), ON_BOARD},
    {SEEN("differing", differing), ON_BOARD},
    {SEEN("bad_result", bad_result), .absent = ABSENT_ZERO},
    {SEEN("bad_at", bad_at), ON_BOARD},
    {SEEN("bad_wanted", bad_wanted), ON_BOARD},
    {SEEN("bad_got", bad_got), ON_BOARD},
    {SEEN("stop", stop), ON_BOARD},
    {SEEN("shape_x", shape[0]), .absent = ABSENT_ZERO},
    {SEEN("shape_y", shape[1]), .absent = ABSENT_ZERO},
    {SEEN("shape_z", shape[2]), .absent = ABSENT_ZERO},
    {SEEN("launched", launched), .absent = ABSENT_ZERO},
    {SEEN("starved_from", waitfor.starved_from), .absent = ABSENT_NOBODY, ON_BOARD},
    {SEEN("never_started", waitfor.never_started), .absent = ABSENT_NOBODY, ON_BOARD},
    {SEEN("circle_at", waitfor.circle_at), .absent = ABSENT_NOBODY, ON_BOARD},
    {SEEN("circle_groups", waitfor.circle_groups), .absent = ABSENT_ZERO, ON_BOARD},
    {SEEN("circle_certain", waitfor.circle_certain), ON_BOARD},
    {SEEN("items_at", waitfor.items_at), .absent = ABSENT_NOBODY, ON_BOARD},
    {SEEN("unlock_at", waitfor.unlock_at), .absent = ABSENT_NOBODY, ON_BOARD},
    {SEEN("uneven_at", waitfor.uneven_at), .absent = ABSENT_NOBODY, ON_BOARD},
    {SEEN("lost_at", waitfor.lost_at), .absent = ABSENT_NOBODY, ON_BOARD},
    {SEEN("signal_at", waitfor.signal_at), .absent = ABSENT_NOBODY, ON_BOARD},
    {SEEN("duration_ns", duration_ns)},
    {SEEN("device_ns", device_ns), .absent = ABSENT_ZERO},
    {SEEN("handover_ps", handover_ps), .absent = ABSENT_ZERO},
    {SEEN("gap_ns", gap_ns), .absent = ABSENT_ZERO},
    {SEEN("still_ns", still_ns), .absent = ABSENT_ZERO},
    {SEEN("close_ns", close_ns), .absent = ABSENT_ZERO},
    {SEEN("polls", polls), ON_BOARD},
    {SEEN("code", code), .absent = ABSENT_ZERO},
    {LAUNCH("board", board)},
    {LAUNCH("board_alike", alike), .absent = ABSENT_ZERO},
    {LAUNCH("samples", samples)},
};
const struct table store_observation_table = TABLE("observation", observation_columns);

static const struct column verdict_columns[] = {
    {LAUNCH("trial", trial)},
    {LAUNCH("launch", launch)},
    {LAUNCH("rules", rules)},
    {NAMED(struct launch_row, "verdict", stored.verdict, verdict)},
    {NAMED(struct launch_row, "cause", stored.cause, cause), .absent = ABSENT_ZERO},
};
const struct table store_verdict_table = TABLE("verdict", verdict_columns);

#define TEST(column, member) COLUMN(struct test_row, column, member)
#define TOLD(column, member) TEST(column, stored.outcome.member)
#define STATE(column, member) TOLD(column, state.member), .known = offsetof(struct test_row, stopped)
static const struct column litmus_columns[] = {
    {TEST("trial", trial)},
    {TOLD("test", test)},
    {TEST("program", stored.program)},
    {TOLD("ran", ran)},
    {TOLD("stalled", stalled)},
    {TOLD("undecided", undecided)},
    {TOLD("confirmed", confirmed)},
    {TOLD("cut", cut)},
    {TOLD("duration_ns", duration_ns)},
    {TOLD("stall_ns", stall_ns), .absent = ABSENT_ZERO},
    {STATE("groups", groups)},
    {STATE("started", started)},
    {STATE("ended", ended)},
    {STATE("stuck", stuck)},
    {STATE("instance", instance)},
    {STATE("threads_started", threads_started)},
    {STATE("threads_ended", threads_ended)},
    {STATE("memory", memory)},
    {TEST("positions", positions), .known = offsetof(struct test_row, stopped)},
    {STATE("starved", starved)},
};
const struct table store_litmus_table = TABLE("litmus", litmus_columns);
