import { Role } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import type { Column, Place } from "../../../contract/columns.ts";
import type { Table } from "../../../contract/tables.ts";
import { NotRedistributable } from "../../errors.ts";

export interface Withheld {
  readonly sources: readonly { readonly name: string; readonly terms: string }[];
  /** IDs whose rows are withheld, such as one series of a source that permits its other series. */
  readonly parts: readonly string[];
}

export interface RedistributableTable {
  readonly table: Table;
  readonly isWithheld: (place: Place) => boolean;
  readonly withheld: readonly string[];
}

/**
 * Returns the table without columns that contain lists of objects, because the objects do not name their source, and
 * finds withheld rows by source or ID. Throws `NotRedistributable` if a source is withheld and the table has no column
 * with the source of a row.
 */
export function redistributableTable(table: Table, { sources, parts }: Withheld): RedistributableTable {
  if (sources.length === 0 && parts.length === 0) return { table, isWithheld: () => false, withheld: [] };
  const ofRole = (role: Role) => table.columns.filter((column) => column.role === role);
  const [naming, ids] = [ofRole(Role.SOURCE), ofRole(Role.ID)];
  if (sources.length > 0 && naming.length === 0) throw new NotRedistributable(rejectionOf(sources));
  const names = new Set(sources.map(({ name }) => name));
  return {
    table: { ...table, columns: table.columns.filter((column) => !isListOfMessages(column)) },
    isWithheld: (place) =>
      naming.some(({ read }) => names.has(String(read(place)))) ||
      ids.some(({ read }) => parts.includes(String(read(place)))),
    withheld: [...names, ...parts],
  };
}

function isListOfMessages({ field }: Column): boolean {
  return (
    field !== undefined && (field.fieldKind === "list" || field.fieldKind === "map") && field.message !== undefined
  );
}

function rejectionOf(sources: Withheld["sources"]): string {
  const named = sources.map(({ name, terms }) => `${name} (${terms})`).join(", ");
  return `Files must not contain data from ${named}. Use JSON`;
}
