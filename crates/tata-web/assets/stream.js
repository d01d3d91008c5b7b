// One stream of events for the tab that is looked at. A tab in the background closes it and goes on from the same place
// later, so that many tabs do not use up a browser's connections.
const NAMES = [
  "turn_started", "model_asked", "text_delta", "reset", "retrying", "tool_announced", "tool_started", "tool_finished",
  "artifact", "warning", "waiting", "finished",
];

export class Stream {
  #session;
  #source = null;
  #last;
  #wanted = false;
  #tell;
  #connection;

  constructor(session, position, tell, connection) {
    this.#session = session;
    this.#last = position;
    this.#tell = tell;
    this.#connection = connection;
    document.addEventListener("visibilitychange", () => this.#settle());
    addEventListener("online", () => this.#settle());
  }

  /** Listens until the turn is over. */
  begin() {
    this.#wanted = true;
    this.#settle();
  }

  end() {
    this.#wanted = false;
    this.#settle();
  }

  #settle() {
    const open = this.#wanted && document.visibilityState === "visible";
    if (open && !this.#source) this.#open();
    if (!open && this.#source) this.#close();
  }

  #close() {
    this.#source.close();
    this.#source = null;
  }

  #open() {
    const from = encodeURIComponent(this.#last);
    const source = new EventSource(`/api/v1/sessions/${this.#session}/events?last_event_id=${from}`);
    this.#source = source;
    source.onopen = () => this.#connection(true);
    source.onerror = () => {
      if (!this.#wanted) return;
      this.#connection(false);
      // A browser gives up after some errors; nobody else does.
      if (source.readyState === EventSource.CLOSED) {
        this.#source = null;
        setTimeout(() => this.#settle(), 1000);
      }
    };
    for (const name of NAMES) {
      source.addEventListener(name, (event) => {
        if (event.lastEventId) this.#last = event.lastEventId;
        this.#tell(name, JSON.parse(event.data));
      });
    }
  }
}
