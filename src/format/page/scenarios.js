/* Verdicts: scenarios by the number of groups, and the points of a cell. */

/* Columns of the matrix: groups as multiples of the resident limit. */
const BINS = [
    ["1 group", (groups, limit) => groups === 1],
    ["\u2264 \u00bd\u00d7", (groups, limit) => limit && 2 * groups <= limit],
    ["< 1\u00d7", (groups, limit) => limit && groups < limit],
    ["1\u00d7", (groups, limit) => limit && groups === limit],
    ["1\u00d7 + 1", (groups, limit) => limit && groups === limit + 1],
    ["\u2264 2\u00d7", (groups, limit) => limit && groups <= 2 * limit],
    ["\u2264 4\u00d7", (groups, limit) => limit && groups <= 4 * limit],
    ["> 4\u00d7", (groups, limit) => limit],
    ["no limit", () => true],
];
const bin = point => BINS.findIndex(([, belongs]) => belongs(point.groups, point.resident));

/* The point that speaks for a cell: a surprise, or else one that failed. */
const weight = point => (point.surprise ? 4 : 0) +
    (point.verdict === "pass"               ? 0 :
            NOTHING.includes(point.verdict) ? 1 :
                                              2);
const worst = points => points.reduce((a, b) => weight(b) > weight(a) ? b : a);

const SEEN = [
    ["started", "started"], ["waiting", "waiting"], ["done", "ended"], ["never_started", "first that never started"],
    ["circle_at", "in a circle of waits"], ["cause", "cause"], ["checked", "checked"], ["stale", "stale"],
    ["wrong", "wrong"], ["differing", "differing results"]
];

function describeSeen(point) {
    const seen = point.seen || {};
    return SEEN.filter(([key]) => seen[key] !== null && seen[key] !== undefined && (seen[key] !== 0 || key === "done"))
        .map(([key, name]) => `${name}: ${seen[key]}`)
        .join(", ");
}

function drawExplanation(point, {run, number}) {
    const command = `gridlock explain ${quoted(`${run.path}:${point.id}`)}`;
    const found = run.explanations.get(`${number} ${point.id}`);
    if (!found) return h("p", {}, "Why: ", h("code", {}, command));
    const text = h("pre", {});
    text.textContent = found.says;
    const drawn = h("div", {});
    return h("details",
        {ontoggle: () => drawn.childElementCount === 0 && fill(drawn, {}, drawStall(found, point, command))},
        h("summary", {}, "Why, and how to repeat it"), text, h("p", {class: "faint small"}, "by ", h("code", {}, command)),
        drawn);
}

function drawPoint(point, of) {
    const counts = Object.entries(point.verdicts || {}).map(([name, count]) => `${count} ${name}`).join(", ");
    const expected = (point.expected || []).join(" or ");
    const allowed = (point.allowed || []).join(" or ");
    const failed = point.verdict !== "pass" && !NOTHING.includes(point.verdict);
    return h("div", {class: "point"},
        h("p", {}, mark(point.verdict), " ", h("strong", {}, point.verdict), ", ", h("code", {}, point.id),
            point.surprise ? h("strong", {}, " - a surprise") : "", point.known ? ` - a known ${point.known}` : ""),
        h("p", {},
            `${plural(point.groups, "group")} of ${plural(point.local_size, "work-item")}; ` +
                (point.resident ? `${point.resident} are resident at once; ` : "") +
                (expected ? `expected ${expected}; ` : "not predicted; ") + (allowed ? `allowed ${allowed}; ` : "") +
                (counts ? `launches: ${counts}` : "details were left out")),
        point.handover_ps ? h("p", {}, `A hand-over from group to group takes ${(point.handover_ps / 1e3).toFixed(1)} ns.`) :
                            null,
        describeSeen(point) ? h("p", {class: "faint"}, describeSeen(point)) : null,
        point.note ? h("p", {}, point.note) : null, failed ? drawExplanation(point, of) : null);
}

/* The first points, and a button for the others. */
function drawPoints(points, of) {
    const list = h("div", {}, points.slice(0, MOST_POINTS).map(point => drawPoint(point, of)));
    if (points.length > MOST_POINTS)
        list.append(h("button", {
            type: "button",
            onclick: event => {
                event.target.replaceWith(...points.slice(MOST_POINTS).map(point => drawPoint(point, of)));
            }
        },
            `Show ${points.length - MOST_POINTS} more`));
    return list;
}

const ORDERS = {
    "surprises first": (a, b) => b.scenario.surprises - a.scenario.surprises || a.at - b.at,
    "by name": (a, b) => known(a.scenario.name).localeCompare(known(b.scenario.name)),
    "slowest first": (a, b) => b.scenario.duration_ns - a.scenario.duration_ns,
    "as run": (a, b) => a.at - b.at,
};

function cellsOf(scenario, at) {
    const cells = BINS.map(() => []);
    scenario.points.forEach(point => cells[bin(point)].push(point));
    return {scenario, cells, at, verdicts: new Set(scenario.points.map(point => point.verdict))};
}

function closeDetail(table) {
    const open = table.querySelector("tr.open");
    if (open) open.remove();
    table.querySelectorAll("[aria-expanded=true]").forEach(button => button.setAttribute("aria-expanded", "false"));
}

function toggleDetail(button, title, points, of, span) {
    const table = button.closest("table"), was = button.getAttribute("aria-expanded") === "true";
    closeDetail(table);
    if (was) return;
    const close = () => {
        closeDetail(table);
        button.focus();
    };
    const caption = h("h4", {tabindex: "-1"}, title);
    button.closest("tr").after(h("tr", {class: "open", onkeydown: event => event.key === "Escape" && close()},
        h("td", {class: "detail", colspan: span},
            h("div", {}, caption, h("button", {type: "button", onclick: close}, "Close"), drawPoints(points, of)))));
    button.setAttribute("aria-expanded", "true");
    caption.focus();
}

function drawRow(row, used, wanted, of) {
    const name = known(row.scenario.name);
    return h("tr", {class: row.scenario.surprises > 0 ? "bad" : null}, head(name), used.map(i => {
        const points = row.cells[i];
        if (points.length === 0) return h("td", {});
        const first = worst(wanted ? points.filter(point => point.verdict === wanted).concat(points) : points);
        const shown = wanted && points.some(point => point.verdict === wanted) ? wanted : first.verdict;
        const surprises = points.filter(point => point.surprise).length;
        const title = `${name}, ${BINS[i][0]}: ${plural(points.length, "point")}, ${shown}` +
            (surprises > 0 ? `, ${plural(surprises, "surprise")}` : "");
        const button = h("button", {
            type: "button",
            "aria-expanded": "false",
            "aria-label": clean(title),
            title: clean(title),
            class: `cell ${wanted && shown !== wanted ? "faded" : color(shown)}${surprises > 0 ? " surprise" : ""}`,
            onclick: event => toggleDetail(event.currentTarget, title, points, of, used.length + 1)
        },
            letter(shown), surprises > 0 ? "!" : "");
        return h("td", {}, button);
    }));
}

function drawScenarios(column) {
    const {device} = column.run;
    const rows = device.scenarios.map(cellsOf), points = pointsOf(device);
    const used = BINS.map((_, i) => i).filter(i => rows.some(row => row.cells[i].length > 0));
    const verdicts = Array.from(new Set(points.map(point => point.verdict)));
    const body = h("tbody", {}), count = h("p", {role: "status", class: "faint small"});
    const text = h("input", {type: "search", oninput: draw});
    const verdict = h("select", {onchange: draw}, h("option", {value: ""}, "all"),
        verdicts.map(name => h("option", {value: name}, name)));
    const order = h("select", {onchange: draw}, Object.keys(ORDERS).map(name => h("option", {value: name}, name)));

    function draw() {
        const wanted = text.value.toLowerCase();
        const shown =
            rows.filter(row => (known(row.scenario.name).toLowerCase().includes(wanted) ||
                                   row.scenario.points.some(point => point.id.toLowerCase().includes(wanted))) &&
                    (verdict.value === "" || row.verdicts.has(verdict.value)));
        shown.sort(ORDERS[order.value]);
        body.replaceChildren(...shown.map(row => drawRow(row, used, verdict.value, column.run)));
        count.textContent = `${shown.length} of ${plural(rows.length, "scenario")} shown`;
    }

    draw();
    return [
        heading("run", column, "Verdicts"),
        h("p", {},
            `${plural(points.length, "point")} of ${plural(rows.length, "scenario")}, ${device.launches} launches: ` +
                `${plural(sum(device.scenarios, scenario => scenario.surprises), "surprise")}.`),
        h("ul", {class: "legend"}, verdicts.map(name => h("li", {}, mark(name), ` ${name}`)),
            h("li", {}, h("span", {class: "mark"}, "!"), " a surprise")),
        h("div", {class: "controls"}, h("label", {}, "Scenario or point", text), h("label", {}, "Verdict", verdict),
            h("label", {}, "Order", order)),
        count,
        h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Verdicts"},
            h("table", {class: "matrix"},
                h("caption", {},
                    "Scenarios by the number of groups, in multiples of the resident limit; a click shows the points"),
                h("thead", {},
                    h("tr", {}, h("th", {scope: "col"}, "scenario"),
                        used.map(i => h("th", {scope: "col"}, BINS[i][0])))),
                body))
    ];
}
