import { constants, createGzip, type Gzip, gzipSync, type ZlibReset } from "node:zlib";

/** A gzip is a deflate, which can be begun anew. */
type Engine = Gzip & ZlibReset;

const level = 1;
/** At rest, to be used again: a new one for each answer would keep its bytes in memory until the old generation is collected. */
const idle: Engine[] = [];
/** Each holds about 300 kB. */
const maxIdle = 8;

/** Up to so many bytes take 1 ms, less than a page of them takes to be written; another thread would have to be waited for. */
const concurrency = 131_072;

/** Compresses the bytes of one answer at the cheapest level; a large one beside the requests. */
export function gzipOnce(bytes: Buffer): Buffer | Promise<Buffer> {
  return bytes.length <= concurrency ? gzipSync(bytes, { level }) : gzipInThread(bytes);
}

async function gzipInThread(bytes: Buffer): Promise<Buffer> {
  using stream = gzipStream();
  return await stream.end(bytes);
}

/** Compresses piece by piece, each so that its reader can read all of it. Each is waited for before the next. */
export interface GzipStream extends Disposable {
  readonly piece: (bytes: string | Buffer) => Promise<Buffer>;
  readonly end: (bytes: string | Buffer) => Promise<Buffer>;
}

export function gzipStream(): GzipStream {
  const engine = idle.pop() ?? (createGzip({ level }) as Engine);
  let isUnderWay = false;
  const take = (bytes: string | Buffer, flush: number) =>
    new Promise<Buffer>((resolve, reject) => {
      const chunks: Buffer[] = [];
      const collect = (chunk: Buffer) => chunks.push(chunk);
      isUnderWay = true;
      engine.on("data", collect).once("error", reject);
      if (bytes.length > 0) engine.write(bytes);
      engine.flush(flush, () => {
        engine.off("data", collect).off("error", reject);
        isUnderWay = false;
        resolve(Buffer.concat(chunks));
      });
    });
  return {
    piece: (bytes) => take(bytes, constants.Z_SYNC_FLUSH),
    end: (bytes) => take(bytes, constants.Z_FINISH),
    [Symbol.dispose]() {
      if (!isUnderWay && !engine.destroyed && idle.length < maxIdle) {
        engine.reset();
        idle.push(engine);
      } else engine.close();
    },
  };
}
