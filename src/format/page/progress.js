/* Who may wait for whom: models of progress, and the tests that broke them. */

/* A litmus test as a listing; an instruction is location,check,exchange,jump. */
function listing(program) {
    return program.split("|")
        .map((thread, number) => {
            const code = thread.split(";");
            const lines = code.map((text, at) => {
                const [location, check, exchange, jump] = text.split(",");
                const name = "xy"[location] || "?", writes = exchange !== "-";
                if (writes && Number(jump) === at + 1 && check === "0") return `    L${at}: ${name} = ${exchange};`;
                const condition = writes ? `exchange(${name}, ${exchange})` : name;
                return `    L${at}: if (${condition} == ${check}) ${
                    Number(jump) < code.length ? `goto L${jump}` : "return"};`;
            });
            return `thread ${number} {\n${lines.join("\n")}\n}`;
        })
        .join("\n");
}

/* What threads are. */
const THREADS = {group: "groups", "sub-group": "sub-groups", item: "work-items", lane: "work-items"};

function drawBreaker(names, by, level) {
    const state = by.state;
    const lengths = by.program.split("|").map(thread => thread.split(";").length);
    const threads = state.threads
                        .map((at, i) => at === null ? `thread ${i} never started` :
                                at >= lengths[i] ? `thread ${i} is at its end` :
                                                   `thread ${i} is at L${at}`)
                        .join(", ");
    const code = h("pre", {});
    code.textContent = listing(by.program).slice(0, 10000);
    return [
        h("h4", {}, `Broken: ${names.join(", ")}`), code,
        h("p", {},
            `Mapping ${by.mapping}: ${by.stalled} of ${by.launches} launches stalled. ` +
                `${state.started} of ${state.groups} ${THREADS[level]} had started, and ${state.ended} had ended. ` +
                `In instance ${state.instance} x=${state.memory[0]} y=${state.memory[1]}; ${threads}.`)
    ];
}

function drawLevel(device, level, all) {
    const models = all.filter(model => (model.level || "group") === level), breakers = new Map();
    const title = level === "group" ? [] : h("h3", {}, `Level ${level}`);
    if (device.not_offered) return [title, h("p", {}, `Not offered: ${device.not_offered}`)];
    for (const model of models.filter(model => model.broken_by)) {
        const key = JSON.stringify(model.broken_by);
        breakers.set(key, (breakers.get(key) || []).concat(`${model.model} (${model.fairness})`));
    }
    const standing = model =>
        model.guaranteed === 0 ? "not tested" : model.told_apart ? "not broken" : "no test of its own";
    return [
        title,
        h("p", {},
            `${plural(device.tests, "test")}, ${device.launches} launches of up to ${device.most_groups} ${
                THREADS[level]}: ` +
                `${plural(device.stalled_tests, "test")} stalled, in ${device.stalled_launches} launches; ${
                    device.undecided_launches} undecided.`),
        h("p", {},
            "A model promises a turn to some of the groups that wait. Weak: none of these is left waiting for ever. " +
                "Strong: what one of them could do again and again, it does at some time."),
        table("Models of progress",
            [
                "model", "fairness", "outcome", "tests it guarantees", "ended", "stalled", "undecided",
                "states it does not allow", "doubtful"
            ],
            models.map(
                model => h("tr", {class: model.broken ? "bad" : null},
                    head(model.model, h("br", {}), h("span", {class: "faint small"}, MODELS[model.model])),
                    cell(model.fairness),
                    h("td", {}, model.broken ? h("strong", {}, "broken") : standing(model),
                        model.strongest ? ", the strongest" : ""),
                    [model.guaranteed, model.ended, model.stalled, model.undecided, model.states, model.doubtful].map(
                        cell)))),
        Array.from(breakers, ([key, names]) => drawBreaker(names, JSON.parse(key), level))
    ];
}

function drawProgress(column) {
    const device = column.progress.device, below = device.levels || [];
    return [
        heading("progress", column, "Who may wait for whom"),
        device.tests > 0 || below.length === 0 ? drawLevel(device, "group", device.models) : [],
        below.map(at => drawLevel(at, at.level, device.models)),
        h("p", {}, "More: ", h("code", {}, `gridlock explain ${quoted(column.progress.run.path)}`))
    ];
}
