/* Elements, and how values are printed. Texts from files become text nodes only, never markup. */

const MOST_CHARACTERS = 400;
const MOST_POINTS = 100;

/* Control characters and those that change the direction of text are shown as '?'. */
function clean(value) {
    const text = String(
        value).slice(0, MOST_CHARACTERS + 1)
                     .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "?");
    return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}... (${String(value).length} characters)` :
                                           text;
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
    if (className && className.startsWith("cards"))
        rows.forEach(
            row => Array.from(row.children).forEach((item, i) => item.setAttribute("data-head", clean(heads[i]))));
    return h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
        h("table", {class: className || null}, h("caption", {}, caption),
            h("thead", {}, h("tr", {}, heads.map(head => h("th", {scope: "col"}, head)))), h("tbody", {}, rows)));
}

const known = value => value === null || value === undefined ? "-" : value;
const cell = value => h("td", {class: typeof value === "number" ? "number" : null}, known(value));
const head = (...children) => h("th", {scope: "row"}, ...children);
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
const sentence = text => text[0].toUpperCase() + text.slice(1);
const sum = (list, of) => list.reduce((total, item) => total + of(item), 0);
const percent = share => `${(100 * share).toPrecision(3)} %`;

function bytes(count) {
    return count >= 1024 && count % 512 === 0 ? `${count / 1024} KiB` : `${count} B`;
}

function quoted(word) {
    return /^[\w.\/:=,+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const LETTERS = {
    pass: "P",
    stale: "O",
    wrong: "W",
    starved: "S",
    deadlock: "D",
    stalled: "T",
    livelock: "L",
    cut: "U",
    hang: "H",
    crash: "C",
    "device-lost": "X",
    "build-failed": "B",
    error: "E",
    wedged: "G",
    inconclusive: "?",
    incomplete: "...",
    unsupported: "-",
    "not-run": "N",
};
const NAMED = ["pass", "starved", "stalled", "deadlock", "livelock", "stale", "wrong"];
const NOTHING = ["unsupported", "incomplete", "inconclusive", "not-run"];

/* A verdict of a launch that ran to no good end. */
const isFailure = point => point.verdict !== "pass" && !NOTHING.includes(point.verdict);
const letter = verdict => LETTERS[verdict] || verdict.slice(0, 2).toUpperCase();
const color = verdict => NAMED.includes(verdict) ? `v-${verdict}` : NOTHING.includes(verdict) ? "v-none" : "v-bad";
const mark = verdict => h("span", {class: `mark ${color(verdict)}`, "aria-hidden": "true"}, letter(verdict));
