import { Http2ServerResponse } from "node:http2";

/** Size of a slice, and of an HTTP/2 frame. A client that reads less between two checks counts as stalled. */
const sliceBytes = 16 * 1024;
/** If a connection has more unread bytes than this, its next response is not computed yet. */
export const backedUpBytes = 4 * 1024 * 1024;

/** Type of the callback in Node. After a success, Node calls it without an error. */
type Done = (error: Error) => void;

/** Writes a response in slices, whose times show how fast the client reads. Node does not report that. */
export class SlicedResponse extends Http2ServerResponse {
  unread = 0;
  /** Monotonic time in milliseconds when the client last read bytes, or when it had last read all bytes. */
  movedAt = 0;
  /** Returns the unread bytes of all responses on the connection. The server sets this function. */
  connectionUnread: () => number = () => this.unread;
  readonly #slices: { readonly bytes: Buffer; readonly done: Done | undefined }[] = [];
  #underWay: Buffer | undefined;
  /** True if a writer waits for the `drain` event. */
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
    const text = typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk;
    const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text);
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

  #pump(): boolean {
    if (this.#underWay) return false;
    const slice = this.#slices.shift();
    const wantsMore = slice === undefined || this.#write(slice.bytes, slice.done);
    // The end of the response is sent in the frame of the last slice, which saves an empty frame.
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
