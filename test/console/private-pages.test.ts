import { load } from "cheerio";
import { expect, test } from "vitest";
import type { DeliveryTables } from "../../src/delivery/delivery-table.ts";
import { dayMs } from "../../src/reference/duration.ts";
import { retainPoints } from "../../src/store/history/series-points.ts";
import { testTime } from "../support/app.ts";
import { startBed } from "../support/console/bed.ts";
import { signedIn } from "../support/console/signed-in.ts";
import { openOnce } from "../support/databases.ts";
import { alertCalls } from "../support/domains/alerts.ts";

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)> ' OR 1=1`;
const bed = startBed(
  {
    environment: {
      IDS_TRUSTED_PROXIES: "127.0.0.0/8",
      IDS_SMTP_URL: "smtp://127.0.0.1:9",
      IDS_SMTP_FROM: "a@b.example",
    },
  },
  openOnce,
);

const rowsOf = ({ $ }: Awaited<ReturnType<Awaited<ReturnType<typeof signedIn>>["view"]>>, block: string) =>
  $(`section:has(#${block}) tbody tr`);

test("forms create, test, change, pause, and delete endpoints and rules, and names are shown as text", async () => {
  const { key, view, change } = await signedIn(bed.app, "/alerts");
  expect(
    (await change({ action: "create-endpoint", label: hostile, kind: "feed", target: "" })).$(".secret").text(),
  ).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/alert-feeds\/[\w-]{43}\.atom$/);
  const hook = await change({
    action: "create-endpoint",
    label: "hook",
    kind: "webhook",
    target: "https://hooks.example.org/a",
  });
  expect(hook.$(".secret").text()).toMatch(/^whsec_/);
  const slack = await change({
    action: "create-endpoint",
    label: "chat",
    kind: "slack",
    target: "https://chat.example.org/s3cret",
  });
  expect(rowsOf(slack, "endpoints").text()).toContain("chat.example.org");
  expect(slack.$("main").text()).not.toContain("s3cret");
  await change({ action: "create-endpoint", label: "mail", kind: "email", target: "desk@example.org" });
  const mail = rowsOf(await view(), "endpoints").filter(":contains(desk@)");
  expect(mail.text()).toContain("Unconfirmed");
  const wrong = await change({
    action: "confirm-endpoint",
    "endpoint-id": mail.find("[name=endpoint-id]").attr("value") ?? "",
    code: "0",
  });
  expect([wrong.status, wrong.$(".notice.bad").text()]).toEqual([400, expect.stringContaining("code")]);

  const draft = {
    watch: "changes",
    datasets: ["internet-outages", "metal-premiums"],
    countries: "ua, fr",
    condition: "",
  };
  const feed =
    rowsOf(await view(), "endpoints")
      .first()
      .find("[name=endpoint-id]")
      .attr("value") ?? "";
  const dry = await change({ action: "preview-rule", name: hostile, endpoint: feed, ...draft });
  expect(dry.$(".notice").text()).toMatch(/In the records since .* UTC, the rule would not have fired\./);
  expect(dry.$("#rule-name").attr("value")).toBe(hostile);
  expect(dry.$("[name=datasets]:checked, [name=endpoint]:checked")).toHaveLength(3);
  const rejected = await change({ action: "create-rule", name: hostile, ...draft, condition: "a[" });
  expect([rejected.status, rejected.$(".notice.bad").text()]).toEqual([400, expect.stringContaining("Condition: ")]);
  expect(rejected.$("[name=condition]").attr("value")).toBe("a[");
  expect((await change({ action: "create-rule", name: hostile, endpoint: feed, ...draft })).status).toBe(303);

  const shown = await view();
  expect(shown.$("script:not([src]), img, [onerror]")).toHaveLength(0);
  expect(rowsOf(shown, "rules").find("th").text()).toBe(hostile);
  expect(rowsOf(shown, "rules").text()).toContain("Internet outages, Metal premiums: countries UA, FR");
  const rule = rowsOf(shown, "rules").find("[name=rule]").attr("value") ?? "";
  const edit = await view(`?rule=${rule}`);
  expect(edit.$("#filter-countries").attr("value")).toBe("UA,FR");
  expect(edit.$("[name=endpoint]:checked").attr("value")).toBe(feed);
  expect((await view("?rule=rule_none")).status).toBe(404);
  const series = { watch: "series", series: "risk.score", keys: "ua", threshold: "70", direction: "above" };
  for (const action of ["update-rule", "preview-rule"]) {
    const outside = await change({ action, rule, name: "Risk", ...series, keys: "SD" });
    expect(outside.status).toBe(400);
    expect(outside.$(".notice.bad").text()).toContain("risk.score covers 31 countries; SD is not one of them.");
  }
  const stored = await change({ action: "update-rule", rule, name: "Risk", ...series });
  expect([stored.status, stored.$(".notice").text()]).toEqual([
    303,
    "The rule is saved. There is no value of ua so far. The rule reports once there is one.",
  ]);
  const changed = rowsOf(stored, "rules").text();
  expect(changed).toContain("risk.score of ua above 70");
  expect(rowsOf(await change({ action: "pause-rule", rule }), "rules").text()).toContain("Paused");
  expect(rowsOf(await change({ action: "resume-rule", rule }), "rules").text()).toContain("Active");
  const preview = (await change({ action: "preview-rule", rule })).$(".notice").text();
  expect(preview).toMatch(/too many\. There is no value of ua so far/);

  expect((await change({ action: "test-rule", rule })).$(".notice").text()).toContain("3 endpoints");
  const { body } = await alertCalls(bed.app, key).call<{ rules: unknown[] }>("list-rules");
  expect(body.rules).toHaveLength(1);
  expect(rowsOf(await change({ action: "delete-rule", rule }), "rules")).toHaveLength(0);
  expect((await change({ action: "delete-rule", rule })).status).toBe(404);
});

test("what was reported is listed with its attempts, and is sent again where it has ended", async () => {
  const { key, view, change } = await signedIn(bed.app, "/alerts");
  await change({ action: "create-endpoint", label: "hook", kind: "webhook", target: "https://hooks.example.org/a" });
  const { rule, deliveries } = alertCalls(bed.app, key);
  const id = await rule({ staleness: { datasets: ["internet-outages"] } }, { name: hostile });
  await change({ action: "test-rule", rule: id });
  const [delivery] = await deliveries();
  expect(rowsOf(await view(), "deliveries").text()).toContain("Waiting");
  expect(rowsOf(await view(), "deliveries").find("button")).toHaveLength(0);
  const { kysely } = bed.database;
  await kysely
    .withTables<DeliveryTables>()
    .updateTable("webhook_delivery")
    .set({ state: "failed" })
    .where("id", "=", delivery?.id ?? "")
    .execute();
  await kysely
    .withTables<DeliveryTables>()
    .insertInto("webhook_attempt")
    .values({ delivery: delivery?.id ?? "", at: testTime, status: 500, error: "status", milliseconds: 12 })
    .execute();
  const failed = rowsOf(await view(), "deliveries");
  expect(failed.text()).toMatch(/Failed.*answered 500 in 12 ms.*1 attempt/s);
  expect(failed.find("[data-label=Attempts] .state.bad").first().text()).toBe("answered 500 in 12 ms");
  expect(failed.find("th").text()).toContain(hostile);
  const again = await change({ action: "replay-delivery", delivery: delivery?.id ?? "" });
  expect(rowsOf(again, "deliveries").text()).toContain("Waiting");
  await kysely
    .withTables<DeliveryTables>()
    .updateTable("webhook_delivery")
    .set({ next_attempt_at: new Date(testTime.getTime() + 20_000) })
    .execute();
  expect(rowsOf(await view(), "deliveries").text()).toContain("next in 20 seconds");
  expect((await change({ action: "replay-delivery", delivery: delivery?.id ?? "" })).status).toBe(409);
});

test("who is not signed in is led back to the rule that was begun, and forms of other pages change nothing", async () => {
  const found = await bed.app.get("/tenders?query=water&country=FR&status=open", {
    key: null,
    headers: { Accept: "text/html" },
  });

  const link = load(await found.text())('a[href^="/alerts?"]').attr("href") ?? "";
  const { view, change, own } = await signedIn(bed.app, "/alerts");
  const requested = link.slice("/alerts".length).replace("#rule", "");
  const form = await view(requested);
  expect(form.$("#filter-query").attr("value")).toBe("water");
  expect(form.$("#filter-countries").attr("value")).toBe("FR");
  expect(form.$("[name=name]").attr("value")).toBe("Tenders: water, FR");
  const outside = await bed.app.get(`/alerts${requested}`, { key: null, headers: { Accept: "text/html" } });
  expect(await outside.text()).toContain(`name="to" value="/alerts?watch=tenders`);
  const evil = { ...own, Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
  expect((await change({ action: "create-rule", name: "x" }, evil)).status).toBe(403);
  expect((await change({ action: "create-rule", name: "x" }, own)).status).toBe(401);
  expect((await change({ action: "create-rule", name: "x", token: "other" })).status).toBe(403);
  expect((await change({ action: "toString" })).status).toBe(400);
});

test("the account's page lists its requests, and finds one by its id in one step", async () => {
  const { key, view } = await signedIn(bed.app, "/account");
  await bed.app.get("/api/account/v1/get-limits", { key, headers: { "X-Request-Id": "needle-1" } });
  await bed.app.get("/api/account/v1/create-account", {
    key,
    method: "POST",
    body: "{}",
    headers: { "X-Request-Id": "other" },
  });
  await bed.app.settled();
  expect(rowsOf(await view(), "requests")).toHaveLength(2);
  const found = rowsOf(await view("?request=needle-1"), "requests");
  expect(found.text()).toMatch(/^needle-1.*GetLimits.*key_[0-9a-f]{24}.*2000/s);
  expect(found).toHaveLength(1);
  for (const typed of ["%20NEEDLE-1%20", "%C2%A0needle-1%0A"])
    expect(
      rowsOf(await view(`?request=${typed}`), "requests")
        .find("th")
        .text(),
      typed,
    ).toBe("needle-1");
  expect((await view("?request=nothing")).$("main").text()).toContain("No such request");
  expect((await view("?request=%3Cscript%3E")).$("main").text()).toContain("request_id");
});

test("a name that turns the direction of text round turns nothing behind it, and stays as it is in its form", async () => {
  const { view, change } = await signedIn(bed.app, "/account");
  const [turning, isolated] = ["a\u202eb\u2069\u202ec", "\u2068a\u202eb\u202ec\u2069"];
  // Made before such names were refused.
  await change({ action: "create-key", name: "turning" });
  await bed.database.query(`update api_key set name = '${turning}' where name = 'turning'`);
  const row = rowsOf(await view(), "keys").filter(":contains(a\u202e)");
  expect(row.find("th").text()).toBe(isolated);
  const { view: alerts } = await signedIn(bed.app, "/alerts");
  expect((await alerts(`?label=${encodeURIComponent(turning)}`)).$("#endpoint-name").attr("value")).toBe(turning);
});

test("watchlists are shown in pages, each with its own file, and newer ones than the plan includes are counted", async () => {
  const { key, view } = await signedIn(bed.app, "/watchlist", { plan: "pro_monthly" });
  const { rule, call } = alertCalls(bed.app, key);
  for (const name of "abcdefg") await rule({ watchlist: { chokepoints: ["suez"] } }, { name });
  const shown = (await view()).$("section.block h2").map((_, { attribs }) => attribs.id);
  await call("pause-rule", { ruleId: shown[0] });
  const first = (await view()).$;
  const titles = ($: typeof first) => $("section.block h2").text();
  expect(titles(first)).toHaveLength(5);
  expect(first(`section:has(#${shown[0]}) .about`).text()).toMatch(/^Changes in 24 hours\..* The digest is paused\./);
  for (const id of shown)
    expect(first(`section:has(#${id}) a[href*="format=csv"]`).attr("href")).toContain(`rule_id=${id}`);
  const next = first("a[rel=next]").attr("href") ?? "";
  const second = (await view(next.slice("/watchlist".length))).$;
  expect([new Set(titles(first) + titles(second)), titles(second).length]).toEqual([new Set("abcdefg"), 2]);
  expect((await view("?cursor=x")).$("main").text()).toContain("From the first page");
  const caller = await bed.app.get("/api/account/v1/get-caller", { key });
  const { account } = (await caller.json()) as { account: { id: string } };
  const body = JSON.stringify({ account: account.id, plan: "free" });
  expect((await bed.app.get("/api/account/v1/set-subscription", { method: "POST", body })).status).toBe(200);
  const free = (await view()).$;
  expect(titles(free)).toHaveLength(3);
  expect(free(".caution").text()).toContain("The plan includes 3 rules, so 4 newer watchlists have no digest.");
});

test("a watchlist shows every item with links, without needless decimals, and says if there is no newer value", async () => {
  const { key, view } = await signedIn(bed.app, "/watchlist");
  const store = async (series: string, key: string, values: Readonly<Record<number, number>>) => {
    for (const [day, value] of Object.entries(values)) {
      const at = new Date(testTime.getTime() + Number(day) * dayMs);
      const stored = {
        series,
        origin: "sample",
        basis: { methodology: "v8", sources: "a" },
        areSampled: true,
      } as const;
      await bed.database.kysely
        .transaction()
        .execute((transaction) => retainPoints(transaction, [{ ...stored, points: [{ key, at, value }] }], at));
    }
  };
  await store("risk.score", "MM", { [-1]: 75, 0: 79 });
  await store("risk.score", "SD", { [-1]: 60, 0: 60 });
  await store("risk.score", "UA", { [-1]: 80 });
  await store("chokepoint.disruption", "suez", { [-1]: 20.25, 0: 35.5 });
  const watchlist = {
    series: ["risk.score/MM", "risk.score/SD", "risk.score/UA"],
    chokepoints: ["suez"],
    searches: ["cyber attack"],
  };
  await alertCalls(bed.app, key).rule({ watchlist }, { name: "Desk" });
  const { $ } = await view();
  const rows = $("main tbody tr").toArray();
  const cells = rows.map((row) =>
    $(row)
      .find("th, td")
      .toArray()
      .map((cell) => $(cell).text()),
  );
  expect(cells).toEqual([
    ["Suez Canal: chokepoint disruption", "20.25", "35.5", "+15.25"],
    ["Myanmar: risk score", "75", "79", "+4"],
    ["Sudan: risk score", "60", "60", "0"],
    ["Ukraine: risk score", "80", "no newer value", "– unknown"],
    ["Notices: cyber attack", "– unknown", "0", "– unknown"],
  ]);
  expect($("main thead").text()).toBe("ItemBeforeLast valueChange");
  const links = rows.map((row) =>
    $(row)
      .find("th a")
      .toArray()
      .map((link) => $(link).attr("href")),
  );
  expect([links[0], links[1], links[4]]).toEqual([
    ["/chokepoints/suez", "/series/chokepoint.disruption?keys=suez"],
    ["/countries/MM", "/series/risk.score?keys=MM"],
    ["/tenders?query=cyber+attack"],
  ]);
});
