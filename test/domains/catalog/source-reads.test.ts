import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dayMs, minuteMs } from "../../../src/reference/duration.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";

const datasets = ["internet-outages", "resilience-inputs", "risk-scores", "resilience-scores"] as const;

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  for (const name of datasets) await app.refresh(name);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

interface SourceInput {
  readonly source: string;
  readonly sourceDigest: string;
  readonly fetchedAt?: string;
  readonly readAt?: string;
}

interface SourceReads {
  readonly reads: {
    readonly digest: string;
    readonly readAt: number;
    readonly responses: { readonly sha256: string; readonly stored: boolean }[];
  }[];
}

/** Returns all inputs of an explanation that name a source and the time of its read. */
function inputsOf(value: unknown): SourceInput[] {
  if (Array.isArray(value)) return value.flatMap(inputsOf);
  if (typeof value !== "object" || value === null) return [];
  const own = value as Partial<SourceInput>;
  const isInput = own.source && (own.fetchedAt || own.readAt);
  return [...(isInput ? [own as SourceInput] : []), ...Object.values(value).flatMap(inputsOf)];
}

const listed = (source: string, digest: string) =>
  app.json<SourceReads>(`/api/catalog/v1/list-source-reads?source=${source}&digest=${digest}`);

const explanations = [
  "/api/intelligence/v1/get-risk-score-explanation?region=UA",
  "/api/resilience/v1/get-resilience-score-explanation?country_code=NO",
];

describe("The digest of a source's read", () => {
  test.each(explanations)("is named by every input of %s, and is that of the listed responses", async (path) => {
    const inputs = inputsOf(await app.json(path));
    expect(inputs.length).toBeGreaterThan(2);
    // The list of sovereign funds is a list of this project.
    const named = inputs.filter(({ source }) => source !== "sovereign-funds");
    expect(named.every(({ sourceDigest }) => /^[0-9a-f]{64}$/.test(sourceDigest))).toBe(true);
    const distinct = new Map(named.map((input) => [`${input.source} ${input.sourceDigest}`, input]));
    for (const { source, sourceDigest, fetchedAt, readAt } of distinct.values()) {
      const { reads } = await listed(source, sourceDigest);
      // A source can send the same bytes on several days.
      expect(reads.map((read) => [read.digest, new Date(read.readAt).toISOString()])).toContainEqual([
        ...[sourceDigest, fetchedAt ?? readAt],
      ]);
      const text = reads[0]?.responses.flatMap(({ sha256 }) => (sha256 === "" ? [] : [`${sha256}\n`])).join("") ?? "";
      expect(createHash("sha256").update(text).digest("hex")).toBe(sourceDigest);
    }
  });

  test("stays the one of that time with as_of, also after each dataset was refreshed again", async () => {
    const then = await Promise.all(explanations.map(async (path) => inputsOf(await app.json(path))));
    const requested = new Date(testTime.getTime() + minuteMs).toISOString();
    app.setTime(new Date(testTime.getTime() + dayMs));
    for (const name of datasets) await app.refresh(name);
    app.setTime(new Date(testTime.getTime() + dayMs + minuteMs));
    const digests = (inputs: SourceInput[]) => inputs.map(({ source, sourceDigest }) => `${source} ${sourceDigest}`);
    for (const [index, path] of explanations.entries()) {
      const past = inputsOf(await app.json(`${path}&as_of=${requested}`));
      expect(digests(past)).toEqual(digests(then[index] ?? []));
      const isLater = ({ fetchedAt, readAt }: SourceInput) => (fetchedAt ?? readAt ?? "") > requested;
      expect(past.filter(isLater)).toEqual([]);
      expect(inputsOf(await app.json(path)).filter(isLater)).not.toEqual([]);
    }
  });

  test("is public, unlike the bytes, and an unknown source is rejected", async () => {
    const response = await app.get("/api/catalog/v1/list-source-reads?source=firms", { key: null });
    const { reads } = (await response.json()) as SourceReads;
    expect(reads.length).toBeGreaterThan(0);
    expect(JSON.stringify(reads)).not.toContain("body");
    expect(await app.rejected("/api/catalog/v1/list-source-reads?source=nothing")).toEqual(["source"]);
    expect(await app.rejected("/api/catalog/v1/list-source-reads?source=firms&digest=1")).toEqual(["digest"]);
  });

  test("of bytes that were compared with the rows shows when, in the catalog and on the dataset's page", async () => {
    const at = new Date(testTime.getTime() + minuteMs);
    await database.kysely
      .updateTable("source_read")
      .set({ verified_at: at })
      .where("source", "=", "cloudflare-radar")
      .execute();
    app.setTime(new Date(testTime.getTime() + 2 * dayMs));
    const { sources } = (await app.condition("internet-outages")) as unknown as {
      sources: { bytesSince: number; verifiedAt: number }[];
    };
    expect(sources).toMatchObject([{ bytesSince: testTime.getTime(), verifiedAt: at.getTime() }]);
    const page = await (await fetch(`${app.url}/data/internet-outages`)).text();
    expect(page).toContain("Bytes of its responses are stored since");
    expect(page).toMatch(/They gave the same rows .{0,80}ago/);
  });
});
