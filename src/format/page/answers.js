/* The top of the page: four questions, and what each device answers. */

function printFootprint(row) {
    if (row.kernel) return `${row.kernel.name} in groups of ${row.kernel.group}`;
    return plural(row.local_size, "work-item") +
        (row.local_memory_bytes > 0 ? `, ${bytes(row.local_memory_bytes)} of local memory` : "") +
        (row.private_bytes > 0 ? `, ${row.private_bytes} B of private values each` : "");
}

function answerKernels(rows) {
    const measured = rows.filter(row => row.measured).sort((a, b) => resident(a) - resident(b));
    const say = row => `${known(resident(row))} of ${printFootprint(row)}`;
    if (measured.length === 0) return "No kernel could be measured.";
    const which = measured.length <= 4 ? measured.map(say).join("; ") :
                                         `from ${say(measured[0])} to ${say(measured[measured.length - 1])}`;
    return `So many groups of each kernel fit together: ${which}. Whether they may wait for each other is another ` +
        "question.";
}

function answerLimits(column) {
    if (!column.limits) return missing("limits");
    const device = column.limits.device;
    if (device.limits.some(row => row.kernel)) return link("limits", column, answerKernels(device.limits));
    if (device.safe_groups === null)
        return link("limits", column, `No number of groups is safe: ${device.safe_groups_reason}.`);
    const least = printFootprint(device.limits[device.safe_groups_footprint]);
    return link("limits", column,
        `${plural(device.safe_groups, "group")} may wait for each other ${device.safe_groups_reason}` +
            (device.limits.length === 1 ?
                    ` (${least}).` :
                    `, with any of the ${device.limits.length} footprints; fewest fit with ${least}.`));
}

function answerProgress(column) {
    if (!column.progress) return missing("progress");
    const device = column.progress.device;
    const broken = device.models.filter(model => model.broken).length;
    return link("progress", column,
        device.strongest === null ? "No litmus test was run." :
                                    `The strongest model of progress that no test broke: ${device.strongest}; ` +
                `${broken} of ${device.models.length} are broken, by ${
                    plural(device.stalled_tests, "stalled test")} of ${device.tests}.`);
}

const pointsOf = device => device.scenarios.flatMap(scenario => scenario.points);
const checks = point => Boolean(point.seen && point.seen.checked > 0);

function answerPublication(column) {
    if (!column.run) return missing("run");
    const points = pointsOf(column.run.device).filter(checks);
    if (points.length === 0) return missing("run publish_fence publish_access");
    const stale = points.filter(point => point.verdict === "stale");
    return link(publication(column.run.device).length > 0 ? "publication" : "run", column,
        `${stale.length} of ${plural(points.length, "point")} that check what groups publish read stale data, ` +
            `${stale.filter(point => point.surprise).length || "none"} of them as a surprise.`);
}

function answerAudit(column) {
    if (!column.audit) return missing("audit");
    const promises = column.audit.device.promises;
    const broken = promises.filter(promise => promise.outcome === "broken");
    const names = broken.slice(0, 5).map(promise => promise.name).join(", ");
    return link("audit", column,
        broken.length === 0 ?
            `None of ${plural(promises.length, "promise")} is broken.` :
            `${broken.length} of ${plural(promises.length, "promise")} ${broken.length === 1 ? "is" : "are"} broken: ` +
                `${names}${broken.length > 5 ? " ..." : ""}.`);
}

function drawTop() {
    const questions = [
        ["How many groups?", answerLimits], ["Who may wait for whom?", answerProgress],
        ["What is published?", answerPublication], ["Which promises are broken?", answerAudit]
    ];
    const title = columns.length === 0 ? "A run without devices" : columns.map(label).slice(0, 4).join(" | ");
    document.title = `${clean(title)} - gridlock`;
    return [
        h("h1", {}, title),
        columns.map(column => h("p", {class: "faint"}, several ? `${label(column)}: ` : "",
                        `${known(column.device.platform)}, driver ${known(column.device.driver_version)}, ${
                            known(column.device.kind)}, ` +
                            `${plural(column.device.compute_units || 0, "compute unit")}`)),
        runs.filter(run => run.leftOut !== "nothing")
            .map(run => h("p", {},
                     "To keep this page below 5 MB, " +
                         `${
                             run.leftOut === "details" ? "the details of " :
                                                         ""}points that came out as expected were left out. All is in `,
                     h("code", {}, `gridlock report ${quoted(run.path)} --format json`), ".")),
        table("The four answers", ["question"].concat(columns.map(label)), questions.map(([question,
            answer]) => h("tr", {}, head(question), columns.map(column => h("td", {}, answer(column))))),
            "cards")
    ];
}
