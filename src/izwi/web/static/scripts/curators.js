// Keys of curators' pages, and the progress of runs. Every page works without this file.
(() => {
  const items = [...document.querySelectorAll("[data-item]")];
  const isOn = document.querySelector("#keys-on");
  let here = -1;
  const current = () => items.find((item) => item.contains(document.activeElement)) ?? items[here];
  const go = (place) => {
    here = Math.max(0, Math.min(items.length - 1, place));
    items[here]?.focus();
    items[here]?.scrollIntoView({ block: "nearest" });
  };
  const move = (step) => {
    const at = items.indexOf(current());
    go(at < 0 ? 0 : at + step);
  };
  const wanted = (key, root) => root?.querySelector(`[data-key="${CSS.escape(key)}"]`);

  const press = (key) => {
    const item = current() ?? items[0];
    const inside = wanted(key, item);
    const found = inside ?? [...document.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)].find(
      (each) => !each.closest("[data-item]"),
    );
    if (!found) return false;
    found.click();
    if (inside && item.hasAttribute("data-advance")) go(items.indexOf(item) + 1);
    return true;
  };

  // A paragraph shows the colour of the label it has.
  const colours = { main: "K", boilerplate: "B", comment: "C", unsure: "U" };
  document.addEventListener("change", (event) => {
    const item = event.target.closest(".labels [data-item]");
    if (item && colours[event.target.value]) item.className = colours[event.target.value];
  });

  document.addEventListener("keydown", (event) => {
    const field = event.target.closest("input, select, textarea, [contenteditable]");
    const isTyping = field && !["checkbox", "radio"].includes(field.type);
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !isOn?.checked) return;
    if (event.key === "Enter" && event.target.closest("a, button, summary, input")) return;
    const isMove = items.length && (event.key === "j" || event.key === "k");
    if (isMove) move(event.key === "j" ? 1 : -1);
    if (isMove || press(event.key)) event.preventDefault();
  });

  // The button says what it will write down.
  const judging = document.querySelector(".judge");
  const verdict = judging?.querySelector("[data-none]");
  const name = () => {
    const isFine = !judging.querySelector("input:checked");
    verdict.textContent = isFine ? verdict.dataset.none : verdict.dataset.some;
  };
  if (verdict) {
    judging.addEventListener("change", name);
    name();
  }

  // The paragraph that the next key is about.
  const first = document.querySelector(".labels [data-item]");
  first?.setAttribute("data-first", "");
  document.addEventListener("focusin", (event) => {
    if (event.target.closest(".labels [data-item]")) first?.removeAttribute("data-first");
  });

  // What will be done with the ticked lines is done with so many.
  for (const form of document.querySelectorAll("[data-ticks]")) {
    const boxes = [...form.querySelectorAll("td.pick input")];
    const every = form.querySelector("[data-tick-all]");
    const told = form.querySelector("[data-chosen]");
    const tell = () => {
      const count = boxes.filter((box) => box.checked).length;
      if (told) {
        told.hidden = !count;
        told.textContent = `${count} ✓`;
      }
      if (every) {
        every.checked = count > 0 && count === boxes.length;
        every.indeterminate = count > 0 && count < boxes.length;
      }
    };
    every?.addEventListener("change", () => {
      for (const box of boxes) box.checked = every.checked;
      tell();
    });
    form.addEventListener("change", tell);
    tell();
  }

  const live = document.querySelector("[data-events]");
  if (!live) return;
  const stream = new EventSource(live.dataset.events);
  const put = (name, text) => {
    const field = live.querySelector(`[data-field="${name}"]`);
    if (field && field.textContent !== text) field.textContent = text;
  };
  stream.addEventListener("message", (event) => {
    const facts = JSON.parse(event.data);
    for (const name of ["step", "detail"]) put(name, facts[name] ?? "");
    const state = live.querySelector(".state");
    if (state) {
      state.className = `state ${facts.state}`;
      state.textContent = facts.state_word;
    }
    put("done", String(facts.done));
    put("of", facts.total ? ` / ${facts.total}` : "");
    const rows = Object.entries(facts.stages ?? {}).map(([stage, counts]) => {
      const row = document.createElement("tr");
      for (const text of [stage, counts.rows, counts.kept, counts.dropped, counts.failed]) {
        const cell = document.createElement(row.children.length ? "td" : "th");
        if (row.children.length) cell.className = "n";
        else cell.scope = "row";
        cell.textContent = text;
        row.append(cell);
      }
      return row;
    });
    live.querySelector("[data-stages] tbody")?.replaceChildren(...rows);
    const bar = live.querySelector("progress");
    if (!bar) return;
    if (facts.total) {
      bar.max = facts.total;
      bar.value = facts.done;
    } else {
      bar.removeAttribute("value");
    }
  });
  stream.addEventListener("end", () => {
    stream.close();
    location.reload();
  });
})();
