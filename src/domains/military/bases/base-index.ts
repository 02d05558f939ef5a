import { setImmediate as turn } from "node:timers/promises";
import KDBush from "kdbush";
import type { Base } from "./base-table.ts";

/** A column with few different texts. Each row has a code for its text, which is the index of the text in `texts`. */
export interface CodedColumn {
  readonly codes: Uint16Array;
  readonly texts: string[];
  readonly codeOf: Map<string, number>;
}

function codedColumn(size: number): CodedColumn {
  return { codes: new Uint16Array(size), texts: [], codeOf: new Map() };
}

function setText({ codes, texts, codeOf }: CodedColumn, row: number, text: string): void {
  let code = codeOf.get(text);
  if (code === undefined) {
    code = texts.push(text) - 1;
    codeOf.set(text, code);
  }
  codes[row] = code;
}

function textAt({ codes, texts }: CodedColumn, row: number): string {
  return texts[codes[row] ?? 0] ?? "";
}

/** Sorts a long list stably. It pauses every few milliseconds, because a plain sort would block the thread. */
async function sortInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let start = 0; start < items.length; start += stride) {
    runs.push(items.slice(start, start + stride).sort(compare));
    await turn();
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let place = 0; place < runs.length; place += 2)
      merged.push(await mergeRuns(runs[place] ?? [], runs[place + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

const stride = 4_096;

async function mergeRuns<T>(left: readonly T[], right: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const merged: T[] = [];
  let [l, r] = [0, 0];
  for (;;) {
    const [a, b] = [left[l], right[r]];
    if (a === undefined || b === undefined) return merged.concat(left.slice(l), right.slice(r));
    if (compare(a, b) <= 0) {
      merged.push(a);
      l++;
    } else {
      merged.push(b);
      r++;
    }
    if (merged.length % stride === 0) await turn();
  }
}

/** All bases, with one array per column. Rows are sorted as in responses, by tier, name, and ID. */
export interface BaseIndex {
  readonly size: number;
  readonly id: string[];
  readonly name: string[];
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  readonly kind: CodedColumn;
  readonly country: CodedColumn;
  readonly type: CodedColumn;
  readonly branch: CodedColumn;
  readonly status: CodedColumn;
  /** The tier of each row. Because rows are sorted by tier, the values ascend. */
  readonly tier: Uint8Array;
  /** The categories of each row, one bit per category. */
  readonly categories: Uint8Array;
  /** An index of all rows by longitude and latitude. */
  readonly tree: KDBush;
}

/** Builds the index from chunks in any order, without blocking the thread for long. */
export async function buildBaseIndex(
  chunks: AsyncIterable<readonly Base[]> | Iterable<readonly Base[]>,
): Promise<BaseIndex> {
  const unordered: Base[] = [];
  for await (const chunk of chunks) {
    for (const base of chunk) unordered.push(base);
    await turn();
  }
  const bases = await sortInSteps(unordered, inResponseOrder);
  const index = indexOfSize(bases.length);
  for (const [row, base] of bases.entries()) {
    setRow(index, row, base);
    if (row % rowsInTurn === 0) await turn();
  }
  await turn();
  index.tree.finish();
  return index;
}

export function baseAt(index: BaseIndex, row: number): Base {
  const bits = index.categories[row] ?? 0;
  return {
    id: index.id[row] ?? "",
    name: index.name[row] ?? "",
    latitude: index.latitude[row] ?? 0,
    longitude: index.longitude[row] ?? 0,
    kind: textAt(index.kind, row),
    countryIso2: textAt(index.country, row),
    type: textAt(index.type, row),
    tier: index.tier[row] ?? 0,
    catAirforce: (bits & 1) !== 0,
    catNaval: (bits & 2) !== 0,
    catNuclear: (bits & 4) !== 0,
    catSpace: (bits & 8) !== 0,
    catTraining: (bits & 16) !== 0,
    branch: textAt(index.branch, row),
    status: textAt(index.status, row),
  };
}

const rowsInTurn = 2_000;

/** Compares two bases by tier, name, and ID. Texts are compared by code unit. */
function inResponseOrder(a: Base, b: Base): number {
  if (a.tier !== b.tier) return a.tier - b.tier;
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

function indexOfSize(size: number): BaseIndex {
  return {
    size,
    id: [],
    name: [],
    latitude: new Float64Array(size),
    longitude: new Float64Array(size),
    kind: codedColumn(size),
    country: codedColumn(size),
    type: codedColumn(size),
    branch: codedColumn(size),
    status: codedColumn(size),
    tier: new Uint8Array(size),
    categories: new Uint8Array(size),
    tree: new KDBush(size),
  };
}

function setRow(index: BaseIndex, row: number, base: Base): void {
  index.id.push(base.id);
  index.name.push(base.name);
  index.latitude[row] = base.latitude;
  index.longitude[row] = base.longitude;
  setText(index.kind, row, base.kind);
  setText(index.country, row, base.countryIso2);
  setText(index.type, row, base.type);
  setText(index.branch, row, base.branch);
  setText(index.status, row, base.status);
  index.tier[row] = base.tier;
  const { catAirforce, catNaval, catNuclear, catSpace, catTraining } = base;
  const categories = [catAirforce, catNaval, catNuclear, catSpace, catTraining];
  index.categories[row] = categories.reduce((bits, on, bit) => bits | (Number(on) << bit), 0);
  index.tree.add(base.longitude, base.latitude);
}
