/* The wait-for graph of a stall: groups that show the same, and the words that they wait for. */

const album = document.querySelector("script[data-pictures]");
const pictureOf = new Map((album ? JSON.parse(album.textContent) : []).map(picture => [picture.number, picture]));

/* Lengths are those of a drawing in its full size, in which text is as large as the page's. */
const LINE = 19, NODE_GAP = 34, LAYER_GAP = 46, MARGIN = 12, LOOP = 36, COLUMNS = 28, SWEEPS = 8;
const ruler = document.createElement("canvas").getContext("2d");

/* Lines of at most so many characters, which end at blanks if there are any. */
function wrap(text) {
    return clean(text.replaceAll("\n", "\u2028")).split("\u2028").flatMap(part => {
        const lines = [];
        for (const word of part.split(" ")) {
            const last = lines[lines.length - 1];
            if (last !== undefined && last.length + 1 + word.length <= COLUMNS)
                lines[lines.length - 1] = `${last} ${word}`;
            else
                lines.push(word);
        }
        return lines;
    });
}

function measure(lines) {
    ruler.font = "16px Helvetica, Arial, sans-serif";
    return Math.max(0, ...lines.map(line => ruler.measureText(line).width));
}

function makeNode({name, state, on_circle: onCircle, label}) {
    const lines = wrap(label), space = state === null ? 1.5 : 1;
    const width = Math.max(70, measure(lines) * (state === null ? 1.25 : 1) + 28), height = space * lines.length * LINE + 18;
    return {name, state, onCircle, lines, width, height, next: [], before: []};
}

/* --- layout: layers from those who wait to those for whom, in which edges between neighbours go down --- */

/* Edges that would lead back, in a search from each node that nobody waits for and then from the others. */
function findBack(nodes) {
    const back = new Set(), state = new Map();
    const visit = node => {
        state.set(node, "open");
        for (const edge of node.next.filter(edge => edge.to !== node))
            if (state.get(edge.to) === "open")
                back.add(edge);
            else if (!state.has(edge.to))
                visit(edge.to);
        state.set(node, "done");
    };
    nodes.filter(node => node.before.length === 0).concat(nodes).forEach(node => state.has(node) || visit(node));
    return back;
}

/* A layer for each step of the longest way. What an edge passes by is a node without a size. */
function makeLayers(nodes, edges) {
    edges = edges.filter(edge => edge.from !== edge.to);
    const back = findBack(nodes), depth = new Map();
    const above = new Map(nodes.map(node => [node, []]));
    for (const edge of edges) above.get(back.has(edge) ? edge.from : edge.to).push(back.has(edge) ? edge.to : edge.from);
    const depthOf = node => {
        if (!depth.has(node)) depth.set(node, Math.max(-1, ...above.get(node).map(depthOf)) + 1);
        return depth.get(node);
    };
    const layers = [];
    const place = (node, at) => (layers[at] = layers[at] || []).push(node);
    nodes.forEach(node => place(node, depthOf(node)));
    for (const edge of edges) {
        const ends = back.has(edge) ? [edge.to, edge.from] : [edge.from, edge.to], way = [ends[0]];
        for (let at = depthOf(ends[0]) + 1; at < depthOf(ends[1]); ++at) {
            const passed = {width: 8, height: 0, links: []};
            place(passed, at);
            way.push(passed);
        }
        way.push(ends[1]);
        for (let i = 1; i < way.length; ++i) {
            (way[i].links = way[i].links || []).push(way[i - 1]);
            (way[i - 1].links = way[i - 1].links || []).push(way[i]);
        }
        edge.way = back.has(edge) ? way.reverse() : way;
    }
    return layers;
}

const middle = numbers => sum(numbers, number => number) / numbers.length;

/* Each node as near to its neighbours as those beside it leave room for. */
function spread(layer) {
    const wanted = layer.map(node => node.links && node.links.length > 0 ? middle(node.links.map(link => link.x)) : node.x);
    const order = layer.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b] || a - b);
    const sorted = order.map(i => layer[i]), aims = order.map(i => wanted[i]);
    const gap = i => (sorted[i - 1].width + sorted[i].width) / 2 + NODE_GAP + (sorted[i - 1].beside || 0);
    sorted.forEach((node, i) => node.x = i === 0 ? aims[0] : Math.max(aims[i], sorted[i - 1].x + gap(i)));
    const shift = middle(sorted.map((node, i) => node.x - aims[i]));
    sorted.forEach(node => node.x -= shift);
    return sorted;
}

function layOut(nodes, edges) {
    const layers = makeLayers(nodes, edges);
    layers.forEach(layer => layer.forEach((node, i) => node.x = i * 200));
    for (let sweep = 0; sweep < SWEEPS; ++sweep) {
        const order = layers.map((_, i) => sweep % 2 === 0 ? i : layers.length - 1 - i);
        order.forEach(i => layers[i] = spread(layers[i]));
    }
    let top = 0;
    layers.forEach(layer => {
        const height = Math.max(...layer.map(node => node.height));
        layer.forEach(node => node.y = top + height / 2);
        const labels = edges.filter(edge => layer.some(node => edge.way.includes(node)));
        top += height + LAYER_GAP + LINE * Math.max(0, ...labels.map(edge => edge.lines.length));
    });
}

/* Nodes that wait in a circle stand in one, in its order. */
function layRound(nodes, edges) {
    const order = [];
    for (let node = nodes[0]; node && !order.includes(node); node = node.next.length > 0 ? node.next[0].to : null)
        order.push(node);
    const around = sum(order, node => Math.hypot(node.width, node.height) + NODE_GAP);
    order.forEach((node, i) => {
        const angle = 2 * Math.PI * i / order.length;
        node.x = Math.sin(angle) * around / (2 * Math.PI);
        node.y = -Math.cos(angle) * around / (2 * Math.PI);
    });
}

/* --- drawing --- */

/* Where a line from the middle of a node leaves it. */
function leave(node, [x, y]) {
    const dx = x - node.x, dy = y - node.y;
    if (node.height === 0 || (dx === 0 && dy === 0)) return [node.x, node.y];
    const [a, b] = [node.width / 2, node.height / 2];
    const share = node.state === null ? 1 / Math.hypot(dx / a, dy / b) : Math.min(a / Math.abs(dx), b / Math.abs(dy));
    return [node.x + share * dx, node.y + share * dy];
}

/* Another edge leads back. */
const hasTwin = ({from, to}) => to.next.some(edge => edge.to === from);

/* The corners of an edge; one that leads back to its own node is beside it. */
function routeOf({way, from, to}) {
    if (from === to) {
        const x = from.x + from.width / 2;
        return [[x, from.y - 12], [x + LOOP, from.y - 12], [x + LOOP, from.y + 12], [x, from.y + 12]];
    }
    const centres = way.map(node => [node.x, node.y]);
    const points = [
        leave(way[0], centres[1]), ...centres.slice(1, -1), leave(way[way.length - 1], centres[centres.length - 2])
    ];
    const aside = hasTwin({from, to}) ? from.y < to.y ? -9 : 9 : 0;
    return points.map(([x, y]) => [x + aside, y]);
}

const rounded = numbers => numbers.map(number => number.toFixed(1)).join(",");

/* Of edges that meet at one end the labels stand near the other one; that of a loop beside it. */
function placeLabel({from, to, lines}, points) {
    if (from === to) return [points[1][0] + measure(lines) / 2 + 6, from.y];
    const fans = [from.next.length > 1, to.before.length > 1];
    const share = hasTwin({from, to}) ? 0.3 : fans[0] === fans[1] ? 0.5 : fans[0] ? 0.66 : 0.34;
    const at = (points.length - 1) * share, i = Math.floor(at);
    return [0, 1].map(axis => points[i][axis] + (at - i) * (points[i + 1][axis] - points[i][axis]));
}

function drawEdge(edge) {
    const {onCircle, lines} = edge, points = routeOf(edge), [before, end] = points.slice(-2);
    const length = Math.hypot(end[0] - before[0], end[1] - before[1]) || 1;
    const [dx, dy] = [(end[0] - before[0]) / length, (end[1] - before[1]) / length];
    const base = [end[0] - 11 * dx, end[1] - 11 * dy], side = [-4.5 * dy, 4.5 * dx];
    const head = [end, [base[0] + side[0], base[1] + side[1]], [base[0] - side[0], base[1] - side[1]]];
    const [x, y] = placeLabel(edge, points), width = measure(lines), height = LINE * lines.length;
    return svg("g", {class: `edge${onCircle ? " circle" : ""}`},
        svg("polyline", {points: [...points.slice(0, -1), base].map(rounded).join(" "), fill: "none"}),
        svg("polygon", {points: head.map(rounded).join(" ")}),
        lines.length > 0 ? svg("rect", {x: x - width / 2, y: y - height / 2, width, height}) : null,
        drawLines(lines, x, y));
}

function drawLines(lines, x, y) {
    return lines.map((line, i) => svg("text",
        {x: x.toFixed(1), y: (y + LINE * (i - (lines.length - 1) / 2) + 5).toFixed(1), "text-anchor": "middle"}, line));
}

/* States differ in shape and line, too. */
function drawShape({state, x, y, width, height}) {
    const left = x - width / 2, top = y - height / 2, cut = 14;
    if (state === null) return svg("ellipse", {cx: x, cy: y, rx: width / 2, ry: height / 2});
    if (state !== "not started")
        return svg("rect", {x: left, y: top, width, height, rx: ["running", "done"].includes(state) ? 10 : 0});
    const corners = [
        [0, cut], [cut, 0], [width - cut, 0], [width, cut], [width, height - cut], [width - cut, height], [cut, height],
        [0, height - cut]
    ];
    return svg("polygon", {points: corners.map(([dx, dy]) => rounded([left + dx, top + dy])).join(" ")});
}

function drawNode(node) {
    const kind = node.state === null ? "word" : `g-${node.state.replace(" ", "-")}`;
    return svg("g", {class: `node ${kind}${node.onCircle ? " circle" : ""}`}, drawShape(node),
        drawLines(node.lines, node.x, node.y));
}

/* What it shows, for those who do not see it. */
function describeWaits(play) {
    return play.classes.map(({groups, says}) => `${groups} ${says}.`);
}

/* A large drawing is shown as a whole, or with text of the usual size, and is scrolled then. */
function drawSize(figure) {
    const toggle = event => event.currentTarget.setAttribute("aria-pressed", String(figure().classList.toggle("full")));
    return h("button", {type: "button", "aria-pressed": "false", class: "screen", onclick: toggle}, "Full size");
}

function drawGraph(explanation, play, {name, command}) {
    const picture = pictureOf.get(explanation.graph);
    if (!picture)
        return h("p", {class: "faint small"}, "The graph was left out to keep this page below 5 MB. ",
            h("code", {}, `${command} --format svg`), " draws it.");
    const nodes = picture.graph.nodes.map(makeNode), byName = new Map(nodes.map(node => [node.name, node]));
    const edges = picture.graph.edges.map(({from, to, on_circle: onCircle, label}) =>
        ({from: byName.get(from), to: byName.get(to), onCircle, lines: label === null ? [] : wrap(label)}));
    for (const edge of edges) {
        edge.from.next.push(edge);
        edge.to.before.push(edge);
        edge.way = [edge.from, edge.to];
        if (edge.from === edge.to) edge.from.beside = LOOP + measure(edge.lines) + MARGIN;
    }
    (picture.graph.is_circle ? layRound : layOut)(nodes, edges);
    const left = Math.min(...nodes.map(node => node.x - node.width / 2)) - MARGIN;
    const right = Math.max(...nodes.map(node => node.x + node.width / 2 + (node.beside || 0))) + MARGIN;
    const top = Math.min(...nodes.map(node => node.y - node.height / 2)) - MARGIN;
    const bottom = Math.max(...nodes.map(node => node.y + node.height / 2)) + MARGIN;
    const id = `graph-${++drawGraph.count}`;
    const figure = h("figure", {class: "graph"},
        h("figcaption", {}, h("h5", {}, picture.graph.title),
            h("p", {class: "faint small"},
                "Boxes are groups that show the same, ellipses words that they wait for, thick lines a circle of waits."),
            drawSize(() => figure)),
        h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Wait-for graph"},
            svg("svg", {
                role: "img",
                "aria-labelledby": id,
                "aria-describedby": `${id}-waits`,
                viewBox: rounded([left, top, right - left, bottom - top]).replaceAll(",", " "),
                preserveAspectRatio: "xMinYMin",
                width: `${(right - left) / 16}rem`
            },
                svg("title", {id}, `Wait-for graph of ${name}`),
                svg("desc", {id: `${id}-waits`}, (play ? describeWaits(play) : []).map(waits => `${clean(waits)} `)),
                edges.map(drawEdge), nodes.map(drawNode))));
    return figure;
}
drawGraph.count = 0;
