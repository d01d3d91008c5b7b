// What every page does: tells when the connection is gone, copies, closes menus.
document.documentElement.classList.add("scripted");

const stored = document.getElementById("words");
export const words = stored ? stored.dataset : {};

// Unsent drafts are kept apart by person. Those of whoever used this browser before are not for the next one.
const person = document.body.dataset.person;
export const drafts = `tata-draft ${person || "local"}`;
if (person) {
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith("tata-draft ") && !name.startsWith(`${drafts} `)) localStorage.removeItem(name);
  }
}

/** Says something to those who listen instead of looking. */
export function announce(text) {
  const place = document.getElementById("announce");
  if (place) place.textContent = text;
}

/** Shows a line above the page, or takes it away. */
export function banner(text) {
  const place = document.getElementById("banner");
  if (!place) return;
  place.hidden = !text;
  place.textContent = text || "";
}

addEventListener("offline", () => banner(words.offline));
addEventListener("online", () => {
  banner("");
  announce(words.online);
});
if (!navigator.onLine) banner(words.offline);

// Copying needs a script: its buttons are seen once there is one (chat.css), and nothing jumps.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) {
    const prose = [...button.closest("[data-answer]").querySelectorAll("[data-prose]")];
    try {
      await navigator.clipboard.writeText(prose.map((one) => one.innerText).join("\n\n"));
      announce(words.copied);
      const before = button.textContent;
      button.textContent = words.copied;
      setTimeout(() => (button.textContent = before), 1500);
    } catch {
      announce(words.copyFailed);
    }
    return;
  }
  // A menu that is open closes when something else is pressed.
  for (const open of document.querySelectorAll("details.drop[open]")) {
    if (!open.contains(event.target)) open.open = false;
  }
  // A chip opens the sources it leads to.
  const chip = event.target.closest('a[href^="#cite-"]');
  const meant = chip && document.getElementById(chip.getAttribute("href").slice(1));
  if (meant) meant.closest("details").open = true;
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const open of document.querySelectorAll("details.drop[open]")) {
    open.open = false;
    open.querySelector("summary").focus();
  }
});
