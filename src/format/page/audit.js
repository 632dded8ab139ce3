/* What the driver promises. */

const OUTCOMES = ["broken", "undecided", "exceeded", "silent", "kept", "not-offered"];

function drawAudit(column) {
    const {run, device} = column.audit;
    const rank = promise => OUTCOMES.indexOf(promise.outcome);
    const promises = device.promises.slice().sort((a, b) => rank(a) - rank(b));
    const counts = OUTCOMES.map(outcome => [outcome, promises.filter(promise => promise.outcome === outcome).length])
                       .filter(([, count]) => count > 0)
                       .map(([outcome, count]) => `${count} ${outcome}`)
                       .join(", ");
    const amount = (promise, value) => value === null ? null :
        promise.unit                                  ? `${value} ${promise.unit}` :
                                         value === 1 ? "yes" :
                                         value === 0 ? "no" :
                                                       value;
    return [
        heading("audit", column, "What the driver promises"),
        h("p", {}, `${plural(promises.length, "promise")}: ${counts}.`),
        table("Promises, broken first", ["promise", "outcome", "says", "promised", "measured", "found", "why"],
            promises.map(
                promise => h("tr", {class: promise.outcome === "broken" ? "bad" : null}, head(promise.name),
                    h("td", {}, promise.outcome === "broken" ? h("strong", {}, "broken") : promise.outcome,
                        promise.known ? `, a known ${promise.known}` : "", promise.incomplete ? ", incomplete" : ""),
                    h("td", {}, promise.says, h("br", {}), h("span", {class: "faint small"}, promise.made)),
                    cell(amount(promise, promise.promised)), cell(amount(promise, promise.measured)),
                    h("td", {}, promise.finding, promise.note ? ` ${promise.note}` : "",
                        promise.quoted ? h("pre", {}, promise.quoted) : null),
                    h("td", {},
                        promise.outcome === "broken" ?
                            h("code", {}, `gridlock explain ${quoted(`${run.path}:${promise.name}`)}`) :
                            "-"))),
            "cards")
    ];
}
