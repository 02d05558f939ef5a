import { load } from "cheerio";
import { expect, test } from "vitest";
import { catalog, requiredTier } from "../../src/contract/catalog.ts";
import { titleOf } from "../../src/pages/reference/contents.ts";
import { startApp, testTime } from "../support/app.ts";
import { startBed } from "../support/console/bed.ts";
import { signedIn } from "../support/console/signed-in.ts";
import { openOnce } from "../support/databases.ts";

const environment = { IDS_TRUSTED_PROXIES: "127.0.0.0/8" };
const bed = startBed({ environment }, openOnce);

test("who signs in again has one session: the one before it ends", async () => {
  const { cookie, own } = await signedIn(bed.app, "/account");
  const key = await bed.app.key("free");
  const again = await fetch(`${bed.app.url}/account/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { ...own, Cookie: cookie },
    body: new URLSearchParams({ key }),
  });
  const account = async (Cookie: string) =>
    (await bed.app.get("/account", { key: null, headers: { Accept: "text/html", Cookie } })).text();
  expect(await account(cookie)).toContain("Your session has ended");
  expect(await account((again.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "")).toContain("Signed in as");
});

test("a form of a session that has ended leads, over the sign-in, back to the page that it stands on", async () => {
  for (const path of ["/account", "/alerts"]) {
    const { own, change } = await signedIn(bed.app, path);
    const { status, $ } = await change({ action: "create-key", name: "x" }, own);
    expect([status, $("main a:contains('Sign in')").attr("href")]).toEqual([
      401,
      `/account?to=${encodeURIComponent(path)}`,
    ]);
  }
});

test("a feed URL is made of a whole address of this service, as a line of curl has it, and of no other's", async () => {
  const { change, view } = await signedIn(bed.app, "/account");
  const path = "/api/conflict/v1/list-conflict-events?format=csv";
  expect((await change({ action: "create-feed", name: "sheet", path: bed.app.url + path })).status).toBe(303);
  expect((await view()).$("#feeds").parent().text()).toContain(path);
  const foreign = await change({ action: "create-feed", name: "sheet", path: `https://example.org${path}` });
  expect(foreign.status).toBe(400);
});

test("a rule takes countries by name, and says which are none", async () => {
  const { change } = await signedIn(bed.app, "/alerts");
  const rule = { action: "create-rule", watch: "changes", datasets: "conflict-events", name: "Two" };
  const made = await change({ ...rule, countries: "Germany, Côte d'Ivoire, ua" });
  expect(made.status).toBe(303);
  expect(made.$("#rules").parent().text()).toMatch(/DE.*CI.*UA|Germany.*Ivoire.*Ukraine/s);
  const rejected = await change({ ...rule, countries: "Germany, Nowhereland" });
  expect([rejected.status, rejected.$("#filter-countries").attr("aria-invalid")]).toEqual([400, "true"]);
});

test("e-mail is always listed, and the page names the setting that the operator needs for it", async () => {
  const openAlerts = async (app: typeof bed.app) => (await (await signedIn(app, "/alerts")).view()).$;
  const without = await openAlerts(bed.app);
  expect(without("#endpoint-kind option[value=email]").attr("disabled")).toBe("disabled");
  expect(without("main").text()).toContain(
    "This service sends no e-mail. For e-mail, the operator must set IDS_SMTP_URL and IDS_SMTP_FROM.",
  );
  const mail = { IDS_SMTP_URL: "smtp://mail.example.org", IDS_SMTP_FROM: "ids@example.org" };
  await using app = await startApp(bed.database, { environment: { ...environment, ...mail } });
  const withMail = await openAlerts(app);
  expect(withMail("#endpoint-kind option[value=email]").attr("disabled")).toBeUndefined();
  expect(withMail("main").text()).not.toContain("IDS_SMTP_URL");
});

test("the account says that pages show the public more than the account's plan includes", async () => {
  const words = async (app: typeof bed.app, plan: string) =>
    (await (await signedIn(app, "/account", { plan })).view()).$("header.top").text();
  await using app = await startApp(bed.database, { environment: { ...environment, IDS_PUBLIC_PAGES: "pro" } });
  expect(await words(app, "free")).toContain("Pages show the public the data of the plan Pro");
  expect(await words(app, "enterprise")).not.toContain("Pages show the public");
  expect(await words(bed.app, "free")).not.toContain("Pages show the public");
});

test("all operations that were called are there, the most called ones first", async () => {
  const { view } = await signedIn(bed.app, "/account");
  const { account } = await bed.database.kysely
    .selectFrom("api_key")
    .select("account")
    .orderBy("created_at", "desc")
    .executeTakeFirstOrThrow();
  const rows = catalog.slice(0, 14).map(({ name }, place) => ({ operation: name, calls: 100 - place }));
  await bed.database.kysely
    .insertInto("usage_day")
    .values(rows.map((row) => ({ ...row, account, day: testTime.toISOString().slice(0, 10) })))
    .execute();
  const { $ } = await view();
  const block = $("#usage").parent();
  const folded = block.find("details:contains('more operations')");
  expect(block.text()).toContain(rows[0]?.operation);
  expect(folded.text()).toContain(rows[13]?.operation);
  expect(folded.text()).not.toContain(rows[0]?.operation);
});

test("plans list the operations that each of them adds", async () => {
  const response = await bed.app.get("/plans", { key: null, headers: { Accept: "text/html" } });
  const $ = load(await response.text());
  const rows = $("#operations").nextAll(".wide").first().find("tbody tr").toArray();
  const listed = new Map(rows.map((row) => [$(row).find("td").first().text(), $(row).find("td").last().text()]));
  const tariffs = catalog.find(({ name }) => name === "GetTariffTrends");
  if (!tariffs) throw new TypeError("no such operation");
  expect(requiredTier(tariffs)).toBe(1);
  const [plan] = [...listed].find(([, operations]) => operations.includes(titleOf(tariffs))) ?? [];
  expect(plan).toMatch(/^Pro/);
  for (const operation of catalog) {
    const plansOf = [...listed.values()].filter((text) => text.split(", ").includes(titleOf(operation)));
    expect(plansOf, operation.name).toHaveLength(operation.access.operator ? 0 : 1);
  }
});
