// Drag over a trend to open the lines of the time between. Each point is a link without this file.
(() => {
  const address = (link) => new URL(link.getAttribute("href") || link.getAttribute("xlink:href"), location);
  const middle = (link) => {
    const box = link.getBoundingClientRect();
    return box.left + box.width / 2;
  };
  const timed = (svg) => [...svg.querySelectorAll("a")].filter((link) => {
    const given = address(link).searchParams;
    return given.has("from") && given.has("to");
  });
  // The lines of all periods between two places: the first one's beginning to the last one's end.
  const between = (links, low, high) => {
    const inside = links.filter((link) => middle(link) >= low && middle(link) <= high).map(address);
    if (!inside.length) return null;
    const days = (name) => inside.map((each) => each.searchParams.get(name)).sort();
    const whole = inside[0];
    whole.searchParams.set("from", days("from")[0]);
    whole.searchParams.set("to", days("to").at(-1));
    return whole;
  };
  for (const svg of document.querySelectorAll("figure.drawn svg")) {
    const links = timed(svg);
    if (links.length < 2) continue;
    const shade = document.createElement("div");
    shade.className = "brush";
    let start = null;
    svg.classList.add("brushed");
    svg.addEventListener("pointerdown", (event) => {
      if (event.button === 0 && event.pointerType === "mouse") start = event.clientX;
    });
    svg.addEventListener("dragstart", (event) => event.preventDefault());
    window.addEventListener("pointermove", (event) => {
      if (start === null || Math.abs(event.clientX - start) < 8) return;
      const box = svg.getBoundingClientRect();
      shade.style.cssText = `left:${Math.min(start, event.clientX) + scrollX}px;top:${box.top + scrollY}px;` +
        `width:${Math.abs(event.clientX - start)}px;height:${box.height}px`;
      document.body.append(shade);
    });
    window.addEventListener("pointerup", (event) => {
      const begun = start;
      start = null;
      shade.remove();
      if (begun === null || Math.abs(event.clientX - begun) < 8) return;
      const found = between(links, Math.min(begun, event.clientX), Math.max(begun, event.clientX));
      if (found) location.assign(found);
    });
  }
})();
