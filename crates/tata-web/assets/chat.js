// Sends what is written, follows the answer, keeps the draft.
import { reason } from "./trusted.js";
import { banner, drafts, words } from "./page.js";
import { Answer } from "./answer.js";
import { Files } from "./files.js";
import { Stream } from "./stream.js";

const form = document.querySelector("[data-composer]");
const turns = document.getElementById("turns");
const field = form.querySelector("textarea");
const send = form.querySelector("[data-send]");
const problem = form.querySelector("[data-problem]");
const files = new Files(form);
const key = `${drafts} ${location.pathname.split("/").slice(0, 3).join("/")}`;

// The draft stays in this browser until it is sent.
const editing = form.querySelector("[name=replaces]");
if (!editing && !field.value) field.value = localStorage.getItem(key) || "";
field.addEventListener("input", () => {
  if (editing) return;
  if (field.value) localStorage.setItem(key, field.value);
  else localStorage.removeItem(key);
  form.querySelector("[data-draft]").hidden = navigator.onLine || !field.value;
});
field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing && matchMedia("(pointer: fine)").matches) {
    event.preventDefault();
    form.requestSubmit();
  }
});
for (const example of document.querySelectorAll("[data-example]")) {
  example.addEventListener("click", () => {
    field.value = example.dataset.example;
    field.dispatchEvent(new Event("input"));
    field.focus();
  });
}

function tell(text) {
  problem.hidden = !text;
  problem.textContent = text || "";
}

if (turns) converse();
else {
  form.querySelector("[name=live]").value = "1";
  form.addEventListener("submit", (event) => {
    if (!field.value.trim() && files.empty) return event.preventDefault();
    localStorage.removeItem(key);
    send.disabled = true;
  });
}

function converse() {
  const session = turns.dataset.session;
  const answer = new Answer(turns);
  const running = document.querySelector("[data-stop]");
  const stage = running.querySelector("[data-stage]");
  const elapsed = running.querySelector("[data-elapsed]");
  const title = document.title;
  let begun = 0;
  let clock = 0;

  const show = (on) => {
    running.hidden = !on;
    send.disabled = on;
    clearInterval(clock);
    if (!on) return;
    begun = Date.now();
    stage.textContent = words.working;
    const tick = () => (elapsed.textContent = `${Math.round((Date.now() - begun) / 1000)} s`);
    tick();
    clock = setInterval(tick, 1000);
  };

  const stream = new Stream(session, turns.dataset.position, hear, (connected) => {
    banner(connected ? "" : navigator.onLine ? words.reconnecting : words.offline);
  });

  async function over() {
    stream.end();
    show(false);
    try {
      await answer.settle();
    } catch (error) {
      tell(`${words.wrong}: ${error.message}`);
    }
    document.dispatchEvent(new CustomEvent("tata:made"));
    if (document.visibilityState === "hidden") document.title = `● ${title}`;
  }
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") document.title = title;
  });

  function hear(name, event) {
    if (name === "turn_started") answer.follow(event.turn);
    else if (name === "text_delta") answer.write(event.text);
    else if (name === "reset") answer.reset();
    else if (name === "retrying" || name === "warning") stage.textContent = event.reason || stage.textContent;
    else if (name === "tool_started") {
      answer.step(event.tool);
      stage.textContent = event.tool.replaceAll("_", " ");
    } else if (name === "artifact") document.dispatchEvent(new CustomEvent("tata:made"));
    else if (name === "finished") {
      if (answer.number === null) answer.follow(event.turn_number);
      over();
    }
  }

  async function post(address, body) {
    const response = await fetch(address, { method: "POST", body, headers: { accept: "application/json" } });
    if (!response.ok) throw new Error(await reason(response));
    return response.status === 204 ? null : response.json();
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = field.value;
    if ((!text.trim() && files.empty) || send.disabled) return;
    tell("");
    const body = new FormData();
    body.set("message", text);
    if (editing) body.set("replaces", editing.value);
    // What the program asked stands in the last turn, and nowhere else: only there does a yes answer it.
    const asked = turns.querySelector(".turn:last-child [name=answers]");
    if (asked) body.set("answers", asked.value);
    files.addTo(body);
    show(true);
    const shown = answer.said(text, files.names);
    try {
      const turn = await post(form.action, body);
      if (editing) return location.assign(`/p/${session}`);
      // What was asked before this message is no longer asked.
      for (const old of turns.querySelectorAll(".turn:not(:last-child) .question")) old.remove();
      field.value = "";
      localStorage.removeItem(key);
      files.clear();
      answer.follow(turn.turn);
      stream.begin();
    } catch (error) {
      // Nothing was taken in: the words stay where they are.
      shown.remove();
      show(false);
      tell(error.message);
      field.focus();
    }
  });

  running.addEventListener("submit", async (event) => {
    event.preventDefault();
    await post(running.action, new URLSearchParams()).catch((error) => tell(error.message));
  });

  // Decisions and second tries: what is shown of the turn is gone on with.
  document.addEventListener("submit", async (event) => {
    const asked = event.target.closest("[data-decide], [data-again]");
    if (!asked) return;
    event.preventDefault();
    tell("");
    show(true);
    try {
      await post(asked.action, new URLSearchParams(new FormData(asked)));
      location.assign(`/p/${session}`);
    } catch (error) {
      show(false);
      tell(error.message);
    }
  });

  if (turns.dataset.running === "true") {
    const last = turns.querySelector(".turn:last-child");
    if (last) answer.follow(Number(last.dataset.turn));
    show(true);
    stream.begin();
  }
  if (!location.hash) turns.querySelector(".turn:last-child")?.scrollIntoView({ block: "start" });
}
