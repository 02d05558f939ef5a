import { Http2ServerResponse } from "node:http2";

/** What a reader must take between two looks not to count as stalled: a frame. */
const sliceBytes = 16 * 1024;
/** Of one connection: as long as more waits for its reader, no further answer is worked out for it. */
export const backedUpBytes = 4 * 1024 * 1024;

/** As node types it; after a success it is called without an error. */
type Done = (error: Error) => void;

/**
 * An answer over HTTP/2 that hands its body to the stream slice by slice. How far the reader is would otherwise not be seen
 * before it has all: node tells nothing of a stream's window.
 */
export class SlicedResponse extends Http2ServerResponse {
  /** Bytes of the body that the reader has not taken. */
  unread = 0;
  /** When it last took any or there was none, milliseconds of the monotonic clock. */
  movedAt = 0;
  /** Bytes that wait for the connection's reader, of all answers; set by the server. */
  connectionUnread: () => number = () => this.unread;
  readonly #slices: { readonly bytes: Buffer; readonly done: Done | undefined }[] = [];
  #underWay: Buffer | undefined;
  /** Whether the writer waits to be told to go on. */
  #owesDrain = false;
  #state: "open" | "ending" | "ended" = "open";
  #onEnd: (() => void) | undefined;

  isBackedUp(): boolean {
    return this.connectionUnread() > backedUpBytes;
  }

  override write(chunk: string | Uint8Array, encoding?: BufferEncoding | Done, done?: Done): boolean {
    const isEncoding = typeof encoding === "string";
    this.#push(chunk, isEncoding ? encoding : undefined, isEncoding ? done : encoding);
    const wantsMore = this.#pump();
    this.#owesDrain = !wantsMore;
    return wantsMore;
  }

  override end(
    chunk?: string | Uint8Array | (() => void),
    encoding?: BufferEncoding | (() => void),
    done?: () => void,
  ): this {
    if (this.#state !== "open") return this;
    if (typeof chunk === "string" || chunk instanceof Uint8Array)
      this.#push(chunk, typeof encoding === "string" ? encoding : undefined);
    this.#onEnd = [chunk, encoding, done].find((each) => typeof each === "function");
    this.#state = "ending";
    this.#pump();
    return this;
  }

  #push(chunk: string | Uint8Array, encoding: BufferEncoding | undefined, done?: Done): void {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk as string, encoding);
    for (let start = 0; start < bytes.length; start += sliceBytes) {
      const end = start + sliceBytes;
      this.#slices.push({ bytes: bytes.subarray(start, end), done: end >= bytes.length ? done : undefined });
    }
    if (this.unread === 0) this.movedAt = performance.now();
    this.unread += bytes.length;
  }

  #goOn(): void {
    this.#pump();
    if (this.unread > 0 || !this.#owesDrain) return;
    this.#owesDrain = false;
    this.emit("drain");
  }

  /** Whether the stream wants more. */
  #pump(): boolean {
    if (this.#underWay) return false;
    const slice = this.#slices.shift();
    const wantsMore = slice === undefined || this.#write(slice.bytes, slice.done);
    // Together with the last slice, so that its frame can say that it is the last.
    if (this.#slices.length === 0 && this.#state === "ending") {
      this.#state = "ended";
      super.end(this.#onEnd);
    }
    return wantsMore && this.#slices.length === 0;
  }

  #write(bytes: Buffer, done: Done | undefined): boolean {
    this.#underWay = bytes;
    return super.write(bytes, (error: Error | undefined) => {
      this.#underWay = undefined;
      this.unread -= bytes.length;
      this.movedAt = performance.now();
      done?.(error as Error);
      if (error) for (const left of this.#slices.splice(0)) left.done?.(error);
      else this.#goOn();
    });
  }
}
