/* A way of a proof, played: whose steps come when, what words hold, and who waits for which of them. */

const DOES = {load: "reads", store: "writes", update: "updates", barrier: "waits"};
const MOST_LANES = 6;
const ROUNDS = 2; /* of a circle that are played */

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

function groupBy(list, keyOf) {
    const groups = new Map();
    list.forEach(item => groups.set(keyOf(item), [...(groups.get(keyOf(item)) || []), item]));
    return groups;
}

const placeOf = step => `${step.object}/${step.offset}/${step.bytes}`;
const isOnCircle = ({steps, circle}, i) => i >= steps.length - circle;

/* Whoever goes round and changes nothing waits: the steps of that, by places. */
function waitsOf(way, launch) {
    const circling = way.steps.filter((_, i) => isOnCircle(way, i));
    const doers = new Set(circling.filter(step => step.before !== step.after).map(step => doerOf(step, launch)));
    const waiting = circling.filter(step => step.bytes > 0 && !doers.has(doerOf(step, launch)));
    return groupBy(waiting, placeOf);
}

/* --- the table --- */

/* A column for each who takes a step, in time from above; of many, who does it stands in front. */
function drawSteps({steps, circle, left_out: leftOut}, launch, caption) {
    const doers = [...new Set(steps.map(step => doerOf(step, launch)))].sort(
        (a, b) => a.localeCompare(b, undefined, {numeric: true}));
    const isWide = doers.length > MOST_LANES, lanes = isWide ? ["who", "what"] : doers, first = steps.length - circle;
    const cellsOf = step => isWide ? [h("td", {}, doerOf(step, launch)), h("td", {}, printStep(step), drawLine(step))] :
                                     lanes.map(lane => lane === doerOf(step, launch) ?
                                             h("td", {class: "moves"}, printStep(step), drawLine(step)) :
                                             h("td", {}));
    const rows = steps.map((step, i) => h("tr", {class: circle > 0 && i >= first ? "again" : null},
                               h("td", {class: "number"}, leftOut + i + 1), cellsOf(step)));
    const all = [...rows];
    const whole = {colspan: lanes.length + 1};
    if (circle > 0)
        all.splice(first, 0,
            h("tr", {class: "again"}, h("td", whole, h("strong", {}, "and then again and again:"))));
    if (leftOut > 0) all.unshift(h("tr", {}, h("td", whole, `(${plural(leftOut, "step")} before)`)));
    const element = table(caption, ["step", ...lanes], all, "way");

    /* After so many steps; the last of them is marked, and kept in sight. */
    function show(now, isRepeated) {
        rows.forEach((row, i) => {
            row.classList.toggle("chosen", i === now);
            row.classList.toggle("later", i > now && !isRepeated);
        });
        const row = rows[now];
        if (row && (row.offsetTop < element.scrollTop ||
                       row.offsetTop + row.offsetHeight > element.scrollTop + element.clientHeight))
            element.scrollTop = row.offsetTop - element.clientHeight / 2;
    }
    return {element, show};
}

/* --- who stands where --- */

/* What groups do after so many steps; `ended` and `started` are known of the end of a stall alone. */
function statesOf(way, launch, taken, waiting) {
    const moved = new Set(way.steps.slice(0, taken).map(({group}) => group));
    const later = new Set(way.steps.slice(taken).map(({group}) => group));
    return Array.from({length: launch.groups}, (_, group) => {
        if (waiting.has(group)) return "waiting";
        if (taken === way.steps.length && way.started && !way.started.includes(group)) return "not started";
        if (way.ended && way.ended.includes(group) && !later.has(group)) return "done";
        return moved.has(group) || (way.started && taken === way.steps.length) ? "running" : "queued";
    });
}

function drawGroups(launch) {
    const element = h("p", {class: "groups"});
    const chip = (group, state, isNow) => [h("span", {
        class: `chip s-${state.replace(" ", "-")}${isNow ? " now" : ""}`,
        title: `group ${group} ${SIGNS[state][1]}`
    },
        `${SIGNS[state][0]} ${group}`), " "];
    return {
        element,
        show: (states, now) => {
            element.replaceChildren();
            fill(element, {}, ["groups: ", states.map((state, group) => chip(group, state, group === now))]);
        }
    };
}

/* Words that are accessed on the way, with what they hold. */
function drawHeld(way, waits, launch) {
    const places = groupBy(way.steps.filter(step => step.bytes > 0), placeOf);
    const element = h("ul", {class: "words"});
    const whom = place => [...new Set(waits.get(place).map(step => doerOf(step, launch)))];
    const tell = doers => `; ${doers.join(" and ")} wait${doers.length === 1 ? "s" : ""} for another value`;

    function show(taken, isCircling) {
        const past = way.steps.slice(0, taken), now = past[past.length - 1];
        element.replaceChildren(...Array.from(places, ([place, [first]]) => {
            const last = past.filter(step => step.bytes > 0 && placeOf(step) === place).pop();
            const isNow = now && now.bytes > 0 && placeOf(now) === place, awaited = isCircling && waits.has(place);
            return h("li", {class: isNow ? "touched" : null}, h("b", {}, printPlace(first)),
                ` is ${last ? last.after : first.before}`, awaited ? tell(whom(place)) : "");
        }));
    }
    return {element, show};
}

/* --- the whole --- */

/* What is said at its end. */
function tellEnd(way, waits, launch, ending) {
    if (way.circle === 0) return ending;
    const said = Array.from(waits.values(), ([step]) =>
        `${doerOf(step, launch)} waits for another value of ${printPlace(step)}, which stays ${step.after}`);
    return `And so for ever: ${said.length > 0 ? said.join("; ") : "they go round, and none gets on"}.`;
}

/* Steps of the player: how many of the way are taken, the last of them, and what is said. */
function momentsOf(way, waits, launch, ending) {
    const {steps, circle} = way, first = steps.length - circle;
    const tell = (i, round) => `${round > 0 ? "Again: " : ""}${doerOf(steps[i], launch)} ${printStep(steps[i])}${
        steps[i].line ? ` at ${steps[i].line}` : ""}.`;
    const moment = (i, round) => ({now: i, round, says: tell(i, round)});
    const rounds = circle > 0 ? Array.from({length: ROUNDS - 1}, (_, round) => round + 1) : [];
    return [
        {now: -1, round: 0, says: `${plural(launch.groups, "group")} are launched; none has taken a step.`},
        ...steps.map((_, i) => moment(i, 0)),
        ...rounds.flatMap(round => steps.slice(first).map((_, i) => moment(first + i, round))),
        {now: steps.length - 1, round: rounds.length, says: tellEnd(way, waits, launch, ending)}
    ];
}

/* `at` says with which step it begins, and is told of each one. */
function drawWay(way, launch, {title, caption, ending}, at) {
    const waits = waitsOf(way, launch), moments = momentsOf(way, waits, launch, ending);
    const steps = drawSteps(way, launch, caption), groups = drawGroups(launch), held = drawHeld(way, waits, launch);
    const waiting = new Set([...waits.values()].flat().map(({group}) => group));
    const ends = statesOf(way, launch, way.steps.length, waiting);
    const show = number => {
        const {now, round, says} = moments[number], isLast = number === moments.length - 1;
        const isCircling = way.circle > 0 && isOnCircle(way, now), taken = round > 0 ? way.steps.length : now + 1;
        const waitNow = isLast || round > 0 ? waiting :
            new Set(way.steps.slice(way.steps.length - way.circle, taken).map(({group}) => group)
                        .filter(group => waiting.has(group)));
        steps.show(now, round > 0);
        groups.show(statesOf(way, launch, taken, waitNow), now < 0 || isLast ? null : way.steps[now].group);
        held.show(now + 1, isCircling);
        return says;
    };
    return drawPlayer({
        name: caption,
        title,
        count: moments.length,
        ...at,
        show,
        parts: [held.element, groups.element, steps.element, drawLegend(["queued", "running", ...ends])]
    });
}
