// Documents beside the conversation: tabs and decisions without leaving the page, and the source of what is pointed at.
import { fill, part, reason } from "./trusted.js";
import { words } from "./page.js";

const panel = document.getElementById("panel");
const session = document.getElementById("turns").dataset.session;
const beside = () => matchMedia("(min-width: 80rem)").matches;

async function load(address) {
  fill(panel, await part(address));
  document.body.classList.toggle("two", panel.querySelector(".doc") !== null);
  show();
}

// On a narrow screen the tabs are one row that is scrolled: the one that is open is in sight.
function show() {
  const row = panel.querySelector(".tabs ul");
  const open = row?.querySelector("[aria-current]");
  if (open) row.scrollLeft = open.offsetLeft - row.clientWidth / 3;
}
show();

document.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-panel-link]");
  if (!link || !beside() || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    await load(link.href);
    panel.scrollTop = 0;
    history.replaceState(null, "", link.href);
  } catch {
    location.assign(link.href);
  }
});

panel.addEventListener("submit", async (event) => {
  const form = event.target.closest("[data-panel-form]");
  if (!form || !beside()) return;
  event.preventDefault();
  for (const button of form.querySelectorAll("button")) button.disabled = true;
  const response = await fetch(form.action, {
    method: "POST",
    body: new URLSearchParams(new FormData(form)),
    headers: { accept: "application/json", "x-part": "1" },
  });
  if (response.ok) {
    const before = panel.scrollTop;
    fill(panel, await response.text());
    panel.scrollTop = before;
    return;
  }
  for (const button of form.querySelectorAll("button")) button.disabled = false;
  const problem = form.closest(".card") ? warning() : panel.querySelector("[data-problem]");
  problem.hidden = false;
  problem.textContent = await reason(response);
  problem.scrollIntoView({ block: "nearest" });
});

// A remark opens where its words stand; without a script, its number leads to the list.
const card = document.createElement("div");
card.className = "card";
card.setAttribute("popover", "auto");
panel.append(card);

function remark(flag) {
  const listed = panel.querySelector(`#finding-${flag.dataset.finding}`);
  if (!listed) return;
  const copy = document.createElement("div");
  copy.className = listed.className;
  for (const child of listed.childNodes) copy.append(child.cloneNode(true));
  card.replaceChildren(copy);
  if (!card.isConnected) panel.append(card);
  card.showPopover({ source: flag });
  const place = flag.getBoundingClientRect();
  const below = place.bottom + 6;
  const top = below + card.offsetHeight > innerHeight ? Math.max(8, place.top - card.offsetHeight - 6) : below;
  card.style.top = `${top}px`;
  card.style.left = `${Math.max(8, Math.min(place.left, innerWidth - card.offsetWidth - 8))}px`;
  card.querySelector("button, input:not([type=hidden])")?.focus();
}

// What is wrong with a decision is said where it is made.
function warning() {
  const line = card.querySelector("[role=alert]") ?? document.createElement("p");
  line.className = "problem";
  line.setAttribute("role", "alert");
  card.append(line);
  return line;
}

panel.addEventListener("click", (event) => {
  const flag = event.target.closest(".flag");
  if (!flag || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  remark(flag);
});

// A turn made something: the panel shows it, unless the person reads something else.
document.addEventListener("tata:made", async () => {
  const reading = location.pathname.split("/d/")[1];
  const address = reading ? location.pathname + location.search : `/p/${session}/d`;
  await load(address).catch(() => {});
});

// The source of a statement, on hover and on focus.
const tip = document.createElement("aside");
tip.className = "tip";
tip.setAttribute("role", "tooltip");
tip.id = "tip";
tip.hidden = true;
document.body.append(tip);
let shown = null;

function point(mark) {
  if (shown === mark) return;
  hide();
  const numbers = (mark.dataset.sources || "").split(" ").filter((one) => one);
  tip.replaceChildren();
  for (const number of numbers) {
    const source = document.getElementById(`source-${number}`);
    if (!source) continue;
    const head = document.createElement("p");
    head.textContent = `${words.source} ${number}: ${source.querySelector(".hint").textContent}`;
    const quote = document.createElement("blockquote");
    quote.textContent = source.querySelector("blockquote").textContent;
    tip.append(head, quote);
  }
  if (!tip.firstChild) return;
  shown = mark;
  // The title would show the same a second time.
  if (mark.title) {
    mark.dataset.title = mark.title;
    mark.removeAttribute("title");
  }
  mark.setAttribute("aria-describedby", "tip");
  tip.hidden = false;
  const place = mark.getBoundingClientRect();
  const below = place.bottom + 8;
  const top = below + tip.offsetHeight > innerHeight ? Math.max(8, place.top - tip.offsetHeight - 8) : below;
  tip.style.top = `${top}px`;
  tip.style.left = `${Math.max(8, Math.min(place.left, innerWidth - tip.offsetWidth - 8))}px`;
}

function hide() {
  tip.hidden = true;
  shown?.removeAttribute("aria-describedby");
  shown = null;
}

for (const name of ["mouseover", "focusin"]) {
  panel.addEventListener(name, (event) => {
    const mark = event.target.closest(".evidence");
    if (mark) point(mark);
  });
}
for (const name of ["mouseout", "focusout"]) panel.addEventListener(name, hide);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") hide();
});
