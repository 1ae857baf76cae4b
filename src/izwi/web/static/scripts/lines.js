// Lines open in place, and fields left as they were stay out of the address.
(() => {
  const one = (selector) => document.querySelector(selector);
  // Where the bar of pages is longer than the window, what is open stands in sight.
  one("nav.sub [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });

  // A click anywhere on a line opens it, unless text was being selected.
  one(".kwic tbody")?.addEventListener("click", (event) => {
    if (event.target.closest("a, summary, .card, input, .pick") || String(getSelection())) return;
    const details = event.target.closest("tr").querySelector("details");
    details.open = !details.open;
  });

  const roomIn = (details) => {
    const place = document.createElement("div");
    place.className = "card more";
    details.querySelector(".card").before(place);
    return place;
  };
  // What belongs to a line, or to all of them, comes when it is first opened.
  for (const details of document.querySelectorAll("details[data-part]")) {
    details.addEventListener("toggle", async () => {
      if (!details.open || details.dataset.came) return;
      details.dataset.came = "1";
      // A line's is the page of its hit, which its card links to.
      const answer = await fetch(details.dataset.part || `${details.querySelector("a:has(code)").href}?part=1`);
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      (details.querySelector(".more") || roomIn(details)).replaceChildren(...page.body.children);
    });
    // Where there is room beside the lines, it stands open.
    if ("wide" in details.dataset && matchMedia("(min-width: 90rem)").matches) details.open = true;
  }

  // A page that is being made is asked for again.
  if (one("[data-again]")) setTimeout(() => location.reload(), 1000);

  // What takes longest comes after the rest of the page.
  for (const place of document.querySelectorAll("[data-later]")) {
    const waits = place.querySelector("[data-waits]");
    waits.hidden = false;
    fetch(place.dataset.later).then(async (answer) => {
      waits.hidden = true;
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      place.replaceChildren(...page.body.children);
    }, () => { waits.hidden = true; });
  }

  // Ticked lines: how many, and what to do with them.
  const bar = one("[data-ticked]");
  const boxes = () => [...document.querySelectorAll(".kwic tbody .pick input")];
  const all = one("[data-all]");
  const count = () => {
    const ticked = boxes().filter((box) => box.checked).length;
    bar.hidden = ticked === 0;
    bar.querySelector("[data-count]").textContent = ticked;
    all.checked = ticked > 0 && ticked === boxes().length;
  };
  const tick = (value) => {
    for (const box of boxes()) box.checked = value;
    count();
  };
  if (bar) {
    all.hidden = false;
    all.addEventListener("change", () => tick(all.checked));
    one(".kwic tbody").addEventListener("change", count);
    one("[data-clear]").addEventListener("click", () => tick(false));
    one("[data-copy]").addEventListener("click", () => {
      const rows = boxes().filter((box) => box.checked).map((box) => box.closest("tr"));
      const text = rows.map((row) => {
        const cells = [...row.querySelectorAll(".left, .match, .right")].map((cell) => cell.textContent);
        return `${cells.join("").trim()}\n${row.querySelector(".citation").textContent}`;
      });
      navigator.clipboard?.writeText(text.join("\n\n"));
    });
    count();
  }

  // A text beside a button that copies it.
  for (const button of document.querySelectorAll("[data-copies]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      navigator.clipboard?.writeText(button.parentElement.querySelector("bdi").textContent);
      one("#said").textContent = button.dataset.copies;
    });
  }

  // What a form asks for is shown while one still chooses.
  const live = one("form[data-live]");
  let waiting = 0;
  live?.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => live.dispatchEvent(new Event("change")), 250);
  });
  live?.addEventListener("change", async (event) => {
    clearTimeout(waiting);
    const form = event.currentTarget;
    const answer = await fetch(`${form.action}?${new URLSearchParams(new FormData(form))}`);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    one("[data-result]").replaceChildren(...page.querySelector("[data-result]").children);
  });

  // Enter asks from a list as it does from a field.
  document.addEventListener("keydown", (event) => {
    const list = event.key === "Enter" && event.target.closest("form.search select");
    if (!list) return;
    event.preventDefault();
    list.form.requestSubmit();
  });

  document.addEventListener("formdata", (event) => {
    if (event.target.method === "post") return;
    for (const [name, value] of [...event.formData]) {
      const field = event.target.querySelector(`[name="${name}"]`);
      // Of fields that stand in a row each keeps its place, an empty one too.
      const isRow = event.formData.getAll(name).length > 1;
      if (!isRow && (value === "" || value === field?.dataset.default)) event.formData.delete(name);
    }
  });
})();
