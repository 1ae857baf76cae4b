// Single keys over the concordance. Every page works without this file.
(() => {
  const one = (selector) => document.querySelector(selector);
  const lines = [...document.querySelectorAll(".kwic summary")];
  const keys = one("#keys");
  const isOn = one("#keys-on");
  const follow = (link) => link && link.click();
  const move = (step) => {
    const here = lines.findIndex((line) => line.closest("tr").contains(document.activeElement));
    const next = lines[Math.max(0, Math.min(lines.length - 1, here < 0 ? 0 : here + step))];
    if (next) next.focus();
  };
  const actions = {
    "/": () => {
      const search = one("[data-search]");
      search?.focus();
      search?.select();
    },
    j: () => move(1),
    k: () => move(-1),
    n: () => follow(one("a[rel=next]")),
    p: () => follow(one("a[rel=prev]")),
    "?": () => keys.togglePopover(),
  };

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

  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, select, textarea, [contenteditable]");
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!isOn.checked || !Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    actions[event.key]();
  });

  // A click anywhere on a line opens it, unless text was being selected.
  one(".kwic tbody")?.addEventListener("click", (event) => {
    if (event.target.closest("a, summary, .card") || String(getSelection())) return;
    const details = event.target.closest("tr").querySelector("details");
    details.open = !details.open;
  });

  // Fields left as they were stay out of the address.
  document.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) {
      const field = event.target.querySelector(`[name="${name}"]`);
      if (value === "" || value === field?.dataset.default) event.formData.delete(name);
    }
  });
})();
