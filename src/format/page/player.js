/* Steps, played: buttons, keys and a slider go through them. Nothing moves unless somebody asks for it. */

const STEP_MS = 1200;

/* Fills the window, with letters for a hall. */
function drawHall(player) {
    const show = on => {
        player.classList.toggle("hall", on);
        button.setAttribute("aria-pressed", String(on));
    };
    const button = h("button", {
        type: "button",
        "aria-pressed": "false",
        class: "screen",
        onclick: () => show(!player.classList.contains("hall"))
    },
        "Fill the window");
    player.addEventListener("keydown", event => {
        if (event.key !== "Escape" || !player.classList.contains("hall")) return;
        event.stopPropagation();
        show(false);
    });
    return button;
}

/*
 * `show` draws a step, from 0, and returns what it says; `step` is where it begins, from 1, or null; `keep` is told of
 * each step that somebody goes to. `parts` stand below what is said.
 */
function drawPlayer({name, title, count, step, keep, show, parts}) {
    const last = count - 1;
    const says = h("p", {role: "status", class: "says"}), number = h("span", {class: "faint small"});
    const button = (name, act) => h("button", {type: "button", onclick: act}, name);
    const range = h("input", {
        type: "range",
        min: "0",
        max: String(last),
        value: "0",
        "aria-label": "Step",
        oninput: () => jump(Number(range.value))
    });
    let at = 0, timer = null;

    function go(step) {
        at = Math.max(0, Math.min(last, step));
        says.textContent = clean(sentence(show(at)));
        number.textContent = `step ${at + 1} of ${count}`;
        range.value = String(at);
        range.setAttribute("aria-valuetext", number.textContent);
    }
    function pause() {
        clearInterval(timer);
        timer = null;
        run.textContent = "Play";
    }
    function move(step) {
        go(step);
        keep(at + 1);
    }
    function jump(step) {
        pause();
        move(step);
    }
    const run = button("Play", () => {
        if (timer !== null) return pause();
        move(at === last ? 0 : at + 1);
        run.textContent = "Pause";
        timer = setInterval(() => {
            if (at < last && run.isConnected) move(at + 1);
            if (at === last || !run.isConnected) pause();
        }, STEP_MS);
    });
    const keys = {ArrowLeft: () => at - 1, ArrowRight: () => at + 1, Home: () => 0, End: () => last};

    function press(event) {
        if (event.target === range || !(event.key in keys) || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        jump(keys[event.key]());
    }

    go(step === null ? 0 : step - 1);
    const player = h("div", {class: "player", role: "group", "aria-label": name});
    return fill(player, {}, [
        h("h5", {}, title),
        h("div", {class: "controls", onkeydown: press}, button("First", () => jump(0)),
            button("Back", () => jump(at - 1)), run, button("Next", () => jump(at + 1)),
            button("Last", () => jump(last)), range, number, drawHall(player)),
        says, parts
    ]);
}
