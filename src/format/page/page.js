/* Draws the page; the last of the scripts. */

function part(kind, title, draw, comparison) {
    const here = columns.filter(column => column[kind]);
    return here.length === 0 ? null : h("section", {}, h("h2", {}, title), comparison, here.map(draw));
}

const page = document.getElementById("page");
fill(page, {}, [
    drawTop(),
    part("limits", "Limits", drawLimits,
        compare("limits", "Groups that pass a barrier",
            device => device.limits.map(
                row => [printFootprint(row), row.measured ? resident(row) : row.not_measured_verdict]))),
    part("run", "Scenarios", column => [drawScenarios(column), drawPublication(column)],
        compare("run", "Safe groups, and what came above",
            device => device.scenarios.flatMap(
                scenario => (scenario.by_options.length > 0 ? scenario.by_options : [scenario]).map(
                    row => [known(scenario.name) + (row.options ? ` ${row.options}` : "") +
                            (row.anti_pattern ? " (anti-pattern)" : ""),
                        `${known(row.safe_groups)}, ` +
                            (row.unsafe_verdict === null ? "no failure" :
                                                           `${row.unsafe_verdict} at ${row.unsafe_groups}`) +
                            (row.surprises > 0 ? `, ${plural(row.surprises, "surprise")}` : "")])))),
    part("progress", "Progress", drawProgress,
        compare("progress", "Models of progress",
            device => device.models.map(
                model => [`${model.model} (${model.fairness})`,
                    model.broken ? "broken" : model.told_apart ? "not broken" : "no test of its own"]))),
    part("audit", "Audit", drawAudit,
        compare("audit", "Promises", device => device.promises.map(promise => [promise.name, promise.outcome])))
]);

window.addEventListener("hashchange", follow);
follow();
