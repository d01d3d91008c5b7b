// Lines of notes to their places: by dragging, by the numbers of the keyboard, or by the buttons that are there anyway.
const section = document.querySelector("[data-sorting]");
if (section) {
  const zones = section.querySelector("[data-zones]");
  const lines = [...section.querySelectorAll("[data-line]")];
  const picks = [...(lines[0]?.querySelectorAll("input[type=radio]") ?? [])].map((input) => ({ value: input.value, label: input.parentElement.textContent.trim() }));
  let dragged = null;

  // The first nine by their numbers; the last, which leaves a line out, by 0.
  const keyOf = (at) => (at < 9 ? String(at + 1) : at === picks.length - 1 ? "0" : "");
  const place = (line, value) => {
    const input = [...line.querySelectorAll("input[type=radio]")].find((one) => one.value === value);
    if (!input) return;
    input.checked = true;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const count = () => {
    for (const zone of zones.children) {
      const held = lines.filter((line) => line.querySelector("input:checked")?.value === zone.dataset.value);
      zone.querySelector("b").textContent = String(held.length);
    }
    for (const line of lines) line.classList.toggle("placed", Boolean(line.querySelector("input:checked")));
  };

  picks.forEach((pick, at) => {
    const zone = document.createElement("li");
    zone.dataset.value = pick.value;
    const held = document.createElement("b");
    zone.append(`${keyOf(at)} ${pick.label} `.trimStart(), held);
    zone.addEventListener("dragover", (event) => {
      event.preventDefault();
      zone.classList.add("over");
    });
    zone.addEventListener("dragleave", () => zone.classList.remove("over"));
    zone.addEventListener("drop", (event) => {
      event.preventDefault();
      zone.classList.remove("over");
      if (dragged) place(dragged, pick.value);
    });
    zones.append(zone);
  });
  zones.hidden = false;

  lines.forEach((line, at) => {
    line.draggable = true;
    line.addEventListener("dragstart", (event) => {
      dragged = line;
      event.dataTransfer.setData("text/plain", line.querySelector("legend").textContent);
    });
    line.addEventListener("dragend", () => (dragged = null));
    line.addEventListener("keydown", (event) => {
      const pick = picks.find((_, number) => keyOf(number) === event.key);
      if (!pick || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      place(line, pick.value);
      lines[at + 1]?.querySelector("input[type=radio]")?.focus();
    });
  });
  section.addEventListener("change", count);
  count();
}
