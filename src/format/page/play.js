/* A stall, played: what its board says, step by step. */

const SIGNS = {
    queued: ["\u00b7", "has not started yet"],
    running: ["R", "runs"],
    waiting: ["W", "waits"],
    ready: ["V", "has not seen the value that it waits for"],
    done: ["E", "ended"],
    "not started": ["N", "never started"],
};
const MOST_AWAITED = 4;
const CLOCKS = {
    device: "Times are the device's own.",
    ticks: "Times are ticks of the device, scaled to the duration of the launch.",
    none: "The device tells no times: groups start in the order of their start tickets.",
    host: "Times are those of the host's looks, since the first; what came and went in between it did not see.",
};

const inTime = ns => ns < 1e6 ? `${(ns / 1e3).toFixed(3)} \u00b5s` : `${(ns / 1e6).toFixed(3)} ms`;

/* Groups start and end in the order that is known; an end goes before the start that takes its place. */
function movesOf(play) {
    const starts = play.groups.filter(group => group.place !== null)
                       .map(group => ({ns: group.start_ns, group, state: "running"}));
    const ends = starts.filter(({group}) => group.end_ns !== null)
                     .map(({group}) => ({ns: group.end_ns, group, state: "done"}));
    return starts.concat(ends).sort(
        (a, b) => a.ns - b.ns || (a.state === "done" ? 0 : 1) - (b.state === "done" ? 0 : 1) ||
            a.group.ticket - b.group.ticket);
}

function tellMove({ns, group, state}, play) {
    const known = play.clock && (state === "running" || group.end_known);
    const says = state === "running" ? `starts on ${play.places[group.place]}` :
        group.end_known              ? "ends" :
                                       "has ended by now";
    return `${known ? `${inTime(ns)}: ` : ""}group ${group.group} ${says}.`;
}

const listGroups = groups => `group${groups.length > 1 ? "s" : ""} ${groups.map(({group}) => group).join(", ")}`;

/* What the host saw at one look: groups by what they do now, and in which round. */
function tellSample({at_us: us, groups}, first) {
    const kinds = new Map();
    for (const change of groups) {
        const one = {running: "runs", waiting: `waits in round ${change.round}`, done: "has ended"}[change.state];
        const many = {running: "run", waiting: `wait in round ${change.round}`, done: "have ended"}[change.state];
        const says = JSON.stringify([one, many]);
        kinds.set(says, (kinds.get(says) || []).concat(change));
    }
    const says = Array.from(kinds,
        ([does, changed]) => `${listGroups(changed)} ${JSON.parse(does)[changed.length > 1 ? 1 : 0]}`);
    const when = us === 0 ? "when the host looked first" : `${first ? "by " : ""}${inTime(1000 * us)}`;
    return `${when}: ${says.join("; ")}.`;
}

/* Steps as the final board tells them: [what is said, [group, its state] ...]. */
const stepsOfBoard = play => movesOf(play).map(move => [tellMove(move, play), [move.group, move.state]]);

/* As the host saw them. In which order those started that it saw for the first time, their tickets tell. */
function stepsOfSamples(play) {
    const byId = new Map(play.groups.map(group => [group.group, group])), before = new Set();
    return play.samples.flatMap((sample, i) => {
        const changes = sample.groups.map(({group, state}) => [byId.get(group), state]);
        const started = changes.map(([group]) => group).filter(group => group.place !== null && !before.has(group));
        started.forEach(group => before.add(group));
        return started.sort((a, b) => a.ticket - b.ticket)
            .map(group => [tellMove({group, state: "running"}, {...play, clock: null}), [group, "running"]])
            .concat([[tellSample(sample, i === 0), ...changes]]);
    });
}

/* Each step says which groups come to which state, and whom they wait for. */
function stepsOf(play, verdict) {
    const sampled = play.samples.length > 0;
    const before = (sampled ? stepsOfSamples(play) : stepsOfBoard(play))
                       .map(([says, ...changes]) => ({says, changes, awaited: []}));
    const settled = states => play.classes.flatMap((kind, i) => states.includes(kind.state) ? [{
        says: `${kind.groups} ${kind.says}.`,
        kind: i,
        changes: play.groups.filter(group => group.class === i).map(group => [group, kind.state]),
        awaited: play.groups.filter(({group}) => kind.awaits.includes(group)),
    }] :
                                                                                              []);
    const saying = says => ({says, changes: [], awaited: []});
    return [
        saying(`${plural(play.launched, "group")} ${play.launched === 1 ? "is" : "are"} launched.`), ...before,
        ...settled(sampled ? ["done", "running"] : ["running"]), ...settled(["waiting", "ready"]),
        ...settled(["not started"]),
        saying(`So it stood when the launch was ended: ${verdict}.`)
    ];
}

function drawChip(group, state, mark, locks) {
    const [sign, meaning] = SIGNS[state];
    return h("span", {
        class: `chip s-${state.replace(" ", "-")}${mark}`,
        title: `group ${group.group} ${meaning}`,
    },
        `${sign} ${group.group}`, locks > 0 ? h("span", {class: "locks"}, ` holds ${plural(locks, "lock")}`) : null);
}

/* What the signs of these states mean, and marks. */
function drawLegend(states, ...marks) {
    return h("ul", {class: "legend"},
        Object.entries(SIGNS).filter(([state]) => states.includes(state)).map(([state, [sign, meaning]]) => h("li", {},
            h("span", {class: `chip s-${state.replace(" ", "-")}`, "aria-hidden": "true"}, sign), ` ${meaning}`)),
        [["now", "told of in this step"], ...marks].map(([mark, meaning]) => h("li", {},
            h("span", {class: `chip ${mark}`, "aria-hidden": "true"}, "\u00a0"), ` ${meaning}`)));
}

function drawSigns(play) {
    const seen = play.samples.flatMap(sample => sample.groups.map(group => group.state));
    return drawLegend(["queued", "running", ...play.classes.map(kind => kind.state), ...seen],
        ["awaited", "awaited by these"]);
}

/* What the steps cannot show. */
function tellLimits(play) {
    const left = play.launched - play.groups.length, sampled = play.samples.length > 0;
    return [
        left > 0 ? `Of each kind the first groups are shown; ${left} of ${play.launched} are left out.` : "",
        sampled ? CLOCKS.host : CLOCKS[play.clock || "none"],
        sampled ? "" : "When a group began to wait is not known: waits are told of at last.",
        play.units ? "" : "The device does not tell its units: groups of one place may have run on several."
    ].filter(Boolean).join(" ");
}

/* Rows of places, and one of groups without a place. `show` draws them as they are after a step. */
function drawPlaces(play) {
    const row = name => {
        const groups = h("td", {});
        return {groups, line: h("tr", {}, head(name), groups)};
    };
    const byId = [...play.groups].sort((a, b) => a.group - b.group);
    const outside = row("no place"), lines = play.places.map(row).concat(outside);

    function show(steps, at) {
        const states = new Map(play.groups.map(group => [group, "queued"]));
        steps.slice(0, at + 1).forEach(step => step.changes.forEach(([group, state]) => states.set(group, state)));
        const groups = steps[at].changes.map(([group]) => group), awaited = steps[at].awaited;
        const mark = group => groups.includes(group) ? " now" : awaited.includes(group) ? " awaited" : "";
        const told = new Set(steps.slice(0, at + 1).map(({kind}) => kind));
        const locks = group => told.has(group.class) ? play.classes[group.class].locks_held : 0;
        const chip = group => [drawChip(group, states.get(group), mark(group), locks(group)), " "];
        const isPlaced = group => group.place !== null && states.get(group) !== "queued";
        lines.forEach(({groups}) => groups.replaceChildren());
        play.groups.filter(isPlaced).forEach(group => fill(lines[group.place].groups, {}, chip(group)));
        fill(outside.groups, {}, byId.filter(group => !isPlaced(group)).map(chip));
    }

    const element = table("Groups in their places", ["place", "groups"], lines.map(({line}) => line), "play");
    return {element, show};
}

/* The words that groups wait for, once it is told that they do. */
function drawWords(play) {
    const words = h("ul", {class: "words"});
    const whom = ({word, awaits}) => awaits.length === 0 ? "" :
        awaits.length > MOST_AWAITED                     ? `, ${word.duty} ${awaits.length} groups or more` :
                                       `, ${word.duty} ${listGroups(awaits.map(group => ({group})))}`;
    const tell = ({name, is, must, value}, kind) => h("li", {}, h("b", {}, name),
        is === null ? "" : ` is ${is}, and must ${must} ${value}`, whom(kind),
        is !== null && must === "reach" ? h("progress", {max: value, value: is, "aria-label": name}) : null);
    const isFirst = ({word}, i, all) => all.findIndex(other => JSON.stringify(other.word) === JSON.stringify(word)) === i;
    return {
        element: words,
        show: told => words.replaceChildren(
            ...play.classes.filter((kind, i) => kind.word && told.has(i)).filter(isFirst).map(kind => tell(kind.word, kind)))
    };
}

function drawPlay(play, {point, step, keep}) {
    const steps = stepsOf(play, point.verdict);
    const places = drawPlaces(play), words = drawWords(play);
    return drawPlayer({
        name: "The stall, step by step",
        title: `The stall, step by step: ${point.id}`,
        count: steps.length,
        step,
        keep,
        show: at => {
            places.show(steps, at);
            words.show(new Set(steps.slice(0, at + 1).map(({kind}) => kind)));
            return steps[at].says;
        },
        parts: [words.element, places.element, drawSigns(play), h("p", {class: "faint small"}, tellLimits(play))]
    });
}

/* What is drawn of a stall; no more than whose turns they were, where all groups ended. */
function drawStall(explanation, at) {
    if (explanation.play === null) return drawSchedule(explanation.schedule);
    const picture = pictureOf.get(explanation.play), play = picture ? picture.play : null;
    return [
        play ? drawPlay(play, at) :
               h("p", {class: "faint small"}, "Its steps were left out to keep this page below 5 MB."),
        drawGraph(explanation, play, {name: at.point.id, command: at.command}), drawSchedule(explanation.schedule)
    ];
}
