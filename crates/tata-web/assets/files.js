// Files that are brought: by button, dropped or pasted. Each is read before it is sent, and what was read is shown.
import { reason } from "./trusted.js";
import { words } from "./page.js";

export class Files {
  #form;
  #list;
  #all = [];

  constructor(form) {
    this.#form = form;
    this.#list = form.querySelector("[data-files]");
    const input = form.querySelector("input[type=file]");
    input.addEventListener("change", () => {
      this.#add(input.files);
      // A form that sends itself takes the files from the button.
      if (document.getElementById("turns")) input.value = "";
    });
    const zone = form.closest("[data-drop-zone]") || form;
    zone.addEventListener("dragover", (event) => {
      event.preventDefault();
      zone.classList.add("over");
    });
    zone.addEventListener("dragleave", () => zone.classList.remove("over"));
    zone.addEventListener("drop", (event) => {
      event.preventDefault();
      zone.classList.remove("over");
      this.#bring(event.dataTransfer.files, input);
    });
    form.querySelector("textarea").addEventListener("paste", (event) => {
      if (event.clipboardData.files.length === 0) return;
      event.preventDefault();
      this.#bring(event.clipboardData.files, input);
    });
  }

  get empty() {
    return !this.#all.some((one) => one.good);
  }

  get names() {
    return this.#all.filter((one) => one.good).map((one) => one.file.name);
  }

  addTo(body) {
    for (const one of this.#all.filter((one) => one.good)) body.append("file", one.file, one.file.name);
  }

  clear() {
    this.#all = [];
    this.#list.replaceChildren();
    this.#list.hidden = true;
  }

  #bring(files, input) {
    // On the first page the form sends itself: the button must hold what was dropped.
    if (!document.getElementById("turns")) {
      const held = new DataTransfer();
      for (const file of [...input.files, ...files]) held.items.add(file);
      input.files = held.files;
    }
    this.#add(files);
  }

  #add(files) {
    for (const file of files) {
      const one = { file, good: false, row: document.createElement("li") };
      this.#all.push(one);
      this.#list.append(one.row);
      this.#list.hidden = false;
      this.#show(one, words.queued);
      this.#read(one);
    }
  }

  async #read(one) {
    this.#show(one, words.reading);
    const body = new FormData();
    body.append("file", one.file, one.file.name);
    try {
      const response = await fetch("/files/read", { method: "POST", body, headers: { accept: "application/json" } });
      if (!response.ok) throw new Error(await reason(response));
      const read = await response.json();
      one.good = true;
      this.#show(one, words.read, read);
    } catch (error) {
      this.#show(one, `${words.failed}: ${error.message}`);
    }
  }

  #show(one, state, read) {
    const name = document.createElement("strong");
    name.textContent = one.file.name;
    const said = document.createElement("span");
    said.className = "hint";
    said.setAttribute("role", "status");
    said.textContent = ` ${state} `;
    const remove = document.createElement("button");
    remove.type = "button";
    remove.className = "quiet";
    remove.textContent = words.remove;
    remove.setAttribute("aria-label", `${words.remove}: ${one.file.name}`);
    remove.addEventListener("click", () => {
      this.#all = this.#all.filter((other) => other !== one);
      one.row.remove();
      this.#list.hidden = this.#all.length === 0;
    });
    one.row.replaceChildren(name, said, remove);
    if (!read) return;
    const preview = document.createElement("details");
    const summary = document.createElement("summary");
    summary.textContent = words.preview;
    const text = document.createElement("div");
    text.className = "text";
    text.tabIndex = 0;
    text.textContent = [...read.notes, read.text + (read.more ? " …" : "")].join("\n");
    preview.append(summary, text);
    one.row.append(preview);
  }
}
