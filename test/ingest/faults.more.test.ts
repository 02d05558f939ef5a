import { afterAll, beforeAll, expect, test } from "vitest";
import { catalog } from "../../src/contract/catalog.ts";
import { type DatasetName, datasets } from "../../src/domains/index.ts";
import { isRecomputed } from "../../src/ingest/dataset.ts";
import type { SourceMetadata } from "../../src/ingest/source.ts";
import { permissionOf } from "../../src/ingest/upstreams.ts";
import type { Database } from "../../src/store/database.ts";
import { sampleIndex } from "../../src/upstream/sample/sample.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { armsDeliveries } from "../support/domains/arms-deliveries.ts";
import { needsOwn, placedQuery } from "../support/needed-query.ts";
import { type Behavior, startUpstreamServer, type UpstreamServer } from "../support/servers/upstream-server.ts";

const variables = [...new Set(datasets.flatMap(({ sources }) => sources.flatMap(({ variables: own = [] }) => own)))];
const permissions = datasets.flatMap(({ sources }) => sources.flatMap((source) => permissionOf(source) ?? []));
const sources = [...new Set(datasets.flatMap((dataset) => dataset.sources.map(({ name }) => name)))];

/** Datasets that ask somebody. */
const requesting = datasets.filter((dataset) => dataset.sources.some(({ own }) => !own));

/** Those that are made from one, at any remove. */
const madeFrom = (name: string): readonly string[] =>
  datasets
    .filter(({ reads = [] }) => reads.some((read) => read.name === name))
    .flatMap((dataset) => [dataset.name, ...madeFrom(dataset.name)]);

/** What callers read of a dataset: what it serves itself, or else what those do that are made from it. */
const readsOf = (name: string): readonly string[] => {
  const pathsOf = (names: readonly string[]) =>
    catalog
      .filter((operation) => operation.queried && !needsOwn(operation))
      .filter(({ method }) => datasets.some((known) => names.includes(known.name) && known.serves.includes(method)))
      .map((operation) => placedQuery(operation));
  const own = pathsOf([name]);
  return own.length > 0 ? own : pathsOf(madeFrom(name));
};

/** Whether one of these addresses is a source's: our own tables, files of the operator and spared upstreams are not asked. */
const isRequested = (source: string, addresses: readonly string[]) =>
  (sampleIndex(source)?.responses ?? []).some(({ url = "\0", match }) =>
    addresses.some((address) => (match === undefined ? address.startsWith(url) : new RegExp(match).test(address))),
  );

/** JSON can be cut so that it is a whole answer with no rows, which some feeds may have. */
const mayBeEmpty = ({ name, rows }: SourceMetadata) =>
  rows.mayBeEmpty && (sampleIndex(name)?.responses ?? []).every(({ file }) => file.endsWith(".json"));

const unread = /^The source's response has an unknown format|^The response was empty or implausibly small/;

/**
 * The state of a source after each fault, for the operator and for the public health endpoint. A feed that may be empty
 * accepts an empty response as healthy.
 */
const faults: readonly (readonly [Behavior, RegExp, RegExp])[] = [
  ["hangs", /did not answer within/, /^The source did not answer$/],
  ["500", /answered 500/, /^The source failed \(HTTP 500\)$/],
  ["429", /answered 429/, /^The source's quota is used up \(HTTP 429\)$/],
  ["html", /./, unread],
  ["half a body", /broke off|not JSON/, /^The source did not answer$|unknown format$/],
  ["empty", /./, unread],
  ["1%", /./, /unknown format|implausibly small|\(HTTP 404\)$/],
  ["gone", /broke off/, /^The source did not answer$/],
];

/** Every fault of every dataset takes minutes: `make proof` has them all, the second ring one of each, in turn. */
const isEvery = process.env.IDS_TEST_FAULTS === "all";
const faultsEach = 1;

/** The content of a response without its metadata and sources, and the length of its lists. */
function heldBy(text: string): { readonly reported: unknown; readonly lists: ReadonlyMap<string, number> } {
  const lists = new Map<string, number>();
  const count = (value: unknown, place: string) => {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) lists.set(place, value.length);
    // Rows change places; what they hold need not.
    else for (const [name, member] of Object.entries(value)) count(member, `${place}.${name}`);
  };
  count(JSON.parse(text), "");
  const responded = JSON.parse(text, (name, value) => (/At$|^(sources|error)$/.test(name) ? undefined : value));
  return { reported: responded, lists };
}

const sourcesOf = (name: string) => datasets.find((known) => known.name === name)?.sources ?? [];

const secretOf = (variable: string) => `secret-of-${variable.toLowerCase()}`;

describeEachDatabase("A source that fails", (openFresh) => {
  let app: TestApp;
  let database: Database;
  let outside: UpstreamServer;
  const waits: number[] = [];
  let now = testTime.getTime();
  let playedAt = now;
  let deliveries: Awaited<ReturnType<typeof armsDeliveries>>;
  const lastAt = new Map<string, number>();
  beforeAll(async () => {
    outside = await startUpstreamServer(sources, () => new Date(playedAt));
    deliveries = await armsDeliveries();
    const environment = {
      IDS_DATA: "live",
      ...Object.fromEntries(variables.map((name) => [name, secretOf(name)])),
      ...Object.fromEntries(permissions.map((name) => [name, "on"])),
      IDS_ARMS_SUPPLIERS_FILE: deliveries.file,
    };
    const wait = async (milliseconds: number) => {
      waits.push(milliseconds);
    };
    // The samples are smaller than live responses, so they would be rejected without samples before.
    database = await openFresh();
    app = await startApp(database, {
      environment,
      outside: {
        transport: outside.transport,
        wait,
        maxMs: 1_000,
        floorOf: ({ rows }) => Math.min(rows.atLeast, 10),
      },
    });
    for (const { name } of datasets) await refresh(name);
  }, 120_000);
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await outside[Symbol.asyncDispose]();
    deliveries[Symbol.dispose]();
  });

  /** A refresh so long after the last one that no source is spared for its quota; callers read as of today. */
  const refresh = async (dataset: DatasetName) => {
    const apart = Math.max(1, ...sourcesOf(dataset).map(({ minutesApart = 0 }) => minutesApart + 1));
    const at = (lastAt.get(dataset) ?? now) + apart * 60_000;
    lastAt.set(dataset, at);
    playedAt = at;
    outside.prefer(sourcesOf(dataset).map(({ name }) => name));
    app.setTime(new Date(at));
    const outcome = await app.refresh(dataset);
    playedAt = now;
    app.setTime(new Date(now));
    return outcome;
  };

  // Health is kept for a second, and quotas count by the minute.
  const conditionOf = (dataset: DatasetName) => {
    now += 61_000;
    app.setTime(new Date(now));
    return app.condition(dataset);
  };

  const responsesOf = (reads: readonly string[], key: string) =>
    Promise.all(
      reads.map(async (path) => {
        const response = await app.get(path, { key });
        expect([path, response.status]).toEqual([path, 200]);
        return heldBy(await response.text());
      }),
    );

  for (const [place, { name: dataset, sources: own, ...rest }] of requesting.entries()) {
    const reads = readsOf(dataset);
    const isAgain = isRecomputed(rest);
    let pauses: readonly number[] = [];
    // One of its own for each: what an operation may be asked in a minute is counted by the real clock.
    let key = "";

    test(`${dataset} is loaded live, and not labelled as samples`, async () => {
      outside.behave("well");
      key = await app.key("operator");
      waits.length = 0;
      const { sources: outcomes } = await refresh(dataset);
      expect(outcomes.filter(({ state }) => state !== "ok" && state !== "paced")).toEqual([]);
      pauses = [...new Set(waits)];
      expect(reads).not.toEqual([]);
      for (const path of reads) {
        const response = await app.get(path);
        expect([path, response.status, response.headers.get("x-data-origin")]).toEqual([path, 200, null]);
      }
    });

    test.each(faults.filter((_, index) => isEvery || (index + place) % faults.length < faultsEach))(
      `${dataset}: when the upstream %s, the last good data stays and health says what happened`,
      async (behavior, words, sentence) => {
        outside.behave("well");
        const before = await responsesOf(reads, key);
        outside.behave(behavior);
        waits.length = 0;
        const { sources: outcomes } = await refresh(dataset);
        const requested = [...outside.requested];
        outside.behave("well");
        const after = await responsesOf(reads, key);
        const isShort = ["empty", "1%"].includes(behavior);
        // Feeds that may be empty then answered well; what they no longer name is over, unless it is remembered.
        const mayShrink = isShort && own.every((source) => mayBeEmpty(source) && !source.remember);
        for (const [place, { lists }] of mayShrink ? [] : before.entries())
          for (const [list, length] of lists) expect(after[place]?.lists.get(list)).toBeGreaterThanOrEqual(length);
        // Data that each refresh recomputes changes with the time, and so do values of a working source among several.
        if (!isAgain && outcomes.every(({ state }) => state !== "ok"))
          expect(after.map(({ reported: responded }) => responded)).toEqual(
            before.map(({ reported: received }) => received),
          );
        const condition = await conditionOf(dataset);
        for (const { source, state, detail } of outcomes) {
          const reported = condition.sources.find(({ name }) => name === source);
          expect([source, reported?.state]).toEqual([source, state]);
          if (state !== "ok") {
            expect([source, detail]).toEqual([source, expect.stringMatching(words)]);
            expect([source, reported?.failure]).toEqual([source, expect.stringMatching(sentence)]);
          }
          const emptied = own.some((known) => known.name === source && mayBeEmpty(known));
          const isHarmed = isRequested(source, requested) && !(emptied && isShort);
          if (isHarmed) expect([source, state]).not.toEqual([source, "ok"]);
        }
        // Only the pauses of each source's pace are allowed, in addition to those that the upstream demands.
        const isPause = (milliseconds: number) => pauses.some((pause) => milliseconds % pause === 0);
        if (behavior === "429") expect(waits.filter((wait) => wait !== 7000 && !isPause(wait))).toEqual([]);
        expect((await app.get("/livez")).status).toBe(200);
      },
    );

    test(`${dataset} recovers with the next good answer`, async () => {
      outside.behave("well");
      const { sources: outcomes } = await refresh(dataset);
      expect(outcomes.filter(({ state }) => state !== "ok" && state !== "paced")).toEqual([]);
    });
  }

  test("no configured secret that a source's error repeats is reported, logged, or stored", async () => {
    const secrets = variables.filter((name) => !name.endsWith("_FILE"));
    outside.behave({ fails: `refused: ${secrets.map(secretOf).join(" and ")}` });
    const outcomes = [];
    for (const { name } of requesting) outcomes.push(await refresh(name));
    now += 2_000;
    app.setTime(new Date(now));
    const listed = ["/api/catalog/v1/list-datasets", "/api/catalog/v1/list-sources"];
    const paths = ["/api/health", "/metrics", ...listed, ...new Set(requesting.flatMap(({ name }) => readsOf(name)))];
    const reported = await Promise.all(paths.map(async (path) => (await app.get(path)).text()));
    const stored = await database.query("select dataset, source, error from source");
    const text = JSON.stringify([outcomes, reported, stored.rows]);
    // Compared separately, because a failure would print a megabyte.
    expect(text.includes("refused: ***")).toBe(true);
    expect(secrets.filter((name) => text.includes(secretOf(name)))).toEqual([]);
    expect(reported.join().includes("refused: ")).toBe(false);
  });
});
