/* What is published: stale data by access and fence. */

/* Ids of points are SCENARIO/DIALECT/lSIZE/NAME=VALUE,.../gGROUPS. */
const optionOf = (point, name) => name === "dialect" ? point.id.split("/")[1] :
    name === "local-size"                            ? String(point.local_size) :
                                                       (point.id.match(new RegExp(`[/,]${name}=([^,/]*)`)) || [])[1];

/* By scenario, dialect, access and fence: how much of what was checked was stale. */
function publication(device) {
    const lines = new Map();
    for (const scenario of device.scenarios)
        for (const point of scenario.points) {
            const access = optionOf(point, "access"), fence = optionOf(point, "fence");
            if (!checks(point) || (access === undefined && fence === undefined)) continue;
            const dialect = optionOf(point, "dialect");
            const key = JSON.stringify([scenario.name, dialect, access, fence]);
            const line =
                lines.get(key) || {name: scenario.name, dialect, access, fence, checked: 0, stale: 0};
            line.checked += point.seen.checked;
            line.stale += point.seen.stale;
            lines.set(key, line);
        }
    return Array.from(lines.values());
}

/* A row for each scenario, dialect and access, a column for each fence. */
function drawPublication(column) {
    const lines = publication(column.run.device);
    if (lines.length === 0) return null;
    const fences = [...new Set(lines.map(line => line.fence))], rows = new Map();
    for (const line of lines) {
        const key = JSON.stringify([line.name, line.dialect, line.access]);
        rows.set(key, (rows.get(key) || []).concat(line));
    }
    const draw = line => line ? h("td", {class: line.stale > 0 ? "v-stale" : "v-pass"},
        line.stale > 0 ? `${percent(line.stale / line.checked)} stale` : "all seen", h("br", {}),
        h("span", {class: "small"}, `${line.stale} of ${plural(line.checked, "read")}`)) : h("td", {});
    return [
        h("h3", {id: anchor("publication", column), tabindex: "-1"},
            several ? `What is published: ${label(column)}` : "What is published"),
        table("How many reads of what other groups wrote were stale, older than what was to be seen, in the launch " +
                "that gave each point its verdict",
            ["scenario", "dialect", "access", ...fences.map(fence => fence ? `fence ${fence}` : "as it is")],
            Array.from(rows.values(), ([first, ...others]) => h("tr", {}, head(known(first.name)), cell(first.dialect),
                cell(first.access),
                fences.map(fence => draw([first, ...others].find(line => line.fence === fence))))),
            "published")
    ];
}
