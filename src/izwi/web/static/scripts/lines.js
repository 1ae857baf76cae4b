// Lines open in place, and fields left as they were stay out of the address.
(() => {
  // A click anywhere on a line opens it, unless text was being selected.
  document.querySelector(".kwic tbody")?.addEventListener("click", (event) => {
    if (event.target.closest("a, summary, .card, input, .pick") || String(getSelection())) return;
    const details = event.target.closest("tr").querySelector("details");
    details.open = !details.open;
  });

  // The paragraph round a line comes when the line is first opened.
  for (const details of document.querySelectorAll("details[data-part]")) {
    details.addEventListener("toggle", async () => {
      const place = details.querySelector(".more");
      if (!details.open || place.childElementCount) return;
      const answer = await fetch(details.dataset.part);
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      place.replaceChildren(...page.body.children);
    });
  }

  document.addEventListener("formdata", (event) => {
    if (event.target.method === "post") return;
    for (const [name, value] of [...event.formData]) {
      const field = event.target.querySelector(`[name="${name}"]`);
      if (value === "" || value === field?.dataset.default) event.formData.delete(name);
    }
  });
})();
