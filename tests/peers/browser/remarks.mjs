// Remarks where their words stand, decided there; documents worded otherwise in their place, by the same rules.
import { join } from "node:path";
import { axe } from "./axe.mjs";
import { check, run } from "./world.mjs";

const folder = process.argv[2];
const picture = async (page, name) => folder && page.screenshot({ path: join(folder, `remarks-${name}.png`) });

const AD = `Fibre engineer in Malmö

We are a young team of rockstars and look for a native Swedish speaker.
You lead the manpower of the field teams and keep our customers happy.`;

await run("remarks", {}, async (world) => {
  const page = await world.page({ bypassCSP: true });
  await page.goto(world.base);
  await page.getByRole("button", { name: "Create the sample project" }).click();
  await page.waitForURL(/\/p\//);
  const project = page.url().split("/d/")[0].split("#")[0];
  const session = project.split("/p/")[1];
  const answer = await page.request.post(`${world.base}/api/v1/sessions/${session}/tools/create_di_review`, { data: { job_ad_text: AD } });
  check(answer.ok() && !(await answer.json()).is_error, `a review is made: ${await answer.text()}`);

  await page.goto(`${project}/d/di_review`);
  const panel = page.locator("#panel");
  const flags = panel.locator(".marked .flag");
  const count = await flags.count();
  check(count >= 3, `findings are marked in the text: ${count}`);
  const shown = await panel.locator(".marked .text").innerText();
  check(shown.includes("keep our customers happy"), `the whole text is there: ${shown}`);
  await axe(page, "a text with remarks");
  await picture(page, "marked");

  // By the mouse: the reason and the better words open where the words stand, and one is taken.
  const manpower = flags.filter({ hasText: "manpower" });
  await manpower.click();
  const card = page.locator(".card:popover-open");
  await card.waitFor();
  check((await card.innerText()).length > 40 && (await card.getByRole("button").count()) >= 3, "with a reason, better words and a way to leave it");
  await axe(page, "a remark that is open");
  await picture(page, "card");
  const place = await card.boundingBox();
  check(place.x >= 0 && place.x + place.width <= 1440 && place.y >= 0 && place.y + place.height <= 900, "it lies on the screen");
  await card.getByRole("button", { name: /^Use/ }).first().click();
  await panel.locator(".marked .flag.done del", { hasText: "manpower" }).waitFor();
  check((await panel.locator(".marked .flag.done ins").count()) === 1, "the new words stand beside the old ones");
  await picture(page, "decided");

  // By the keyboard: Enter opens, Escape closes, the focus comes back.
  const other = panel.locator(".marked .flag:not(.done)").first();
  await other.focus();
  await page.keyboard.press("Enter");
  await card.waitFor();
  check(await card.evaluate((one) => one.contains(document.activeElement)), "the keyboard is in it");
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "detached" }).catch(() => {});
  check((await page.locator(".card:popover-open").count()) === 0, "Escape closes it");
  check(await other.evaluate((one) => one === document.activeElement), "the focus is where it was");
  check((await panel.locator(".findings > ol > li").count()) >= count, "the list has them all as well");

  // Without scripts a number leads to the list.
  const plain = await world.page({ javaScriptEnabled: false });
  await plain.goto(`${project}/d/di_review`);
  const target = await plain.locator(".marked .flag").first().getAttribute("href");
  check((await plain.locator(target).count()) === 1, "without scripts, the number leads to the remark");

  // The ad of the project, worded otherwise in its place.
  await page.goto(`${project}/d/job_ad`);
  await panel.locator(".edits > summary").click();
  await axe(page, "parts of an ad to be changed");
  await picture(page, "edits");
  const tasks = panel.locator(".edits li", { hasText: "Tasks" });
  const first = tasks.first().locator("textarea").first();
  const before = await first.inputValue();
  await first.fill("Keep the network of the north running");
  await tasks.first().getByRole("button", { name: /^Use|^Replace/ }).first().click();
  await panel.locator(".document", { hasText: "Keep the network of the north running" }).waitFor();
  check(!(await panel.locator(".document").innerText()).includes(before), "what stood there is gone");
  await panel.locator(".edits > summary").click();
  await panel.locator(".edits li", { hasText: "Tasks" }).first().locator("textarea").first().fill("Be a rockstar");
  await panel.locator(".edits li", { hasText: "Tasks" }).first().getByRole("button", { name: /^Use|^Replace/ }).first().click();
  await panel.locator("[data-problem]:not([hidden])").waitFor();
  check((await panel.locator("[data-problem]").innerText()).includes("rockstar"), "what the rules refuse is said, with the word");
  await picture(page, "refused");

  // A message and a question, too.
  for (const [kind, words] of [["ta_screening_template", "Which network did you plan yourself, and what came of it?"], ["headhunting_messages", "Shall we talk on Friday?"]]) {
    const response = await page.goto(`${project}/d/${kind}`);
    if (response.status() === 404) continue;
    await panel.locator(".edits > summary").click();
    const part = panel.locator(".edits li").nth(2);
    await part.locator("textarea").first().fill(words);
    await part.getByRole("button", { name: /^Use|^Replace/ }).first().click();
    await panel.locator(".document", { hasText: words }).waitFor();
    check(true, kind);
  }

  const phone = await world.page({ viewport: { width: 375, height: 800 }, locale: "de-DE" });
  await phone.goto(`${project}/d/di_review`);
  check((await phone.evaluate(() => document.documentElement.scrollWidth)) <= 375, "a phone cuts nothing off");
  await phone.locator(".marked .flag:not(.done)").first().click();
  await phone.locator(".card:popover-open").waitFor();
  await picture(phone, "phone-de");
});
