/* How many groups fit: a box for each footprint, and the cliff of the one that was chosen. */

const resident = row => row.barrier.passes_at ?? row.resident;

/* Of a kernel of the user's: what was launched in its place may occupy something else. */
const bounds = {exact: "exact", "at-least": "at least", "at-most": "at most", unlike: "about"};

/* Rows that differ in one value alone make a ladder. */
function ladders(rows) {
    const groups = new Map();
    for (const row of rows) {
        const [title, step] = row.kernel ?
            [`Kernel ${row.kernel.name}`, row.kernel.group] :
            row.local_memory_bytes === 0 && row.private_bytes === 0 ?
            ["Work-items of a group", row.local_size] :
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
    return groups;
}

/* The values of each axis, if all their combinations were measured, and of two axes at least there are several; else null. */
function axesOf(rows) {
    const values = of => [...new Set(rows.map(of))].sort((a, b) => a - b);
    const axes = {
        sizes: values(row => row.local_size),
        memories: values(row => row.local_memory_bytes),
        privates: values(row => row.private_bytes)
    };
    const counts = Object.values(axes).map(axis => axis.length);
    const whole = counts[0] * counts[1] * counts[2] === rows.length;
    return whole && counts.filter(count => count > 1).length > 1 && !rows.some(row => row.kernel) ? axes : null;
}

/* A map for each amount of private values: local memory by work-items of a group. */
function drawMaps(rows, axes, box) {
    const at = (size, memory, values) => rows.find(row => row.local_size === size && row.local_memory_bytes === memory &&
                                                       row.private_bytes === values);
    return axes.privates.map(values => table(
        values === 0 ? "No private values" : `Private values of each work-item: ${values} B`,
        ["local memory", ...axes.sizes.map(size => plural(size, "work-item"))],
        axes.memories.map(memory => h("tr", {}, head(bytes(memory)),
                              axes.sizes.map(size => h("td", {}, box(at(size, memory, values), null))))),
        "map"));
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
    const lines = [barrier.passes_at === null ? "A barrier passed with no number of groups that was tried." :
                                                `A barrier over ${barrier.passes_at} groups passed in ${
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
        row.limited_by ?
            h("p", {},
                row.limited_by === "unknown" ? "What limits them is not known." : `Limited by: ${row.limited_by}.`) :
                                               null,
        row.note ? h("p", {}, row.note) : null
    ];
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
    const box = (row, step) => {
        const button = h("button",
            {
                type: "button",
                class: `heat ${heat(resident(row), most)}`,
                "aria-label": step === null ? `${printFootprint(row)}: ${known(resident(row))}` : null,
                onclick: () => show(row)
            },
            step === null ? null : h("span", {}, step), h("b", {}, row.measured ? known(resident(row)) : "-"),
            h("span", {},
                !row.measured ? known(row.not_measured_verdict) :
                row.kernel    ? bounds[row.kernel.bound] :
                                (row.limited_by || "unknown").replace(/^unknown$/, "limiter unknown")));
        buttons.set(row, button);
        return button;
    };
    const axes = axesOf(rows);
    const boxes = axes ? drawMaps(rows, axes, box) :
                         Array.from(ladders(rows), ([title, steps]) => [
                             h("h4", {}, title),
                             h("div", {class: "strip"}, steps.map(({row, step}) => box(row, step)))
                         ]);
    if (rows.length > 0) show(rows[device.safe_groups_footprint ?? 0]);
    return [
        heading("limits", column, "How many groups fit"),
        h("p", {class: "screen"},
            rows.some(row => row.kernel) ?
                "Each box: the size of a group, how many groups pass a barrier, and whether that is exact. Click for more." :
                "Each box: what a group occupies, how many groups pass a barrier, and what limits them. Click for more."),
        boxes, plot,
        h("details", {}, h("summary", {}, `All ${plural(rows.length, "footprint")} as a table`),
            table("Footprints",
                ["footprint", "resident", "passes at", "stalls at", "95 % bound", "limited by", "estimators", "note"],
                rows.map(row => h("tr", {}, head(printFootprint(row)), cell(row.resident), cell(row.barrier.passes_at),
                             cell(row.barrier.stalls_at),
                             cell(row.barrier.stall_rate_bound_95 === null ? null :
                                                                             percent(row.barrier.stall_rate_bound_95)),
                             cell(row.limited_by || row.not_measured_verdict),
                             cell(row.measured ? row.estimators_agree ? "agree" : "disagree" : null), cell(row.note)))))
    ];
}
