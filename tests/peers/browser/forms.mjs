// Modules by their forms alone: what is missing is said where it is, what was answered is kept, notes are sorted.
import { join } from "node:path";
import { axe } from "./axe.mjs";
import { check, run } from "./world.mjs";

const folder = process.argv[2];
const picture = async (page, name) => folder && page.screenshot({ path: join(folder, `forms-${name}.png`), fullPage: true });

const NOTES = `Install and splice fibre in apartment buildings
Certified fibre splicing
Driving licence B
Fluent Swedish
Two years of field work
Leadership experience
A colleague retires in March
The coffee machine is broken`;
// What the person says each line is.
const PLACES = ["Task", "Must", "Must", "Must", "Must", "Good", "Reason", "Out"];

await run("forms", {}, async (world) => {
  const page = await world.page({ bypassCSP: true });
  // Ratings are a person's, with a reason, by buttons that say what they decide.
  await page.goto(world.base);
  await page.getByRole("button", { name: "Create the sample project" }).click();
  await page.waitForURL(/\/p\//);
  await page.locator(".tabs a", { hasText: "Candidate" }).first().click();
  await page.locator(".finding").first().waitFor();
  await axe(page, "ratings");
  const skill = page.locator(".finding").nth(1);
  await skill.locator("input[name=rating][value='4']").check();
  await skill.locator("input[name=text]").fill("Explained a migration step by step");
  await picture(page, "ratings");
  await skill.getByRole("button", { name: "Save rating" }).click();
  await page.locator(".finding .decided", { hasText: "Explained a migration" }).waitFor();
  check((await page.locator(".finding .decided", { hasText: "Explained a migration" }).textContent()).includes("4/5"), "a rating stands with its reason");

  await page.goto(world.base);
  check((await page.locator("form[action='/t/create_job_ad']").count()) === 0, "nothing is offered that needs a profile first");
  await page.locator(".chips button").first().click();
  await page.waitForURL(/\/p\/.*\/t\/create_requirement_profile$/);
  const project = page.url().split("/t/")[0];
  await page.getByRole("button", { name: "Create document" }).click();
  check((await page.getByText("Please fill this in.").count()) === 2, "what is missing is said, all of it at once");
  await axe(page, "a form with problems");

  await page.fill("#position-title", "Fibre Technician");
  await page.setInputFiles("#form-file", { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from(NOTES) });
  await page.getByRole("button", { name: "Create document" }).click();
  await page.locator("[data-sorting]").waitFor();
  check((await page.inputValue("#position-title")) === "Fibre Technician", "answers are kept");
  check((await page.inputValue("#startup-notes")).includes("apartment buildings"), "a file brings the notes");
  const lines = page.locator("[data-line]");
  check((await lines.count()) === PLACES.length, `every line is asked about: ${await lines.count()}`);
  await axe(page, "lines to be sorted");
  await picture(page, "sorting");

  const labels = await page.locator("[data-zones] li").allTextContents();
  const zone = (name) => labels.findIndex((label) => label.toLowerCase().includes(name.toLowerCase()));
  check(PLACES.every((name) => zone(name) >= 0), `the places have names: ${labels}`);
  // The first by dragging, the last by its button, the others by the keyboard.
  await lines.nth(0).dragTo(page.locator("[data-zones] li").nth(zone("Task")));
  await lines.nth(1).locator("input").first().focus();
  for (const name of PLACES.slice(1, -1)) {
    await page.keyboard.press(String(zone(name) + 1));
  }
  await lines.last().getByRole("radio").nth(zone("Out")).check();
  const placed = await lines.evaluateAll((all) => all.map((line) => line.querySelector("input:checked")?.parentElement.textContent.trim() ?? ""));
  check(placed.every((label, at) => label.toLowerCase().includes(PLACES[at].toLowerCase())), `every line is where it was put: ${placed}`);
  await page.getByRole("button", { name: "Create document" }).click();
  await page.waitForURL(/\/d\/requirement_profile/);
  const profile = await page.locator("#panel").textContent();
  check(profile.includes("Certified fibre splicing") && profile.includes("Fibre Technician"), "the profile says what the person said");
  check(!profile.includes("coffee machine"), "and nothing that was left out");
  check((await page.locator(".forms a", { hasText: "Job Ad" }).count()) === 2, "what builds on the profile is offered now");
  await picture(page, "profile");

  // A statement is worded otherwise in its place, by the same rules.
  await page.locator(".edits > summary").click();
  await axe(page, "statements to be changed");
  const edit = page.locator(".edits li", { hasText: "Driving licence B" });
  await edit.locator("textarea").fill("Driving licence B or C");
  await edit.getByRole("button", { name: /^Use|^Replace/ }).first().click();
  await page.locator("#panel").getByText("Driving licence B or C").first().waitFor();
  check((await page.locator(".doc .tag").first().textContent()).includes("2"), "the change is a new version");

  await page.goto(`${project}/t/create_calendar_invite`);
  await page.getByLabel("On site", { exact: false }).first().check().catch(() => {});
  await page.getByRole("button", { name: "Create document" }).click();
  check((await page.getByText("Please fill this in.").count()) >= 2, "an invitation needs more");
  await axe(page, "an invitation with problems");
  await picture(page, "invitation");

  // A form that a narrow screen shows has the page for itself.
  const phone = await world.page({ viewport: { width: 375, height: 800 }, locale: "de-DE" });
  await phone.goto(`${project}/t/create_requirement_profile`);
  check(await phone.locator("form[data-form]").isVisible(), "a phone shows the form");
  check((await phone.evaluate(() => document.documentElement.scrollWidth)) <= 375, "and nothing is cut off");
  await picture(phone, "phone-de");
  check((await page.goto(`${project}/t/restore_document`)).status() === 404, "what has no form has no page");
});
