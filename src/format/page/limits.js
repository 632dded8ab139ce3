/* How many groups fit: a box for each footprint, and the cliff of the one that was chosen. */

const resident = row => row.barrier.passes_at ?? row.resident;

/* Of a kernel of the user's: what was launched in its place may occupy something else. */
const bounds = {exact: "exact", "at-least": "at least", "at-most": "at most", unlike: "about"};

/* Rows that differ in one value alone make a ladder. */
function ladders(rows) {
    const groups = new Map();
    for (const row of rows) {
        const [title, step] = row.local_memory_bytes === 0 && row.private_bytes === 0 ?
            ["Groups of the whole device, by work-items of a group", plural(row.local_size, "work-item")] :
            row.private_bytes === 0 ?
            [`Local memory of a group of ${plural(row.local_size, "work-item")}`, bytes(row.local_memory_bytes)] :
            row.local_memory_bytes === 0 ?
            [`Private values of each of ${plural(row.local_size, "work-item")}`, `${row.private_bytes} B`] :
            [
                `Private values of each of ${plural(row.local_size, "work-item")} that share ${
                    bytes(row.local_memory_bytes)}`,
                `${row.private_bytes} B`
            ];
        groups.set(title, (groups.get(title) || []).concat({row, step}));
    }
    return Array.from(groups, ([title, steps]) => ({title, steps}));
}

/* A map has a row of boxes for each line, and a box for each column; what was not measured together is left blank. */
function map(title, corner, columns, lines) {
    return {title, corner, columns, lines};
}

function kernelMap(rows) {
    const several = new Set(rows.map(row => row.kernel.source)).size > 1, lines = new Map();
    const sizes = new Set(rows.map(row => row.kernel.group).filter(Boolean));
    const columns = sizes.size > 0 ? [...sizes] : [""];
    for (const row of rows) {
        const file = row.kernel.source.replace(/.*\//, "");
        const name = !row.kernel.name ? file : `${several ? `${file}: ` : ""}${row.kernel.name}`;
        const key = `${row.kernel.source}\n${name}`;
        if (!lines.has(key)) lines.set(key, {head: name, boxes: columns.map(() => null)});
        lines.get(key).boxes[Math.max(0, columns.indexOf(row.kernel.group))] = row; // a file that does not build has none
    }
    return [map("Kernels, by the size of a group", "kernel", columns, [...lines.values()])];
}

/* If all combinations of several values of two axes at least were measured: local memory by work-items; else null. */
function productMaps(rows) {
    const values = of => [...new Set(rows.map(of))].sort((a, b) => a - b);
    const sizes = values(row => row.local_size), memories = values(row => row.local_memory_bytes),
          privates = values(row => row.private_bytes);
    const counts = [sizes.length, memories.length, privates.length];
    if (counts[0] * counts[1] * counts[2] !== rows.length || counts.filter(count => count > 1).length < 2) return null;
    const at = (size, memory, kept) => rows.find(row => row.local_size === size && row.local_memory_bytes === memory &&
                                                     row.private_bytes === kept) ?? null;
    return privates.map(kept => map(kept === 0 ? "No private values" : `Private values of each work-item: ${kept} B`,
                            "local memory", sizes.map(size => plural(size, "work-item")),
                            memories.map(memory => ({
                                             head: bytes(memory),
                                             boxes: sizes.map(size => at(size, memory, kept))
                                         }))));
}

/* What a limiter counts is a unit's, and the number beside it the device's. */
function limiter(row) {
    return !row.limited_by || row.limited_by === "unknown" ? "what limits them is not known" :
                                                             `limited by ${row.limited_by}`;
}

function drawMap(drawn, box) {
    return table(drawn.title, [drawn.corner, ...drawn.columns],
        drawn.lines.map(
            line => h("tr", {}, head(line.head), line.boxes.map(row => h("td", {}, row ? box(row, null) : null)))),
        "map");
}

function drawLadder(ladder, box) {
    return [
        h("h4", {}, ladder.title), h("div", {class: "strip"}, ladder.steps.map(({row, step}) => box(row, step)))
    ];
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
        return [
            bar("bar-pass", x, top + height - pass, step - 32, pass),
            bar("bar-other", x, top + stall, step - 32, point.launches > 0 ? other : 0),
            bar("bar-stall", x, top, step - 32, stall), hatches(x, top, step - 32, stall),
            svg("text", {x: x + (step - 32) / 2, y: top - 8, "text-anchor": "middle"},
                point.stalls > 0 ? `${point.stalls}/${point.launches} stall` :
                                   `${point.passes}/${point.launches} pass`),
            svg("text", {x: x + (step - 32) / 2, y: top + height + 20, "text-anchor": "middle"}, point.groups)
        ];
    });
    const cliff = points.findIndex(point => point.stalls > 0);
    const at = left + cliff * step;
    const said = points
                     .map(point => `${point.groups} groups: ${point.passes} of ${point.launches} launches passed, ` +
                             `${point.stalls} stalled`)
                     .join("; ");
    return svg("svg", {viewBox: `0 0 ${width} 216`, width, height: 216, role: "img", "aria-label": said},
        svg("text", {x: left - 8, y: top + 10, "text-anchor": "end"}, "100 %"),
        svg("text", {x: left - 8, y: top + height, "text-anchor": "end"}, "0 %"),
        svg("line", {class: "axis", x1: left, y1: top + height + 0.5, x2: width, y2: top + height + 0.5}), bars,
        cliff > 0 ? svg("line", {class: "bound", x1: at, y1: 4, x2: at, y2: top + height + 4}) : null,
        svg("text", {x: left, y: 212}, "launches by number of groups; hatched: stalled"));
}

function describeCliff(row) {
    const barrier = row.barrier;
    const which = row.kernel ? "A barrier in front of the kernel" : "A barrier";
    const lines = [barrier.passes_at === null ? `${which} passed with no number of groups that was tried.` :
                                                `${which} over ${barrier.passes_at} groups passed in ${
                                                    barrier.passes} of ${barrier.launches_at_passes_at} launches.`];
    if (barrier.stalls_at !== null)
        lines.push(
            `With ${barrier.stalls_at} groups it stalled in ${barrier.stalls} of ${barrier.launches_at_stalls_at}.`);
    else if (barrier.stalls_at_reason)
        lines.push(`No stall was found: ${barrier.stalls_at_reason}.`);
    if (barrier.stall_rate_bound_95 !== null)
        lines.push(`With 95 % confidence at most ${percent(barrier.stall_rate_bound_95)} of launches stall at ${
            barrier.passes_at}.`);
    return lines.join(" ");
}

function drawFootprint(row) {
    if (!row.measured)
        return [
            h("h4", {}, printFootprint(row)), h("p", {}, `Not measured: ${known(row.not_measured_verdict)}. `, row.note)
        ];
    return [
        h("h4", {}, printFootprint(row)),
        h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "The cliff"},
            row.points.length > 0 ? drawCliff(row) : null),
        h("p", {}, describeCliff(row)),
        row.limited_by ? h("p", {}, `${sentence(limiter(row))}.`) : null,
        row.note ? h("p", {}, row.note) : null
    ];
}

function drawLimits(column) {
    const device = column.limits.device, rows = device.limits;
    const most = Math.max(1, ...rows.map(row => resident(row) || 0));
    const plot = h("div", {"aria-live": "polite"});
    const buttons = new Map();
    /* Below the boxes, or in a map below the row of the box. */
    const show = row => {
        const line = buttons.get(row).closest("tr");
        plot.closest("tr")?.remove();
        if (line)
            line.after(h("tr", {class: "open"}, h("td", {class: "detail", colspan: line.children.length}, plot)));
        plot.replaceChildren(...fill(h("div", {}), {}, drawFootprint(row)).childNodes);
        buttons.forEach((button, other) => button.setAttribute("aria-pressed", String(other === row)));
    };
    const nameOf = row => `${row.kernel ? `${row.kernel.source}: ` : ""}${printFootprint(row)}`;
    openers.set(anchor("limits", column), name => {
        const row = rows.find(other => nameOf(other) === name);
        if (!row) return;
        show(row);
        buttons.get(row).scrollIntoView({block: "center"});
        buttons.get(row).focus();
    });
    const box = (row, step) => {
        const button = h("button",
            {
                type: "button",
                class: `heat ${heat(resident(row), most)}`,
                "aria-label": step === null ? `${printFootprint(row)}: ${known(resident(row))}` : null,
                onclick: () => {
                    show(row);
                    keepLink(linkTo(anchor("limits", column), nameOf(row)));
                }
            },
            step === null ? null : h("span", {}, step),
            h("b", {}, row.measured && resident(row) ? plural(resident(row), "group") : "-"),
            h("span", {},
                !row.measured ? known(row.not_measured_verdict) :
                row.kernel    ? bounds[row.kernel.bound] :
                                limiter(row)));
        buttons.set(row, button);
        return button;
    };
    const maps = rows.some(row => row.kernel) ? kernelMap(rows) : productMaps(rows);
    const boxes = maps ? maps.map(drawn => drawMap(drawn, box)) : ladders(rows).map(ladder => drawLadder(ladder, box));
    if (rows.length > 0) show(rows[device.safe_groups_footprint ?? 0]);
    return [
        heading("limits", column, "How many groups fit"),
        h("p", {class: "screen"},
            rows.some(row => row.kernel) ?
                "Each box: how many groups fit together, and whether that is exact. Click for more." :
                "Each box: how many groups of the whole device pass a barrier together, and what limits them. " +
                    "Click for more."),
        boxes, maps ? null : plot,
        h("details", {}, h("summary", {}, `All ${plural(rows.length, "footprint")} as a table`),
            table("Footprints",
                [
                    "footprint", "resident",
                    ...(rows.some(row => row.kernel) ? ["fit", "do not fit"] : ["passes at", "stalls at"]),
                    "95 % bound", "limited by", "estimators", "note"
                ],
                rows.map(row => h("tr", {}, head(printFootprint(row)), cell(row.resident), cell(row.barrier.passes_at),
                             cell(row.barrier.stalls_at),
                             cell(row.barrier.stall_rate_bound_95 === null ? null :
                                                                             percent(row.barrier.stall_rate_bound_95)),
                             cell(row.limited_by || row.not_measured_verdict),
                             cell(row.measured ? row.estimators_agree ? "agree" : "disagree" : null), cell(row.note)))))
    ];
}
