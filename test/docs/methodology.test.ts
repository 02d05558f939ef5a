import { load } from "cheerio";
import { expect, onTestFinished, test } from "vitest";
import { startApp } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";

test("the methodology's page begins with an introduction and an example that adds up", async () => {
  const database = await openOnce();
  onTestFinished(database.close);
  await using app = await startApp(database);
  const $ = load(await (await app.get("/methodology", { key: null })).text());
  const headings = $("h2").toArray();
  expect($(headings[0]).text()).toBe("Introduction");
  const links = $("#introduction ~ ul")
    .first()
    .find("a")
    .toArray()
    .map((link) => $(link).attr("href"));
  expect(links).toEqual(headings.slice(1).map((heading) => `#${$(heading).attr("id")}`));
  const steps = $("#example-risk + ol li")
    .toArray()
    .map((step) => $(step).text());
  const [given = [], events = [], blend = []] = steps.map((step) => (step.match(/\d+(?:\.\d+)?/g) ?? []).map(Number));
  const [baseline = 0, unrest = 0, conflict = 0, added = 0] = given;
  expect(events).toEqual([0.25, unrest, 0.3, conflict, 0.25 * unrest + 0.3 * conflict]);
  const event = events.at(-1) ?? 0;
  const whole = 0.4 * baseline + 0.6 * event + added;
  expect(blend).toEqual([0.4, baseline, 0.6, event, added, Number(whole.toFixed(2)), Math.round(whole)]);
});
