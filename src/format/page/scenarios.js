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

/* What is behind a launch that failed: first how it came about, then the same in words. */
function drawExplanation(point, column, chosen) {
    const {run, number} = column.run;
    const command = `gridlock explain ${quoted(`${run.path}:${point.id}`)}`;
    const found = run.explanations.get(`${number} ${point.id}`);
    if (!found) return h("p", {}, "Why: ", h("code", {}, command));
    const text = h("pre", {}), drawn = h("div", {});
    text.textContent = found.says;
    const at = {point, command, step: chosen.step, keep: step => keepLink(pointAnchor(column, point, step))};
    return h("details",
        {
            open: chosen.point === point,
            ontoggle: () => drawn.childElementCount === 0 && fill(drawn, {}, drawStall(found, at))
        },
        h("summary", {}, "Why, and how to repeat it"), drawn, text,
        h("p", {class: "faint small"}, "by ", h("code", {}, command)));
}

function drawPoint(point, column, chosen) {
    const counts = Object.entries(point.verdicts || {}).map(([name, count]) => `${count} ${name}`).join(", ");
    const expected = (point.expected || []).join(" or ");
    const allowed = (point.allowed || []).join(" or ");
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
        point.note ? h("p", {}, point.note) : null, isFailure(point) ? drawExplanation(point, column, chosen) : null);
}

/* The first points, and a button for the others; the one that was chosen goes before them. */
function drawPoints(points, column, chosen) {
    const sorted = [chosen.point, ...points.filter(point => point !== chosen.point)];
    const draw = point => drawPoint(point, column, chosen);
    const list = h("div", {}, sorted.slice(0, MOST_POINTS).map(draw));
    if (sorted.length > MOST_POINTS)
        list.append(h("button",
            {type: "button", onclick: event => event.target.replaceWith(...sorted.slice(MOST_POINTS).map(draw))},
            `Show ${sorted.length - MOST_POINTS} more`));
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

/* Below the row of its button; `home` is the address of what it is part of. */
function openDetail(button, {title, home, drawn}) {
    const table = button.closest("table");
    const close = () => {
        closeDetail(table);
        keepLink(home);
        button.focus();
    };
    const caption = h("h4", {tabindex: "-1"}, title);
    closeDetail(table);
    button.closest("tr").after(h("tr", {class: "open", onkeydown: event => event.key === "Escape" && close()},
        h("td", {class: "detail", colspan: button.closest("tr").children.length},
            h("div", {}, caption, h("button", {type: "button", onclick: close}, "Close"), drawn))));
    button.setAttribute("aria-expanded", "true");
    caption.focus();
}

function drawCell(row, i, wanted, column) {
    const name = known(row.scenario.name), points = row.cells[i];
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
        onclick: () => {
            const isOpen = button.getAttribute("aria-expanded") === "true";
            const chosen = points.find(point => point.verdict === shown && point.surprise === first.surprise) || first;
            if (isOpen)
                closeDetail(button.closest("table"));
            else
                row.openers[i]({point: chosen, step: null});
            keepLink(isOpen ? anchor("run", column) : pointAnchor(column, chosen));
        }
    },
        letter(shown), surprises > 0 ? "!" : "");
    /* `chosen` is the point that comes first, and a step of its stall, if one was asked for. */
    row.openers[i] = chosen =>
        openDetail(button, {title, home: anchor("run", column), drawn: drawPoints(points, column, chosen)});
    return h("td", {}, button);
}

function drawRow(row, used, wanted, column) {
    row.openers = [];
    return h("tr", {class: row.scenario.surprises > 0 ? "bad" : null}, head(known(row.scenario.name)),
        used.map(i => row.cells[i].length === 0 ? h("td", {}) : drawCell(row, i, wanted, column)));
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
        body.replaceChildren(...shown.map(row => drawRow(row, used, verdict.value, column)));
        count.textContent = `${shown.length} of ${plural(rows.length, "scenario")} shown`;
    }

    /* A point, by its id. */
    function open(id, step) {
        const row = rows.find(other => other.scenario.points.some(point => point.id === id));
        if (!row) return;
        const point = row.scenario.points.find(other => other.id === id);
        text.value = verdict.value = "";
        draw();
        row.openers[bin(point)]({point, step: step === undefined ? null : Math.trunc(Number(step)) || 1});
    }

    openers.set(anchor("run", column), open);
    draw();
    return h("div", {}, [
        heading("run", column, "Verdicts"),
        h("p", {},
            `${plural(points.length, "point")} of ${plural(rows.length, "scenario")}, ${device.launches} launches: ` +
                `${plural(sum(device.scenarios, scenario => scenario.surprises), "surprise")}. A point is a scenario ` +
                "with certain options and one number of groups."),
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
    ]);
}
