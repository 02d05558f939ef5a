import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dayMs, minuteMs } from "../../../src/reference/duration.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  await app.refresh("internet-outages");
  app.setTime(new Date(testTime.getTime() + minuteMs));
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const outages = "/api/infrastructure/v1/list-internet-outages";
const cite = async (query: string, options?: Parameters<TestApp["get"]>[1]) => {
  const response = await app.get(`${outages}?${query}`, options);
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
};

describe("A citation", () => {
  test("names title, terms, read time, address, digest, and end as text", async () => {
    const { status, type, text } = await cite("country=UA&cite=text");
    expect([status, type]).toEqual([200, "text/plain; charset=utf-8"]);
    const now = new Date(testTime.getTime() + minuteMs);
    const target = `${outages}?country=UA&as_of=${encodeURIComponent(now.toISOString())}`;
    const body = Buffer.from(await (await app.get(target)).arrayBuffer());
    const sha256 = createHash("sha256").update(body).digest("hex");
    expect(text).toBe(
      `SAMPLE DATA: the values are invented, do not cite them. Internet outages (country UA). Sources: Cloudflare Radar (CC BY-NC 4.0, Cloudflare Radar). Read from the sources at ${testTime.toISOString()}. Intelligence Data Service, ${app.url}${target}#sha256=${sha256} (accessed 2026-11-18). The address returns these bytes until ${new Date(now.getTime() + 7 * dayMs).toISOString()}, unless a new release of the service changes the response. It requires an API key.\n`,
    );
  });

  test("is BibTeX whose fields no parameter can end", async () => {
    const expression = "'}\\input{/etc/passwd},title={%'";
    const { type, text } = await cite(`country=UA&jmespath=${encodeURIComponent(expression)}&cite=bibtex`);
    expect(type).toBe("application/x-bibtex; charset=utf-8");
    expect(text).toContain(
      "title = {{Internet outages (country UA, jmespath '\\}\\textbackslash{}input\\{/etc/passwd\\},title=\\{\\%')}},\n",
    );
    expect(text.split("\n").filter((line) => /^ {2}\w+ = /.test(line))).toHaveLength(7);
    await app.refresh("conflict-events");
    const ofEvents = await app.get("/api/conflict/v1/list-conflict-events?country=UA&cite=bibtex");
    expect(await ofEvents.text()).toMatch(/^ {2}author = \{\{ACLED\} and \{UCDP\}\},$/m);
  });

  test("has only parameters that the read knows, so that no key gets into a bibliography", async () => {
    await app.refresh("conflict-events");
    const events = await app.get("/api/conflict/v1/list-conflict-events?country=UA&page_size=5&cite=text");
    expect(await events.text(), "an ignored parameter selects nothing").toContain("Conflict events (country UA).");
    const { text } = await cite("country=UA&api_key=ids_secret&note=The%20address%20lasts&c%69te=text");
    expect(text).toContain("Internet outages (country UA).");
    for (const ignored of ["ids_secret", "lasts"]) expect(text).not.toContain(ignored);
  });

  test("has its own key in a bibliography, even if the responses of two requests are equal", async () => {
    const keyOf = async (query: string) => /@misc\{([^,]+),/.exec((await cite(`${query}&cite=bibtex`)).text)?.[1];
    const [one, other] = [await keyOf("country=AD"), await keyOf("country=MC")];
    expect(one).toMatch(/^ids-list-internet-outages-[0-9a-f]{8}$/);
    expect(other).not.toBe(one);
    expect(await keyOf("country=AD")).toBe(one);
  });

  test("of counts has the sources, time, and digest of the counted rows", async () => {
    const counts = "/api/catalog/v1/count-rows";
    const query = new URLSearchParams({ path: `${outages}?country=UA`, by: "month", cite: "text" });
    const text = await (await app.get(`${counts}?${query}`)).text();
    expect(text).toContain("Sources: Cloudflare Radar");
    const [, address = "", sha256] = /(http\S+)#sha256=([0-9a-f]{64})/.exec(text) ?? [];
    expect(new URL(address).searchParams.get("path")).toMatch(/country=UA&as_of=2026-/);
    const body = Buffer.from(await (await app.get(address.slice(app.url.length))).arrayBuffer());
    expect(createHash("sha256").update(body).digest("hex")).toBe(sha256);
    expect(text).toContain("The address returns these bytes until");
    const marked = new URLSearchParams({
      path: "/api/conflict/v1/list-conflict-events?id=a?b",
      by: "month",
      cite: "text",
    });
    expect(await (await app.get(`${counts}?${marked}`)).text()).toContain(encodeURIComponent("id=a%3Fb"));
  });

  test("names no host that cannot be one", async () => {
    const { text } = await cite("country=UA&cite=text", { headers: { host: "evil.example:99999" } });
    expect(text).not.toContain("evil.example");
  });

  test("is not available in a batch", async () => {
    const response = await app.get("/api/batch/v1/run-batch", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ requests: [{ id: "a", path: `${outages}?cite=text` }] }),
    });
    expect(await response.text()).toContain("value must be absent in a batch");
  });

  test("is of the format that the address names, whatever the client accepts", async () => {
    const [json, csv] = await Promise.all([
      cite("country=UA&cite=text", { headers: { accept: "text/csv" } }),
      cite("country=UA&format=csv&cite=text"),
    ]);
    expect(json.text).toBe((await cite("country=UA&cite=text")).text);
    expect(csv.text).toContain("Internet outages (country UA, format csv).");
  });

  test("of an ended day lasts as long as the history of the plan", async () => {
    const key = await app.key("pro_monthly");
    app.setTime(new Date(testTime.getTime() + 2 * dayMs));
    const { text } = await cite("as_of=2026-11-18&cite=text", { key });
    const end = new Date(Date.parse("2026-11-18T23:59:59.999Z") + 400 * dayMs).toISOString();
    expect(text).toContain(`?as_of=2026-11-18#sha256=`);
    expect(text).toContain(`The address returns these bytes until ${end},`);
    app.setTime(new Date(testTime.getTime() + minuteMs));
  });

  test("of a day that has not ended is of the time of the request", async () => {
    const now = new Date(testTime.getTime() + minuteMs).toISOString();
    expect((await cite("asOf=2026-11-18&cite=text")).text).toContain(`?as_of=${encodeURIComponent(now)}#`);
  });

  test("of a read without a past says that its bytes change", async () => {
    const response = await app.get("/api/catalog/v1/list-datasets?cite=text", { key: null });
    expect(await response.text()).toMatch(
      /list-datasets \(accessed .*The address returns current data, so its bytes change\.\n$/,
    );
  });

  test("is rejected in an unknown form, with all pages, and if the response is", async () => {
    expect(await app.rejected(`${outages}?cite=apa`)).toEqual(["cite"]);
    expect(await app.rejected(`${outages}?format=csv&all=true&cite=text`)).toEqual(["all"]);
    expect(await app.rejected(`${outages}?as_of=2030-01-01&cite=text`)).toEqual(["as_of"]);
    expect((await cite("cite=text", { key: null })).status).toBe(401);
  });
});
