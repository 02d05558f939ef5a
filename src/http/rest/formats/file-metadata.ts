import type { Column } from "../../../contract/columns.ts";
import { described } from "../../../contract/schema.ts";

export interface FileMetadata {
  /** Name of the file without its extension. */
  readonly name: string;
  readonly title: string;
  /** URL of the CSV file with the same data, relative to the requested path. */
  readonly csvUrl: string;
  readonly documentation: string;
  readonly attribution: readonly string[];
  readonly origin: "live" | "sample";
  readonly isStale: boolean;
  /** Time of the last successful read (the oldest, if there are several) in RFC 3339; undefined if unknown. */
  readonly readAt?: string;
  readonly missing: readonly string[];
  readonly withheld: readonly string[];
}

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

export function unitOf({ unit, unitFrom, scale }: Column): string | undefined {
  const base = unit === "" ? (unitFrom === "" ? undefined : `as in ${unitFrom}`) : unit;
  if (scale === 1) return base;
  return base === undefined ? `x ${scale}` : `${scale} ${base}`;
}

/** Returns the unit and the description of a column, as files and manifests have them. */
export function describedColumn(column: Column) {
  const { name, field } = column;
  const unit = unitOf(column);
  const { description } = field ? described(`${field.parent.typeName}.${field.name}`) : {};
  return { name, ...(unit !== undefined && { unit }), ...(description !== undefined && { description }) };
}
