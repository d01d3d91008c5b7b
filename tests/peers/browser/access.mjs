// Every page for everybody: axe in both themes and two languages, narrow screens, large text, the keyboard alone.
import { axe } from "./axe.mjs";
import { check, run } from "./world.mjs";
import { furnish } from "./places.mjs";

await run("access", {}, async (world) => {
  const places = await furnish(world);
  for (const [colorScheme, locale] of [["light", "en-GB"], ["dark", "de-DE"], ["dark", "en-GB"], ["light", "sv-SE"]]) {
    // The tool must be let in, which the policy forbids: only here it is put aside. The other tests keep it.
    const page = await world.page({ colorScheme, locale, bypassCSP: true });
    for (const [name, address] of places) {
      await page.goto(address);
      await axe(page, `${name}, ${colorScheme}, ${locale}`);
    }
    await page.context().close();
  }
  for (const width of [320, 375, 720]) {
    const page = await world.page({ viewport: { width, height: 640 }, locale: "de-DE" });
    for (const [name, address] of places) {
      await page.goto(address);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      check(wide <= width, `${name} at ${width} pixels is ${wide} wide`);
    }
    await page.context().close();
  }

  // The keyboard alone: the skip link, a message, a document, the menu of a phone.
  const page = await world.page();
  await page.goto(world.base);
  await page.keyboard.press("Tab");
  check((await page.evaluate(() => document.activeElement.className)) === "skip", "the first stop skips to the content");
  await page.focus("#message");
  await page.keyboard.type("Hello");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/p\//);
  await page.locator(".turn .about").first().waitFor();
  check(true, "a message by keyboard");
  const seen = await page.evaluate(async () => {
    const stops = [...document.querySelectorAll("main a, main button, main summary")].filter((one) => one.offsetParent);
    return stops.filter((one) => {
      one.focus();
      const box = one.getBoundingClientRect();
      return box.height < 24 && getComputedStyle(one).display !== "inline";
    }).map((one) => one.outerHTML.slice(0, 80));
  });
  check(seen.length === 0, `what can be pressed is large enough: ${seen}`);
  const phone = await world.page({ viewport: { width: 375, height: 700 } });
  await phone.goto(`${world.base}/projects`);
  await phone.getByRole("button", { name: "Menu" }).focus();
  await phone.keyboard.press("Enter");
  await phone.locator("#side").waitFor({ state: "visible" });
  await phone.keyboard.press("Escape");
  check(await phone.locator("#side").isHidden(), "the menu opens and closes by keyboard");

  // Settings: the language and the theme stay.
  await page.goto(`${world.base}/settings`);
  await page.getByLabel("Norsk").check();
  await page.getByLabel("Dark").check();
  await page.getByRole("button", { name: "Save" }).click();
  check((await page.getAttribute("html", "lang")) === "no" && (await page.getAttribute("html", "data-theme")) === "dark", "settings stay");
});
