// A server with a data folder of its own, and a browser that writes down what must not happen.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const require = createRequire(join(process.env.TATA_PEER, "package.json"));
const { chromium } = require("playwright-core");
export const AXE = require.resolve("axe-core/axe.min.js");

export class World {
  static async open(settings = {}) {
    const world = new World();
    world.home = mkdtempSync(join(tmpdir(), "tata-pages-"));
    world.settings = settings;
    await world.serve();
    world.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-dev-shm-usage"],
    });
    world.violations = [];
    world.requests = [];
    return world;
  }

  /** Starts the server, at the place it had before. */
  async serve() {
    const { models, accounts, password, ...settings } = this.settings;
    const environment = {
      PATH: process.env.PATH, HOME: this.home, TATA_HOME: join(this.home, "tata"), TZ: "UTC",
      TATA_NOW: "2026-11-16T08:00:00Z", ...settings,
    };
    const file = join(this.home, "peers.yaml");
    if (models) writeFileSync(file, JSON.stringify(models));
    const begin = models ? ["--models-file", file, "serve"] : ["serve"];
    if (accounts) begin.push("--accounts");
    for (const [name, role] of this.base ? [] : Object.entries(accounts ?? {})) {
      const made = spawnSync(process.env.TATA_PROGRAM, ["account", "add", name, "--role", role], { env: environment, cwd: this.home, input: `${password}\n` });
      if (made.status !== 0) throw new Error(`${made.stderr}`);
    }
    const listen = this.base ? this.base.replace("http://", "") : "127.0.0.1:0";
    this.server = spawn(process.env.TATA_PROGRAM, [...begin, "--listen", listen], { env: environment, cwd: this.home });
    this.log = "";
    this.base = await new Promise((found, failed) => {
      this.server.stderr.on("data", (piece) => {
        this.log += piece;
        const place = /http:\/\/[\d.:]+/.exec(this.log);
        if (place) found(place[0]);
      });
      this.server.on("exit", (code) => failed(new Error(`the server ended with ${code}: ${this.log}`)));
    });
  }

  async stopServer(signal = "SIGTERM") {
    this.server.removeAllListeners("exit");
    const ended = new Promise((done) => this.server.once("exit", done));
    this.server.kill(signal);
    await ended;
  }

  /** A browser of its own: cookies, drafts and a page that is watched. */
  async page(options = {}) {
    const context = await this.browser.newContext({
      viewport: { width: 1440, height: 900 }, locale: "en-GB", timezoneId: "UTC", ...options,
    });
    return this.watched(await context.newPage());
  }

  watched(page) {
    page.setDefaultTimeout(20_000);
    page.on("console", (message) => {
      if (/Content.Security.Policy|TrustedHTML|Refused to/i.test(message.text())) this.violations.push(message.text());
    });
    page.on("pageerror", (error) => this.violations.push(`script: ${error.message}`));
    page.on("request", (request) => {
      if (!request.url().startsWith(this.base) && !request.url().startsWith("about:")) this.requests.push(request.url());
    });
    return page;
  }

  /** What happened that must not. */
  quiet() {
    check(this.violations.length === 0, `nothing is against the policy: ${this.violations.slice(0, 3)}`);
    check(this.requests.length === 0, `nothing is asked elsewhere: ${this.requests.slice(0, 3)}`);
  }

  async close() {
    await this.browser.close();
    await this.stopServer();
    rmSync(this.home, { recursive: true, force: true });
  }
}

let checks = 0;
export function check(holds, what) {
  if (!holds) throw new Error(`does not hold: ${what}`);
  checks += 1;
}

/** Says something on the page of a project, or on the first page, and waits for the answer. */
export async function say(page, text) {
  const before = await page.locator(".turn").count();
  await page.fill("#message", text);
  await page.click("[data-send]");
  await page.waitForURL(/\/p\//);
  await settled(page, before + 1);
}

/** The same; whatever is asked about what was said is answered with the first choice, which is yes. */
export async function mean(page, text) {
  const before = await page.locator(".turn").count();
  await say(page, text);
  const ask = page.locator(".turn").last().locator("form[data-decide] button.main");
  while ((await ask.count()) > 0) {
    await ask.first().click();
    await ask.first().waitFor({ state: "detached" });
    await settled(page, before + 1);
  }
}

/** Waits until so many turns are there and none is running. */
export async function settled(page, count) {
  await page.waitForFunction(
    (count) => {
      const stop = document.querySelector("[data-stop]");
      const turns = document.querySelectorAll(".turn");
      const last = turns[turns.length - 1];
      return stop && stop.hidden && turns.length >= count && last.querySelector(".about, .question, .failed, .by-hand");
    },
    count,
  );
}

export async function run(name, settings, body) {
  const world = await World.open(settings);
  try {
    await body(world);
    world.quiet();
    console.log(`${name}: ${checks} things hold`);
  } catch (error) {
    console.error(`${name}: ${error.stack}\n${world.log.split("\n").slice(-5).join("\n")}`);
    process.exitCode = 1;
  } finally {
    await world.close();
  }
}
