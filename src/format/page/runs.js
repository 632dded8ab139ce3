/* The runs that the page carries; devices as columns, and side by side. */

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
        if (!before || (explanation.surprise && !before.surprise)) found.set(key, explanation);
    }
    return found;
}

/* A column is a device, with at most one run of each kind. */
const columns = [];
for (const run of runs)
    for (const [number, device] of run.data.devices.entries()) {
        const key =
            JSON.stringify([device.platform, device.name, device.driver_version, device.compute_units, device.number]);
        let column = columns.find(other => other.key === key && !(run.of in other));
        if (!column) {
            column = {key, device};
            columns.push(column);
        }
        column[run.of] = {run, device, number};
    }
const several = columns.length > 1;

/* The name, and what tells it from other devices of this name: at last the file, of two runs of one kind. */
const TELLING = [
    ({device}) => device.number ? `#${device.number}` : "",
    ({device}) => `driver ${known(device.driver_version)}`,
    ({device}) => plural(device.compute_units || 0, "compute unit"),
    ({device}) => known(device.platform),
];
const kindsOf = column => Object.keys(column).filter(kind => column[kind].run);
const fileOf = column => kindsOf(column).map(kind => column[kind].run.path.replace(/.*\//, "")).join(", ");

function label(column) {
    const namesakes = columns.filter(other => other.device.name === column.device.name);
    const telling = TELLING.filter(tell => namesakes.some(other => tell(other) !== tell(column)));
    const isSame = other => other !== column && telling.every(tell => tell(other) === tell(column));
    return [known(column.device.name), ...telling.concat(namesakes.some(isSame) ? fileOf : []).map(tell => tell(column))]
        .filter(Boolean).join(", ");
}

const anchor = (kind, column) => `${kind}-${columns.indexOf(column) + 1}`;
const link = (kind, column, text) => h("a", {href: `#${anchor(kind, column)}`}, text);
/* Of a step of its stall, if that is given. */
const pointAnchor = (column, point, ...step) => linkTo(anchor("run", column), point.id, ...step);
const missing = command => ["not measured: ", h("code", {}, `gridlock ${command}`)];

/* The heading of a device in a part of the page, where there are several. */
function heading(kind, column, title) {
    const path = column[kind].run.path;
    return [
        h("h3", {id: anchor(kind, column), tabindex: "-1"}, several ? `${title}: ${label(column)}` : title),
        h("p", {class: "faint small"}, "from ", h("code", {}, path)),
        column[kind].device.wedged ? h("p", {}, h("strong", {}, "The device stopped working in this run.")) : null,
        column[kind].device.machine && column[kind].device.machine.remark ?
            h("p", {}, `${sentence(column[kind].device.machine.remark)}.`) :
            null,
        column[kind].run.data.complete === false ? h("p", {}, "This run did not come to its end.") : null
    ];
}

/* Of what is compared: what it shows, and what of it matters. */
const said = (shows, matters = shows) => ({shows, matters});

/*
 * `rows` gives [key, said] of a device. What matters and differs from the first device that says something of it is
 * marked, and goes first; then what differs otherwise.
 */
function compare(kind, caption, rows) {
    const compared = columns.filter(column => column[kind]);
    if (compared.length < 2) return null;
    const maps = compared.map(column => new Map(rows(column[kind].device)));
    const lines = Array.from(new Set(maps.flatMap(map => Array.from(map.keys()))), key => {
        const values = maps.map(map => map.get(key)), first = values.find(Boolean);
        const changed = values.map(value => Boolean(value) && value.matters !== first.matters);
        const others = values.filter(value => value && value.shows !== first.shows).length;
        return {key, values, changed, rank: changed.includes(true) ? 2 : others > 0 ? 1 : 0};
    });
    const count = rank => lines.filter(line => line.rank === rank).length;
    const cellOf = ({values, changed}, i) => h("td", {class: changed[i] ? "changed" : null}, changed[i] ? "\u2260 " : "",
        values[i] ? values[i].shows : "-");
    return h("details", {open: true},
        h("summary", {}, `Side by side: ${count(2)} of ${lines.length} differ` +
            (count(1) > 0 ? `, and ${count(1)} by count alone` : "")),
        table(`${caption}; \u2260 marks what differs from the first column`, ["what"].concat(compared.map(label)),
            lines.sort((a, b) => b.rank - a.rank)
                .map(line => h("tr", {}, head(line.key), compared.map((_, i) => cellOf(line, i))))));
}
