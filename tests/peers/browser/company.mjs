// A server for many in the browser: signing in, one's own account, and what an admin looks after.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { axe } from "./axe.mjs";
import { check, run } from "./world.mjs";

const PASSWORD = "correct horse battery";
const folder = process.argv[2];
if (folder) mkdirSync(folder, { recursive: true });

async function signIn(page, base, name, password) {
  await page.goto(`${base}/`);
  check(new URL(page.url()).pathname === "/sign-in", "whoever is not known is shown the door");
  await page.fill("#name", name);
  await page.fill("#password", password);
  await page.click("button[type=submit]");
}

await run("company", { accounts: { anna: "admin", bo: "recruiter" }, password: PASSWORD }, async (world) => {
  // The prefix of the cookie wants TLS; browsers take this machine for safe, under its name.
  const base = world.base.replace("127.0.0.1", "localhost");
  world.base = base;
  const page = await world.page({ bypassCSP: true });
  await signIn(page, base, "anna", "wrong horse battery");
  check((await page.getByRole("alert").textContent()).includes("not right"), "a wrong password is told");
  await axe(page, "sign-in");
  await page.fill("#password", PASSWORD);
  await page.click("button[type=submit]");
  await page.waitForURL(`${base}/`);

  await page.getByRole("link", { name: "Administration" }).click();
  await page.getByText("Add a person", { exact: true }).first().click();
  await page.fill("#name", "bo");
  await page.fill("#password", PASSWORD);
  await page.getByRole("button", { name: "Add a person" }).click();
  check((await page.getByRole("alert").textContent()).includes("cannot be used"), "a name is one person's");
  await page.fill("#name", "carl");
  await page.fill("#password", PASSWORD);
  await page.getByRole("button", { name: "Add a person" }).click();
  await page.getByText("carl", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: /Disable.*carl/ }).click();
  await page.getByRole("button", { name: /Enable.*carl/ }).waitFor();
  check((await page.getByRole("button", { name: /:\s*anna/ }).count()) === 0, "nobody takes their own rights away");
  const trail = await page.locator("#trail + .wide").textContent();
  check(trail.includes("account.made") && trail.includes("account.changed"), "the trail tells of it");

  await page.getByRole("link", { name: "Account" }).click();
  await page.fill("#label", "a script");
  await page.getByRole("button", { name: "Make a key" }).click();
  const secret = await page.locator(".notice pre").textContent();
  const me = await fetch(`${base}/api/v1/me`, { headers: { authorization: `Bearer ${secret}` } });
  check(me.status === 200, "the key works");
  await page.goto(`${base}/account`);
  check(!(await page.content()).includes(secret), "and is shown once");
  await page.getByRole("button", { name: /Revoke.*a script/ }).click();
  await page.getByText("There are no keys.").waitFor();
  check((await fetch(`${base}/api/v1/me`, { headers: { authorization: `Bearer ${secret}` } })).status === 401, "until it is ended");

  const places = ["/sign-in", "/account", "/admin", "/api"];
  const [cookies] = [await page.context().cookies()];
  for (const [colorScheme, locale] of [["light", "en-GB"], ["dark", "de-DE"]]) {
    for (const width of [375, 1440]) {
      const other = await world.page({ colorScheme, locale, bypassCSP: true, viewport: { width, height: width < 500 ? 812 : 900 } });
      await other.context().addCookies(cookies);
      for (const place of places) {
        await other.goto(base + place);
        if (folder) await other.screenshot({ path: join(folder, `company${place.replace("/", "-")}-${colorScheme}-${width}-${locale.slice(0, 2)}.png`) });
        const wide = await other.evaluate(() => document.documentElement.scrollWidth);
        check(wide <= width, `${place} at ${width} pixels is ${wide} wide`);
        await axe(other, `${place}, ${colorScheme}, ${locale}`);
      }
      await other.context().close();
    }
  }

  const recruiter = await world.page();
  await signIn(recruiter, base, "bo", PASSWORD);
  await recruiter.waitForURL(`${base}/`);
  check((await recruiter.getByRole("link", { name: "Administration" }).count()) === 0, "only admins are offered it");
  check((await recruiter.goto(`${base}/admin`)).status() === 403, "and only they get in");
  await recruiter.goto(`${base}/account`);
  await recruiter.fill("#old", "wrong horse battery");
  await recruiter.fill("#password", "another horse battery");
  await recruiter.getByRole("button", { name: "Change the password" }).click();
  check((await recruiter.getByRole("alert").textContent()).includes("current password"), "the old password is wanted");
  await recruiter.fill("#old", PASSWORD);
  await recruiter.fill("#password", "another horse battery");
  await recruiter.getByRole("button", { name: "Change the password" }).click();
  await recruiter.waitForURL(`${base}/sign-in`);
  await signIn(recruiter, base, "bo", "another horse battery");
  await recruiter.waitForURL(`${base}/`);
  await recruiter.goto(`${base}/account`);
  await recruiter.getByRole("button", { name: "Sign out" }).click();
  await recruiter.waitForURL(`${base}/sign-in`);
  await recruiter.goto(`${base}/projects`);
  check(new URL(recruiter.url()).pathname === "/sign-in", "who signed out is out");
});
