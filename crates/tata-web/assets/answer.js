// An answer while it arrives: plain text in a text node, steps as one line. When it is whole, the server's rendering of it
// takes its place.
import { element, part } from "./trusted.js";
import { announce, words } from "./page.js";

export class Answer {
  #turns;
  #session;
  #turn = null;
  #place = null;
  #text = null;
  #spoken = "";

  constructor(turns) {
    this.#turns = turns;
    this.#session = turns.dataset.session;
  }

  /** The words of the person, at once. */
  said(text, files) {
    const turn = document.createElement("article");
    turn.className = "turn";
    const said = document.createElement("div");
    said.className = "said";
    for (const one of [...files, text].filter((one) => one)) {
      const line = document.createElement("div");
      line.className = "text";
      line.dir = "auto";
      line.textContent = one;
      said.append(line);
    }
    const answer = document.createElement("div");
    answer.className = "answer";
    answer.setAttribute("aria-busy", "true");
    turn.append(said, answer);
    this.#turns.append(turn);
    this.#use(turn);
    turn.scrollIntoView({ block: "start" });
    return turn;
  }

  /** Follows a turn by its number; one that stands on the page already is gone on with. */
  follow(number) {
    this.#turn = number;
    const known = document.getElementById(`turn-${number}`);
    if (known && known !== this.#place?.closest(".turn")) this.#use(known);
    if (this.#place) this.#place.closest(".turn").id = `turn-${number}`;
  }

  get number() {
    return this.#turn;
  }

  #use(turn) {
    this.#place = turn.querySelector(".answer");
    turn.querySelector("[data-placeholder]")?.remove();
    this.#text = null;
    this.#spoken = "";
  }

  write(piece) {
    if (!this.#place) return;
    if (!this.#text) {
      const prose = document.createElement("div");
      prose.className = "prose live";
      prose.dir = "auto";
      this.#text = document.createTextNode("");
      prose.append(this.#text);
      this.#place.append(prose);
    }
    this.#text.appendData(piece);
    this.#speak(piece);
  }

  /** What was shown since the model was asked no longer counts. */
  reset() {
    this.#text?.parentElement.remove();
    this.#text = null;
    this.#spoken = "";
  }

  /** A step, as one line. */
  step(name) {
    this.#text = null;
    const line = document.createElement("p");
    line.className = "steps-done";
    line.dataset.step = name;
    line.textContent = `${words.steps}: ${name}`;
    this.#place?.append(line);
  }

  // Sentences, not pieces.
  #speak(piece) {
    this.#spoken += piece;
    const end = Math.max(this.#spoken.lastIndexOf(". "), this.#spoken.lastIndexOf("\n"));
    if (end > 40) {
      announce(this.#spoken.slice(0, end + 1));
      this.#spoken = this.#spoken.slice(end + 1);
    }
  }

  /** Puts the server's rendering in the place of what was shown. */
  async settle() {
    if (this.#turn === null) return;
    const html = await part(`/p/${this.#session}/turns/${this.#turn}`);
    const turn = element(html);
    const shown = document.getElementById(turn.id) || this.#place?.closest(".turn");
    for (const before of this.#turns.querySelectorAll(".about form, .about a")) {
      // Only the last turn can be asked again.
      if (!before.closest(".turn").isSameNode(shown)) before.remove();
    }
    if (shown) shown.replaceWith(turn);
    else this.#turns.append(turn);
    announce(words.ready);
    this.#place = turn.querySelector(".answer");
    this.#text = null;
  }
}
