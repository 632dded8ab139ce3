/* What went wrong, for the top of the page: [{says, more, href}]. */

/* What is worse than any verdict on a kernel. */
const DEATHS = {"device-lost": "the device was lost", crash: "the driver crashed"};

/* How a point ended where it ended worst: with a driver that died, even if that was known, or in one launch alone. */
const deathOf = point => Object.keys(DEATHS).find(death => point.verdict === death ||
    (point.verdicts_of_batches && death in point.verdicts_of_batches));

const isKnown = points => points.every(point => point.known) ? `, a known ${points[0].known}` : "";

function deathsInScenario(column, {name, points}) {
    return Object.keys(DEATHS).map(death => [death, points.filter(point => deathOf(point) === death)])
        .filter(([, died]) => died.length > 0)
        .map(([death, died]) => ({
                 says: `${DEATHS[death]}: ${known(name)} at ${plural(died.length, "point")}${isKnown(died)}`,
                 href: pointAnchor(column, worst(died))
             }));
}

/* In the words of the run. */
const whyUnmeasured = row => row.measured || !row.note ? "" : ` (${row.note})`;

/* A footprint may have been measured all the same. */
function deathInFootprint(column, row) {
    const verdicts = [row.not_measured_verdict, ...(row.failures || []).map(failure => failure.verdict)];
    const death = verdicts.find(verdict => verdict in DEATHS);
    return death ? [{says: `${DEATHS[death]}: ${printFootprint(row)}`, more: whyUnmeasured(row),
                    href: anchor("limits", column)}] : [];
}

const promiseAnchor = (column, promise) => linkTo(anchor("audit", column), promise.name);

/* Not where the driver was asked for more than it promises. */
function deathInPromise(column, promise) {
    if (!(promise.verdict in DEATHS) || ["kept", "exceeded"].includes(promise.outcome)) return [];
    const what = promise.known ? `, a known ${promise.known}` : "";
    return [{
        says: `${DEATHS[promise.verdict]}: ${promise.name}, ${promise.outcome}${what}`,
        more: ` (promised: ${promise.says})`,
        href: promiseAnchor(column, promise)
    }];
}

function deathsOf(column, kinds) {
    const {run, limits, audit} = column;
    const left = kinds.filter(kind => column[kind].device.left_out.length > 0);
    const parts = kind => [...new Set(column[kind].device.left_out.flatMap(({parts}) => parts))].join(", ");
    return [
        ...kinds.filter(kind => column[kind].device.wedged)
            .map(kind => ({says: "the device stopped working", href: anchor(kind, column)})),
        ...(run ? run.device.scenarios.flatMap(scenario => deathsInScenario(column, scenario)) : []),
        ...(limits ? limits.device.limits.flatMap(row => deathInFootprint(column, row)) : []),
        ...(audit ? audit.device.promises.flatMap(promise => deathInPromise(column, promise)) : []),
        ...left.map(kind => ({
                        says: `left out, because the driver died of it: ${parts(kind)}`,
                        href: anchor(kind, column)
                    })),
    ];
}

/* What was predicted instead; a point may also surprise by how often it came to what is in order. */
function printPredicted(points) {
    const isOther = points.every(point => point.expected && !point.expected.includes(point.verdict));
    return isOther ? `, predicted ${[...new Set(points.flatMap(point => point.expected))].join(" or ")}` : ", a surprise";
}

function surprisesIn(column, {name, points}) {
    const bad = points.filter(point => point.surprise && !deathOf(point));
    const verdicts = [...new Set(bad.map(point => point.verdict))].join(", ");
    return bad.length === 0 ? [] : [{
        says: `${known(name)}: ${verdicts} at ${plural(bad.length, "point")}${printPredicted(bad)}${isKnown(bad)}`,
        href: pointAnchor(column, worst(bad))
    }];
}

function unmeasuredFootprint(column, row) {
    const verdict = row.not_measured_verdict, asked = row.kernel || !NOTHING.includes(verdict);
    return row.measured || !asked || verdict in DEATHS ? [] : [{
        says: `${known(verdict)}: ${printFootprint(row)}`,
        more: whyUnmeasured(row),
        href: anchor("limits", column)
    }];
}

function brokenPromise(column, promise) {
    return promise.outcome !== "broken" || deathInPromise(column, promise).length > 0 ? [] : [{
        says: `broken: ${promise.name}${promise.known ? `, a known ${promise.known}` : ""}`,
        more: ` (promised: ${promise.says})`,
        href: promiseAnchor(column, promise)
    }];
}

function refutedLaunch(column, launch) {
    return !REFUTED.includes(launch.verdict) ?
        [] :
        [{says: `${launch.verdict}: ${printLaunch(launch)}`, href: launchAnchor(column, launch)}];
}

/* What nobody expected, the worst first. */
function troublesOf(column) {
    const kinds = kindsOf(column), {run, limits, progress, audit, prove, watch} = column;
    const asserted = kinds.flatMap(kind => column[kind].device.asserted.filter(row => row.failed).map(row => ({
        says: `--${row.by}: ${[row.name, row.said].filter(Boolean).join(": ")}`,
        href: anchor(kind, column)
    })));
    return [
        ...deathsOf(column, kinds), ...asserted,
        ...(run ? run.device.scenarios.flatMap(scenario => surprisesIn(column, scenario)) : []),
        ...(limits ? limits.device.limits.flatMap(row => unmeasuredFootprint(column, row)) : []),
        ...(audit ? audit.device.promises.flatMap(promise => brokenPromise(column, promise)) : []),
        ...(prove ? prove.device.launches.flatMap(launch => refutedLaunch(column, launch)) : []),
        ...(watch ? watch.device.sightings.filter(sighting => sighting.alarm).map(sighting => ({
            says: `${sighting.verdict}: ${printSighting(sighting)}`,
            href: sightingAnchor(column, sighting)
        })) :
                    []),
        ...(progress && progress.device.missing_blocks > 0 ? [{
            says: `${plural(progress.device.missing_blocks, "block")} of tests did not finish`,
            href: anchor("progress", column)
        }] :
                                                             []),
    ];
}

const MOST_TROUBLES = 5;

const drawTroubles = found => [
    found.slice(0, MOST_TROUBLES)
        .map(({says, more, href}) => h("div", {}, h("a", {href: `#${href}`}, says), several || !more ? "" : more)),
    found.length > MOST_TROUBLES ? h("div", {}, `and ${found.length - MOST_TROUBLES} more`) : null
];

/* What else one must know of the runs, whatever they found. */
function remarksOf(column) {
    const kinds = kindsOf(column), machineOf = kind => column[kind].device.machine;
    const busy = kinds.filter(kind => machineOf(kind) && machineOf(kind).remark);
    const inDoubt = sum(busy, kind => machineOf(kind).trials_in_doubt);
    return kinds.filter(kind => column[kind].run.data.complete === false)
        .map(kind => ({says: "a run did not come to its end", href: anchor(kind, column)}))
        .concat(busy.slice(0, 1).map(kind => ({
                                         says: `the machine was busy while ${plural(inDoubt, "trial")} ran that ${
                                             inDoubt === 1 ? "was" : "were"} in doubt`,
                                         href: anchor(kind, column)
                                     })));
}

/* Ids of points begin with the scenario's name. */
const printPoint = point => `${point.id.split("/")[0]} with ${plural(point.groups, "group")}: ${point.verdict}`;

/* That a failure was predicted does not make it less worth a look. */
function answerPredicted(column) {
    const points = column.run ? pointsOf(column.run.device) : [];
    const count = (number, says) => number > 0 ? `${number} of ${plural(points.length, "point")} ${says}` : "";
    const were = number => number === 1 ? "was" : "were";
    const failed = points.filter(isFailure), open = points.filter(point => point.verdict === "inconclusive").length;
    const predicted = failed.filter(point => point.expected && !point.expected.includes("pass"));
    const others = failed.length - predicted.length;
    const first = predicted.find(point => point.groups > 1 && point.verdict === "starved") || predicted[0] || failed[0];
    const told = [
        count(predicted.length, `${were(predicted.length)} predicted to fail, and did`),
        count(others, "failed, where it was left open whether they would"),
        count(open, `${were(open)} undecided`),
    ].filter(Boolean);
    if (column.progress && column.progress.device.stalled_tests > 0) {
        const {stalled_tests: stalled, tests} = column.progress.device;
        told.push(`${stalled} of ${plural(tests, "litmus test")} stalled, which OpenCL allows`);
    }
    if (told.length === 0) return "Nothing in what was run.";
    return [
        `Nothing unexpected. ${told.join("; ")}.`,
        first ? [" See ", h("a", {href: `#${pointAnchor(column, first)}`}, printPoint(first)), "."] : null
    ];
}

function answerTrouble(column) {
    const found = troublesOf(column);
    return [found.length > 0 ? drawTroubles(found) : answerPredicted(column), drawTroubles(remarksOf(column))];
}
