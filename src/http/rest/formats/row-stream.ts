import type { Place } from "../../../contract/columns.ts";
import type { Table } from "../../../contract/tables.ts";
import type { FileMetadata } from "./file-metadata.ts";

type Piece = string | Buffer;

/** A file that is written piece by piece: its begin, any number of row pieces, and its end. */
export interface RowStream {
  readonly begin: () => Piece;
  readonly rows: (places: readonly Place[]) => Piece;
  readonly end: () => Piece;
}

/** Begins a file of a table. If `raw` is set, CSV text cells are not escaped. */
export type RowStreamer = (table: Table, metadata: FileMetadata, raw: boolean) => RowStream;

/** The same for many rows. Slow steps run in another thread. Await each piece before the next. */
export interface WalkStream extends Disposable {
  readonly begin: () => Piece | Promise<Piece>;
  readonly rows: (places: readonly Place[]) => Piece | Promise<Piece>;
  readonly end: () => Piece | Promise<Piece>;
}

export type WalkStreamer = (table: Table, metadata: FileMetadata, raw: boolean) => WalkStream;

/** Writes a whole file. */
export type FileWriter = (
  table: Table,
  metadata: FileMetadata,
  raw: boolean,
  places: readonly Place[],
) => Buffer | Promise<Buffer>;

/** Adapts formats whose pages are written quickly. */
export function atOnce(streamer: RowStreamer): WalkStreamer {
  return (...given) => ({ ...streamer(...given), [Symbol.dispose]() {} });
}

/** Writes a whole file in one step. */
export function wholeFile({ begin, rows, end }: RowStream, places: readonly Place[]): Buffer {
  return joined([begin(), rows(places), end()]);
}

/** Writes a whole file with many rows, in groups of `rowsAtOnce`. */
export async function wholeWalk(walk: WalkStream, places: readonly Place[], rowsAtOnce: number): Promise<Buffer> {
  using own = walk;
  const pieces = [await own.begin()];
  for (let from = 0; from < places.length; from += rowsAtOnce)
    pieces.push(await own.rows(places.slice(from, from + rowsAtOnce)));
  pieces.push(await own.end());
  return joined(pieces);
}

function joined(pieces: readonly Piece[]): Buffer {
  return Buffer.concat(pieces.map((piece) => (Buffer.isBuffer(piece) ? piece : Buffer.from(piece))));
}
