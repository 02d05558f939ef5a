import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds on a page with all of its parts unfolded, and how many of its rules were met. */
export async function axeOn(page: Page): Promise<{ readonly found: readonly string[]; readonly passed: number }> {
  for (const list of await page.locator("details").all()) await list.evaluate((each) => each.setAttribute("open", ""));
  await page.evaluate(axe);
  const { violations, passes } = (await page.evaluate("axe.run()")) as AxeResults;
  return {
    found: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 3)}`),
    passed: passes.length,
  };
}
