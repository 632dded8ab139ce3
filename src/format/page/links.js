/* What is behind '#' in the address names what is open: a reload, or whoever gets the link, sees the same. */

/* By an element's id: what opens a part of it, of which the parts behind the id's '/' tell. */
const openers = new Map();

/* The address of something; each part behind the id is a text of any kind. */
const linkTo = (id, ...parts) => [id, ...parts.map(part => encodeURIComponent(part))].join("/");

/*
 * Without a trace in the browser's history, as nobody wants to go back through the steps of a stall; the last one alone
 * of what comes quickly, because a browser forbids more than some a second.
 */
function keepLink(link) {
    clearTimeout(keepLink.timer);
    keepLink.timer = setTimeout(() => history.replaceState(null, "", `#${link}`), 200);
}

function readLink() {
    try {
        return location.hash.slice(1).split("/").map(decodeURIComponent);
    } catch {
        return [""]; // somebody's own
    }
}

function follow() {
    const [id, ...parts] = readLink(), target = document.getElementById(id);
    if (!target) return;
    if (parts.length > 0 && openers.has(id)) return openers.get(id)(...parts);
    target.scrollIntoView();
    target.focus();
}
