import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { Mask } from "../../config/masking.ts";
import { asGiven } from "../row-check.ts";
import type { MissingPart, Source } from "../source.ts";
import { type Failure, failureOfStatus, publicSentence } from "./failure.ts";

const partialSchema = z.object({
  /** The time of the response, and for each missing part the time when it was last read, ISO 8601. */
  at: z.string(),
  missing: z.array(
    z.object({
      part: z.string(),
      words: z.string(),
      kind: z.string(),
      status: z.number().optional(),
      readAt: z.string().optional(),
    }),
  ),
});

export type PartialResponse = z.output<typeof partialSchema>;

export function readPartial(stored: unknown): PartialResponse | undefined {
  return stored === null || stored === undefined ? undefined : partialSchema.parse(stored);
}

export interface MissingPartStatus {
  readonly part: string;
  readonly error: string;
  readonly status?: number;
  /** The original error message, set only for the operator. */
  readonly words?: string;
  /** The time when its served rows were read. Absent if there are none. */
  readonly lastGoodAt?: string;
}

export function missingPartStatuses({ missing }: PartialResponse, forOperator = false): MissingPartStatus[] {
  return missing.map(({ part, words, kind, status, readAt }) => ({
    part,
    error: publicSentence(kind, status ?? null),
    ...(status !== undefined && { status }),
    ...(forOperator && { words }),
    ...(readAt !== undefined && { lastGoodAt: readAt }),
  }));
}

export interface Earlier<D extends DescMessage> {
  readonly rows: readonly MessageShape<D>[] | undefined;
  readonly fetchedAt: Date;
  readonly partial: PartialResponse | undefined;
}

export interface Filled<D extends DescMessage> {
  readonly rows: readonly MessageShape<D>[];
  /** How many of the rows are from earlier responses. */
  readonly stored: number;
  /** The time when the oldest of the rows were read. */
  readonly readAt: Date;
  readonly partial: PartialResponse | undefined;
}

/** Adds the last good rows of missing parts, unless they are too old to be served. */
export function fillMissing<D extends DescMessage>(
  { partOf }: Pick<Source<MessageInitShape<D>>, "partOf">,
  response: { readonly rows: readonly MessageShape<D>[]; readonly missing: readonly MissingPart[]; readonly at: Date },
  earlier: Earlier<D> | undefined,
  { servableMs, mask }: { readonly servableMs: number; readonly mask: Mask },
): Filled<D> {
  const { rows, missing, at } = response;
  if (missing.length === 0) return { rows, stored: 0, readAt: at, partial: undefined };
  const nameOf = (row: MessageShape<D>) => partOf?.(asGiven<D>(row));
  const received = new Set(rows.map(nameOf));
  const older = Map.groupBy(earlier?.rows ?? [], nameOf);
  const stored: MessageShape<D>[] = [];
  const times = [at.getTime()];
  const parts = missing.map((one) => {
    const { part } = one;
    const failure: Failure = failureOfStatus(one.status, mask(one.reason), one.kind);
    const known = partOf && !received.has(part) ? older.get(part) : undefined;
    const readAt = known && earlier && readAtOf(earlier, part);
    const isServable = readAt !== undefined && at.getTime() - readAt.getTime() <= servableMs;
    if (known && isServable) {
      stored.push(...known);
      times.push(readAt.getTime());
    }
    return { part, ...failure, ...(isServable && { readAt: readAt.toISOString() }) };
  });
  return {
    rows: [...rows, ...stored],
    stored: stored.length,
    readAt: new Date(Math.min(...times)),
    partial: { at: at.toISOString(), missing: parts },
  };
}

function readAtOf<D extends DescMessage>({ partial, fetchedAt }: Earlier<D>, part: string): Date {
  if (!partial) return fetchedAt;
  const known = partial.missing.find((one) => one.part === part);
  return new Date(known?.readAt ?? partial.at);
}

export function missingInWords({ missing }: PartialResponse): string {
  const [first] = missing;
  const names = missing.slice(0, 20).map(({ part }) => part);
  return `without ${names.join(", ")}${missing.length > names.length ? " and others" : ""}: ${first?.words}`;
}
