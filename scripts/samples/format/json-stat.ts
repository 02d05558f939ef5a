import { decimal } from "./decimal.ts";
import { text } from "./json-lines.ts";

/** A dimension of a Eurostat table: its codes with their labels. */
export interface Dimension {
  readonly id: string;
  readonly label: string;
  readonly codes: readonly (readonly [code: string, label: string])[];
}

export interface Dataset {
  readonly table: string;
  readonly version: string;
  readonly label: string;
  readonly updated: string;
  /** All dimensions; the last two are places and periods. */
  readonly dimensions: readonly Dimension[];
  readonly digits: number;
  /** Returns the value by the code of a place and the index of a period, or undefined if there is none. */
  readonly value: (geo: string, period: number) => number | undefined;
  /** Places whose newest value is provisional. */
  readonly provisional: readonly string[];
}

/** Returns JSON-stat 2.0 as Eurostat does: values by their index in row-major order. */
export function jsonStat(dataset: Dataset): string {
  const { table, version, label, updated, dimensions, digits, value, provisional } = dataset;
  const [geos, periods] = dimensions.slice(-2);
  if (!geos || !periods) throw new Error(`${table} has no places or no periods`);
  const length = periods.codes.length;
  const cells = geos.codes.flatMap(([geo], row) =>
    periods.codes.flatMap((_, period) => {
      const known = value(geo, period);
      return known === undefined ? [] : [[row * length + period, decimal(known, digits)] as const];
    }),
  );
  const marks = geos.codes.flatMap(([geo], row) => {
    const last = (row + 1) * length - 1;
    return provisional.includes(geo) && cells.some(([place]) => place === last) ? [[last, "p"] as const] : [];
  });
  const structure = { id: table.toUpperCase(), agencyId: "ESTAT" };
  return `${text({
    ...{ version: "2.0", class: "dataset", label, source: "ESTAT", updated },
    value: Object.fromEntries(cells),
    ...(marks.length > 0 ? { status: Object.fromEntries(marks) } : {}),
    id: dimensions.map(({ id }) => id),
    size: dimensions.map(({ codes }) => codes.length),
    dimension: Object.fromEntries(dimensions.map((dimension) => [dimension.id, dimensionOf(dimension)])),
    extension: { lang: "EN", ...structure, version: "1.0", datastructure: { ...structure, version } },
  })}\n`;
}

function dimensionOf({ label, codes }: Dimension) {
  const index = Object.fromEntries(codes.map(([code], place) => [code, place]));
  return { label, category: { index, label: Object.fromEntries(codes) } };
}
