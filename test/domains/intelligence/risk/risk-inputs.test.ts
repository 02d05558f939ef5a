import { afterAll, beforeAll, expect, test } from "vitest";
import { type DatasetName, datasets } from "../../../../src/domains/index.ts";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import {
  type Explanation,
  explanationPath,
  recomputed,
  type Scores,
  scoresPath,
  unsourced,
} from "../../../support/domains/risk.ts";
import { startUpstreamServer, type UpstreamServer } from "../../../support/servers/upstream-server.ts";

/** The terms that only one source changes, and one of them in a country of the samples. */
const sources: readonly { readonly source: string; readonly terms: readonly string[]; readonly in: string }[] = [
  { source: "acled", terms: ["intensity", "deaths", "civilians"], in: "UA" },
  { source: "ucdp", terms: ["war", "minor conflict"], in: "UA" },
  { source: "cloudflare-radar", terms: ["internet outages"], in: "SY" },
  { source: "acled-unrest", terms: ["protests", "protest deaths", "severe protests"], in: "FR" },
  { source: "firms", terms: ["fires"], in: "BR" },
  { source: "usgs-earthquakes", terms: ["earthquakes"], in: "JP" },
  { source: "ofac-sdn", terms: ["sanctions"], in: "RU" },
  { source: "state-advisories", terms: ["travel advisory", "do-not-travel", "reconsider"], in: "CN" },
  { source: "unhcr", terms: ["displacement"], in: "AF" },
];
const hosts: Readonly<Record<string, RegExp>> = {
  "acled-unrest": /Protests/,
  firms: /firms\.modaps/,
  "usgs-earthquakes": /usgs/,
  "ofac-sdn": /ofac/,
  "state-advisories": /travel\.state/,
  unhcr: /unhcr/,
};
const variables = datasets.flatMap((dataset) => dataset.sources.flatMap(({ variables: own = [] }) => own));

describeEachDatabase("The inputs of risk scores", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let outside: UpstreamServer;
  let whole: Map<string, Explanation>;
  beforeAll(async () => {
    outside = await startUpstreamServer(
      sources.map(({ source }) => source),
      () => testTime,
    );
    database = await openFresh();
    app = await startApp(database, {
      environment: { IDS_DATA: "live", ...Object.fromEntries(variables.map((name) => [name, "secret"])) },
      outside: {
        transport: outside.transport,
        wait: async () => undefined,
        floorOf: ({ rows }) => Math.min(rows.atLeast, 10),
      },
    });
    await refreshAll();
    whole = await explanations();
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await outside[Symbol.asyncDispose]();
  });

  const regions = async () => (await app.json<Scores>(scoresPath)).ciiScores.map(({ region }) => region);
  // One after the other, because the queue of a loaded machine rejects some of 31 requests at once.
  const explanations = async () => {
    const all = new Map<string, Explanation>();
    for (const region of await regions())
      all.set(region, await app.json<Explanation>(`${explanationPath}?region=${region}`));
    return all;
  };
  /** Every term and floor by its component and name. */
  const partsOf = ({ components, additions, floors }: Explanation) =>
    new Map([...components.flatMap(({ terms }) => terms), ...additions, ...floors].map((part) => [part.name, part]));
  const refreshAll = async () => {
    for (const dataset of ["conflict-events", "internet-outages", "risk-scores"] as const) await app.refresh(dataset);
  };
  /** The dataset of a source and the scores. */
  const datasetsOf = (source: string): DatasetName[] => {
    const own = datasets.filter(({ sources: read }) => read.some(({ name }) => name === source));
    return [...new Set([...own.map(({ name }) => name), "risk-scores" as const])];
  };
  /** As if it had never been asked. */
  const forget = (source: string) => database.query(`delete from source where source = '${source}'`);

  test("with every source there, live scores are not degraded and not called samples", async () => {
    const response = await app.get(scoresPath);
    expect(await response.json()).toMatchObject({ degraded: false, missingInputs: unsourced });
    expect(response.headers.get("x-data-origin")).toBeNull();
  });

  test("sources with a pace are asked once, the others with every computation", async () => {
    const before = outside.requests.length;
    await app.refresh("risk-scores");
    expect(outside.requests.slice(before).map(({ host }) => host)).toEqual(["earthquake.usgs.gov"]);
  });

  test("the key of FIRMS never appears", async () => {
    expect(outside.requests.some(({ url }) => url.includes("/csv/secret/"))).toBe(true);
    for (const path of ["/api/health", "/api/catalog/v1/list-datasets", "/api/catalog/v1/list-sources"])
      expect(await (await app.get(path)).text(), path).not.toContain("secret");
  });

  test("an input without a source is absent, one that found nothing a measured zero", async () => {
    const inputs = [...partsOf(whole.get("QA") as Explanation).values()].flatMap((part) => part.inputs);
    const stateOf = (name: string) => inputs.find((input) => input.name === name);
    expect(stateOf("fires")).toMatchObject({ value: 0, state: "measured", source: "firms" });
    expect(stateOf("battles")).toMatchObject({ value: 0, state: "measured", source: "acled" });
    expect(stateOf("vessels")).toMatchObject({ value: 0, state: "absent", source: "" });
  });

  test("components without a source are said to be missing, without degrading the answer", async () => {
    const { components } = await app.json<Explanation>(`${explanationPath}?region=UA`);
    for (const name of ["information", "security"]) {
      const inputs = components.find((each) => each.name === name)?.terms.flatMap(({ inputs }) => inputs);
      expect(new Set(inputs?.map(({ state }) => state))).toEqual(new Set(["absent"]));
    }
    for (const region of ["", "UA"]) {
      const { degraded, missingInputs } = await app.json<Scores>(`${scoresPath}?region=${region}`);
      expect([degraded, missingInputs]).toEqual([false, ["newsActivity", "militaryActivity"]]);
    }
  });

  test("wars are counted from the first stored day of UCDP's on, and that is said until it is two years back", async () => {
    const reported = async () => {
      const { floors, combinedScore } = await app.json<Explanation>(`${explanationPath}?region=UA`);
      const { inputs } = floors.find(({ name }) => name === "war") ?? { inputs: [] };
      return { from: inputs.map(({ countedFrom }) => countedFrom), combinedScore };
    };
    const { rows } = await database.query(
      "select id, occurred_at as at from conflict_event where source_key = 'ucdp' order by occurred_at limit 1",
    );
    const [first] = rows as [{ readonly id: string; readonly at: string }];
    const day = new Date(Number(first.at)).toISOString().slice(0, 10);
    expect(day > "2024-11-19").toBe(true);
    const { combinedScore } = await reported();
    expect(await reported()).toEqual({ from: Array(2).fill(day), combinedScore });
    const move = (at: string | number) =>
      database.query(`update conflict_event set occurred_at = ${at} where id = '${first.id}'`);
    for (const [daysBack, from] of [
      [729, "2024-11-19"],
      [730, ""],
      [900, ""],
    ] as const) {
      await move(testTime.getTime() - daysBack * 86_400_000);
      await app.refresh("risk-scores");
      expect(await reported()).toEqual({ from: [from, from], combinedScore });
    }
    await move(first.at);
    await app.refresh("risk-scores");
  });

  test.each(sources)(
    "without $source only its own terms change, and it is named",
    async ({ source, terms, in: region }) => {
      const host = hosts[source];
      await forget(source);
      if (host) outside.behave("gone", host);
      await app.refresh("risk-scores");
      outside.behave("well");
      const response = await app.get(scoresPath);
      expect(await response.json()).toMatchObject({
        degraded: true,
        stale: false,
        missingInputs: [source, ...unsourced],
      });
      expect(response.headers.get("cache-control")).toBe("no-store");
      const responded = await explanations();
      for (const [code, explanation] of responded) {
        expect(recomputed(explanation).combined).toBe(explanation.combinedScore);
        const before = partsOf(whole.get(code) as Explanation);
        for (const [name, part] of partsOf(explanation)) {
          if (!terms.includes(name)) expect([code, part]).toEqual([code, before.get(name)]);
          for (const input of part.inputs)
            if (input.source === source) expect(input).toMatchObject({ value: 0, state: "missing" });
        }
      }
      const [before, after] = [whole, responded].map((all) =>
        partsOf(all.get(region) as Explanation).get(terms[0] ?? ""),
      );
      expect(before?.inputs.some(({ value }) => value > 0)).toBe(true);
      expect(after).not.toEqual(before);

      await forget(source);
      for (const dataset of datasetsOf(source)) await app.refresh(dataset);
      expect((await app.json<Scores>(scoresPath)).degraded).toBe(false);
    },
  );

  test.each(["500", "429", "html", "half a body", "empty", "1%", "gone"] as const)(
    "when the outside answers %s, no source passes for good, and the scores stay",
    async (behavior) => {
      await database.query("update source set asked_at = null");
      outside.behave(behavior);
      const outcome = await app.refresh("risk-scores");
      outside.behave("well");
      for (const { source, state, detail } of outcome.sources)
        expect([source, detail, state]).toEqual([source, detail, expect.stringMatching(/failed|refused/)]);
      expect(await explanations()).toEqual(whole);
    },
  );

  test("a source that fails keeps its last good answer until that is too old", async () => {
    outside.behave("500", hosts["ofac-sdn"]);
    const later = (hours: number) => app.setTime(new Date(testTime.getTime() + hours * 3_600_000));
    for (const [hours, isMissing] of [
      [72, false],
      [73, true],
    ] as const) {
      later(hours);
      await refreshAll();
      const { missingInputs } = await app.json<Scores>(scoresPath);
      expect([hours, missingInputs.includes("ofac-sdn")]).toEqual([hours, isMissing]);
    }
    outside.behave("well");
    app.setTime(testTime);
  });
});
