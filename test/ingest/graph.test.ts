import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { DescMethod } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { catalog } from "../../src/contract/catalog.ts";
import { type DatasetName, datasets, lookups } from "../../src/domains/index.ts";
import type { DatasetStatus } from "../../src/ingest/dataset-status.ts";
import { affectedOperations, type GraphDataset, licensesOf, operationInputs } from "../../src/ingest/graph.ts";

const [one, other] = catalog.filter(({ read }) => read).map(({ method }) => method) as [DescMethod, DescMethod];
const node = (name: string, rest: Partial<GraphDataset> = {}): GraphDataset => ({
  ...{
    name,
    serves: [],
    sources: [{ name: `${name}-source`, license: { kind: "open", publisher: "invented", terms: name } }],
    ...rest,
  },
});

describe("The graph of datasets", () => {
  test("an operation is made from what serves it and from what that is made from, at any remove", () => {
    const [a, b] = [node("a"), node("b", { reads: [{ name: "a" }] })];
    const c = node("c", { reads: [b], serves: [one] });
    const [inputs] = operationInputs([a, b, c, node("d", { serves: [other] })], []);
    expect(inputs?.datasets.map(({ name }) => name)).toEqual(["c", "b", "a"]);
    expect(inputs && licensesOf(inputs).map(({ terms }) => terms)).toEqual(["c", "b", "a"]);
  });

  test("a dataset that reads what is not there, or itself in the end, is refused", () => {
    const lost = node("c", { serves: [one], reads: [{ name: "lost" }] });
    expect(() => operationInputs([lost], [])).toThrow("c reads lost, which isn't a dataset");
    const [a, b] = [node("a", { reads: [{ name: "b" }], serves: [one] }), node("b", { reads: [{ name: "a" }] })];
    expect(() => operationInputs([a, b], [])).toThrow("a is computed from itself");
  });

  test("what ails a dataset is said of every operation that it reaches", () => {
    const condition = (name: string, state: DatasetStatus["state"], source: "ok" | "failed"): DatasetStatus => ({
      ...{ name, state },
      sources: [
        {
          ...{ name: `${name}-source`, state: source, missing: [], runs: 1, failures: 0 },
          license: { kind: "open", publisher: "invented", terms: "" },
        },
      ],
    });
    const inputs = operationInputs(
      [node("a"), node("b", { reads: [{ name: "a" }], serves: [one] }), node("c", { serves: [other] })],
      [],
    );
    const conditions = [condition("a", "stale", "failed"), condition("b", "ok", "ok"), condition("c", "ok", "ok")];
    expect(affectedOperations(inputs, conditions)).toEqual([
      { operation: one.name, datasets: [{ name: "a", state: "stale" }], sources: ["a-source"] },
    ]);
  });

  test("of the program: every read is of a dataset that is there, none is made from itself, main parts are parts", () => {
    expect(operationInputs(datasets, lookups).length).toBeGreaterThan(30);
    for (const { name, main = [], sources, reads = [] } of datasets)
      for (const part of main)
        expect(
          [...sources, ...reads].map((each) => each.name),
          `main part of ${name}`,
        ).toContain(part.name);
  });
});

test("an unknown dataset name does not compile, so a renamed one causes an error at every use", () => {
  // @ts-expect-error There is no such dataset.
  const unknown: DatasetName = "conflict-event";
  expect(datasets.map(({ name }) => name)).not.toContain(unknown);
});

describe("Tables of the store", () => {
  const root = fileURLToPath(new URL("../../src/domains/", import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ({ domain: file.split("/")[0] ?? "", file, text: readFileSync(join(root, file), "utf8") }));
  /** As the types say that describe them: `export type SomeTables = { name: … }`. */
  const owned = files.flatMap(({ domain, text }) =>
    [...text.matchAll(/^export type \w+Tables = \{([^}]*)\}/gm)].flatMap(([, members = ""]) =>
      [...members.matchAll(/(\w+):/g)].map(([, table = ""]) => ({ domain, table })),
    ),
  );

  test("each is described by one domain", () => {
    expect(owned.length).toBeGreaterThan(15);
    const twice = owned.filter(({ domain, table }) => owned.some((b) => b.table === table && b.domain !== domain));
    expect(twice).toEqual([]);
  });

  test("no domain names the tables of another, nor those in which datasets are kept", () => {
    const common = ["source", "dataset", "generation", "snapshot"].map((table) => ({ domain: "", table }));
    const named = [...owned, ...common].flatMap(({ domain, table }) =>
      files
        .filter((file) => file.domain !== domain)
        .filter(({ text }) => new RegExp(`(?:from|join|into|update|From|Into|Table)[ ("]+${table}\\b`).test(text))
        .map(({ file }) => `${relative(root, join(root, file))}: ${table}`),
    );
    expect(named).toEqual([]);
  });
});
