// A recruitment with a model that follows a script: what it calls is shown as it happens, what it makes stands beside it,
// and what it may not decide waits for the person.
import { createServer } from "node:http";
import { axe } from "./axe.mjs";
import { check, run, say } from "./world.mjs";

const NOTES = `Position: Network engineer
Must have:
- BGP and OSPF
- Juniper routers
- Linux
- fluent English
Tasks:
- run the core network
- plan changes with the field teams
- be on call every sixth week
As a person:
- structured
- calm when things break
Motivation:
- you decide how the network is built
Team: seven people in Malmö`;

const call = (name, args) => ({ call: { name, arguments: JSON.stringify(args) } });
// What the model says, in order. A call is followed by the request that brings its result.
const SCRIPT = [
  call("create_requirement_profile", { position_title: "Network engineer", startup_notes: "m1" }),
  { text: "Here is the profile. Please look at the four must-haves." },
  call("edit_requirement_profile", { confirm: true }),
  { text: "The profile is confirmed." },
  call("create_job_ad", {}),
  { text: "The ad stands beside this." },
  call("create_ta_screening_template", {}),
  { text: "The template is ready." },
  call("create_calendar_invite", {
    candidate_name: "Robin Lund", interview_type: "ta_screening", location_type: "teams", booking_method: "manual",
    date: "2026-12-03", time: "10:00", duration: 45, hiring_manager: { name: "Anna Berg" }, position_name: "Network engineer",
  }),
  { text: "The invitation is written." },
];
let at = 0;
const bodies = [];
const model = createServer((request, response) => {
  let body = "";
  request.on("data", (piece) => (body += piece));
  request.on("end", () => {
    if (request.url.endsWith("/models")) {
      response.setHeader("content-type", "application/json");
      return response.end(JSON.stringify({ object: "list", data: [{ id: "scripted", object: "model" }] }));
    }
    bodies.push(body);
    const step = SCRIPT[at] ?? { text: "There is nothing more in the script." };
    at += 1;
    response.setHeader("content-type", "text/event-stream");
    const send = (choices, more = {}) =>
      response.write(`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "scripted", choices, ...more })}\n\n`);
    const piece = (delta, finish_reason = null) => send([{ index: 0, delta, finish_reason }]);
    if (step.call) {
      const { name, arguments: text } = step.call;
      piece({ role: "assistant", tool_calls: [{ index: 0, id: `call_${at}`, type: "function", function: { name, arguments: "" } }] });
      for (let from = 0; from < text.length; from += 7) piece({ tool_calls: [{ index: 0, function: { arguments: text.slice(from, from + 7) } }] });
      piece({}, "tool_calls");
    } else {
      for (const word of step.text.split(/(?<= )/)) piece({ content: word });
      piece({}, "stop");
    }
    send([], { usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } });
    response.end("data: [DONE]\n\n");
  });
});
await new Promise((listening) => model.listen(0, "127.0.0.1", listening));
const providers = { peer: { wire: "chat", base_url: `http://127.0.0.1:${model.address().port}/v1`, key_env: "PEER_KEY", auth: "bearer" } };
const settings = { PEER_KEY: "peer-key-for-tests", TATA_MODEL: "peer/scripted", models: { providers } };

await run("scripted", settings, async (world) => {
  const page = await world.page({ bypassCSP: true });
  await page.goto(world.base);
  await say(page, NOTES);
  const project = page.url().split("#")[0].split("/d/")[0];
  const panel = page.locator("#panel");
  await page.locator("a.made", { hasText: "Requirement Profile" }).waitFor();
  await page.locator("a.made", { hasText: "Requirement Profile" }).click();
  await panel.getByText("Juniper routers").first().waitFor();
  check((await page.locator(".turn").last().locator(".prose").innerText()).includes("four must-haves"), "the model's own words stand below it");

  // The model wants to confirm: that is a person's to decide, and the question says what.
  await say(page, "What do you think of it?");
  const question = page.locator(".question");
  check((await question.count()) === 1, "what a model may not decide is asked");
  await axe(page, "a question");
  check(!(await panel.innerText()).toLowerCase().includes("confirmed by"), "nothing is confirmed before");
  await question.locator("button.main").click();
  await page.locator(".turn .prose", { hasText: "The profile is confirmed." }).waitFor();

  for (const [text, document, words] of [
    ["Please write the job ad", "Job Ad", "Juniper"],
    ["And the screening template for us", "Screening Template (TA)", "Juniper"],
    ["Invite Robin Lund to a first interview on Teams on 3 December 2026 at 10:00 for 45 minutes, with Anna Berg, the hiring manager", "Calendar Invitation", "Robin Lund"],
  ]) {
    await say(page, text);
    const link = page.locator("a.made", { hasText: document }).last();
    check((await link.count()) === 1, `${document}: ${await page.locator(".turn").last().innerText()}`);
    await link.click();
    await panel.getByText(words).first().waitFor();
    check(true, document);
  }
  check(at === SCRIPT.length, `the script was followed to its end: ${at} of ${SCRIPT.length}`);
  check(bodies.every((body) => JSON.parse(body).stream === true), "everything was streamed");

  // The tokens and the model are told; a reload shows the same.
  check((await page.locator(".turn .about").last().innerText()).includes("scripted"), "the model is named");
  const before = await page.locator("#turns").innerText();
  await page.goto(project);
  check((await page.locator("#turns").innerText()) === before, "a reload shows the same conversation");

  // Nothing jumps while the page is put together.
  const shift = await page.evaluate(() => new Promise((done) => {
    let sum = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => (sum += entry.value))).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done(sum), 500);
  }));
  check(shift < 0.01, `nothing jumps: ${shift}`);
});
model.close();
model.closeAllConnections();
