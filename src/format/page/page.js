/* Draws the page; the last of the scripts. */

function part(kind, title, draw, comparison) {
    const here = columns.filter(column => column[kind]);
    return here.length === 0 ? null : h("section", {}, h("h2", {}, title), comparison, here.map(draw));
}

/* Groups in multiples of the limit: devices that hold more are not other devices for that. */
function printSafe(row) {
    const {safe_groups: safe, safe_groups_resident: fit, unsafe_groups: unsafe} = row, safety = safetyOf(row);
    const share = safe === null ? "none" :
        fit && safe > 1         ? `${Number((safe / fit).toPrecision(2))}\u00d7 (${safe})` :
                                  plural(safe, "group");
    const surprises = row.surprises > 0 ? `, ${plural(row.surprises, "surprise")}` : "";
    const failure = unsafe === null ? "no failure" : `then ${row.unsafe_verdict}`;
    return said(`${share}, ${failure}${surprises}`,
        `${safety}, ${failure}${row.surprises > 0 ? ", surprise" : ""}`);
}

const page = document.getElementById("page");
fill(page, {}, [
    drawTop(),
    part("limits", "Limits", drawLimits,
        compare("limits", "Groups that pass a barrier",
            device => device.limits.map(row => [printFootprint(row),
                said(row.measured ? known(resident(row)) : row.not_measured_verdict)]))),
    part("run", "Scenarios", column => [drawScenarios(column), drawPublication(column)],
        compare("run", "Safe groups, in multiples of those that fit, and what came above",
            device => device.scenarios.flatMap(scenario => rowsOf(scenario).map(
                row => [known(scenario.name) + (row.options ? ` ${row.options}` : "") +
                        (row.anti_pattern ? " (anti-pattern)" : ""), printSafe(row)])))),
    part("progress", "Progress", drawProgress,
        compare("progress", "Models of progress",
            device => device.models.map(
                model => [`${model.model} (${model.fairness})`,
                    said(model.broken ? "broken" : model.told_apart ? "not broken" : "no test of its own")]))),
    part("audit", "Audit", drawAudit,
        compare("audit", "Promises", device => device.promises.map(promise => [promise.name, said(promise.outcome,
            {broken: "broken", kept: "kept", exceeded: "kept"}[promise.outcome] || "open")]))),
    part("prove", "Proofs", drawProofs,
        compare("prove", "What launches need",
            device => device.launches.map(launch => [printLaunch(launch),
                said(`${launch.verdict}: ${launch.answer}`)]))),
    part("watch", "Programs", drawWatch,
        compare("watch", "What was seen of programs",
            device => device.sightings.map(sighting => [printSighting(sighting), said(sighting.verdict)])))
]);

window.addEventListener("hashchange", follow);
follow();
