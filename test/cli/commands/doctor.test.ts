import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type AccessHint, accessHints, hintInWords } from "../../../src/cli/access-hints.ts";
import { type DatasetName, datasets, lookups } from "../../../src/domains/index.ts";
import type { DatasetStatus } from "../../../src/ingest/dataset-status.ts";
import type { LiveSourceStatus } from "../../../src/ingest/health.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { startApp } from "../../support/app.ts";
import { describeOnce } from "../../support/databases.ts";
import { freshFolder, ids, settingsOf } from "../terminal.ts";

const IDS_DATA_DIR = freshFolder();
const loaded: DatasetName = "internet-outages";

interface Finding {
  readonly reportedBy: string;
  readonly data: string;
  readonly datasets: readonly DatasetStatus[];
  readonly lookups: readonly LiveSourceStatus[];
  readonly access: readonly AccessHint[];
}

beforeAll(async () => {
  expect(await ids({ IDS_DATA: "sample", IDS_DATA_DIR }, "ingest", loaded)).toMatchObject({ status: 0 });
});

const asJson = async (environment: Readonly<Record<string, string>>): Promise<Finding> => {
  const { out, err, status } = await ids(environment, "doctor", "--json");
  expect({ err, status }).toEqual({ err: "", status: 0 });
  return JSON.parse(out);
};

describeOnce("ids doctor of a store that no service uses", (_openFresh, freshPlace) => {
  let stored: Readonly<Record<string, string>>;
  beforeAll(async () => {
    stored = settingsOf(await freshPlace());
    expect(await ids({ ...stored, IDS_DATA: "sample" }, "ingest", loaded)).toMatchObject({ status: 0 });
  });

  test("in live mode every source without its variable names it", async () => {
    const { data, datasets: conditions } = await asJson(stored);
    expect(data).toBe("live");
    expect(conditions.map(({ name }) => name)).toEqual(datasets.map(({ name }) => name));
    for (const dataset of datasets)
      for (const { name, variables = [] } of dataset.sources) {
        const reported = conditions.find((condition) => condition.name === dataset.name)?.sources;
        expect(reported?.find((source) => source.name === name)?.missing).toEqual(
          expect.arrayContaining([...variables]),
        );
      }
  });

  test("each source with missing settings is listed with their URL, cost, and terms", async () => {
    const { datasets: conditions, lookups: requested, access } = await asJson(stored);
    const unset = [...conditions.flatMap(({ sources }) => sources), ...requested].filter(
      ({ missing }) => missing.length > 0,
    );
    const without = new Set(unset.map(({ name }) => name));
    // One of two providers is chosen; the other needs nothing.
    expect(new Set(access.map(({ source }) => source))).toEqual(without);
    for (const { signUp = "", terms = "", cost, quota } of access)
      expect([URL.canParse(signUp), URL.canParse(terms), cost, quota]).toEqual([
        true,
        true,
        expect.any(String),
        expect.any(String),
      ]);
    const { out } = await ids(stored, "doctor");
    expect(out).toMatch(
      /^agsi: available at https:\/\/agsi\.gie\.eu\/account; cost: free; quota: 60 requests a minute; terms: https:/m,
    );
  });

  test("a variable that is set is not missing", async () => {
    const { datasets: conditions } = await asJson({ ...stored, CLOUDFLARE_API_TOKEN: "secret" });
    const radar = conditions.find(({ name }) => name === loaded)?.sources[0];
    expect(radar?.missing).toEqual([]);
    expect(JSON.stringify(conditions)).not.toContain("secret");
  });

  test("stored data is listed with its age, origin, and rows, and data that was never stored as empty", async () => {
    const { datasets: conditions } = await asJson({ ...stored, IDS_DATA: "sample" });
    const [outages, others] = [
      conditions.find(({ name }) => name === loaded),
      conditions.filter(({ name }) => name !== loaded),
    ];
    expect(outages).toMatchObject({ state: "ok", origin: "sample", generation: 1, ageSeconds: expect.any(Number) });
    expect(outages?.ageSeconds).toBeLessThan(120);
    expect(outages?.sources).toMatchObject([{ state: "ok", missing: [], rowsOut: outages?.rows, failures: 0 }]);
    for (const other of others) {
      expect(other.state).toBe("empty");
      for (const source of other.sources) expect(source.state).toBe("waiting");
    }
  });

  test("the sources of live operations are listed with their missing settings and their license", async () => {
    const live = await ids({ ...stored, FINNHUB_API_KEY: "secret" }, "doctor");
    expect(live.out).toMatch(
      /^finnhub\s+GetCompanyEnrichment\s+unconfigured\s+restricted\s+set IDS_SOURCE_FINNHUB=on$/m,
    );
    expect(live.out).toMatch(/^hn-algolia\s+GetCompanyEnrichment\s+ready\s+attribution\s*$/m);
    expect(live.out).not.toContain("secret");
    expect(live.out).toMatch(/^adsb\s+GetProviderLiveFlight\s+ready\s+attribution\s*$/m);
    expect(live.out).toMatch(/^opensky .*unconfigured\s+non-commercial\s+set IDS_FLIGHT_PROVIDER=opensky$/m);
    const other = await ids({ ...stored, IDS_FLIGHT_PROVIDER: "opensky" }, "doctor");
    expect(other.out).toMatch(/^adsb .*unconfigured\s+attribution\s+set IDS_FLIGHT_PROVIDER=adsb$/m);
    expect(other.out).toMatch(/^opensky .*ready\s+non-commercial\s*$/m);
    const sample = JSON.parse((await ids({ ...stored, IDS_DATA: "sample" }, "doctor", "--json")).out);
    expect(sample.lookups.map(({ state }: { state: string }) => state)).toEqual(lookups.map(() => "ready"));
  });
});

test("a rejection of a source is explained with its status, for failed sources and failed parts", () => {
  const rejected = [
    { name: "ftc-press", missing: [], status: 403 },
    { name: "imf-weo", missing: [], missingParts: [{ part: "LUR", error: "refused", status: 403 }] },
    { name: "usgs-earthquakes", missing: [], status: 403 },
    { name: "sec", missing: [], status: 500 },
  ];
  const hints = accessHints(rejected, [...datasets.flatMap(({ sources }) => sources), ...lookups]);
  expect(hints.map(({ source, status }) => [source, status])).toEqual([
    ["ftc-press", 403],
    ["imf-weo", 403],
  ]);
  expect(hints.map(hintInWords)[0]).toMatch(/^ftc-press: HTTP 403: Some users report that the site rejects/);
});

test("the table contains the same, names the settings in use, and has no value of a setting", async () => {
  const IDS_OPERATOR_KEY = `ids_${"a".repeat(40)}`;
  const { out, status } = await ids({ IDS_DATA_DIR, IDS_OPERATOR_KEY }, "doctor");
  expect(status).toBe(0);
  expect(out).toContain(`data: live; reported by the embedded database in ${IDS_DATA_DIR}\n`);
  expect(out).toContain("set: IDS_DATA_DIR, IDS_OPERATOR_KEY\n");
  expect(out).toMatch(/^\d+ of \d+ datasets have data\.$/m);
  expect(out).toMatch(/^Settings that are missing: ACLED_EMAIL, ACLED_PASSWORD, .* more\.$/m);
  expect(out).toContain("Run `npx ids init`: it explains what each setting enables.\n");
  expect(out).toMatch(/^internet-outages\s+empty\s+cloudflare-radar: CLOUDFLARE_API_TOKEN is not set$/m);
  expect(out).toMatch(/^country-macro\s+empty\s+imf-weo: not read yet$/m);
  expect(out).toMatch(/^cloudflare-radar\s+internet-outages\s+unconfigured\s.*set CLOUDFLARE_API_TOKEN$/m);
  expect(out).not.toContain(IDS_OPERATOR_KEY);
});

test("settings without effect are reported: an unknown name, and a permission that is neither on nor off", async () => {
  const environment = { IDS_DATA_DIR, IDS_LOGLEVEL: "debug", IDS_SGE: "yes" };
  const warnings = [
    "IDS_LOGLEVEL is not a setting and has no effect; did you mean IDS_LOG_LEVEL?",
    "IDS_SGE has no effect: it must be on or off",
  ];
  expect(await asJson(environment)).toMatchObject({ warnings });
  expect((await ids(environment, "doctor")).out).toContain(
    `\nset: IDS_DATA_DIR\n${warnings.map((warning) => `warning: ${warning}\n`).join("")}\n`,
  );
  expect(await asJson({ IDS_DATA_DIR, IDS_SGE: "off" })).toMatchObject({ warnings: [] });
});

test("while a service holds the embedded database, the report comes from the service and says so", async () => {
  const database = await openDatabase({ directory: IDS_DATA_DIR, name: "test" });
  const app = await startApp(database, { now: new Date() });
  try {
    const PORT = new URL(app.url).port;
    const finding = await asJson({ IDS_DATA: "live", IDS_DATA_DIR, PORT });
    // The report has the service's own settings, not this command's.
    expect(finding.data).toBe("sample");
    expect(finding.reportedBy).toContain(`${app.url}/api/health`);
    expect(finding.datasets).toMatchObject(datasets.map(({ name }) => ({ name })));
    const requested = finding.lookups.map(({ name, state }) => [name, state]);
    expect(new Set(requested)).toEqual(new Set(lookups.map(({ name }) => [name, "ready"])));
    expect((await ids({ IDS_DATA_DIR, PORT }, "doctor")).out).toContain(
      `reported by the service at ${app.url}/api/health`,
    );
    // An address that means all of them is asked on this machine.
    expect((await asJson({ IDS_DATA_DIR, PORT, IDS_HOST: "0.0.0.0" })).reportedBy).toContain(
      `http://127.0.0.1:${PORT}/`,
    );
    expect((await asJson({ IDS_DATA_DIR, PORT: "1", IDS_URL: app.url })).reportedBy).toContain(app.url);
  } finally {
    await app[Symbol.asyncDispose]();
    await database.close();
  }
});

test("the service reports the same datasets and missing settings as the store", async () => {
  const finding = async (data: string) => {
    const database = await openDatabase({ directory: IDS_DATA_DIR, name: "test" });
    const environment = { IDS_DATA: data };
    const app = await startApp(database, { now: new Date(), environment });
    const served = await asJson({ ...environment, IDS_DATA_DIR, PORT: new URL(app.url).port });
    await app[Symbol.asyncDispose]();
    await database.close();
    return { served, stored: await asJson({ ...environment, IDS_DATA_DIR }) };
  };
  // Time passes between the two, and only the store reports the hash of a source's content.
  const changing = ["ageSeconds", "lastGoodAgeSeconds", "contentHash"];
  const lasting = (value: unknown) =>
    JSON.parse(JSON.stringify(value, (key, member) => (changing.includes(key) ? undefined : member)));
  const sample = await finding("sample");
  expect(lasting(sample.served.datasets)).toEqual(lasting(sample.stored.datasets));
  expect(sample.served.datasets.find(({ name }) => name === loaded)?.rows).toBeGreaterThan(0);
  const live = await finding("live");
  expect(lasting(live.served.datasets)).toEqual(lasting(live.stored.datasets));
  const byName = (some: readonly { readonly name: string }[]) => new Map(some.map((each) => [each.name, each]));
  expect(byName(live.served.lookups)).toEqual(byName(live.stored.lookups));
});

test("when nothing that is our service answers there, it says who has the folder and which port was tried", async () => {
  const database = await openDatabase({ directory: IDS_DATA_DIR, name: "test" });
  const other = createServer((_request, response) => response.end('{"status":"fine"}'));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  try {
    const { out, err, status } = await ids({ IDS_DATA_DIR, PORT: String(port) }, "doctor");
    expect({ out, status }).toEqual({ out: "", status: 1 });
    expect(err).toMatch(/^ids: The data folder .+ is in use by process \d+\. .+\n$/);
    expect(err).toContain(`No service responds at http://127.0.0.1:${port}/api/health: set its PORT`);
  } finally {
    await new Promise((resolve) => other.close(resolve));
    await database.close();
  }
});

test("without a store, the report says so, names the folder, and creates nothing", async () => {
  const parent = freshFolder();
  const folder = join(parent, "data");
  const { reportedBy, datasets: conditions } = await asJson({ IDS_DATA_DIR: folder });
  expect(reportedBy).toContain(`${folder} contains no store`);
  expect(conditions.map(({ name, state }) => [name, state])).toEqual(datasets.map(({ name }) => [name, "empty"]));
  expect(readdirSync(parent)).toEqual([]);
});

test("an unusable folder is reported in one line", async () => {
  const { err, status } = await ids({ IDS_DATA_DIR: "/dev/null/ids" }, "doctor");
  expect(status).toBe(1);
  expect(err).toMatch(/^ids: [^\n]+\n$/);
});
