import { Unavailable } from "../../../src/errors.ts";
import type { Database } from "../../../src/store/database.ts";
import { eventually, startApp } from "../app.ts";
import type { Attempt, FaultBed, Scenario } from "./fault-scenario.ts";
import type { FaultyClock } from "./faulty-clock.ts";
import { startFaultyDatabase } from "./faulty-database.ts";

interface BedOptions {
  /** Its app goes by this clock. */
  readonly clock?: FaultyClock;
  readonly environment?: Readonly<Record<string, string>>;
  /** Time after which its database client gives up on a query. On a loaded machine, queries without a fault can take a second. */
  readonly responseTimeoutMs?: number;
}

/** Ends with the database still open. */
export async function startFaultBed(
  database: Database,
  { clock, environment = {}, responseTimeoutMs }: BedOptions = {},
): Promise<FaultBed & AsyncDisposable> {
  const faulty = await startFaultyDatabase(database, responseTimeoutMs);
  const app = await startApp(faulty.database, { environment, ...(clock && { clockThrough: clock.through }) });
  return {
    ...{ database, faulty, app },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await faulty[Symbol.asyncDispose]();
    },
  };
}

/** One run of a scenario in which one call failed. */
export interface FaultRun {
  readonly fault: string;
  readonly call: number;
  readonly first: Attempt;
  readonly broken: readonly string[];
  readonly statement: string;
}

/** A scenario takes no more calls than this; more is a loop without an end. */
const maxCalls = 400;

/**
 * Does it again and again, and each time the next call to what is outside fails, until none is left to fail: after each, and again
 * after it was tried until it was done, everything must hold.
 */
export async function* failingCalls<Subject>(scenario: Scenario<Subject>, bed: FaultBed): AsyncGenerator<FaultRun> {
  const source = scenario.source ?? bed.faulty;
  for (const fault of source.faults)
    for (let call = 1; ; call += 1) {
      if (call > maxCalls) throw new Error(`${scenario.name} has no end of calls`);
      const subject = await scenario.prepare(bed);
      source.arm(fault, call);
      const first = await scenario.act(bed, subject);
      const met = source.disarm();
      const broken = [...(await scenario.broken(bed, subject, first === "done"))];
      if (isBroken(first)) broken.push(first.broken);
      const last =
        first === "done"
          ? first
          : await eventually(
              () => scenario.act(bed, subject),
              (attempt) => !isRejected(attempt),
            ).catch((error) => ({ broken: `no repetition was done: ${error}` }));
      if (isBroken(last)) broken.push(`repeated: ${last.broken}`);
      broken.push(...(await scenario.broken(bed, subject, last === "done")).map((what) => `in the end: ${what}`));
      if (met === undefined) {
        if (broken.length > 0) throw new Error(`${scenario.name} breaks without a fault: ${broken.join("; ")}`);
        break;
      }
      yield { fault, call, first, broken, statement: met };
    }
}

export function isRejected(attempt: Attempt): attempt is { readonly rejected: string } {
  return typeof attempt === "object" && "rejected" in attempt;
}

export function isBroken(attempt: Attempt): attempt is { readonly broken: string } {
  return typeof attempt === "object" && "broken" in attempt;
}

/** What became of work without a request: a store that is out of reach lets it be done again. */
export async function attemptAt(work: () => Promise<unknown>, isRejection = isOutOfReach): Promise<Attempt> {
  try {
    await work();
    return "done";
  } catch (error) {
    return isRejection(error) ? { rejected: `${error}: ${causeOf(error)}` } : { broken: `threw ${error}` };
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

function isOutOfReach(error: unknown): boolean {
  return error instanceof Unavailable;
}

/** The result of a write for its caller. */
export async function attemptOf(response: Response): Promise<Attempt> {
  const text = await response.text();
  if (response.ok) return "done";
  if (response.status === 503 && response.headers.has("Retry-After")) return { rejected: text.slice(0, 200) };
  return { broken: `answered ${response.status}: ${text.slice(0, 200)}` };
}
