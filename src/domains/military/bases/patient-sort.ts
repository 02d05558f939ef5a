import { setImmediate as turn } from "node:timers/promises";

/** A stable sort that lets others run every few milliseconds, for lists whose plain sort would hold the thread up. */
export async function patientSort<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<readonly T[]> {
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
