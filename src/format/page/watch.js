/* Programs that were watched. */

const SIGHTED = {
    deadlock: "it cannot go on",
    host: "none of its threads can go on",
    long: "more is not known",
    nothing: "it ended, was asked for, or could not be judged",
};
const ALARMS = ["deadlock", "host"];
const sightingAnchor = (column, sighting) => linkTo(anchor("watch", column), sighting.id);
const printSighting = ({program, kernel}) => `${known(program)}${kernel ? `, kernel ${kernel}` : ""}`;

function tellSighting(sighting) {
    return [
        sighting.why, sighting.call ? `The program is in ${sighting.call}.` : "",
        sighting.line ? `The kernel turns at ${sighting.line}.` : "",
        sighting.sizes ? `${sentence(sighting.sizes)}${sighting.arguments ? `, arguments ${sighting.arguments}` : ""}.` : ""
    ].filter(Boolean).map(text => h("div", {}, text));
}

function drawWaits(sighting) {
    if (sighting.waits.length === 0) return null;
    return h("details", {}, h("summary", {}, "who waits for whom"),
        table("Who waits for whom", ["who", "does", "waits for"],
            sighting.waits.map(item => h("tr", {}, head(item.name), h("td", {}, item.says), cell(item.waits_for)))));
}

function drawSighting(sighting) {
    const isAlarm = ALARMS.includes(sighting.verdict);
    return h("tr", {class: isAlarm ? "bad" : null, tabindex: "-1"}, head(printSighting(sighting)),
        h("td", {}, isAlarm ? h("strong", {}, sighting.verdict) : sighting.verdict,
            sighting.incomplete ? ", incomplete" : ""),
        cell(sighting.groups), cell(sighting.fit), cell(sighting.launches),
        h("td", {}, tellSighting(sighting), drawWaits(sighting)));
}

function drawWatch(column) {
    const {sightings} = column.watch.device, shown = sightings.map(drawSighting);
    openers.set(anchor("watch", column), id => {
        const row = shown[sightings.findIndex(sighting => sighting.id === id)];
        if (!row) return;
        row.scrollIntoView({block: "center"});
        row.focus();
    });
    const of = verdict => sightings.filter(sighting => sighting.verdict === verdict).length;
    return [
        heading("watch", column, "What was seen of programs"),
        h("p", {}, `${plural(sightings.length, "sighting")}: ${
            Object.entries(SIGHTED).filter(([verdict]) => of(verdict) > 0).map(
                ([verdict, says]) => `${of(verdict)} ${verdict} (${says})`).join(", ")}.`),
        table("Sightings", ["program", "verdict", "groups", "fit", "launches", "what"], shown, "cards")
    ];
}
