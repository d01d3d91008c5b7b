// Pictures of every page: light and dark, phone and screen, English and German.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "./world.mjs";
import { furnish } from "./places.mjs";

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
await run("pictures", {}, async (world) => {
  const first = await world.page();
  await first.goto(world.base);
  await first.screenshot({ path: join(folder, "first-light-1440-en.png") });
  const places = await furnish(world);
  let count = 1;
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [375, 1440]) {
      for (const locale of ["en-GB", "de-DE"]) {
        const page = await world.page({ colorScheme, locale, viewport: { width, height: width < 500 ? 812 : 900 } });
        for (const [name, address] of places) {
          await page.goto(address);
          await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}-${locale.slice(0, 2)}.png`) });
          count += 1;
        }
        await page.context().close();
      }
    }
  }
  console.log(`${count} pictures`);
});
