// Axe on a page, with everything on it unfolded.
import { AXE, check } from "./world.mjs";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

export async function axe(page, where) {
  // The policy holds for what is added to the page as well, so the tool comes in beside it.
  await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
  await page.addScriptTag({ path: AXE }).catch(() => {});
  const found = await page.evaluate((tags) => window.axe.run(document, { runOnly: tags }), TAGS);
  const told = found.violations.map((one) => `${one.id}: ${one.nodes.slice(0, 2).map((node) => node.html.slice(0, 160)).join(" | ")}`);
  check(told.length === 0, `axe, ${where}: ${told.join("; ")}`);
}
