// A whole recruitment with the model that needs nothing, in two languages; what it made is read, decided, compared and taken.
import { readFileSync } from "node:fs";
import { check, mean, run, say } from "./world.mjs";

const KINDS = 10;

/** The messages of a conversation that the program's own tests play too. */
function script(code) {
  const text = readFileSync(`crates/tata/tests/conversations/${code}.yaml`, "utf8");
  const steps = [];
  for (const line of text.split("\n")) {
    const plain = /^- say: "(.*)"$/.exec(line);
    const makes = /^ {2}makes: (\w+)$/.exec(line);
    if (plain) steps.push({ say: plain[1].replaceAll('\\"', '"') });
    else if (line.startsWith("- say: |")) steps.push({ say: "", block: true });
    else if (makes) steps.at(-1).makes = makes[1];
    else if (steps.at(-1)?.block) steps.at(-1).say += `${line.replace(/^ {4}/, "")}\n`;
  }
  return steps.map((step) => ({ ...step, say: step.say.trim() }));
}

async function recruit(world, code, locale) {
  const page = await world.page({ locale });
  await page.goto(world.base);
  check((await page.getAttribute("html", "lang")) === code, "the page speaks the reader's language");
  const made = new Set();
  for (const step of script(code)) {
    await mean(page, step.say);
    if (!step.makes) continue;
    const last = page.locator(".turn").last();
    const link = await last.locator(`a.made[href*="/d/${step.makes}"]`).count();
    check(link > 0, `${code}: ${step.makes} after ${step.say.slice(0, 40)}`);
    made.add(step.makes);
  }
  check(made.size === KINDS, `${code}: ${made.size} kinds of documents`);
  check((await page.locator(".tabs li").count()) === KINDS, `${code}: a tab for each document`);
  return page;
}

await run("recruitment", {}, async (world) => {
  const page = await recruit(world, "en", "en-GB");
  const project = page.url().split("/d/")[0].split("#")[0];

  // The profile: evidence on focus, versions, difference, approval.
  await page.goto(`${project}/d/requirement_profile`);
  const mark = page.locator(".evidence").first();
  await mark.focus();
  const tip = page.locator("#tip");
  await tip.waitFor({ state: "visible" });
  check((await tip.locator("blockquote").first().textContent()).trim().length > 3, "a source is shown on focus");
  await page.keyboard.press("Escape");
  check(await tip.isHidden(), "and goes away");
  await page.locator(".doc-head").getByRole("button", { name: "Approve", exact: true }).click();
  await page.locator(".tag.good", { hasText: "Approved by" }).first().waitFor();
  await page.getByRole("link", { name: "Show changes" }).click();
  await page.locator(".compared").waitFor();
  check((await page.locator(".compared ins, .compared del").count()) > 0 || (await page.locator(".compared").innerText()).length > 20, "versions are compared");

  // The inclusion review: a remark is decided; downloads are what they say.
  await page.goto(`${project}/d/di_review`);
  const finding = page.locator(".finding").first();
  if (await finding.count()) {
    await finding.getByRole("button", { name: "Ignore" }).click();
    await page.locator(".finding.done").first().waitFor();
    check(true, "a remark is decided");
  }
  for (const [kind, ending, magic] of [["job_ad", "docx", "PK"], ["job_ad", "pdf", "%PDF"], ["funnel_report", "xlsx", "PK"], ["calendar_invite", "ics", "BEGIN:VCALENDAR"]]) {
    const file = await page.request.get(`${project}/d/${kind}/file?format=${ending}`);
    check(file.ok() && (await file.body()).subarray(0, 16).toString("latin1").startsWith(magic), `${kind} as ${ending}`);
  }

  // Found again, renamed, pinned, deleted and taken back, all without a script.
  const plain = await world.page({ javaScriptEnabled: false });
  await plain.goto(`${world.base}/documents?q=backbone`);
  check((await plain.locator(".list li").count()) > 2, "documents are found across projects");
  await plain.goto(`${world.base}/projects`);
  await plain.locator("summary", { hasText: "Rename" }).first().click();
  await plain.fill("input[name=title]", "Network <b>engineer</b> & more");
  await plain.getByRole("button", { name: "Save" }).click();
  await plain.getByRole("link", { name: "Network <b>engineer</b> & more" }).first().waitFor();
  await plain.getByRole("button", { name: /^Pin/ }).click();
  check((await plain.locator("h2", { hasText: "Pinned" }).count()) === 1, "a project is pinned");
  await plain.getByRole("button", { name: /^Delete/ }).click();
  check((await plain.locator(".list li").count()) === 0, "a deleted project is gone at once");
  await plain.getByRole("button", { name: "Undo" }).click();
  check((await plain.locator(".list li").count()) === 1, "and back again");

  // A conversation without a script: the form sends itself, the answer is there.
  await plain.goto(world.base);
  await plain.fill("#message", "Hello");
  await plain.getByRole("button", { name: "Send" }).click();
  await plain.waitForURL(/\/p\//);
  check((await plain.locator(".turn .prose").count()) > 0, "an answer without a script");
  await plain.setInputFiles("input[type=file]", { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Must have\n* Calm\n") });
  await plain.getByRole("button", { name: "Send" }).click();
  await plain.locator(".said", { hasText: "Calm" }).first().waitFor();
  check(true, "a file without a script");

  await recruit(world, "de", "de-DE");
});
