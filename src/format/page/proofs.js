/* What was proved of small launches: which promises they need, and how they go wrong without. */

const PROVED = {
    proved: "it ends wherever what it needs is promised, and nothing is wrong with it",
    "not-refuted": "not all was explored; of what was, nothing is wrong with it",
    race: "a data race",
    "wrong-result": "it ends with a wrong result in some schedule",
    wrong: "it may stall on every device",
    fault: "it does what no kernel may",
    none: "it was not explored",
};
const REFUTED = ["race", "wrong-result", "wrong", "fault"];
const DOES = {load: "reads", store: "writes", update: "updates", barrier: "waits"};
const MOST_LANES = 6;

const fromOf = launch => launch.source ?? launch.point ?? "";
const printKernel = ({source, kernel, scenario, point}) =>
    source === null ? [scenario, point].filter(Boolean).join(" ") :
                      [source.replace(/.*\//, ""), kernel].filter(Boolean).join(":");
const printLaunch = launch => `${printKernel(launch)}, ${plural(launch.groups, "group")} of ${launch.local_size}`;
const answerOfLaunch = launch => launch.verdict === "none" ? known(launch.note) :
    launch.fault                                           ? `wrong on every device: ${launch.fault}` :
                                                             launch.needs;
const launchAnchor = (column, launch) => linkTo(anchor("prove", column), launch.id);

function printPlace({object, offset, bytes}) {
    return offset % bytes === 0 ? `${known(object)}[${offset / bytes}]` : `${known(object)} at byte ${offset}`;
}

function printStep(step) {
    if (step.bytes === 0) return "goes round";
    const value = step.before !== step.after ? `${step.before} \u2192 ${step.after}` :
        step.access === "load"               ? step.before :
                                               `stays ${step.before}`;
    return `${DOES[step.access]} ${printPlace(step)}: ${value}`;
}

const doerOf = (step, launch) =>
    launch.local_size === "1" ? `group ${step.group}` : `group ${step.group}, work-item ${step.item}`;
const drawLine = step => step.line ? [" ", h("span", {class: "faint small"}, step.line)] : null;

/* A column for each who takes a step, in time from above; of many, who does it stands in front. */
function drawWay({steps, circle}, launch, caption) {
    const doers = [...new Set(steps.map(step => doerOf(step, launch)))].sort(
        (a, b) => a.localeCompare(b, undefined, {numeric: true}));
    const isWide = doers.length > MOST_LANES, lanes = isWide ? ["who", "what"] : doers, first = steps.length - circle;
    const cellsOf = step => isWide ? [h("td", {}, doerOf(step, launch)), h("td", {}, printStep(step), drawLine(step))] :
                                     lanes.map(lane => lane === doerOf(step, launch) ?
                                             h("td", {class: "moves"}, printStep(step), drawLine(step)) :
                                             h("td", {}));
    const rows = steps.map((step, i) => h("tr", {class: circle > 0 && i >= first ? "again" : null},
                               h("td", {class: "number"}, i + 1), cellsOf(step)));
    if (circle > 0)
        rows.splice(first, 0, h("tr", {class: "again"}, h("td", {colspan: lanes.length + 1},
                                                            h("strong", {}, "and then again and again:"))));
    return table(caption, ["step", ...lanes], rows, "way");
}

function printPromise({model, fairness, places}, launch) {
    const who = model === "unfair" ? "some group gets a turn" : `turns are sure for ${MODELS[model]}`;
    const how = model === "unfair" ? "" : ` (${model}, ${fairness}ly fair)`;
    return `${who}${how}, ${places} of ${plural(launch.groups, "group")} resident`;
}

const drawStalls = launch => launch.stalls.map(stall => [
    h("h5", {}, `It need not end where only this is promised: ${printPromise(stall, launch)}`),
    drawWay(stall, launch, "How it does not end"),
    stall.circle === 0 ? h("p", {}, "And then nobody can go on.") : null
]);

const drawRaces = launch => launch.raced.map(race => [
    h("h5", {}, "Data race: ", [race.first, race.second].map(step => `${doerOf(step, launch)} ${DOES[step.access]} ${
        printPlace(step)}${step.line ? ` at ${step.line}` : ""}`).join(", ")),
    h("p", {}, race.why === "not-atomic" ? "Nothing orders them, and not both are atomic." :
                                           "Nothing orders them, and their scopes do not include each other."),
    race.steps.length > 0 ? drawWay(race, launch, "How they come behind each other") : null
]);

const drawWrong = launch => launch.wrong_end ? [
    h("h5", {}, "It ends with a wrong result", launch.wrong_end.bytes === 0 ? null : `: ${
        printPlace(launch.wrong_end)} is ${launch.wrong_end.is}, and ${launch.wrong_end.right} is right`),
    drawWay(launch.wrong_end, launch, "How it comes to that")
] : null;

function drawEnds({ends, differences: [difference]}) {
    if (ends === 1) return h("p", {}, "It ends with the same memory in every schedule.");
    return difference ? h("p", {}, `It ends with ${ends} different memories: ${printPlace(difference)} is ${
        difference.one} or ${difference.other}.`) : null;
}

function drawLaunch(launch) {
    if (launch.verdict === "none") return [h("p", {}, launch.note)];
    if (!launch.stalls)
        return [h("p", {}, `${sentence(launch.needs)}. How was left out to keep this page below 5 MB.`)];
    return [
        h("p", {}, h("strong", {}, sentence(answerOfLaunch(launch))), "."),
        launch.fault && launch.steps.length > 0 ? drawWay(launch, launch, "How it comes to that") : null,
        drawRaces(launch), drawStalls(launch), drawWrong(launch), drawEnds(launch),
        launch.made_up ? h("p", {class: "faint small"}, `Made up: ${launch.made_up}`) : null
    ];
}

function drawLaunchRow(launch, column, openers) {
    const title = printLaunch(launch), home = anchor("prove", column), isTold = launch.verdict !== "none";
    const button = h("button", {
        type: "button",
        "aria-expanded": "false",
        "aria-label": clean(`Show ${title}`),
        onclick: () => {
            const isOpen = button.getAttribute("aria-expanded") === "true";
            if (isOpen)
                closeDetail(button.closest("table"));
            else
                open();
            keepLink(isOpen ? home : launchAnchor(column, launch));
        }
    },
        "Show");
    const open = () => openDetail(button, {title, home, drawn: drawLaunch(launch)});
    openers.set(launch.id, open);
    const name = known(launch.scenario ?? launch.kernel);
    return h("tr", {class: REFUTED.includes(launch.verdict) ? "bad" : null},
        head(name, h("br", {}), h("span", {class: "faint small"}, fromOf(launch))),
        cell(launch.groups), cell(launch.local_size), h("td", {}, REFUTED.includes(launch.verdict) ?
            h("strong", {}, launch.verdict) : launch.verdict, launch.incomplete ? ", incomplete" : ""),
        h("td", {}, answerOfLaunch(launch)), cell(isTold ? launch.races : null), cell(isTold ? launch.ends : null),
        cell(isTold ? launch.known_states : null), h("td", {}, button));
}

function drawProofs(column) {
    const {launches} = column.prove.device, opens = new Map();
    const of = verdict => launches.filter(launch => launch.verdict === verdict).length;
    openers.set(anchor("prove", column), id => opens.has(id) && opens.get(id)());
    return [
        heading("prove", column, "What was proved"),
        h("p", {}, `${plural(launches.length, "launch").replace("launchs", "launches")}: ${
            Object.entries(PROVED).filter(([verdict]) => of(verdict) > 0).map(
                ([verdict, says]) => `${of(verdict)} ${verdict} (${says})`).join(", ")}.`),
        table("Launches", ["kernel", "groups", "work-items", "verdict", "answer", "races", "ends", "states", "how"],
            launches.map(launch => drawLaunchRow(launch, column, opens)))
    ];
}
