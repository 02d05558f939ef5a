import type { Place } from "../../../contract/columns.ts";
import type { Table } from "../../../contract/tables.ts";
import type { FileMetadata } from "./file-metadata.ts";

type Piece = string | Buffer;

export interface RowStream {
  readonly begin: () => Piece;
  readonly rows: (places: readonly Place[]) => Piece;
  readonly end: () => Piece;
}

/** Begins a file of a table. If `raw` is set, CSV text cells are not escaped. */
export type RowStreamer = (table: Table, metadata: FileMetadata, raw: boolean) => RowStream;

/** Writes a file of many rows. Slow steps run in another thread. Callers must await each piece. */
export interface WalkStream extends Disposable {
  readonly begin: () => Piece | Promise<Piece>;
  readonly rows: (places: readonly Place[]) => Piece | Promise<Piece>;
  readonly end: () => Piece | Promise<Piece>;
}

export type WalkStreamer = (table: Table, metadata: FileMetadata, raw: boolean) => WalkStream;

export type FileWriter = (
  table: Table,
  metadata: FileMetadata,
  raw: boolean,
  places: readonly Place[],
) => Buffer | Promise<Buffer>;

export function atOnce(streamer: RowStreamer): WalkStreamer {
  return (...given) => ({ ...streamer(...given), [Symbol.dispose]() {} });
}

export function wholeFile({ begin, rows, end }: RowStream, places: readonly Place[]): Buffer {
  return joined([begin(), rows(places), end()]);
}

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
