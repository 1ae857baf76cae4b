// Single keys over lines and lists. Every page works without this file.
(() => {
  const one = (selector, inside = document) => inside.querySelector(selector);
  // What j and k walk through: lines of a concordance, or rows that may be decided on.
  const stops = () => [...document.querySelectorAll(".kwic th > details > summary, [data-stop]")]
    .filter((stop) => stop.checkVisibility());
  const keys = one("#keys");
  const isOn = one("#keys-on");
  const say = (words) => {
    one("#said").textContent = words;
  };
  const row = () => document.activeElement?.closest("tr") ?? document.activeElement?.closest("[data-stop]");
  const follow = (link) => link && link.click();
  const move = (step) => {
    const all = stops();
    const here = all.findIndex((stop) => (stop.closest("tr") ?? stop).contains(document.activeElement));
    all[Math.max(0, Math.min(all.length - 1, here < 0 ? 0 : here + step))]?.focus();
  };
  const inRow = (selector, act) => () => {
    const found = row() && one(selector, row());
    if (found) act(found);
  };
  // One after the other: the first answer says which basket the next ones belong to.
  let sent = Promise.resolve();
  const toBasket = async (box) => {
    const body = new URLSearchParams({ hit: box.value });
    const request = () => fetch(box.form.action, { method: "POST", headers: { Accept: "application/json" }, body });
    // One that could not be sent does not hold up the next.
    sent = sent.catch(() => {}).then(request);
    const answer = await sent.catch(() => null);
    if (!answer?.ok) return location.reload();
    const count = (await answer.json()).quotations;
    one("[data-basket]").textContent = count;
    box.checked = true;
    say(count);
  };
  const copy = async (citation) => {
    try {
      await navigator.clipboard.writeText(citation.textContent);
      say(citation.textContent);
    } catch {
      getSelection().selectAllChildren(citation); // copying may be forbidden
    }
  };

  const actions = {
    "/": () => {
      const search = one("[data-search]");
      search?.focus();
      search?.select?.(); // a list has no text to select
    },
    j: () => move(1),
    k: () => move(-1),
    n: () => follow(one("a[rel=next]")),
    p: () => follow(one("a[rel=prev]")),
    x: inRow(".pick input", (box) => box.click()),
    b: inRow(".pick input", toBasket),
    c: inRow(".citation bdi", copy),
    o: inRow("[data-archived]", follow),
    d: inRow("[data-document]", follow),
    f: () => follow(one("[data-fold]:not([aria-current])")),
    s: () => {
      const order = one("select[name=sort]");
      order?.closest("details")?.setAttribute("open", "");
      order?.focus();
    },
    "?": () => keys.togglePopover(),
  };
  // A row may have keys of its own, one for each of its buttons.
  const button = (key) =>
    /^[a-z0-9]$/.test(key) && (one(`[data-press="${key}"]`, row() ?? keys) ?? one(`[data-anywhere="${key}"]`));
  const isOurs = (event) =>
    !event.target.closest("input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]") &&
    !event.ctrlKey && !event.metaKey && !event.altKey && isOn.checked;

  const saved = (value) => {
    try {
      if (value) localStorage.setItem("izwi-keys", value);
      return localStorage.getItem("izwi-keys");
    } catch {
      return null; // storage may be forbidden
    }
  };
  isOn.checked = saved() !== "off";
  isOn.addEventListener("change", () => saved(isOn.checked ? "on" : "off"));

  // After g, a letter leads to a section of the corpus, whatever else it does on the page.
  let isGoing = false;
  document.addEventListener("keydown", (event) => {
    if (!isOurs(event)) return;
    const place = isGoing && /^[a-z]$/.test(event.key) && one(`[data-go="${event.key}"]`);
    isGoing = event.key === "g" && !isGoing;
    if (!place) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    place.click();
  }, true);

  document.addEventListener("keydown", (event) => {
    if (!isOurs(event)) return;
    const own = button(event.key);
    if (!own && !Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    own ? own.click() : actions[event.key]();
  });
})();
