/* What the driver promises. */

const OUTCOMES = ["broken", "undecided", "exceeded", "silent", "kept", "not-offered"];
const MEANINGS = {
    undecided: "it could not be measured",
    exceeded: "the device does more",
    silent: "nobody promises it, but it was measured",
    "not-offered": "the device has no such feature",
};
const printOutcome = (name, count) => `${count} ${name}${name in MEANINGS ? ` (${MEANINGS[name]})` : ""}`;

/* What the driver or the system said beside what was found, as the report for terminals tells it. */
function tellNote({note, outcome}) {
    if (!note) return "";
    const lead = outcome === "kept" || outcome === "exceeded" ? "More than that" : "What failed";
    return ` ${lead}: ${note}${note.endsWith(".") ? "" : "."}`;
}

function drawPromise(promise, run) {
    const amount = value => value === null ? null :
        promise.unit                       ? `${value} ${promise.unit}` :
                                  value === 1 ? "yes" :
                                  value === 0 ? "no" :
                                                value;
    return h("tr", {class: promise.outcome === "broken" ? "bad" : null, tabindex: "-1"}, head(promise.name),
        h("td", {}, promise.outcome === "broken" ? h("strong", {}, "broken") : promise.outcome,
            promise.known ? `, a known ${promise.known}` : "", promise.incomplete ? ", incomplete" : ""),
        h("td", {}, promise.says, h("br", {}), h("span", {class: "faint small"}, promise.made)),
        cell(amount(promise.promised)), cell(amount(promise.measured)),
        h("td", {}, promise.finding, tellNote(promise),
            promise.quoted ? h("pre", {}, promise.quoted) : null),
        h("td", {},
            promise.outcome !== "broken" ? "-" :
                                           h("code", {}, `gridlock explain ${quoted(`${run.path}:${promise.name}`)}`)));
}

/* At first those of the first outcome that there is: nobody reads a hundred that are kept. */
function drawAudit(column) {
    const {run, device} = column.audit, {promises} = device;
    const of = outcome => promises.filter(promise => promise.outcome === outcome);
    const used = OUTCOMES.filter(outcome => of(outcome).length > 0);
    const outcome = h("select", {onchange: draw},
        used.map(name => h("option", {value: name}, `${name}: ${of(name).length}`)),
        h("option", {value: ""}, `all: ${promises.length}`));
    const text = h("input", {type: "search", oninput: draw}), shown = h("div", {});

    function draw() {
        const wanted = text.value.toLowerCase();
        const rows = used.flatMap(of).filter(promise => (outcome.value === "" || promise.outcome === outcome.value) &&
            `${promise.name} ${promise.says} ${promise.made} ${promise.finding}`.toLowerCase().includes(wanted));
        shown.replaceChildren(h("p", {role: "status", class: "faint small"},
            `${rows.length} of ${plural(promises.length, "promise")} shown`),
            table("Promises", ["promise", "outcome", "says", "promised", "measured", "found", "why"],
                rows.map(promise => drawPromise(promise, run)), "cards"));
    }

    openers.set(anchor("audit", column), name => {
        const promise = promises.find(other => other.name === name);
        if (!promise) return;
        outcome.value = promise.outcome;
        text.value = "";
        draw();
        const row = shown.querySelectorAll("tbody tr")[of(promise.outcome).indexOf(promise)];
        row.scrollIntoView({block: "center"});
        row.focus();
    });
    draw();
    return [
        heading("audit", column, "What the driver promises"),
        h("p", {},
            `${plural(promises.length, "promise")}: ` +
                `${used.map(name => printOutcome(name, of(name).length)).join(", ")}.`),
        h("div", {class: "controls"}, h("label", {}, "Outcome", outcome), h("label", {}, "Promise", text)), shown
    ];
}
