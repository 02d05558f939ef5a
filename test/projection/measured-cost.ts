import { create } from "@bufbuild/protobuf";
import { ListMilitaryBasesResponseSchema } from "../../gen/es/ids/military/v1/military_pb.ts";
import { plainMaker } from "../../src/contract/plain.ts";
import { compileExpression } from "../../src/projection/compile.ts";
import { Fuel, fuelLimit } from "../../src/projection/fuel.ts";
import { ProjectionFailed } from "../../src/projection/projection-errors.ts";
import { serialize } from "../../src/projection/serialize.ts";
import type { Json } from "../../src/projection/value.ts";
import { syntheticBases } from "../support/domains/synthetic-bases.ts";
import type { Beginnings } from "./costly-expressions.ts";

export interface Cost {
  readonly ms: number;
  readonly fuel: number;
  readonly outcome: string;
}

/** The limit of any expression, and of parsing and a result of full size in addition. */
const maxMs = 50;
const adjacentMs = 12;
const maxNsOfUnit = 150;

/**
 * The cost of an expression from its text to its result. Measured again while it looks expensive, because other
 * programs use the machine as well.
 */
export function costOf(expression: string, given: Json, { attempts = 30, suspicious = 0.8 } = {}): Cost {
  let best = once(expression, given);
  for (let attempt = 1; attempt < attempts && isWithin(suspicious, 10, shareOfBound(best)); attempt++) {
    const again = once(expression, given);
    if (again.ms < best.ms) best = again;
  }
  return best;
}

function isWithin(low: number, high: number, value: number): boolean {
  return value > low && value < high;
}

/** How much of what it may take: above 1 it takes too long, in all or for the fuel it spent. */
export function shareOfBound({ ms, fuel }: Cost): number {
  return ms / Math.min(maxMs, adjacentMs + (fuel * maxNsOfUnit) / 1e6);
}

function once(expression: string, given: Json): Cost {
  const fuel = new Fuel();
  const begun = performance.now();
  const before = ownMs();
  const outcome = outcomeOf(() => serialize(compileExpression(expression)(given, fuel), fuel));
  // Processor time is what counts, but some systems report it in steps of milliseconds.
  const ms = Math.min(ownMs() - before, performance.now() - begun);
  return { ms, fuel: Math.min(fuelLimit, fuelLimit - fuel.left), outcome };
}

/** Processor time of this thread, without the work of other programs. */
export function ownMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function outcomeOf(run: () => string): string {
  try {
    run();
    return "projected";
  } catch (error) {
    if (error instanceof ProjectionFailed) return error.message.split(":")[0] ?? "";
    throw error;
  }
}

/** An answer as there are, of some size. */
export function realisticResponse(rows: number): { readonly given: Json; readonly beginnings: Beginnings } {
  const bases = syntheticBases(rows).map(({ tier, ...base }) => base);
  const message = create(ListMilitaryBasesResponseSchema, { bases, totalInView: bases.length });
  return {
    given: plainMaker(ListMilitaryBasesResponseSchema)(message),
    beginnings: [
      ["bases", { listOf: "object" }],
      ["bases[0]", "object"],
      ["bases[*].name", { listOf: "text" }],
      ["bases[*].latitude", { listOf: "number" }],
      ["bases[:40]", { listOf: "object" }],
      ["totalInView", "number"],
    ],
  };
}

/** An answer that no operation gives, made of what is dear to handle. */
export function adversarialResponse(): { readonly given: Json; readonly beginnings: Beginnings } {
  const of = <T>(length: number, make: (index: number) => T) => Array.from({ length }, (_, index) => make(index));
  const table = (length: number, name: (index: number) => string) =>
    Object.fromEntries(of(length, (index) => [name(index), index / 7]));
  let deep: Json = "x";
  for (let depth = 0; depth < 200; depth++) deep = [deep];
  return {
    given: {
      texts: of(300, (index) => `${"a".repeat(index % 97)}\u{1f600}${index}`),
      long: "ab".repeat(20_000),
      doubles: of(3_000, (index) => Math.sin(index)),
      wide: of(60, () => table(200, (index) => `name${index}`)),
      indexed: of(60, () => table(200, String)),
      sparse: of(200, (index) => ({ [320 + index]: index, [99_991 * index]: index })),
      lists: of(200, (index) => of(index % 40, () => [])),
      deep,
    },
    beginnings: [
      ["texts", { listOf: "text" }],
      ["long", "text"],
      ["doubles", { listOf: "number" }],
      ["wide", { listOf: "object" }],
      ["indexed", { listOf: "object" }],
      ["sparse", { listOf: "object" }],
      ["wide[0]", "object"],
      ["indexed[0]", "object"],
      ["lists", { listOf: { listOf: { listOf: "any" } } }],
      ["[deep]", { listOf: { listOf: { listOf: "any" } } }],
      ["[@]", { listOf: "object" }],
    ],
  };
}
