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
  return bytes.length <= concurrency ? gzipSync(bytes, { level }) : gzipBeside(bytes);
}

function gzipBeside(bytes: Buffer): Promise<Buffer> {
  const engine = idle.pop() ?? (createGzip({ level }) as Engine);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const collect = (chunk: Buffer) => chunks.push(chunk);
    const fail = (error: Error) => {
      engine.close();
      reject(error);
    };
    engine.on("data", collect).once("error", fail);
    engine.write(bytes);
    engine.flush(constants.Z_FINISH, () => {
      engine.off("data", collect).off("error", fail);
      engine.reset();
      if (idle.length < maxIdle) idle.push(engine);
      else engine.close();
      resolve(Buffer.concat(chunks));
    });
  });
}
