import type { Column } from "../../../contract/columns.ts";

/** The metadata in a file. */
export interface FileMetadata {
  /** Name of the file without its extension. */
  readonly name: string;
  /** One sentence about the content. */
  readonly title: string;
  /** URL of the CSV file of the same query, relative to the path of the request. */
  readonly csvUrl: string;
  readonly documentation: string;
  /** Terms and required credits of the sources. */
  readonly attribution: readonly string[];
  readonly origin: "live" | "sample";
  readonly isStale: boolean;
  /** When the oldest data was last read successfully, RFC 3339. Absent if it is unknown. */
  readonly readAt?: string;
  /** Sources that were never read. */
  readonly missing: readonly string[];
  /** Sources whose rows are withheld. */
  readonly withheld: readonly string[];
}

/** Returns the provenance in a file's metadata, with the same names in every format. */
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

/** Returns the unit and factor of a column, if the contract defines them. */
export function unitOf({ unit, unitFrom, scale }: Column): string | undefined {
  const base = unit === "" ? (unitFrom === "" ? undefined : `as in ${unitFrom}`) : unit;
  if (scale === 1) return base;
  return base === undefined ? `x ${scale}` : `${scale} ${base}`;
}
