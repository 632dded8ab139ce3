"use strict";
/* Draws the page from the JSON of its runs. Texts from files become text nodes only, never markup. */
(() => {

const MOST_CHARACTERS = 400;
const MOST_POINTS = 100;

/* --- elements --- */

/* Control characters and those that change the direction of text are shown as '?'. */
function clean(value) {
    const text = String(value).slice(0, MOST_CHARACTERS + 1)
        .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "?");
    return text.length > MOST_CHARACTERS
        ? `${text.slice(0, MOST_CHARACTERS)}... (${String(value).length} characters)` : text;
}

function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (name.startsWith("on"))
            node.addEventListener(name.slice(2), value);
        else if (value !== null && value !== false)
            node.setAttribute(name, value === true ? "" : value);
    }
    for (const child of children.flat(Infinity))
        if (child !== null && child !== undefined && child !== "")
            node.append(child instanceof Node ? child : clean(child));
    return node;
}

const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

/* On a narrow screen the rows of `cards` stand below each other, each cell with its heading. */
function table(caption, heads, rows, className) {
    if (className === "cards")
        rows.forEach(row => Array.from(row.children).forEach((item, i) => item.setAttribute("data-head", clean(heads[i]))));
    return h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
        h("table", {class: className || null}, h("caption", {}, caption),
            h("thead", {}, h("tr", {}, heads.map(head => h("th", {scope: "col"}, head)))),
            h("tbody", {}, rows)));
}

const known = value => value === null || value === undefined ? "-" : value;
const cell = value => h("td", {class: typeof value === "number" ? "number" : null}, known(value));
const head = (...children) => h("th", {scope: "row"}, ...children);
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
const sum = (list, of) => list.reduce((total, item) => total + of(item), 0);
const percent = share => `${(100 * share).toPrecision(3)} %`;

function bytes(count) {
    return count >= 1024 && count % 512 === 0 ? `${count / 1024} KiB` : `${count} B`;
}

function quoted(word) {
    return /^[\w.\/:=,+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/* --- verdicts --- */

const LETTERS = {
    pass: "P", stale: "O", wrong: "W", starved: "S", deadlock: "D", stalled: "T", livelock: "L", cut: "U", hang: "H", crash: "C",
    "device-lost": "X", "build-failed": "B", error: "E", wedged: "G", inconclusive: "?", incomplete: "...", unsupported: "-",
    "not-run": "N",
};
const NAMED = ["pass", "starved", "stalled", "deadlock", "livelock", "stale", "wrong"];
const NOTHING = ["unsupported", "incomplete", "inconclusive", "not-run"];

const letter = verdict => LETTERS[verdict] || verdict.slice(0, 2).toUpperCase();
const color = verdict => NAMED.includes(verdict) ? `v-${verdict}` : NOTHING.includes(verdict) ? "v-none" : "v-bad";
const mark = verdict => h("span", {class: `mark ${color(verdict)}`, "aria-hidden": "true"}, letter(verdict));

/* --- runs and devices --- */

const runs = Array.from(document.querySelectorAll("script[data-run]"), element => ({
    path: element.dataset.run,
    of: element.dataset.of,
    leftOut: element.dataset.leftOut,
    data: JSON.parse(element.textContent),
    explanations: readExplanations(element.nextElementSibling),
}));

/* By the device and the name of the point: that of its first batch that surprised, or else failed. */
function readExplanations(element) {
    const found = new Map();
    for (const explanation of element && "explains" in element.dataset ? JSON.parse(element.textContent) : []) {
        const key = `${explanation.device} ${explanation.trial.replace(/#\d+$/, "")}`;
        const before = found.get(key);
        if (!before || (explanation.surprise && !before.surprise))
            found.set(key, explanation);
    }
    return found;
}

/* A column is a device, with at most one run of each kind. */
const columns = [];
for (const run of runs)
    for (const [number, device] of run.data.devices.entries()) {
        const key = JSON.stringify([device.platform, device.name, device.driver_version, device.compute_units, device.number]);
        let column = columns.find(other => other.key === key && !(run.of in other));
        if (!column) {
            column = {key, device};
            columns.push(column);
        }
        column[run.of] = {run, device, number};
    }
const several = columns.length > 1;

function label(column) {
    const units = columns.some(other => other !== column && other.device.name === column.device.name)
        ? `, ${plural(column.device.compute_units || 0, "compute unit")}` : "";
    const number = column.device.number ? ` #${column.device.number}` : "";
    return `${known(column.device.name)}${number}${units}`;
}

const anchor = (kind, column) => `${kind}-${columns.indexOf(column) + 1}`;
const link = (kind, column, text) => h("a", {href: `#${anchor(kind, column)}`}, text);
const missing = command => ["not measured: ", h("code", {}, `gridlock ${command}`)];

/* The heading of a device in a part of the page, where there are several. */
function heading(kind, column, title) {
    const path = column[kind].run.path;
    return [h("h3", {id: anchor(kind, column), tabindex: "-1"}, several ? `${title}: ${label(column)}` : title),
        h("p", {class: "faint small"}, "from ", h("code", {}, path)),
        column[kind].device.wedged ? h("p", {}, h("strong", {}, "The device stopped working in this run.")) : null,
        column[kind].run.data.complete === false ? h("p", {}, "This run did not come to its end.") : null];
}

/* --- the four answers --- */

function printFootprint(row) {
    if (row.kernel)
        return `${row.kernel.name} in groups of ${row.kernel.group}`;
    return plural(row.local_size, "work-item") +
        (row.local_memory_bytes > 0 ? `, ${bytes(row.local_memory_bytes)} of local memory` : "") +
        (row.private_bytes > 0 ? `, ${row.private_bytes} B of private values each` : "");
}

function answerLimits(column) {
    if (!column.limits)
        return missing("limits");
    const device = column.limits.device;
    if (device.safe_groups === null)
        return link("limits", column, `No number of groups is safe: ${device.safe_groups_reason}.`);
    if (device.limits.some(row => row.kernel))
        return link("limits", column, "Of each kernel as many groups may wait for each other as pass a barrier: " +
            device.limits.map(row => `${known(resident(row))} of ${printFootprint(row)}`).join("; ") + ".");
    const least = printFootprint(device.limits[device.safe_groups_footprint]);
    return link("limits", column, `${plural(device.safe_groups, "group")} may wait for each other ${device.safe_groups_reason}` +
        (device.limits.length === 1 ? ` (${least}).`
            : `, with any of the ${device.limits.length} footprints; fewest fit with ${least}.`));
}

function answerProgress(column) {
    if (!column.progress)
        return missing("progress");
    const device = column.progress.device;
    const broken = device.models.filter(model => model.broken).length;
    return link("progress", column, device.strongest === null ? "No litmus test was run."
        : `The strongest model of progress that no test broke: ${device.strongest}; ` +
          `${broken} of ${device.models.length} are broken, by ${plural(device.stalled_tests, "stalled test")} of ${device.tests}.`);
}

const pointsOf = device => device.scenarios.flatMap(scenario => scenario.points);
const checks = point => Boolean(point.seen && point.seen.checked > 0);

function answerPublication(column) {
    if (!column.run)
        return missing("run");
    const points = pointsOf(column.run.device).filter(checks);
    if (points.length === 0)
        return missing("run publish_fence publish_access");
    const stale = points.filter(point => point.verdict === "stale");
    return link(publication(column.run.device).length > 0 ? "publication" : "run", column,
        `${stale.length} of ${plural(points.length, "point")} that check what groups publish read stale data, ` +
        `${stale.filter(point => point.surprise).length || "none"} of them as a surprise.`);
}

function answerAudit(column) {
    if (!column.audit)
        return missing("audit");
    const promises = column.audit.device.promises;
    const broken = promises.filter(promise => promise.outcome === "broken");
    const names = broken.slice(0, 5).map(promise => promise.name).join(", ");
    return link("audit", column, broken.length === 0 ? `None of ${plural(promises.length, "promise")} is broken.`
        : `${broken.length} of ${plural(promises.length, "promise")} ${broken.length === 1 ? "is" : "are"} broken: ` +
          `${names}${broken.length > 5 ? " ..." : ""}.`);
}

function drawTop() {
    const questions = [["How many groups?", answerLimits], ["Who may wait for whom?", answerProgress],
        ["What is published?", answerPublication], ["Which promises are broken?", answerAudit]];
    const title = columns.length === 0 ? "A run without devices" : columns.map(label).slice(0, 4).join(" | ");
    document.title = `${clean(title)} - gridlock`;
    return [h("h1", {}, title),
        columns.map(column => h("p", {class: "faint"}, several ? `${label(column)}: ` : "",
            `${known(column.device.platform)}, driver ${known(column.device.driver_version)}, ${known(column.device.kind)}, ` +
            `${plural(column.device.compute_units || 0, "compute unit")}`)),
        runs.filter(run => run.leftOut !== "nothing").map(run => h("p", {}, "To keep this page below 5 MB, " +
            `${run.leftOut === "details" ? "the details of " : ""}points that came out as expected were left out. All is in `, h("code", {}, `gridlock report ${quoted(run.path)} --format json`), ".")),
        table("The four answers", ["question"].concat(columns.map(label)), questions.map(([question, answer]) =>
            h("tr", {}, head(question), columns.map(column => h("td", {}, answer(column))))), "cards")];
}

/* --- devices side by side --- */

/* `rows` gives [key, what to show] of a device. What differs from the first device is marked. */
function compare(kind, caption, rows) {
    const compared = columns.filter(column => column[kind]);
    if (compared.length < 2)
        return null;
    const maps = compared.map(column => new Map(rows(column[kind].device)));
    const keys = new Set(maps.flatMap(map => Array.from(map.keys())));
    let changes = 0;
    const lines = Array.from(keys, key => h("tr", {}, head(key), maps.map(map => {
        const changed = map.get(key) !== maps[0].get(key);
        changes += changed ? 1 : 0;
        return h("td", {class: changed ? "changed" : null}, changed ? "\u2260 " : "", known(map.get(key)));
    })));
    return h("details", {open: true}, h("summary", {}, `Side by side: ${plural(changes, "difference")}`),
        table(`${caption}; \u2260 marks what differs from the first column`, ["what"].concat(compared.map(label)), lines));
}

/* --- limits --- */

const resident = row => row.barrier.passes_at ?? row.resident;

/* Rows that differ in one value alone make a ladder. */
function ladders(rows) {
    const groups = new Map();
    for (const row of rows) {
        const [title, step] = row.kernel ? [`Kernel ${row.kernel.name}`, row.kernel.group]
            : row.local_memory_bytes === 0 && row.private_bytes === 0
            ? ["Work-items of a group", row.local_size]
            : row.private_bytes === 0
            ? [`Local memory of a group of ${plural(row.local_size, "work-item")}`, bytes(row.local_memory_bytes)]
            : row.local_memory_bytes === 0
            ? [`Private values of each of ${plural(row.local_size, "work-item")}`, `${row.private_bytes} B`]
            : [`Private values of each of ${plural(row.local_size, "work-item")} that share ${bytes(row.local_memory_bytes)}`,
               `${row.private_bytes} B`];
        groups.set(title, (groups.get(title) || []).concat({row, step}));
    }
    return groups;
}

/* A step of the colour scale is a halving. */
function heat(value, most) {
    return value ? `heat-${Math.max(0, 4 - Math.floor(Math.log2(most / value)))}` : "heat-0";
}

function bar(className, x, y, width, height) {
    return height > 0 ? svg("rect", {class: className, x, y, width, height}) : null;
}

/* Lines that tell a stall without colours. */
function hatches(x, y, width, height) {
    const lines = [];
    for (let at = y + 10; at < y + height; at += 10)
        lines.push(svg("line", {class: "hatch", x1: x, y1: at, x2: x + width, y2: at}));
    return lines;
}

/* One bar for each number of groups: the shares of launches that passed, stalled, or did neither. */
function drawCliff(row) {
    const points = row.points.slice().sort((a, b) => a.groups - b.groups);
    const step = 92, left = 52, top = 26, height = 150;
    const width = left + step * Math.max(points.length, 1) + 10;
    const bars = points.map((point, i) => {
        const x = left + i * step + 16, share = count => height * count / Math.max(point.launches, 1);
        const pass = share(point.passes), stall = share(point.stalls), other = height - pass - stall;
        return [bar("bar-pass", x, top + height - pass, step - 32, pass),
            bar("bar-other", x, top + stall, step - 32, point.launches > 0 ? other : 0),
            bar("bar-stall", x, top, step - 32, stall), hatches(x, top, step - 32, stall),
            svg("text", {x: x + (step - 32) / 2, y: top - 8, "text-anchor": "middle"},
                point.stalls > 0 ? `${point.stalls}/${point.launches} stall` : `${point.passes}/${point.launches} pass`),
            svg("text", {x: x + (step - 32) / 2, y: top + height + 20, "text-anchor": "middle"}, point.groups)];
    });
    const cliff = points.findIndex(point => point.stalls > 0);
    const at = left + cliff * step;
    const said = points.map(point => `${point.groups} groups: ${point.passes} of ${point.launches} launches passed, ` +
        `${point.stalls} stalled`).join("; ");
    return svg("svg", {viewBox: `0 0 ${width} 216`, width, height: 216, role: "img", "aria-label": said},
        svg("text", {x: left - 8, y: top + 10, "text-anchor": "end"}, "100 %"),
        svg("text", {x: left - 8, y: top + height, "text-anchor": "end"}, "0 %"),
        svg("line", {class: "axis", x1: left, y1: top + height + 0.5, x2: width, y2: top + height + 0.5}),
        bars, cliff > 0 ? svg("line", {class: "bound", x1: at, y1: 4, x2: at, y2: top + height + 4}) : null,
        svg("text", {x: left, y: 212}, "launches by number of groups; hatched: stalled"));
}

function describeCliff(row) {
    const barrier = row.barrier;
    const lines = [barrier.passes_at === null ? "A barrier passed with no number of groups that was tried."
        : `A barrier over ${barrier.passes_at} groups passed in ${barrier.passes} of ${barrier.launches_at_passes_at} launches.`];
    if (barrier.stalls_at !== null)
        lines.push(`With ${barrier.stalls_at} groups it stalled in ${barrier.stalls} of ${barrier.launches_at_stalls_at}.`);
    else if (barrier.stalls_at_reason)
        lines.push(`No stall was found: ${barrier.stalls_at_reason}.`);
    if (barrier.stall_rate_bound_95 !== null)
        lines.push(`With 95 % confidence at most ${percent(barrier.stall_rate_bound_95)} of launches stall at ${barrier.passes_at}.`);
    return lines.join(" ");
}

function drawFootprint(row) {
    if (!row.measured)
        return [h("h4", {}, printFootprint(row)), h("p", {}, `Not measured: ${known(row.not_measured_verdict)}. `, row.note)];
    return [h("h4", {}, printFootprint(row)), h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "The cliff"},
        row.points.length > 0 ? drawCliff(row) : null), h("p", {}, describeCliff(row)),
        row.limited_by ? h("p", {}, row.limited_by === "unknown" ? "What limits them is not known." : `Limited by: ${row.limited_by}.`) : null, row.note ? h("p", {}, row.note) : null];
}

function drawLimits(column) {
    const device = column.limits.device, rows = device.limits;
    const most = Math.max(1, ...rows.map(row => resident(row) || 0));
    const plot = h("div", {"aria-live": "polite"});
    const buttons = new Map();
    const show = row => {
        plot.replaceChildren(...fill(h("div", {}), {}, drawFootprint(row)).childNodes);
        buttons.forEach((button, other) => button.setAttribute("aria-pressed", String(other === row)));
    };
    const strips = Array.from(ladders(rows), ([title, steps]) => [h("h4", {}, title), h("div", {class: "strip"},
        steps.map(({row, step}) => {
            const button = h("button", {type: "button", class: `heat ${heat(resident(row), most)}`, onclick: () => show(row)},
                h("span", {}, step), h("b", {}, row.measured ? known(resident(row)) : "-"),
                h("span", {}, row.measured ? (row.limited_by || "unknown").replace(/^unknown$/, "limiter unknown") : known(row.not_measured_verdict)));
            buttons.set(row, button);
            return button;
        }))]);
    if (rows.length > 0)
        show(rows[device.safe_groups_footprint ?? 0]);
    return [heading("limits", column, "How many groups fit"),
        h("p", {class: "screen"}, "Each box: what a group occupies, how many groups pass a barrier, and what limits them. A click shows where it breaks off."),
        strips, plot,
        h("details", {}, h("summary", {}, `All ${plural(rows.length, "footprint")} as a table`),
            table("Footprints", ["footprint", "resident", "passes at", "stalls at", "95 % bound", "limited by", "estimators", "note"],
                rows.map(row => h("tr", {}, head(printFootprint(row)), cell(row.resident), cell(row.barrier.passes_at),
                    cell(row.barrier.stalls_at), cell(row.barrier.stall_rate_bound_95 === null ? null : percent(row.barrier.stall_rate_bound_95)),
                    cell(row.limited_by || row.not_measured_verdict), cell(row.measured ? row.estimators_agree ? "agree" : "disagree" : null),
                    cell(row.note)))))];
}

/* --- scenarios --- */

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
const weight = point => (point.surprise ? 4 : 0) + (point.verdict === "pass" ? 0 : NOTHING.includes(point.verdict) ? 1 : 2);
const worst = points => points.reduce((a, b) => weight(b) > weight(a) ? b : a);

const SEEN = [["started", "started"], ["waiting", "waiting"], ["done", "ended"], ["never_started", "first that never started"],
    ["circle_at", "in a circle of waits"], ["cause", "cause"], ["checked", "checked"], ["stale", "stale"], ["wrong", "wrong"],
    ["differing", "differing results"]];

function describeSeen(point) {
    const seen = point.seen || {};
    return SEEN.filter(([key]) => seen[key] !== null && seen[key] !== undefined && (seen[key] !== 0 || key === "done"))
        .map(([key, name]) => `${name}: ${seen[key]}`).join(", ");
}

function drawExplanation(point, {run, number}) {
    const command = `gridlock explain ${quoted(`${run.path}:${point.id}`)}`;
    const found = run.explanations.get(`${number} ${point.id}`);
    if (!found)
        return h("p", {}, "Why: ", h("code", {}, command));
    const text = h("pre", {});
    text.textContent = found.says;
    return h("details", {}, h("summary", {}, "Why, and how to repeat it"), text, h("p", {class: "faint small"}, "by ", h("code", {}, command)));
}

function drawPoint(point, of) {
    const counts = Object.entries(point.verdicts || {}).map(([name, count]) => `${count} ${name}`).join(", ");
    const expected = (point.expected || []).join(" or ");
    const failed = point.verdict !== "pass" && !NOTHING.includes(point.verdict);
    return h("div", {class: "point"},
        h("p", {}, mark(point.verdict), " ", h("strong", {}, point.verdict), ", ", h("code", {}, point.id),
            point.surprise ? h("strong", {}, " - a surprise") : "", point.known ? ` - a known ${point.known}` : ""),
        h("p", {}, `${plural(point.groups, "group")} of ${plural(point.local_size, "work-item")}; ` +
            (point.resident ? `${point.resident} are resident at once; ` : "") +
            (expected ? `expected ${expected}; ` : "nothing was expected; ") +
            (counts ? `launches: ${counts}` : "details were left out")),
        describeSeen(point) ? h("p", {class: "faint"}, describeSeen(point)) : null,
        point.note ? h("p", {}, point.note) : null,
        failed ? drawExplanation(point, of) : null);
}

/* The first points, and a button for the others. */
function drawPoints(points, of) {
    const list = h("div", {}, points.slice(0, MOST_POINTS).map(point => drawPoint(point, of)));
    if (points.length > MOST_POINTS)
        list.append(h("button", {type: "button", onclick: event => {
            event.target.replaceWith(...points.slice(MOST_POINTS).map(point => drawPoint(point, of)));
        }}, `Show ${points.length - MOST_POINTS} more`));
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
    if (open)
        open.remove();
    table.querySelectorAll("[aria-expanded=true]").forEach(button => button.setAttribute("aria-expanded", "false"));
}

function toggleDetail(button, title, points, of, span) {
    const table = button.closest("table"), was = button.getAttribute("aria-expanded") === "true";
    closeDetail(table);
    if (was)
        return;
    const close = () => { closeDetail(table); button.focus(); };
    const caption = h("h4", {tabindex: "-1"}, title);
    button.closest("tr").after(h("tr", {class: "open", onkeydown: event => event.key === "Escape" && close()},
        h("td", {class: "detail", colspan: span}, h("div", {}, caption,
            h("button", {type: "button", onclick: close}, "Close"), drawPoints(points, of)))));
    button.setAttribute("aria-expanded", "true");
    caption.focus();
}

function drawRow(row, used, wanted, of) {
    const name = known(row.scenario.name);
    return h("tr", {class: row.scenario.surprises > 0 ? "bad" : null}, head(name), used.map(i => {
        const points = row.cells[i];
        if (points.length === 0)
            return h("td", {});
        const first = worst(wanted ? points.filter(point => point.verdict === wanted).concat(points) : points);
        const shown = wanted && points.some(point => point.verdict === wanted) ? wanted : first.verdict;
        const surprises = points.filter(point => point.surprise).length;
        const title = `${name}, ${BINS[i][0]}: ${plural(points.length, "point")}, ${shown}` +
            (surprises > 0 ? `, ${plural(surprises, "surprise")}` : "");
        const button = h("button", {type: "button", "aria-expanded": "false", "aria-label": clean(title), title: clean(title),
            class: `cell ${wanted && shown !== wanted ? "faded" : color(shown)}${surprises > 0 ? " surprise" : ""}`,
            onclick: event => toggleDetail(event.currentTarget, title, points, of, used.length + 1)},
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
    const verdict = h("select", {onchange: draw}, h("option", {value: ""}, "all"), verdicts.map(name => h("option", {value: name}, name)));
    const order = h("select", {onchange: draw}, Object.keys(ORDERS).map(name => h("option", {value: name}, name)));

    function draw() {
        const wanted = text.value.toLowerCase();
        const shown = rows.filter(row => (known(row.scenario.name).toLowerCase().includes(wanted) ||
            row.scenario.points.some(point => point.id.toLowerCase().includes(wanted))) &&
            (verdict.value === "" || row.verdicts.has(verdict.value)));
        shown.sort(ORDERS[order.value]);
        body.replaceChildren(...shown.map(row => drawRow(row, used, verdict.value, column.run)));
        count.textContent = `${shown.length} of ${plural(rows.length, "scenario")} shown`;
    }

    draw();
    return [heading("run", column, "Verdicts"),
        h("p", {}, `${plural(points.length, "point")} of ${plural(rows.length, "scenario")}, ${device.launches} launches: ` +
            `${plural(sum(device.scenarios, scenario => scenario.surprises), "surprise")}.`),
        h("ul", {class: "legend"}, verdicts.map(name => h("li", {}, mark(name), ` ${name}`)), h("li", {}, h("span", {class: "mark"}, "!"), " a surprise")),
        h("div", {class: "controls"}, h("label", {}, "Scenario or point", text), h("label", {}, "Verdict", verdict), h("label", {}, "Order", order)),
        count,
        h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Verdicts"}, h("table", {class: "matrix"},
            h("caption", {}, "Scenarios by the number of groups, in multiples of the resident limit; a click shows the points"),
            h("thead", {}, h("tr", {}, h("th", {scope: "col"}, "scenario"), used.map(i => h("th", {scope: "col"}, BINS[i][0])))), body))];
}

/* --- publication --- */

const option = (point, name) => (point.id.match(new RegExp(`[/,]${name}=([^,/]*)`)) || [])[1];

/* By scenario, dialect, access and fence: how much of what was checked was stale. */
function publication(device) {
    const lines = new Map();
    for (const scenario of device.scenarios)
        for (const point of scenario.points) {
            const access = option(point, "access"), fence = option(point, "fence");
            if (!checks(point) || (access === undefined && fence === undefined))
                continue;
            const dialect = point.id.split("/")[1];
            const key = JSON.stringify([scenario.name, dialect, access, fence]);
            const line = lines.get(key) || {name: scenario.name, dialect, access, fence, points: 0, checked: 0, stale: 0};
            line.points += 1;
            line.checked += point.seen.checked;
            line.stale += point.seen.stale;
            lines.set(key, line);
        }
    return Array.from(lines.values());
}

function drawPublication(column) {
    const lines = publication(column.run.device);
    return lines.length === 0 ? null : [h("h3", {id: anchor("publication", column), tabindex: "-1"}, several ? `What is published: ${label(column)}` : "What is published"),
        table("Stale data in the launch that gave each point its verdict", ["scenario", "dialect", "access", "fence", "points", "checked", "stale", "per mille"],
            lines.map(line => h("tr", {}, head(known(line.name)), cell(line.dialect), cell(line.access), cell(line.fence), cell(line.points),
                cell(line.checked), cell(line.stale), h("td", {class: "number"}, (1000 * line.stale / line.checked).toFixed(1)))))];
}

/* --- progress --- */

/* A litmus test as a listing; an instruction is location,check,exchange,jump. */
function listing(program) {
    return program.split("|").map((thread, number) => {
        const code = thread.split(";");
        const lines = code.map((text, at) => {
            const [location, check, exchange, jump] = text.split(",");
            const name = "xy"[location] || "?", writes = exchange !== "-";
            if (writes && Number(jump) === at + 1 && check === "0")
                return `    L${at}: ${name} = ${exchange};`;
            const condition = writes ? `exchange(${name}, ${exchange})` : name;
            return `    L${at}: if (${condition} == ${check}) ${Number(jump) < code.length ? `goto L${jump}` : "return"};`;
        });
        return `thread ${number} {\n${lines.join("\n")}\n}`;
    }).join("\n");
}

function drawBreaker(names, by) {
    const state = by.state;
    const lengths = by.program.split("|").map(thread => thread.split(";").length);
    const threads = state.threads.map((at, i) => at === null ? `thread ${i} never started`
        : at >= lengths[i] ? `thread ${i} is at its end` : `thread ${i} is at L${at}`).join(", ");
    const code = h("pre", {});
    code.textContent = listing(by.program).slice(0, 10000);
    return [h("h4", {}, `Broken: ${names.join(", ")}`), code,
        h("p", {}, `Mapping ${by.mapping}: ${by.stalled} of ${by.launches} launches stalled. ` +
            `${state.started} of ${state.groups} groups had started, and ${state.ended} had ended. ` +
            `In instance ${state.instance} x=${state.memory[0]} y=${state.memory[1]}; ${threads}.`)];
}

function drawProgress(column) {
    const device = column.progress.device, breakers = new Map();
    for (const model of device.models.filter(model => model.broken_by)) {
        const key = JSON.stringify(model.broken_by);
        breakers.set(key, (breakers.get(key) || []).concat(`${model.model} (${model.fairness})`));
    }
    const standing = model => model.broken ? "broken" : model.guaranteed === 0 ? "not tested" : "not broken";
    return [heading("progress", column, "Who may wait for whom"),
        h("p", {}, `${plural(device.tests, "test")}, ${device.launches} launches of up to ${device.most_groups} groups: ` +
            `${plural(device.stalled_tests, "test")} stalled, in ${device.stalled_launches} launches; ${device.undecided_launches} undecided.`),
        table("Models of progress", ["model", "fairness", "outcome", "tests it guarantees", "ended", "stalled", "undecided", "states it does not allow", "doubtful"],
            device.models.map(model => h("tr", {class: model.broken ? "bad" : null}, head(model.model), cell(model.fairness),
                h("td", {}, model.broken ? h("strong", {}, "broken") : standing(model), model.strongest ? ", the strongest" : ""),
                [model.guaranteed, model.ended, model.stalled, model.undecided, model.states, model.doubtful].map(cell)))),
        Array.from(breakers, ([key, names]) => drawBreaker(names, JSON.parse(key))),
        h("p", {}, "More: ", h("code", {}, `gridlock explain ${quoted(column.progress.run.path)}`))];
}

/* --- audit --- */

const OUTCOMES = ["broken", "undecided", "exceeded", "silent", "kept", "not-offered"];

function drawAudit(column) {
    const {run, device} = column.audit;
    const rank = promise => OUTCOMES.indexOf(promise.outcome);
    const promises = device.promises.slice().sort((a, b) => rank(a) - rank(b));
    const counts = OUTCOMES.map(outcome => [outcome, promises.filter(promise => promise.outcome === outcome).length])
        .filter(([, count]) => count > 0).map(([outcome, count]) => `${count} ${outcome}`).join(", ");
    const amount = (promise, value) => value === null ? null : promise.unit ? `${value} ${promise.unit}` : value === 1 ? "yes" : value === 0 ? "no" : value;
    return [heading("audit", column, "What the driver promises"),
        h("p", {}, `${plural(promises.length, "promise")}: ${counts}.`),
        table("Promises, broken first", ["promise", "outcome", "says", "promised", "measured", "found", "why"],
            promises.map(promise => h("tr", {class: promise.outcome === "broken" ? "bad" : null}, head(promise.name),
                h("td", {}, promise.outcome === "broken" ? h("strong", {}, "broken") : promise.outcome, promise.known ? `, a known ${promise.known}` : "",
                    promise.incomplete ? ", incomplete" : ""),
                h("td", {}, promise.says, h("br", {}), h("span", {class: "faint small"}, promise.made)),
                cell(amount(promise, promise.promised)), cell(amount(promise, promise.measured)),
                h("td", {}, promise.finding, promise.note ? ` ${promise.note}` : "", promise.quoted ? h("pre", {}, promise.quoted) : null),
                h("td", {}, promise.outcome === "broken" ? h("code", {}, `gridlock explain ${quoted(`${run.path}:${promise.name}`)}`) : "-"))), "cards")];
}

/* --- the page --- */

function part(kind, title, draw, comparison) {
    const here = columns.filter(column => column[kind]);
    return here.length === 0 ? null : h("section", {}, h("h2", {}, title), comparison, here.map(draw));
}

const page = document.getElementById("page");
fill(page, {}, [drawTop(),
    part("limits", "Limits", drawLimits, compare("limits", "Groups that pass a barrier",
        device => device.limits.map(row => [printFootprint(row), row.measured ? resident(row) : row.not_measured_verdict]))),
    part("run", "Scenarios", column => [drawScenarios(column), drawPublication(column)], compare("run", "Safe groups, and what came above",
        device => device.scenarios.map(row => [known(row.name), `${known(row.safe_groups)}, ` +
            (row.unsafe_verdict === null ? "no failure" : `${row.unsafe_verdict} at ${row.unsafe_groups}`) + (row.surprises > 0 ? `, ${plural(row.surprises, "surprise")}` : "")]))),
    part("progress", "Progress", drawProgress, compare("progress", "Models of progress",
        device => device.models.map(model => [`${model.model} (${model.fairness})`, model.broken ? "broken" : "not broken"]))),
    part("audit", "Audit", drawAudit, compare("audit", "Promises",
        device => device.promises.map(promise => [promise.name, promise.outcome])))]);
})();
