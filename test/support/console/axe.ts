import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export interface AxeFound {
  readonly found: readonly string[];
  /** How many of its rules were met. */
  readonly passed: number;
}

/** What axe finds on a page as it is. */
export async function axeAsItIs(page: Page): Promise<AxeFound> {
  await page.evaluate(axe);
  // Of rules that are met, one example is enough: a third of the time.
  const { violations, passes } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
  return {
    found: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 3)}`),
    passed: passes.length,
  };
}

/** The same with all parts of the page unfolded. */
export async function axeOn(page: Page): Promise<AxeFound> {
  await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
  return axeAsItIs(page);
}
