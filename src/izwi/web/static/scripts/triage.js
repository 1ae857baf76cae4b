// A decision is sent without leaving the page; the next row is ready at once.
(() => {
  // One after the other: the first answer says which list the next ones belong to.
  let sent = Promise.resolve();
  const send = (form, body) => {
    // A decision that could not be sent does not hold up the next.
    const request = () => fetch(form.action, { method: "POST", headers: { Accept: "application/json" }, body });
    sent = sent.catch(() => {}).then(request);
    return sent;
  };

  for (const form of document.querySelectorAll("form[data-decide]")) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const row = form.closest("tr");
      const next = row.nextElementSibling ?? row.previousElementSibling;
      const body = new URLSearchParams(new FormData(form, event.submitter));
      next?.querySelector("[data-stop]")?.focus();
      row.remove();
      const answer = await send(form, body).catch(() => null);
      if (!answer?.ok) return location.reload(); // what was not decided comes back
      const { decided } = await answer.json();
      const count = document.querySelector("[data-decided]");
      if (count) count.textContent = decided;
      document.querySelector("[data-undo]").hidden = decided === 0;
      document.querySelector("#said").textContent = decided;
    });
  }
})();
