/* The wait-for graph of a stall, as Graphviz drew it. */

const album = document.querySelector("script[data-pictures]");
const {pictures, no_graph: noGraph} = album ? JSON.parse(album.textContent) : {pictures: [], no_graph: null};
const pictureOf = new Map(pictures.map(picture => [picture.number, picture]));

/* What a drawing may consist of; of all else only the children are taken. Its titles are names for Graphviz alone. */
const DRAWN = {
    g: ["class", "transform"],
    polygon: ["points", "fill", "stroke", "stroke-width", "stroke-dasharray"],
    polyline: ["points", "fill", "stroke", "stroke-width", "stroke-dasharray"],
    path: ["d", "fill", "stroke", "stroke-width", "stroke-dasharray"],
    ellipse: ["cx", "cy", "rx", "ry", "fill", "stroke", "stroke-width", "stroke-dasharray"],
    text: ["x", "y", "text-anchor"],
};

function redraw(node) {
    const names = Object.hasOwn(DRAWN, node.localName) ? DRAWN[node.localName] : null;
    const isGround = node.localName === "polygon" && node.parentNode.getAttribute("class") === "graph";
    if (node.localName === "title" || isGround) return [];
    if (node.localName === "text") return svg("text", attributesOf(node, names), node.textContent);
    const children = Array.from(node.children, redraw);
    return names ? svg(node.localName, attributesOf(node, names), children) : children;
}

function attributesOf(node, names) {
    return Object.fromEntries(names.map(name => [name, node.getAttribute(name)]));
}

/* What it shows, for those who do not see it. */
function describeWaits(play) {
    return play.classes.map(({groups, says}) => `${groups} ${says}.`);
}

/* Lengths of Graphviz are points; so many of them are as wide as a letter of the page. */
const POINTS_A_LETTER = 17;

/* The drawing, and its size; nothing, if it is none. */
function readDrawing(text) {
    const element = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    const box = (element.getAttribute("viewBox") || "").split(" ").map(Number);
    return box.length === 4 && box.every(Number.isFinite) ? {element, box} : null;
}

function whyNotDrawn(picture) {
    if (picture) return "Graphviz's drawing cannot be read. ";
    return noGraph ? `No graph was drawn: ${noGraph} where this page was made. ` :
                     "The graph was left out to keep this page below 5 MB. ";
}

/* A large drawing is shown as a whole, or with text of the usual size, and is scrolled then. */
function drawSize(figure) {
    const toggle = event => event.currentTarget.setAttribute("aria-pressed", String(figure().classList.toggle("full")));
    return h("button", {type: "button", "aria-pressed": "false", class: "screen", onclick: toggle}, "Full size");
}

function drawGraph(explanation, play, {name, command}) {
    const picture = pictureOf.get(explanation.graph);
    const drawing = picture ? readDrawing(picture.graph) : null;
    if (!drawing)
        return h("p", {class: "faint small"}, whyNotDrawn(picture), h("code", {}, `${command} --format svg`), " draws it.");
    const id = `graph-${++drawGraph.count}`;
    const figure = h("figure", {class: "graph"},
        h("figcaption", {}, h("h5", {}, "Who waits for whom"),
            h("p", {class: "faint small"},
                "Boxes are groups that show the same, ellipses words that they wait for, thick lines a circle of waits."),
            drawSize(() => figure)),
        h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Wait-for graph"},
            svg("svg", {
                role: "img",
                "aria-labelledby": id,
                "aria-describedby": `${id}-waits`,
                viewBox: drawing.box.join(" "),
                preserveAspectRatio: "xMinYMin",
                width: `${drawing.box[2] / POINTS_A_LETTER}rem`
            },
                svg("title", {id}, `Wait-for graph of ${name}`),
                svg("desc", {id: `${id}-waits`}, (play ? describeWaits(play) : []).map(waits => `${clean(waits)} `)),
                redraw(drawing.element))));
    return figure;
}
drawGraph.count = 0;
