/* The top of the page: what a stranger asks of a device, as README.md does, and what the runs answer. */

function printFootprint(row) {
    if (row.kernel) return row.kernel.name ? `${row.kernel.name} in groups of ${row.kernel.group}` : row.kernel.source;
    return plural(row.local_size, "work-item") +
        (row.local_memory_bytes > 0 ? `, ${bytes(row.local_memory_bytes)} of local memory` : "") +
        (row.private_bytes > 0 ? `, ${row.private_bytes} B of private values each` : "");
}

/* The fewest and the most groups, each with the largest footprint of which so many fit. */
function printSpan(rows) {
    const sorted = rows.slice().sort((a, b) => resident(a) - resident(b) || b.local_size - a.local_size);
    const least = sorted[0], most = sorted.find(row => resident(row) === resident(sorted[sorted.length - 1]));
    return resident(least) === resident(most) ?
        `${plural(resident(least), "group")}, of any size that was tried` :
        [least, most].map(row => `${plural(resident(row), "group")} of ${printFootprint(row)}`).join(", ");
}

function answerKernels(rows) {
    const measured = rows.filter(row => row.measured).sort((a, b) => resident(a) - resident(b));
    const say = row => `${known(resident(row))} (${printFootprint(row)})`;
    if (measured.length === 0) return "No kernel could be measured.";
    const least = measured[0], most = measured[measured.length - 1];
    const which = measured.length <= 4       ? measured.map(say).join("; ") :
        resident(least) === resident(most) ? `${known(resident(least))}, in groups of any size` :
                                             `from ${say(least)} to ${say(most)}`;
    return `So many groups of each kernel fit together: ${which}. Whether they may wait for each other is another ` +
        "question.";
}

function answerLimits(column) {
    if (!column.limits) return answerResident(column);
    const {limits: rows, safe_groups: safe, safe_groups_reason: why} = column.limits.device;
    if (rows.some(row => row.kernel)) return link("limits", column, answerKernels(rows));
    const measured = rows.filter(row => row.measured && resident(row));
    if (measured.length === 0) return link("limits", column, "None was found.");
    const isPlain = row => row.local_memory_bytes === 0 && row.private_bytes === 0;
    const plain = measured.filter(isPlain), others = measured.filter(row => !isPlain(row));
    const span = printSpan(plain.length > 0 ? plain : measured);
    const less = plain.length > 0 && others.some(row => resident(row) < Math.max(...plain.map(resident))) ?
        "; fewer if they use much local memory, or many private values" :
        "";
    const safety = safe === null ? ` No number of them may wait for each other: ${why}.` : "";
    return link("limits", column, `${span}${less}.${safety}`);
}

/* Without limits, the scenarios have counted. */
function answerResident(column) {
    const counts = column.run ? pointsOf(column.run.device).map(point => point.resident).filter(Boolean) : [];
    if (counts.length === 0) return missing("limits");
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    return link("run", column,
        least === most ? `${plural(least, "group")}, with each kernel that ran.` :
                         `${least} to ${plural(most, "group")}, depending on the kernel that ran.`);
}

/* By how far it is safe: the values of options that change the answer, without what is not to be done. */
const SAFETY = [
    ["all", "any number that was tried"], ["fit", "as many as fit, and not one more"], ["fewer", "fewer than fit"],
    ["none", "no number that was tried"]
];

function safetyOf(row) {
    if (row.all_safe) return "all";
    if (row.safe_groups === null) return row.unsafe_groups === null ? null : "none";
    return row.safe_groups >= row.safe_groups_resident ? "fit" : "fewer";
}

function printSafety(scenario, row) {
    const name = known(scenario.name) + (row.options ? ` ${row.options}` : "");
    const pass = row.safe_groups === null ?
        "" :
        `${row.all_safe ? "all to " : ""}${plural(row.safe_groups, "group")} pass${row.safe_groups === 1 ? "es" : ""}`;
    const fail = row.unsafe_groups === null ? "" : `${row.unsafe_groups} ${row.unsafe_verdict}`;
    return `${name}: ${[pass, fail].filter(Boolean).join(", ")}`;
}

/* The first parts of names, such as "barrier", with the number of scenarios of each. */
function printFamilies(scenarios) {
    const counts = new Map();
    for (const {name} of scenarios) {
        const family = known(name).split("_")[0];
        counts.set(family, (counts.get(family) || 0) + 1);
    }
    const sorted = Array.from(counts).sort((a, b) => b[1] - a[1]);
    const first = sorted.slice(0, 5).map(([name, count]) => `${name} ${count}`);
    return first.concat(sorted.length > 5 ? "..." : []).join(", ");
}

/* Of `all` rows those that are so safe; a scenario may be among others as well, with other options. */
function answerSafety(column, all, safety, says) {
    const of = rows => [...new Set(rows.map(({scenario}) => scenario))];
    const here = of(all.filter(row => row.safety === safety)), others = of(all.filter(row => row.safety !== safety));
    const some = here.filter(scenario => others.includes(scenario)).length;
    if (here.length === 0) return null;
    const part = some === 0 || several ? "" : `,${some < here.length ? ` ${some} of them` : ""} with some options only`;
    return h("div", {}, link("run", column, `${says}: ${plural(here.length, "scenario")}${part}`),
        several ? "" : ` (${printFamilies(here)})`);
}

const isFault = scenario => scenario.mutant_caught !== null || known(scenario.name).startsWith("cause_");
const rowsOf = scenario => scenario.by_options.length > 0 ? scenario.by_options : [scenario];

function answerIdioms(column) {
    if (!column.run) return missing("run");
    const rows = column.run.device.scenarios.filter(scenario => !isFault(scenario))
                     .flatMap(scenario => rowsOf(scenario).map(row => ({scenario, row, safety: safetyOf(row)})))
                     .filter(({row, safety}) => safety !== null && !row.anti_pattern);
    if (rows.length === 0) return link("run", column, "No idiom ran.");
    if (rows.length <= 4)
        return link("run", column, `${rows.map(({scenario, row}) => printSafety(scenario, row)).join("; ")}.`);
    return SAFETY.map(([safety, says]) => answerSafety(column, rows, safety, says));
}

/* Whom a model promises a turn; the names are those of `gridlock help words`. */
const MODELS = {
    HSA: "the lowest id that has not ended",
    OBE: "those that have started",
    HSA_OBE: "those that have started, and the lowest id that has not ended",
    LOBE: "those that have started, and all lower ids",
    FAIR: "all",
};

function answerProgress(column) {
    if (!column.progress) return missing("progress");
    const {strongest, models, stalled_tests: stalled, tests} = column.progress.device;
    const turn = strongest === null ? null : MODELS[strongest.split(" ")[0]];
    if (!turn)
        return link("progress", column,
            tests === 0 ? "No litmus test was run." : "None: all models are broken, or undecided.");
    const broken = models.filter(model => model.broken).length;
    return link("progress", column,
        `${sentence(turn)}: the model ${strongest}, which none of ${plural(tests, "test")} broke` +
            (broken > 0 ? `; ${stalled} of them broke stronger ones.` : "."));
}

const pointsOf = device => device.scenarios.flatMap(scenario => scenario.points);
const checks = point => Boolean(point.seen && point.seen.checked > 0);

/* What a launch says of publication: others ended before all was read. */
const DECIDED = ["pass", "stale", "wrong"];

/* Of the points at which groups read what others wrote, those in which nothing is missing on purpose. */
function publishingOf(device) {
    return device.scenarios.filter(scenario => !isFault(scenario)).flatMap(scenario => {
        const bad = scenario.by_options.filter(row => row.anti_pattern)
                        .map(row => row.options.split(" ").map(option => option.split("=")));
        const isBad = point => scenario.anti_pattern ||
            bad.some(options => options.every(([name, value]) => optionOf(point, name) === value));
        return scenario.points.filter(point =>
            checks(point) && point.groups > 1 && DECIDED.includes(point.verdict) && !isBad(point));
    });
}

/* How kernels spell atomics. */
const DIALECTS = {
    cl12: "atomics of OpenCL C 1.2 (cl12)",
    cl30: "atomics of OpenCL C 3.0 (cl30)",
    ptx: "assembly of NVIDIA GPUs (ptx)",
};

function answerPublication(column) {
    if (!column.run) return missing("run");
    const {device} = column.run, dialects = new Map();
    for (const point of publishingOf(device)) {
        const dialect = optionOf(point, "dialect");
        dialects.set(dialect, (dialects.get(dialect) || []).concat(point));
    }
    if (dialects.size === 0) return missing("run 'publish_*'");
    const told = Array.from(dialects, ([dialect, points]) => {
        const bad = points.filter(point => point.verdict !== "pass");
        const what = bad.some(point => point.verdict === "wrong") ? "stale or wrong data" : "stale data";
        const count = plural(points.length, "point");
        return `With ${DIALECTS[dialect] || dialect}: ${
            bad.length > 0 ? `${what} at ${bad.length} of ${count}` : `always, at ${count}`}.`;
    });
    return told.map(
        says => h("div", {}, link(publication(device).length > 0 ? "publication" : "run", column, says)));
}

function answerAudit(column) {
    if (!column.audit) return missing("audit");
    const {promises} = column.audit.device;
    const of = (...outcomes) => promises.filter(promise => outcomes.includes(promise.outcome));
    const broken = of("broken"), made = of("broken", "kept", "exceeded").length;
    const names = broken.slice(0, 5).map(promise => promise.name).join(", ");
    const more = broken.length > 5 ? ` and ${broken.length - 5} more` : "";
    return link("audit", column,
        broken.length === 0 ? `All ${made} that it makes and that could be decided.` :
                              `All but ${broken.length} of ${made}: not ${names}${more}.`);
}

/* Of launches of one kernel that say the same, the largest. */
function answerProofs(column) {
    if (!column.prove) return missing("prove FILE.cl");
    const launches = column.prove.device.launches, said = new Map();
    for (const launch of launches) said.set(`${fromOf(launch)}:${launch.scenario ?? launch.kernel} ${launch.answer}`, launch);
    const told = Array.from(said.values(), launch => h("div", {}, h("a", {href: `#${launchAnchor(column, launch)}`},
        printLaunch(launch)), `: ${launch.answer}`));
    return told.length <= MOST_PROOFS ? told :
        [told.slice(0, MOST_PROOFS), h("div", {}, link("prove", column, `and ${told.length - MOST_PROOFS} more`))];
}

const MOST_PROOFS = 6;

const QUESTIONS = [
    ["How many groups are resident together?", answerLimits],
    ["Up to how many groups is an idiom safe?", answerIdioms],
    ["Which groups are sure of a turn?", answerProgress],
    ["When is a write seen by other groups?", answerPublication],
    ["Does the driver keep its promises?", answerAudit],
    ["Which promise does a kernel need?", answerProofs],
    ["What went wrong?", answerTrouble],
];

const describeDevice = ({device}) => `${known(device.platform)}, driver ${known(device.driver_version)}, ${
    known(device.kind)}, ${plural(device.compute_units || 0, "compute unit")}`;

const answerOf = (column, answer) =>
    h("td",
        {
            class: answer === answerTrouble && troublesOf(column).length + remarksOf(column).length > 0 ? "trouble" :
                                                                                                          null
        },
        answer(column));

/* One device answers below each other, several in a row each. */
function drawAnswers() {
    if (!several)
        return columns.map(column => table("Answers", ["question", "answer"],
            QUESTIONS.map(([question, answer]) => h("tr", {}, head(question), answerOf(column, answer))),
            "cards answers"));
    const name = column =>
        head(label(column), h("br", {}), h("span", {class: "faint small"}, describeDevice(column)));
    return table("Answers, device by device", ["device", ...QUESTIONS.map(([question]) => question)],
        columns.map(column => h("tr", {}, name(column), QUESTIONS.map(([, answer]) => answerOf(column, answer)))),
        "cards answers");
}

/* A device may have several rows: one for each run of a kind. */
function printDevices() {
    const devices = new Set(columns.map(({device}) => JSON.stringify([
        device.platform, device.driver_version, device.name, device.number, device.uuid, device.pci
    ])));
    const [{device}] = columns;
    return devices.size === 1 ? `${known(device.name)}, ${plural(columns.length, "run")}` : `${devices.size} devices`;
}

function drawTop() {
    const names = columns.map(label);
    document.title = `${clean(names.join(" | ") || "A run without devices")} - gridlock`;
    return [
        h("h1", {}, several ? printDevices() : names[0] || "A run without devices"),
        h("p", {class: "faint"}, several ? names.join(" | ") : columns.map(describeDevice)),
        h("p", {},
            "A work-group of a kernel is resident once it has started and holds a place on the device. Groups that " +
                "wait for one that finds no place wait for ever."),
        runs.filter(run => run.leftOut !== "nothing")
            .map(run => h("p", {},
                     "To keep this page below 5 MB, " +
                         `${
                             run.leftOut === "details" ? "the details of " :
                                                         ""}points that came out as expected were left out. All is in `,
                     h("code", {}, `gridlock report ${quoted(run.path)} --format json`), ".")),
        drawAnswers()
    ];
}
