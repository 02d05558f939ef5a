import { Role } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import type { Column, Place } from "../../../contract/columns.ts";
import type { Table } from "../../../contract/tables.ts";
import { NotRedistributable } from "../../errors.ts";

/** What an operation's live data hold that may not be passed on in files. */
export interface Withheld {
  readonly sources: readonly { readonly name: string; readonly terms: string }[];
  /** Ids of single rows, such as a series of a source that is free otherwise. */
  readonly parts: readonly string[];
}

/** What of a table may be passed on, and the names of what was left out. */
export interface PassedOn {
  readonly table: Table;
  readonly isPassedOn: (place: Place) => boolean;
  readonly withheld: readonly string[];
}

/**
 * Leaves out the rows of restricted sources, and lists within a cell, of which nobody says whose they are. Throws
 * `NotRedistributable` for a table that does not tell the source of a row.
 */
export function passedOn(table: Table, { sources, parts }: Withheld): PassedOn {
  if (sources.length === 0 && parts.length === 0) return { table, isPassedOn: () => true, withheld: [] };
  const ofRole = (role: Role) => table.columns.filter((column) => column.role === role);
  const [naming, ids] = [ofRole(Role.SOURCE), ofRole(Role.ID)];
  if (sources.length > 0 && naming.length === 0) throw new NotRedistributable(rejectionOf(sources));
  const names = new Set(sources.map(({ name }) => name));
  const isRestricted = (place: Place) =>
    naming.some(({ read }) => names.has(String(read(place)))) ||
    ids.some(({ read }) => parts.includes(String(read(place))));
  return {
    table: { ...table, columns: table.columns.filter((column) => !isListOfMessages(column)) },
    isPassedOn: (place) => !isRestricted(place),
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
  return `These figures are from ${named}: they are not served as a file. JSON is`;
}
