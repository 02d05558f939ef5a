import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import type { Upstream } from "../../upstream/upstream.ts";
import { changesForm, type Drift, driftBetween } from "../drift/drift.ts";
import { fieldsRead } from "../drift/fields-read.ts";
import { around, type Shape, shapeReader } from "../drift/shape.ts";
import type { License, MissingPart, Rejection, Source } from "../source.ts";
import { type Failure, failureOf } from "./failure.ts";
import { addResponse, observed, type UpstreamExchange } from "./observed-upstream.ts";
import { fetchSource } from "./source-response.ts";
import { noneGood, tooFew } from "./too-small.ts";

/** What a source answers now, as a refresh would read it. Nothing of it is stored. */
export interface SourceCheck {
  readonly source: string;
  readonly license: License;
  readonly failure?: Failure;
  readonly exchanges: readonly UpstreamExchange[];
  /** Why a refresh would refuse the rows that came: none good, too few. */
  readonly rejection?: string;
  /** Rows of the answer, those of them that are good, and why the others are left out. */
  readonly rowsIn: number;
  readonly rowsOut: number;
  readonly reasons: readonly RejectionReason[];
  readonly missing: readonly MissingPart[];
  readonly available?: number;
  /** How many rows the last good answer had. */
  readonly lastRows?: number;
  /** What the form is held against: the last good answer's, or the sample's where there is none. */
  readonly heldAgainst: "last answer" | "sample";
  readonly drift: readonly Drift[];
  /** Fields that the program reads of its sample and that this answer has nowhere, though it is large enough for one. */
  readonly unfound: readonly string[];
  /** Fields that the program reads and that are of another type throughout. */
  readonly retyped: readonly string[];
}

/** Why so many rows were left out, with one of them. */
export interface RejectionReason {
  readonly reason: string;
  readonly count: number;
  readonly row: string;
}

export interface CheckParts {
  readonly upstream: Upstream;
  /** The source's own, which tells which form it is read in. */
  readonly sample: Upstream;
  readonly mask: (text: string) => string;
  readonly last?: { readonly shape?: Shape | undefined; readonly rows: number } | undefined;
  /** So many rows a first answer must have; absent where it is not known whether it is the first. */
  readonly floor?: number | undefined;
}

const maxReasons = 5;
/** So many objects with a field have to be expected before its absence is told. */
const likely = 0.95;

/** Asks a source as a refresh would and compares what comes with what is known of it. */
export async function checkSource<D extends DescMessage>(
  row: D,
  source: Source<MessageInitShape<D>>,
  { upstream, sample, mask, last, floor = 0 }: CheckParts,
): Promise<SourceCheck> {
  const exchanges: UpstreamExchange[] = [];
  const form = shapeReader();
  const looked = observed(upstream, (exchange) => {
    exchanges.push(exchange);
    addResponse(form, exchange);
  });
  const limits = last ? { floor: 0, previous: last.rows } : { floor, previous: 0 };
  const read = await readRows(row, source, looked, { mask, limits });
  const shape = form.shape();
  const sampleForm = shapeReader();
  const fields = await fieldsRead(
    source,
    observed(sample, (exchange) => addResponse(sampleForm, exchange)),
  );
  const known = sampleForm.shape();
  const hasCome = Object.keys(shape).length > 0;
  const before = last?.shape ?? known;
  const drift = hasCome ? driftBetween(before, shape) : [];
  return {
    source: source.name,
    license: source.license,
    exchanges,
    ...read,
    ...(last && { lastRows: last.rows }),
    heldAgainst: last?.shape ? "last answer" : "sample",
    drift,
    unfound: hasCome ? [...fields].filter((field) => isUnfound(pathOf(known, field), known, shape)) : [],
    retyped: drift.flatMap((one) =>
      one.kind === "changed type" && fields.has(one.field) && changesForm(one, before, shape) ? one.field : [],
    ),
  };
}

/** A path begins with a dot unless the whole answer is a list. */
function pathOf(shape: Shape, field: string): string {
  return `.${field}` in shape ? `.${field}` : field;
}

/** Where a field is in some objects alone, an answer has to have enough of them; of what lies in a field that is gone nothing is told. */
function isUnfound(path: string, known: Shape, shape: Shape): boolean {
  const { filled = 0, of = 0 } = known[path] ?? {};
  const objects = shape[around(path)]?.filled ?? 0;
  return of > 0 && !(path in shape) && (filled / of) * objects >= likely;
}

type Read = Pick<SourceCheck, "failure" | "rejection" | "rowsIn" | "rowsOut" | "reasons" | "missing" | "available">;

async function readRows<D extends DescMessage>(
  row: D,
  source: Source<MessageInitShape<D>>,
  upstream: Upstream,
  { mask, limits }: Pick<CheckParts, "mask"> & { readonly limits: Parameters<typeof tooFew>[2] },
): Promise<Read> {
  try {
    const { rows, rejected, missing, available } = await fetchSource(row, source, upstream);
    const rejection = noneGood(rows.length, rejected) ?? tooFew(source, rows.length, limits);
    return {
      ...(rejection !== undefined && { rejection }),
      rowsIn: rows.length + rejected.length,
      rowsOut: rows.length,
      reasons: reasonsOf(rejected),
      missing,
      ...(available !== undefined && { available }),
    };
  } catch (error) {
    return { failure: failureOf(error, mask), rowsIn: 0, rowsOut: 0, reasons: [], missing: [] };
  }
}

function reasonsOf(rejected: readonly Rejection[]): RejectionReason[] {
  const byReason = Map.groupBy(rejected, ({ reason }) => reason);
  return [...byReason]
    .map(([reason, rows]) => ({ reason, count: rows.length, row: rows[0]?.row ?? "" }))
    .sort((a, b) => b.count - a.count)
    .slice(0, maxReasons);
}
