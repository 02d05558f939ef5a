import type { Column } from "../../../contract/columns.ts";

/** What a file says of itself beside its rows. */
export interface FileMetadata {
  /** Name of the file without its ending. */
  readonly name: string;
  /** What the operation gives, in a sentence. */
  readonly title: string;
  /** Where the CSV file of the same query is, relative to the request's path. */
  readonly csvUrl: string;
  readonly documentation: string;
  /** Terms of the sources and whom to name. */
  readonly attribution: readonly string[];
  readonly origin: "live" | "sample";
  readonly isStale: boolean;
  /** When the oldest of the data were last read well, RFC 3339; absent where nothing tells. */
  readonly readAt?: string;
  /** Sources that were never read. */
  readonly missing: readonly string[];
  /** Sources whose rows may not be passed on and were left out. */
  readonly withheld: readonly string[];
}

/** What a file's metadata say of its data, in every format by the same names. */
export function provenanceOf(metadata: FileMetadata) {
  const { attribution, origin, isStale, missing, withheld, readAt, documentation } = metadata;
  return {
    attribution: attribution.join("; "),
    origin,
    ...(readAt === undefined ? {} : { timestamp: readAt }),
    ...(isStale ? { stale: true } : {}),
    ...(missing.length === 0 ? {} : { missing }),
    ...(withheld.length === 0 ? {} : { withheld }),
    documentation,
  };
}

/** Unit, factor and meaning of a column, where the contract says them. */
export function unitOf({ unit, unitFrom, scale }: Column): string | undefined {
  const base = unit === "" ? (unitFrom === "" ? undefined : `as in ${unitFrom}`) : unit;
  if (scale === 1) return base;
  return base === undefined ? `x ${scale}` : `${scale} ${base}`;
}
