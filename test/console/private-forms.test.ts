import { load } from "cheerio";
import { expect, test } from "vitest";
import { startBed } from "../support/console/bed.ts";
import { signedIn } from "../support/console/signed-in.ts";
import { openOnce } from "../support/databases.ts";
import { alertCalls } from "../support/domains/alerts.ts";

const bed = startBed({ environment: { IDS_TRUSTED_PROXIES: "127.0.0.0/8" } }, openOnce);

const rule = { watch: "staleness", datasets: "internet-outages" };
const hook = { action: "create-endpoint", label: "hook", kind: "webhook", target: "https://hooks.example.org/a" };

test("what cannot be undone is asked before it is done, without a script", async () => {
  const alerts = await signedIn(bed.app, "/alerts");
  await alerts.change(hook);
  await alerts.change({ action: "create-rule", name: "Old", ...rule });
  const account = await signedIn(bed.app, "/account");
  await account.change({ action: "create-key", name: "notebook" });
  await account.change({
    action: "create-feed",
    name: "sheet",
    path: "/api/conflict/v1/list-conflict-events?format=csv",
  });
  const shown = [await alerts.view(), await account.view()];
  for (const [index, action] of ["delete-rule", "delete-endpoint", "revoke-key", "revoke-feed"].entries()) {
    const button = shown[index < 2 ? 0 : 1]?.$(`button[value=${action}]`).first();
    expect(button?.text(), action).toMatch(/^Yes, (delete|revoke) /);
    expect(button?.closest("details.confirm:not([open])").find("p").text(), action).toMatch(/\.$/);
    expect(button?.closest("form").find("[name=token]"), action).toHaveLength(1);
  }
});

test("whatever a form has done is said on the page that it leads to, and nothing of it is in the address", async () => {
  const { key, view, change } = await signedIn(bed.app, "/alerts");
  const said = async (fields: Readonly<Record<string, string>>) => {
    const { status, location, $ } = await change(fields);
    expect([status, location], fields.action).toEqual([303, "/alerts"]);
    return $(".notice[role=status]").text();
  };
  await change(hook);
  expect(await said({ action: "create-rule", name: "Old", ...rule })).toMatch(/^The rule was created\./);
  const id = (await view()).$("[name=rule]").attr("value") ?? "";
  const endpoint = (await view()).$("[name=endpoint-id]").attr("value") ?? "";
  expect(await said({ action: "update-rule", rule: id, name: "Older", ...rule })).toMatch(/^The rule is saved\./);
  expect(await said({ action: "pause-rule", rule: id })).toMatch(/^The rule is paused/);
  expect(await said({ action: "resume-rule", rule: id })).toMatch(/^The rule is resumed/);
  await said({ action: "test-rule", rule: id });
  const [delivery] = await alertCalls(bed.app, key).deliveries();
  await bed.database.kysely
    .withTables<{ webhook_delivery: { id: string; state: string } }>()
    .updateTable("webhook_delivery")
    .set({ state: "failed" })
    .where("id", "=", delivery?.id ?? "")
    .execute();
  expect(await said({ action: "replay-delivery", delivery: delivery?.id ?? "" })).toMatch(/is sent again/);
  expect(await said({ action: "delete-rule", rule: id })).toBe("The rule is deleted.");
  expect(await said({ action: "delete-endpoint", "endpoint-id": endpoint })).toBe("The endpoint is deleted.");
  const account = await signedIn(bed.app, "/account");
  await account.change({ action: "create-key", name: "notebook" });
  const made = (await account.view()).$('tr:contains("notebook") [name=key]').attr("value") ?? "";
  const revoked = await account.change({ action: "revoke-key", key: made });
  expect(revoked.$(".notice[role=status]").text()).toMatch(/^The key is revoked/);
});

test("the form creates a key that can only read, and the list says so", async () => {
  const account = await signedIn(bed.app, "/account");
  const { $ } = await account.change({ action: "create-key", name: "reader", read_only: "true" });
  const secret = /ids_[0-9a-f]{40}/.exec($(".notice").text())?.[0] ?? "";
  expect((await account.view()).$('tr:contains("reader") [data-label=Rights]').text()).toBe("only reads");
  const create = { key: secret, method: "POST", body: JSON.stringify({ name: "other" }) };
  expect((await bed.app.get("/api/account/v1/create-api-key", create)).status).toBe(403);
});

test("a refused form says why in its own place, marks the field, and keeps what was written", async () => {
  const { change } = await signedIn(bed.app, "/alerts");
  const series = { watch: "series", series: "risk.score", keys: "UA", direction: "above" };
  const { $, status } = await change({ action: "create-rule", name: "Risk", ...series, threshold: "abc" });
  expect(status).toBe(400);
  expect($(".notice")).toHaveLength(1);
  const notice = $("section:has(#rule) .notice.bad[role=alert][autofocus]");
  expect(notice.text()).toMatch(/^Threshold: /);
  const field = $("section:has(#rule) [aria-invalid=true]");
  expect([field.attr("name"), field.attr("value")]).toEqual(["threshold", "abc"]);
  expect(notice.text()).toBe(`Threshold: ${$(`#${field.attr("aria-describedby")}`).text()}`);
  const endpoint = await change({ ...hook, target: "file:///etc/passwd" });
  expect(endpoint.$("section:has(#endpoints) [aria-invalid=true]").attr("value")).toBe("file:///etc/passwd");
  expect(endpoint.$("section:has(#rule) [aria-invalid], section:has(#rule) .notice")).toHaveLength(0);

  const account = await signedIn(bed.app, "/account");
  const feed = await account.change({ action: "create-feed", name: "sheet", path: "/account" });
  expect(feed.$("section:has(#feeds) [aria-invalid=true]").attr("value")).toBe("/account");
  const key = await account.change({ action: "create-key", name: "k", scope: ["keys:write", "admin:all"] });
  expect(key.$("section:has(#keys) [aria-invalid=true]").find("legend").text()).toContain("Scopes");
  expect(key.$("[name=scope]:checked").attr("value")).toBe("keys:write");
});

test("a search that is about to be saved is still there after an endpoint is added, and after a dry run", async () => {
  const { view, change } = await signedIn(bed.app, "/alerts");
  const search = "watch=tenders&query=cloud+%26+web&countries=FR";
  const back = (await view(`?${search}`)).$("section:has(#endpoints) form:last-of-type [name=back]").attr("value");
  const added = await change({ ...hook, back: back ?? "" });
  expect(added.location).toBe(`/alerts?${search}`);
  expect(added.$("#filter-query").attr("value")).toBe("cloud & web");
  const draft = { watch: "tenders", query: "bridge", countries: "FR" };
  const dry = await change({ action: "preview-rule", name: "B", ...draft });
  const stored = new URLSearchParams(dry.$("section:has(#endpoints) form:last-of-type [name=back]").attr("value"));
  expect([stored.get("watch"), stored.get("query"), stored.get("token")]).toEqual(["tenders", "bridge", null]);
  const elsewhere = await change({ ...hook, label: "other", back: "//evil.example/?a=\r\nLocation: x" });
  expect(elsewhere.location).toMatch(/^\/alerts\?%2F%2Fevil\.example%2F%3Fa=/);
});

test("a rule that was refused is still written there after an endpoint is added, and in no storage", async () => {
  const { view, change } = await signedIn(bed.app, "/alerts");
  const draft = { watch: "series", series: "risk.score", keys: "UA", direction: "below", threshold: "abc" };
  const rejected = await change({ action: "create-rule", name: "Risk & more", ...draft });
  const back = rejected.$("section:has(#endpoints) form:last-of-type [name=back]").attr("value") ?? "";
  const wrong = await change({ ...hook, target: "file:///etc/passwd", back });
  const stored = wrong.$("section:has(#endpoints) form:last-of-type [name=back]").attr("value") ?? "";
  const { $ } = await change({ ...hook, back: stored });
  const written = ["#rule-name", "#filter-series", "#filter-direction", "#filter-threshold"].map((id) => $(id).val());
  expect(written).toEqual(["Risk & more", "risk.score", "below", "abc"]);
  expect((await view()).$("#rule-name").val()).toBe("");
});

test("a choice that requires a value does not offer none", async () => {
  const { view } = await signedIn(bed.app, "/alerts");
  const { $ } = await view("?watch=series");
  const none = $("#filter-series option:first-child");
  expect([$("#filter-series").attr("required"), none.attr("disabled"), none.text()]).toEqual([
    "required",
    "disabled",
    "Choose one",
  ]);
  expect($("#filter-direction option:contains(Any)")).toHaveLength(0);
  expect((await view("?watch=tenders")).$("select[required]")).toHaveLength(0);
});

test("a key is created with the chosen scopes, and the proposed ones let its user see the keys", async () => {
  const { view, change } = await signedIn(bed.app, "/account");
  const form = (await view()).$("section:has(#keys) form:last-of-type");
  const scopes = form.find("[name=scope]").toArray();
  expect(scopes.map(({ attribs }) => attribs.value)).toEqual(["keys:read", "keys:write"]);
  expect(form.find("[name=scope]:checked").attr("value")).toBe("keys:read");
  const proposed = (await change({ action: "create-key", name: "reader", scope: "keys:read" })).$(".secret").text();
  const reader = await (await signedIn(bed.app, "/account", { with: proposed })).view();
  expect(reader.$("section:has(#keys) tbody tr")).toHaveLength(2);

  const bare = (await change({ action: "create-key", name: "bare" })).$(".secret").text();
  const { $ } = await (await signedIn(bed.app, "/account", { with: bare })).view();
  const keys = $("section:has(#keys)").text();
  expect(keys).toContain("The key of this session lacks the scope keys:read");
  expect(keys).toContain("Scope missing");
  expect(keys).not.toMatch(/plan/);
});

test("an account without requests says that there are none yet, and a search that finds none that there is no such", async () => {
  const { view } = await signedIn(bed.app, "/account");
  expect((await view()).$("section:has(#requests)").text()).toContain("No requests yet.");
  expect((await view("?request=none")).$("section:has(#requests)").text()).toContain("No such request.");
});

test("an address that is shown once is complete for sheets and readers, and has no copy button without scripts", async () => {
  await bed.app.refresh("conflict-events");
  const account = await signedIn(bed.app, "/account");
  const path = "/api/conflict/v1/list-conflict-events?format=csv";
  const sheet = (await account.change({ action: "create-feed", name: "sheet", path })).$;
  expect(sheet(".secret").text()).toMatch(new RegExp(`^${bed.app.url}/feeds/[\\w-]{43}\\.csv$`));
  expect((await fetch(sheet(".secret").text())).headers.get("Content-Type")).toMatch(/^text\/csv/);
  expect(sheet("button.copy")).toHaveLength(0);
  const { change } = await signedIn(bed.app, "/alerts");
  const made = (await change({ action: "create-endpoint", label: "reader", kind: "feed", target: "" })).$;
  const renewal = { action: "rotate-endpoint", "endpoint-id": made("[name=endpoint-id]").attr("value") ?? "" };
  const addresses = [made, (await change(renewal)).$].map(($) => $(".notice").text());
  for (const text of addresses) expect(text).toContain(`Address of the feed: ${bed.app.url}/alert-feeds/`);
  expect(new Set(addresses).size).toBe(2);
  // Over TLS the cookie of the session has another name.
  const session = `__Host-${account.cookie}`;
  const behindTls = { "X-Forwarded-Proto": "https", Cookie: session };
  const sent = { action: "create-feed", name: "sheet 2", path, token: sheet("[name=token]").attr("value") ?? "" };
  const response = await fetch(`${bed.app.url}/account/change`, {
    ...{ method: "POST", redirect: "manual", body: new URLSearchParams(sent) },
    headers: { ...account.own, ...behindTls, Origin: bed.app.url.replace("http:", "https:") },
  });
  const reported = `${session}; ${response.headers.get("Set-Cookie")?.split(";")[0]}`;
  const shown = await bed.app.get("/account", {
    key: null,
    headers: { ...behindTls, Accept: "text/html", Cookie: reported },
  });
  expect(load(await shown.text())(".secret").text()).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/feeds\//);
});

test("what a form has changed, or was refused, is found among the requests by its id, as if asked with the key of the session", async () => {
  const { key, cookie, own, view, change } = await signedIn(bed.app, "/account");
  const asForm = (id: string) => ({ ...own, Cookie: cookie, "X-Request-Id": id });
  const secret = (await change({ action: "create-key", name: "notebook" }, asForm("form-made"))).$(".secret").text();
  await change({ action: "create-key", name: "" }, asForm("form-refused"));
  await change({ action: "create-key", name: "stolen", token: "other" }, asForm("form-foreign"));
  const headers = { "Content-Type": "application/json", "X-Request-Id": "with-key" };
  const body = JSON.stringify({ name: "other" });
  await bed.app.get("/api/account/v1/create-api-key", { key, method: "POST", body, headers });
  await bed.app.settled();
  const listed = async (id: string) => {
    const response = await bed.app.get(`/api/account/v1/list-requests?request_id=${id}`, { key });
    return ((await response.json()) as { requests: Record<string, unknown>[] }).requests;
  };
  const [withKey] = await listed("with-key");
  const milliseconds = expect.any(Number);
  const made = { ...withKey, id: expect.any(String), requestId: "form-made", milliseconds };
  expect(await listed("form-made")).toEqual([made]);
  expect(await listed("form-refused")).toEqual([
    { ...made, id: expect.any(String), requestId: "form-refused", status: 400 },
  ]);
  expect(await listed("form-foreign")).toEqual([]);
  const found = (await view("?request=FORM-MADE")).$("section:has(#requests) tbody");
  expect(found.text()).toMatch(/^form-made.*CreateApiKey.*key_[0-9a-f]{24}201/s);
  expect(found.text()).not.toContain(secret.slice(4));
});

test("buttons with the same name are distinguished by their rows", async () => {
  const { view, change } = await signedIn(bed.app, "/account");
  await change({ action: "create-key", name: "vic" });
  const id = (await view()).$('tr:contains("vic") [name=key]').attr("value") ?? "";
  await change({ action: "rotate-key", key: id });
  const path = "/api/conflict/v1/list-conflict-events?format=csv";
  for (const name of ["sheet", "sheet"]) await change({ action: "create-feed", name, path });
  const { $ } = await view();
  const namesIn = (block: string) =>
    $(`section:has(#${block}) tbody :is(button, summary)`)
      .toArray()
      .map((each) => $(each).text());
  const rows = $('section:has(#keys) tbody tr:contains("vic")').toArray();
  expect(rows).toHaveLength(2);
  for (const row of rows) {
    const shown = $(row).find("[data-label=Key] code").first().text();
    expect($(row).find("button[value=rotate-key]").text()).toBe(`Replace vic, ${shown}`);
    expect($(row).find("summary").text()).toBe(`Revoke vic, ${shown}`);
  }
  const feeds = $("section:has(#feeds) tbody tr").toArray();
  expect(feeds).toHaveLength(2);
  for (const row of feeds)
    expect($(row).find("summary").text()).toBe(`Revoke sheet, ${$(row).find("[data-label=Read] code").last().text()}`);
  for (const block of ["keys", "feeds"]) {
    const names = namesIn(block);
    expect(names.length, block).toBeGreaterThan(3);
    expect(new Set(names).size, block).toBe(names.length);
  }
  const operator = (await (await signedIn(bed.app, "/operator", { plan: "operator" })).view()).$;
  const named = operator("tbody :is(button, summary, a)")
    .toArray()
    .map((each) => operator(each).text());
  expect(named.length).toBeGreaterThan(3);
  expect(new Set(named).size).toBe(named.length);
});

test("a rule is created together with its feed, whose address is shown once", async () => {
  const { view, change } = await signedIn(bed.app, "/alerts");
  const box = "[name=feed][type=checkbox]";
  expect((await view()).$(box).is("[checked]")).toBe(true);
  const draft = { action: "create-rule", name: "Bridges", watch: "tenders", query: "bridge", feed: ["false", "true"] };
  const wrong = await change({ ...draft, countries: "Nowhereland" });
  expect([wrong.status, wrong.$(box).is("[checked]")]).toEqual([400, true]);
  expect((await view()).$("section:has(#endpoints) tbody tr")).toHaveLength(0);
  const { status, $ } = await change(draft);
  expect([status, $(".notice").text()]).toEqual([303, expect.stringMatching(/Address of its feed: http/)]);
  const address = $(".notice code.secret").text();
  expect((await fetch(address)).status).toBe(200);
  expect($("section:has(#rules) td[data-label='Reports to']").text()).toBe("all endpoints");
  // With an endpoint, a further feed is a choice.
  expect((await view()).$(box).is("[checked]")).toBe(false);
  const endpoint = (await view()).$("[name=endpoint]").attr("value") ?? "";
  await change({ ...draft, name: "Roads", endpoint });
  expect((await view()).$("tr:contains('Roads') td[data-label='Reports to']").text()).toBe("Bridges, Roads");
  await change({ ...draft, name: "Rails", feed: "false" });
  expect((await view()).$("section:has(#endpoints) tbody tr")).toHaveLength(2);
});

test("a feed is removed again if its rule is rejected", async () => {
  const { view, change } = await signedIn(bed.app, "/alerts");
  const draft = {
    action: "create-rule",
    name: "Risk",
    watch: "series",
    keys: "UA",
    direction: "above",
    threshold: "50",
  };
  const { status } = await change({ ...draft, series: "no.such", feed: "true" });
  expect(status).toBe(400);
  expect((await view()).$("section:has(#endpoints) tbody tr")).toHaveLength(0);
});
