/* What was proved of small launches: which promises they need, and how they go wrong without. */

const PROVED = {
    proved: "it ends wherever what it needs is promised, and nothing is wrong with it",
    "not-refuted": "not all was explored, and of what was, nothing is wrong with it; or what is may be so for what is made up",
    race: "a data race",
    "wrong-result": "it ends with a wrong result in some schedule",
    wrong: "it may stall on every device",
    fault: "it does what no kernel may",
    none: "it was not explored",
};
const UNORDERED = {
    "not-atomic": "Nothing orders them, and not both are atomic.",
    "not-inclusive": "Nothing orders them, and their scopes do not include each other.",
    "not-far": "A mem_fence or barrier between them is for its own work-group alone: use memory_scope_device.",
};
const REFUTED = ["race", "wrong-result", "wrong", "fault"];

const fromOf = launch => launch.source ?? launch.point ?? "";
const printKernel = ({source, kernel, scenario, point}) =>
    source === null ? [scenario, point].filter(Boolean).join(" ") :
                      [source.replace(/.*\//, ""), kernel].filter(Boolean).join(":");
const printGroups = launch => launch.range?.groups ?? launch.groups;
const printLaunch = launch =>
    `${printKernel(launch)}, ${printGroups(launch)} group${launch.groups === 1 ? "" : "s"} of ${launch.local_size}`;
/* With the number of a way and of its step, if these are given. */
const launchAnchor = (column, launch, ...at) => linkTo(anchor("prove", column), launch.id, ...at);

function printPromise({model, fairness, places}, launch) {
    const who = model === "unfair" ? "some group gets a turn" : `turns are sure for ${MODELS[model]}`;
    const how = model === "unfair" ? "" : ` (${model}, ${fairness}ly fair)`;
    return `${who}${how}, ${places} of ${plural(launch.groups, "group")} resident`;
}

const printWrong = wrong => wrong.bytes === 0 ? "It ends, and its result is wrong." :
                                                `${printPlace(wrong)} is ${wrong.is}, and ${wrong.right} is right.`;

/* How it goes wrong, each with a player: of a fault, of data races, of stalls, and of a wrong result. */
function waysOf(launch) {
    const fault = launch.fault ? [{
        way: launch,
        title: `How it comes to that: ${launch.fault}`,
        caption: "How it comes to that",
        ending: `${sentence(launch.fault)}.`
    }] :
                                 [];
    const races = launch.raced.map(race => ({
        way: race,
        title: `Data race: ${[race.first, race.second].map(step => `${doerOf(step, launch)} ${DOES[step.access]} ${
            printPlace(step)}${step.line ? ` at ${step.line}` : ""}`).join(", ")}`,
        caption: "How they come behind each other",
        ending: UNORDERED[race.why] +
            (race.same_value ? " Both write the same, which is undefined all the same." : "")
    }));
    const stalls = launch.stalls.map(stall => ({
        way: stall,
        title: `It need not end where only this is promised: ${printPromise(stall, launch)}`,
        caption: "How it does not end",
        ending: "And then nobody can go on."
    }));
    const wrong = launch.wrong_end ? [{
        way: launch.wrong_end,
        title: "It ends with a wrong result",
        caption: "How it comes to that",
        ending: printWrong(launch.wrong_end)
    }] :
                                     [];
    return [...fault, ...races, ...stalls, ...wrong];
}

/* A way without steps has nothing to play. */
function drawWays(launch, at) {
    return waysOf(launch).map(({way, ...told}, number) => way.steps.length === 0 ?
            [h("h5", {}, told.title), h("p", {}, told.ending)] :
            drawWay(way, launch, told, {
                step: number === at.number ? at.step : null,
                keep: step => at.keep(String(number), String(step))
            }));
}

function drawEnds({ends, explored, differences: [difference]}) {
    const where = explored === "all" ? "" : " that was explored";
    if (ends === 1) return h("p", {}, `It ends with the same memory in every schedule${where}.`);
    return difference ? h("p", {}, `It ends with ${ends} different memories: ${printPlace(difference)} is ${
        difference.one} or ${difference.other}${ends > 2 ? ", for example" : ""}.`) : null;
}

function drawLaunch(launch, at) {
    if (launch.verdict === "none") return [h("p", {}, launch.note)];
    if (!launch.stalls)
        return [h("p", {}, `${sentence(launch.answer)}. How was left out to keep this page below 5 MB.`)];
    return [
        h("p", {}, h("strong", {}, sentence(launch.answer)), "."),
        drawWays(launch, at), drawEnds(launch),
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
    const open = (number = "0", step = "1") => openDetail(button, {
        title,
        home,
        drawn: drawLaunch(launch, {
            number: Number(number),
            step: Number(step) || 1,
            keep: (...at) => keepLink(launchAnchor(column, launch, ...at))
        })
    });
    openers.set(launch.id, open);
    const name = known(launch.scenario ?? launch.kernel);
    return h("tr", {class: REFUTED.includes(launch.verdict) ? "bad" : null},
        head(name, h("br", {}), h("span", {class: "faint small"}, fromOf(launch))),
        cell(printGroups(launch)), cell(launch.local_size), h("td", {}, REFUTED.includes(launch.verdict) ?
            h("strong", {}, launch.verdict) : launch.verdict, launch.incomplete ? ", incomplete" : ""),
        h("td", {}, launch.answer), cell(isTold ? launch.races : null), cell(isTold ? launch.ends : null),
        cell(isTold ? launch.known_states : null), h("td", {}, button));
}

function drawProofs(column) {
    const {launches} = column.prove.device, opens = new Map();
    const of = verdict => launches.filter(launch => launch.verdict === verdict).length;
    openers.set(anchor("prove", column), (id, ...at) => opens.has(id) && opens.get(id)(...at));
    return [
        heading("prove", column, "What was proved"),
        h("p", {}, `${plural(launches.length, "launch").replace("launchs", "launches")}: ${
            Object.entries(PROVED).filter(([verdict]) => of(verdict) > 0).map(
                ([verdict, says]) => `${of(verdict)} ${verdict} (${says})`).join(", ")}.`),
        table("Launches", ["kernel", "groups", "work-items", "verdict", "answer", "races", "ends", "states", "how"],
            launches.map(launch => drawLaunchRow(launch, column, opens)))
    ];
}
