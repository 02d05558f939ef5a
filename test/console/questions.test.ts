import { readFileSync } from "node:fs";
import { Writable } from "node:stream";
import { type CheerioAPI, load } from "cheerio";
import { expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();

async function page(path: string, of = bed.app): Promise<CheerioAPI> {
  const response = await of.get(path, { key: null, headers: { Accept: "text/html" } });
  expect(response.status, path).toBe(200);
  return load(await response.text());
}

/** Where a new user finds the response to each question: at most two links from `/`, and the text at the end. */
const responses: Readonly<Record<string, readonly [clicks: readonly string[], answer: RegExp]>> = {
  "Is this real data?": [[], /figures, events and dates are invented/],
  "How old is it?": [[], /As of (?:just now|\d)/],
  "May I publish it?": [["/data"], /Licenses.*attribution/s],
  "How do I cite it?": [["/data/conflict-events"], /Cite/],
  "How is the score computed?": [["/methodology"], /A baseline, a constant of each country, counts 40%/],
  "How do I get it into Excel?": [["/data/conflict-events"], /Downloads.*CSV/s],
  "Which countries are covered?": [["/data/conflict-events"], /Coverage/],
  "Which countries are missing?": [
    ["/data/conflict-events"],
    /territories without rows: \d+.*This dataset has no record of .*Andorra/s,
  ],
  "What does this column mean, in what unit?": [["/data/conflict-events"], /Fields.*Unit/s],
  "How was it a year ago?": [["/series/risk.score"], /From/],
  "Why is this missing?": [["/status"], /Last failure/],
  "What happens when a source fails?": [["/status"], /When a source fails, its last good rows stay/],
  "How do I call it from a program?": [["/docs"], /X-Service-Key/],
  "How do I get a key?": [["/account"], /How to get a key.*ask .* for an account/s],
  "What does a plan cost?": [["/plans"], /has not published prices/],
  "Who runs this, and how do I reach them?": [["/about"], /Who runs this.*has published no name/s],
  "Which data about me is stored?": [["/about"], /no cookie.*7 days/s],
  "How do I delete my account?": [["/about"], /To delete your account with everything that it owns/],
  "How do I get real data?": [["/data"], /IDS_DATA=live/],
};

test("each question of the documentation's list is answered within two clicks from the first page", async () => {
  const listed = readFileSync(new URL("../../docs/console.md", import.meta.url), "utf8");
  const [, table = ""] = listed.split("| Question | From `/` |\n| --- | --- |\n");
  const questions = table
    .split("\n\n")[0]
    ?.split("\n")
    .map((line) => line.split(" | ")[0]?.slice(2));
  expect(questions).toEqual(Object.keys(responses));
  for (const [question, [clicks, response]] of Object.entries(responses)) {
    expect(clicks.length, question).toBeLessThanOrEqual(2);
    let $ = await page("/");
    for (const path of clicks) {
      expect($(`a[href="${path}"]`).length, `${question} ${path}`).toBeGreaterThan(0);
      $ = await page(path);
    }
    expect($("body").text(), question).toMatch(response);
  }
  for (const path of ["/account", "/plans", "/docs"])
    expect((await page(path))(":is(h2, h3)").text(), path).toContain("How to get a key");
});

test("where demo keys are is said by pages that do not have them", async () => {
  await using own = await startApp(bed.database, { demoKey: `ids_${"0".repeat(40)}` });
  const linked = async (path: string) => (await page(path, own))("main a[href='/account']").length;
  expect([await linked("/plans"), await linked("/account")]).toEqual([1, 0]);
  expect((await page("/account", own))("main").text()).toContain("Demo keys");
});

test("the page shows the operator's identity, contact, privacy notice, and prices of plans", async () => {
  await using own = await startApp(bed.database, {
    environment: {
      IDS_OPERATOR_NAME: "Acme <Data>",
      IDS_OPERATOR_CONTACT: "desk@acme.example",
      IDS_PRIVACY_URL: "https://acme.example/privacy",
      IDS_PLAN_PRICES: "free=nothing,pro_monthly=19 EUR a month",
      IDS_KEEP_USAGE_DAYS: "31",
      IDS_KEEP_AUDIT_DAYS: "forever",
    },
  });
  const about = await page("/about", own);
  expect(about("main").text()).toMatch(/Acme <Data>.*desk@acme\.example/s);
  expect(about('a[href="mailto:desk@acme.example"], a[href="https://acme.example/privacy"]')).toHaveLength(2);
  const storage = (data: string) => about(`#privacy ~ div tr:contains("${data}") td`).last().text();
  expect(storage("Number of calls by operation and day")).toBe("Stored for 31 days");
  expect(storage("Changes of an account")).toMatch(/^Stored permanently\./);
  const prices = (await page("/plans", own))("#prices + div tbody tr").toArray();
  const rows = prices.map((row) => about(row).find("td").slice(0, 2).text());
  expect(rows).toEqual(
    expect.arrayContaining([
      "Freefreenothing",
      "Propro_monthly pro_annual19 EUR a month",
      "Enterpriseenterprisenot said",
    ]),
  );
  const { $ } = { $: await page("/account", own) };
  expect($("main").text()).toContain("ask Acme <Data> for an account");
});

test("what is said to be kept of a change is what the audit and the log keep, the address included", async () => {
  const lines: string[] = [];
  const log = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const environment = { IDS_TRUSTED_PROXIES: "127.0.0.0/8", IDS_LOG_LEVEL: "info", IDS_LOG_FORMAT: "json" };
  await using own = await startApp(bed.database, { environment, log });
  const headers = { "X-Forwarded-For": "192.0.2.77", "Content-Type": "application/json" };
  const body = JSON.stringify({ id: "of-the-privacy-test" });
  expect((await own.get("/api/account/v1/create-account", { method: "POST", headers, body })).status).toBeLessThan(300);
  const { events } = await own.json<{ events: Record<string, unknown>[] }>("/api/account/v1/list-audit-events?limit=1");
  expect(events).toMatchObject([{ address: "192.0.2.77", operation: "CreateAccount", outcome: "ok" }]);
  expect(lines.join("")).toContain('"address":"192.0.2.77"');
  const $ = await page("/about", own);
  const changes = $("#privacy ~ div tr:contains('Changes of an account')").text();
  for (const said of [
    "account: key id",
    "sent and returned values",
    "time",
    "IP address",
    "400 days",
    "log of the service has a line",
  ])
    expect(changes).toContain(said);
  expect($("#end-an-account ~ ul").text()).toContain("changes with their IP addresses after 400 days");
});
