import type { Place } from "../../../contract/columns.ts";
import type { Table } from "../../../contract/tables.ts";
import type { FileFacts } from "./file-facts.ts";

type Piece = string | Buffer;

/** A file that is written piece by piece: what begins it, rows as often as there are some, and what ends it. */
export interface RowStream {
  readonly begin: () => Piece;
  readonly rows: (places: readonly Place[]) => Piece;
  readonly end: () => Piece;
}

/** Begins a file of a table. `raw` leaves CSV text cells as they are. */
export type RowStreamer = (table: Table, facts: FileFacts, raw: boolean) => RowStream;

/** The same of many rows: what takes long is done beside the requests. Each piece is waited for before the next. */
export interface WalkStream extends Disposable {
  readonly begin: () => Piece | Promise<Piece>;
  readonly rows: (places: readonly Place[]) => Piece | Promise<Piece>;
  readonly end: () => Piece | Promise<Piece>;
}

export type WalkStreamer = (table: Table, facts: FileFacts, raw: boolean) => WalkStream;

/** For formats whose pages are written in a moment. */
export function atOnce(streamer: RowStreamer): WalkStreamer {
  return (...given) => ({ ...streamer(...given), [Symbol.dispose]() {} });
}

/** A whole file at once. */
export function wholeFile({ begin, rows, end }: RowStream, places: readonly Place[]): Buffer {
  return Buffer.concat(
    [begin(), rows(places), end()].map((part) => (Buffer.isBuffer(part) ? part : Buffer.from(part))),
  );
}
