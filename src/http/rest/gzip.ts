import { constants, createGzip, type Gzip, gzipSync, type ZlibReset } from "node:zlib";

/** Node's gzip stream can be reset, but its type does not include `reset`. */
type Engine = Gzip & ZlibReset;

const level = 1;
/** Idle compressors for reuse. A new one holds memory until the next major garbage collection. */
const idle: Engine[] = [];
/** Maximum number of idle compressors. Each uses about 300 kB. */
const maxIdle = 8;

/** Up to this many bytes, compression takes 1 ms. Larger bodies are compressed in another thread. */
const concurrency = 131_072;

/** Compresses one response at the lowest level. A large body is compressed in another thread. */
export function gzipOnce(bytes: Buffer): Buffer | Promise<Buffer> {
  return bytes.length <= concurrency ? gzipSync(bytes, { level }) : gzipInThread(bytes);
}

async function gzipInThread(bytes: Buffer): Promise<Buffer> {
  using stream = gzipStream();
  return await stream.end(bytes);
}

/** Compresses a response piece by piece. Callers must await each piece before the next. */
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
