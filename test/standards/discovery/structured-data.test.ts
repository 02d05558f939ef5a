import { expect, test } from "vitest";
import { datasets } from "../../../src/domains/index.ts";
import { licensesOf, madeFrom } from "../../../src/ingest/graph.ts";
import { startApp } from "../../support/app.ts";
import { startBed } from "../../support/console/bed.ts";
import { structuredData } from "../../support/structured-data.ts";

const timeout = 120_000;
const bed = startBed();

/** Returns the columns of a CSV file. No name of a column contains a comma. */
const headerOf = (csv: string) =>
  csv
    .replace(/^\ufeff/, "")
    .split("\r\n", 1)[0]
    ?.split(",");

test("each dataset's page lists the columns of the files that its reads return", { timeout }, async () => {
  for (const { name } of datasets) {
    const { distribution, recordSet } = await structuredData(bed.app, name);
    for (const { field, key = [] } of recordSet) {
      const [first] = field;
      const file = distribution.find((each) => each["@id"] === first?.source.fileObject["@id"]);
      expect(file, first?.["@id"]).toBeDefined();
      const path = file?.contentUrl.slice(bed.app.url.length) ?? "";
      const columns = headerOf(await (await bed.app.get(path)).text());
      expect(
        field.map(({ source }) => source.extract.column),
        path,
      ).toEqual(columns);
      expect(field.map((each) => each["@id"])).toEqual(expect.arrayContaining(key.map((each) => each["@id"])));
    }
  }
});

test("each file has the stated media type, and needs a key unless its read is public", { timeout }, async () => {
  let isPublic = 0;
  for (const { name } of datasets) {
    const { distribution, conditionsOfAccess } = await structuredData(bed.app, name);
    for (const { contentUrl, encodingFormat } of distribution) {
      const path = contentUrl.slice(bed.app.url.length);
      expect(contentUrl.startsWith(`${bed.app.url}/api/`)).toBe(true);
      const response = await bed.app.get(path);
      const mediaType = response.headers.get("Content-Type")?.split(";")[0];
      expect([response.status, mediaType], path).toEqual([200, encodingFormat]);
      await response.arrayBuffer();
    }
    const [file] = distribution;
    if (!file) continue;
    const { status } = await bed.app.get(file.contentUrl.slice(bed.app.url.length), { key: null });
    expect(status, name).toBe(conditionsOfAccess === "No API key is required." ? 200 : 401);
    if (status === 200) isPublic += 1;
  }
  expect(isPublic).toBeGreaterThan(0);
});

test("each dataset says that its samples are invented, and its terms and those of its inputs", {
  timeout,
}, async () => {
  const { datasets: listed } = await bed.app.json<{ datasets: { name: string; origin?: string }[] }>(
    "/api/catalog/v1/list-datasets",
  );
  for (const dataset of datasets) {
    const { name } = dataset;
    const data = await structuredData(bed.app, name);
    expect([data.alternateName, data.url]).toEqual([name, `${bed.app.url}/data/${name}`]);
    const isSample = listed.find((each) => each.name === name)?.origin === "sample";
    expect(data.description.includes("values are invented"), name).toBe(isSample);
    expect(data.creativeWorkStatus, name).toBe(isSample ? "Invented sample data" : undefined);
    const licenses = licensesOf({ datasets: [dataset, ...madeFrom(dataset, datasets)], lookups: [] });
    expect(new Set(data.isBasedOn.map(({ creditText }) => creditText))).toEqual(
      new Set(licenses.map(({ terms }) => terms)),
    );
    expect(data.license.length, name).toBeGreaterThan(0);
    expect(data.description.length, name).toBeGreaterThanOrEqual(50);
  }
});

test("a dataset has its licenses by URL, its period, its countries and its units", async () => {
  const conflict = await structuredData(bed.app, "conflict-events");
  const sources = `${bed.app.url}/data/conflict-events#sources`;
  expect(conflict.license).toEqual([sources, "https://creativecommons.org/licenses/by/4.0/"]);
  expect(conflict.temporalCoverage).toMatch(/^2026-\d\d-\d\d\/2026-11-\d\d$/);
  expect(conflict.spatialCoverage.map(({ identifier }) => identifier)).toContain("SD");
  const gas = await structuredData(bed.app, "eu-gas-storage");
  expect(gas.variableMeasured).toContainEqual(expect.objectContaining({ name: "fillPct", unitText: "%" }));
  const outages = await structuredData(bed.app, "internet-outages");
  expect(outages.license).toEqual(["https://creativecommons.org/licenses/by-nc/4.0/"]);
});

test("the structured data of each page is also a document, to which the page links", { timeout }, async () => {
  for (const { name } of datasets) {
    const path = `/data/${name}.jsonld`;
    const response = await bed.app.get(path, { key: null });
    expect([response.status, response.headers.get("Content-Type")], name).toEqual([200, "application/ld+json"]);
    expect(await response.json()).toEqual(await structuredData(bed.app, name));
    const page = await (await bed.app.get(`/data/${name}`, { key: null })).text();
    expect(page).toContain(`<link rel="alternate" type="application/ld+json" href="${path}">`);
  }
  expect((await bed.app.get("/data/unknown.jsonld", { key: null })).status).toBe(404);
});

test("a text that looks like markup stays a text", async () => {
  const name = `</script><script>alert(1)</script><!-- "'&`;
  await using app = await startApp(bed.database, {
    environment: { IDS_PUBLIC_PAGES: "enterprise", IDS_OPERATOR_NAME: name },
  });
  const page = await (await app.get("/data/conflict-events", { key: null })).text();
  expect(page).not.toContain("<script>alert");
  expect((await structuredData(app, "conflict-events")).publisher.name).toBe(name);
});

test("an embedded block has no structured data, because the page has it", async () => {
  const embed = await (await bed.app.get("/data/conflict-events?embed=1", { key: null })).text();
  expect(embed).not.toContain("ld+json");
});
