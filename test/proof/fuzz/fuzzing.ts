import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect } from "vitest";

/** Ten minutes for all targets, unless `IDS_FUZZ_SECONDS` is set. */
const totalSeconds = Number(process.env.IDS_FUZZ_SECONDS ?? 600);
/** The time of all targets, and two minutes for a slow machine. */
export const timeout = (totalSeconds + 120) * 1_000;
const folder = fileURLToPath(new URL("corpus/", import.meta.url));

export interface Target<T> {
  readonly name: string;
  readonly arbitrary: fc.Arbitrary<T>;
  /** Part of the time of all targets. */
  readonly share: number;
  /** Throws if the input leads to a fault. */
  readonly check: (input: T) => unknown;
}

/**
 * Checks random inputs until the time of the target is over, first those that once failed. An input that fails is
 * shrunk and added to the corpus. `IDS_FUZZ_SEED` repeats a run.
 */
export async function fuzz<T>({ name, arbitrary, share, check }: Target<T>): Promise<void> {
  const file = `${folder}${name}.json`;
  const corpus: T[] = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
  const seed = Number(process.env.IDS_FUZZ_SEED ?? Date.now());
  let executions = 0;
  const details = await fc.check(
    fc.asyncProperty(arbitrary, async (input) => {
      executions += 1;
      await check(input);
    }),
    {
      seed,
      examples: corpus.map((input): [T] => [input]),
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: totalSeconds * 1_000 * share,
      markInterruptAsFailure: false,
      endOnFailure: false,
    },
  );
  console.log(`${name}: ${executions} executions, seed ${seed}${details.failed ? ", failed" : ""}`);
  if (details.failed && details.counterexample) {
    const [input] = details.counterexample;
    if (!corpus.some((known) => JSON.stringify(known) === JSON.stringify(input)))
      writeFileSync(file, `${JSON.stringify([...corpus, input], null, 1)}\n`);
  }
  const reason = details.failed ? `${details.errorInstance}\n${fc.defaultReportMessage(details)}` : undefined;
  expect(reason).toBeUndefined();
  expect(executions).toBeGreaterThan(corpus.length);
}

/** A change of a text: characters are replaced, removed, repeated, or inserted. */
export interface Edit {
  readonly at: number;
  readonly removed: number;
  readonly inserted: string;
}

const telling = ["", "0", "-1", "1e999", "null", '"', "{", "[", "]", "}", ",", "<", "&", "\0", "\ufeff", "💥", "NaN"];

export const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(2_000)),
    inserted: fc.oneof(fc.constantFrom(...telling), fc.string({ maxLength: 8, unit: "binary" })),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Applies edits. The position is a share of the length. */
export function edited(text: string, changes: readonly Edit[]): string {
  return changes.reduce((current, { at, removed, inserted }) => {
    const start = Math.floor(at * current.length);
    return current.slice(0, start) + inserted + current.slice(start + removed);
  }, text);
}
