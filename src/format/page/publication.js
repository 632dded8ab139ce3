/* What is published: stale data by access and fence. */

const option = (point, name) => (point.id.match(new RegExp(`[/,]${name}=([^,/]*)`)) || [])[1];

/* By scenario, dialect, access and fence: how much of what was checked was stale. */
function publication(device) {
    const lines = new Map();
    for (const scenario of device.scenarios)
        for (const point of scenario.points) {
            const access = option(point, "access"), fence = option(point, "fence");
            if (!checks(point) || (access === undefined && fence === undefined)) continue;
            const dialect = point.id.split("/")[1];
            const key = JSON.stringify([scenario.name, dialect, access, fence]);
            const line =
                lines.get(key) || {name: scenario.name, dialect, access, fence, points: 0, checked: 0, stale: 0};
            line.points += 1;
            line.checked += point.seen.checked;
            line.stale += point.seen.stale;
            lines.set(key, line);
        }
    return Array.from(lines.values());
}

function drawPublication(column) {
    const lines = publication(column.run.device);
    return lines.length === 0 ? null : [
        h("h3", {id: anchor("publication", column), tabindex: "-1"},
            several ? `What is published: ${label(column)}` : "What is published"),
        table("Stale data in the launch that gave each point its verdict",
            ["scenario", "dialect", "access", "fence", "points", "checked", "stale", "per mille"],
            lines.map(line => h("tr", {}, head(known(line.name)), cell(line.dialect), cell(line.access),
                          cell(line.fence), cell(line.points), cell(line.checked), cell(line.stale),
                          h("td", {class: "number"}, (1000 * line.stale / line.checked).toFixed(1)))))
    ];
}
