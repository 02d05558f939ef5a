import type { Place } from "../../../contract/columns.ts";
import type { Table } from "../../../contract/tables.ts";
import type { FileFacts } from "./file-facts.ts";

/** A file that is written piece by piece: what begins it, rows as often as there are some, and what ends it. */
export interface RowStream {
  readonly begin: () => string | Buffer;
  readonly rows: (places: readonly Place[]) => string | Buffer;
  readonly end: () => string | Buffer;
}

/** Begins a file of a table. `raw` leaves CSV text cells as they are. */
export type RowStreamer = (table: Table, facts: FileFacts, raw: boolean) => RowStream;

/** A whole file at once. */
export function wholeFile({ begin, rows, end }: RowStream, places: readonly Place[]): Buffer {
  return Buffer.concat(
    [begin(), rows(places), end()].map((part) => (Buffer.isBuffer(part) ? part : Buffer.from(part))),
  );
}
