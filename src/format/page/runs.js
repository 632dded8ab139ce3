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

function label(column) {
    const units = columns.some(other => other !== column && other.device.name === column.device.name) ?
        `, ${plural(column.device.compute_units || 0, "compute unit")}` :
        "";
    const number = column.device.number ? ` #${column.device.number}` : "";
    return `${known(column.device.name)}${number}${units}`;
}

const anchor = (kind, column) => `${kind}-${columns.indexOf(column) + 1}`;
const link = (kind, column, text) => h("a", {href: `#${anchor(kind, column)}`}, text);
/* Of a step of its stall, if that is given. */
const pointAnchor = (column, point, ...step) => linkTo(anchor("run", column), point.id, ...step);
const missing = command => ["not measured: ", h("code", {}, `gridlock ${command}`)];

/* The machine was busy while trials ran that were in doubt. */
function describeLoad(machine) {
    const load = machine.load_in_doubt;
    const waited = load.pressure_permille === null ?
        "" :
        `, and for ${Math.round(load.pressure_permille / 10)} % of the time some process waited for one`;
    return `The machine was busy: other processes used ${(load.others_permille / 1000).toFixed(1)} of ` +
        `${plural(machine.processors, "processor")}${waited}, while ${plural(machine.trials_in_doubt, "trial")} ran that ` +
        "came out in doubt: undecided, not ended in time, or run again.";
}

/* The heading of a device in a part of the page, where there are several. */
function heading(kind, column, title) {
    const path = column[kind].run.path;
    return [
        h("h3", {id: anchor(kind, column), tabindex: "-1"}, several ? `${title}: ${label(column)}` : title),
        h("p", {class: "faint small"}, "from ", h("code", {}, path)),
        column[kind].device.wedged ? h("p", {}, h("strong", {}, "The device stopped working in this run.")) : null,
        column[kind].device.machine && column[kind].device.machine.busy_in_doubt ?
            h("p", {}, describeLoad(column[kind].device.machine)) :
            null,
        column[kind].run.data.complete === false ? h("p", {}, "This run did not come to its end.") : null
    ];
}

/* `rows` gives [key, what to show] of a device. What differs from the first device is marked. */
function compare(kind, caption, rows) {
    const compared = columns.filter(column => column[kind]);
    if (compared.length < 2) return null;
    const maps = compared.map(column => new Map(rows(column[kind].device)));
    const keys = new Set(maps.flatMap(map => Array.from(map.keys())));
    let changes = 0;
    const lines = Array.from(keys, key => h("tr", {}, head(key), maps.map(map => {
        const changed = map.get(key) !== maps[0].get(key);
        changes += changed ? 1 : 0;
        return h("td", {class: changed ? "changed" : null}, changed ? "\u2260 " : "", known(map.get(key)));
    })));
    return h("details", {open: true}, h("summary", {}, `Side by side: ${plural(changes, "difference")}`),
        table(`${caption}; \u2260 marks what differs from the first column`, ["what"].concat(compared.map(label)),
            lines));
}
