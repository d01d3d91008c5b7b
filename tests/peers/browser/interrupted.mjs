// Nothing is lost: reload, a second tab, a restart of the server in the middle of an answer; seven tabs at once; stop, again.
import { createServer } from "node:http";
import { check, run, say, settled } from "./world.mjs";

// A model on this machine that speaks slowly, so that an answer can be interrupted.
const WORDS = Array.from({ length: 40 }, (_, at) => `word${at + 1} `);
let asked = 0;
const model = createServer((request, response) => {
  let body = "";
  request.on("data", (piece) => (body += piece));
  request.on("end", async () => {
    if (request.url.endsWith("/models")) {
      response.setHeader("content-type", "application/json");
      return response.end(JSON.stringify({ object: "list", data: [{ id: "slow", object: "model" }] }));
    }
    asked += 1;
    response.setHeader("content-type", "text/event-stream");
    const send = (delta, finish = null) =>
      response.write(`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "slow", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
    send({ role: "assistant", content: "" });
    for (const word of WORDS) {
      send({ content: word });
      await new Promise((next) => setTimeout(next, 60));
    }
    send({}, "stop");
    response.write(`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "slow", choices: [], usage: { prompt_tokens: 5, completion_tokens: 40, total_tokens: 45 } })}\n\n`);
    response.end("data: [DONE]\n\n");
  });
});
await new Promise((listening) => model.listen(0, "127.0.0.1", listening));
const port = model.address().port;
const whole = WORDS.join("").trim();

const providers = { peer: { wire: "chat", base_url: `http://127.0.0.1:${port}/v1`, key_env: "PEER_KEY", auth: "bearer" } };
const settings = { PEER_KEY: "peer-key-for-tests", TATA_MODEL: "peer/slow", models: { providers } };

async function shown(page) {
  return (await page.locator(".turn").last().locator(".prose").allInnerTexts()).join("").trim();
}

async function begin(page, text) {
  const before = await page.locator(".turn").count();
  await page.fill("#message", text);
  await page.click("[data-send]");
  await page.waitForURL(/\/p\//);
  await page.waitForFunction(() => /word3/.test(document.querySelector(".turn:last-child .prose")?.textContent ?? ""));
  return before + 1;
}

await run("interrupted", settings, async (world) => {
  const page = await world.page();
  await page.goto(world.base);
  // Reload in the middle of the answer, and a second tab that comes later.
  let turns = await begin(page, "Say the words");
  await page.reload();
  const second = world.watched(await page.context().newPage());
  await second.goto(page.url());
  await settled(page, turns);
  check((await shown(page)) === whole, `after a reload: ${await shown(page)}`);
  await second.bringToFront();
  await settled(second, turns);
  check((await shown(second)) === whole, "in a second tab");
  check(asked === 1, `the model was asked once: ${asked}`);
  await second.close();
  await page.bringToFront();

  // Stop: what had arrived is kept.
  turns = await begin(page, "Say them again");
  const stopped = Date.now();
  await page.getByRole("button", { name: "Stop" }).click();
  await settled(page, turns);
  check(Date.now() - stopped < 2000, "it stops soon");
  const part = await shown(page);
  check(part.startsWith("word1") && part.length < whole.length && whole.startsWith(part), `a part is kept: ${part}`);

  // Asked again, and a question that is changed.
  await page.getByRole("button", { name: "Regenerate" }).click();
  await page.waitForFunction((whole) => document.querySelector(".turn:last-child .prose")?.textContent.trim() === whole, whole);
  await settled(page, turns);
  await page.getByRole("link", { name: "Edit", exact: true }).last().click();
  check((await page.inputValue("#message")) === "Say them again", "the question can be changed");
  await page.fill("#message", "Say them differently");
  await page.click("[data-send]");
  await page.waitForFunction(() => [...document.querySelectorAll(".said")].at(-1)?.textContent.includes("differently"));
  await page.waitForURL((url) => !url.search.includes("edit"));
  await settled(page, turns);
  check((await page.locator(".said", { hasText: "Say them again" }).count()) === 0, "the old question is gone");

  // The server goes away in the middle of an answer and comes back.
  turns = await begin(page, "Once more");
  await world.stopServer("SIGKILL");
  await world.serve();
  await page.waitForFunction((whole) => document.querySelector(".turn:last-child .prose")?.textContent.trim() === whole, whole, { timeout: 60_000 });
  await page.reload();
  await settled(page, turns);
  check((await shown(page)) === whole, "the same text after a restart, no gap and no repeat");

  // Seven tabs of one browser: all load, all can speak.
  const tabs = [];
  for (let at = 0; at < 7; at += 1) {
    const tab = world.watched(await page.context().newPage());
    await tab.goto(world.base);
    await begin(tab, `Tab ${at + 1}`);
    tabs.push(tab);
  }
  for (const tab of tabs) {
    await tab.bringToFront();
    await settled(tab, 1);
    check((await shown(tab)) === whole, "a tab of seven");
  }

  // The draft stays, and the page says when it is offline.
  await page.bringToFront();
  await page.fill("#message", "not sent yet");
  await page.context().setOffline(true);
  await page.locator("#banner", { hasText: "offline" }).waitFor();
  await page.context().setOffline(false);
  await page.locator("#banner").waitFor({ state: "hidden" });
  await page.reload();
  check((await page.inputValue("#message")) === "not sent yet", "the draft is kept");
});
model.close();
