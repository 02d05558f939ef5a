import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import type { Store } from "../store/tables.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { changesForm, type Drift, driftBetween, fieldsRead } from "./drift/drift.ts";
import { around, type Shape, shapeReader, shapeSchema } from "./drift/shape.ts";
import { noneGood, tooFew } from "./refresh/evaluate.ts";
import { addResponse, fetchSource, observed, type UpstreamExchange } from "./refresh/fetch.ts";
import { type Failure, failureOf } from "./refresh/report.ts";
import type { License, MissingPart, Rejection, Source } from "./source.ts";

/** The result of a check, which reads a source like a refresh but stores nothing. */
export interface SourceCheck {
  readonly source: string;
  readonly license: License;
  readonly failure?: Failure;
  readonly exchanges: readonly UpstreamExchange[];
  /** Why a refresh would reject the response: no row is good, or the rows are too few. */
  readonly rejection?: string;
  /** The number of rows in the response, the number of good ones, and the reasons for rejections. */
  readonly rowsIn: number;
  readonly rowsOut: number;
  readonly reasons: readonly RejectionReason[];
  readonly missing: readonly MissingPart[];
  readonly available?: number;
  readonly lastRows?: number;
  /** Whether the response was compared with the last good response, or with the sample because there is none. */
  readonly heldAgainst: "last answer" | "sample";
  readonly drift: readonly Drift[];
  /**
   * Fields that the parser reads from the sample and that this response lacks. Small responses are not checked, because
   * they may lack rare fields by chance.
   */
  readonly unfound: readonly string[];
  /** Fields that the parser reads and that have another type in every object than in the response of comparison. */
  readonly retyped: readonly string[];
}

export interface RejectionReason {
  readonly reason: string;
  readonly count: number;
  readonly row: string;
}

export interface CheckParts {
  readonly upstream: Upstream;
  readonly sample: Upstream;
  readonly mask: (text: string) => string;
  readonly last?: { readonly shape?: Shape | undefined; readonly rows: number } | undefined;
  /** Minimum number of rows if this is the first response of the source. Absent if that is unknown. */
  readonly floor?: number | undefined;
}

const maxReasons = 5;
/** A missing field is reported if about this number of objects in the response should have it. */
const likely = 0.95;

export async function checkSource<D extends DescMessage>(
  row: D,
  source: Source<MessageInitShape<D>>,
  { upstream, sample, mask, last, floor = 0 }: CheckParts,
): Promise<SourceCheck> {
  const exchanges: UpstreamExchange[] = [];
  const form = shapeReader();
  const observedUpstream = observed(upstream, (exchange) => {
    exchanges.push(exchange);
    addResponse(form, exchange);
  });
  const limits = last ? { floor: 0, previous: last.rows } : { floor, previous: 0 };
  const read = await readRows(row, source, observedUpstream, { mask, limits });
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

/** Returns the key of a field in the schema, which begins with a dot unless the response is a list. */
function pathOf(shape: Shape, field: string): string {
  return `.${field}` in shape ? `.${field}` : field;
}

/**
 * Returns whether the response lacks a field that at least one of its objects should have. If an object is missing, its
 * members are not reported.
 */
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

/** Returns the schema and row count of each source's last good live response, by `dataset source`. */
export async function lastForms(
  database: Store,
): Promise<ReadonlyMap<string, { readonly shape: Shape | undefined; readonly rows: number }>> {
  const rows = await database
    .selectFrom("source")
    .select(["dataset", "source", "shape", "rows_in", "rejected"])
    .where("good_origin", "=", "live")
    .execute();
  return new Map(
    rows.map(({ dataset, source, shape, rows_in: rowsIn, rejected }) => [
      `${dataset} ${source}`,
      { shape: shape === null ? undefined : shapeSchema.parse(shape), rows: rowsIn - rejected },
    ]),
  );
}
