// Every page, with something on it.
import { say, settled } from "./world.mjs";

/** A server that has been used a little: the sample project, a conversation, a document to search in. */
export async function furnish(world) {
  const page = await world.page();
  await page.goto(world.base);
  await page.getByRole("button", { name: "Create the sample project" }).click();
  await page.waitForURL(/\/p\//);
  const sample = page.url().split("#")[0];
  await page.goto(world.base);
  await say(page, "Hello");
  await say(page, "Please write a requirement profile");
  await settled(page, 2);
  const talk = page.url().split("/d/")[0].split("#")[0];
  await page.goto(`${world.base}/knowledge`);
  const text = "# Parental leave\n\nEverybody may take 18 months of parental leave. The salary is topped up to 90 % for six months.\n";
  await page.setInputFiles("input[type=file]", { name: "leave.md", mimeType: "text/markdown", buffer: Buffer.from(text) });
  await page.getByRole("button", { name: "Add a document" }).click();
  await page.locator(".tag", { hasText: "added" }).waitFor();
  await page.context().close();
  return [
    ["start", "/"], ["conversation", talk], ["sample", sample], ["profile", `${sample}/d/requirement_profile`],
    ["difference", `${sample}/d/requirement_profile?version=2&with=1`], ["ad", `${sample}/d/job_ad`],
    ["review", `${sample}/d/di_review`], ["ad-review", `${sample}/d/job_ad_review`], ["funnel", `${sample}/d/funnel_report`],
    ["candidate", null, sample], ["edit", `${talk}?edit=2`], ["form", `${sample}/t/create_calendar_invite`], ["projects", "/projects"], ["projects-found", "/projects?q=profile"],
    ["documents", "/documents"], ["documents-found", "/documents?q=backbone"], ["documents-none", "/documents?q=xyzzy"],
    ["knowledge", "/knowledge"], ["knowledge-found", "/knowledge?q=parental+leave"], ["models", "/models"], ["settings", "/settings"], ["reference", "/api"],
    ["error", "/p/00000000-0000-4000-8000-000000000000"],
  ].filter(([, path]) => path).map(([name, path]) => [name, path.startsWith("http") ? path : world.base + path]);
}
