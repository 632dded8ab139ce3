/* Whose turns they were in a launch on a model device, one after the other. */

const endOf = ({cut, at}) => cut ? `is cut${at === null ? "" : ` at ${at}`}` : "goes on as long as it can";
const tellTurn = turn => `group ${turn.group}, item ${turn.item}: ${plural(turn.steps, "step")}, and ${endOf(turn)}`;

function tellCounts({turns, cuts, cuts_before: before, first}) {
    const shortened = before === null ? "" : ` (${before} before the schedule was shortened)`;
    return `Of ${plural(turns, "turn")} ${cuts} ended where the work-item could have gone on${shortened}.` +
        (first > 0 ? ` The last ${turns - first} are shown.` : "");
}

/* Nothing, where no schedule was kept. */
function drawSchedule(schedule) {
    if (schedule === null) return [];
    const {told, first} = schedule;
    const says = h("p", {role: "status", class: "says"});
    const rows = told.map((turn, i) => h("tr", {}, head(String(first + i + 1)), cell(turn.group), cell(turn.item),
        cell(turn.steps), cell(turn.cut ? endOf(turn) : "")));
    let at = 0;

    function go(turn) {
        rows[at].classList.remove("chosen");
        at = Math.max(0, Math.min(told.length - 1, turn));
        rows[at].classList.add("chosen");
        rows[at].scrollIntoView({block: "nearest"});
        says.textContent = clean(`Turn ${first + at + 1}: ${tellTurn(told[at])}.`);
    }
    function toCut(step) {
        let turn = at + step;
        while (turn in told && !told[turn].cut) turn += step;
        if (turn in told) go(turn);
    }
    const button = (name, act) => h("button", {type: "button", onclick: act}, name);
    const toLast = () => go(told.length - 1);
    const keys = {ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(0), End: toLast};
    const press = event => {
        if (!(event.key in keys) || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        keys[event.key]();
    };
    const player = h("div", {class: "player", role: "group", "aria-label": "Turn by turn"},
        h("h5", {}, "Who had the next turn"), h("p", {class: "faint small"}, tellCounts(schedule)),
        h("div", {class: "controls", onkeydown: press}, button("First", () => go(0)), button("Back", () => go(at - 1)),
            button("Next", () => go(at + 1)), button("Last", toLast), button("Cut before", () => toCut(-1)),
            button("Next cut", () => toCut(1))),
        says, table("Turns", ["turn", "group", "item", "steps", "end"], rows, "turns"));
    if (told.length > 0) go(0);
    return [player];
}
