import { constants, createGzip, type Gzip, type ZlibReset } from "node:zlib";

/** A gzip is a deflate, which can be begun anew. */
type Engine = Gzip & ZlibReset;

/** At rest, to be used again: a new one for each answer would keep its bytes in memory until the old generation is collected. */
const idle: Engine[] = [];
/** Each holds about 300 kB. */
const mostIdle = 8;

/** Compresses the bytes of one answer, at the cheapest level and beside the requests. */
export function gzipOnce(bytes: Buffer): Promise<Buffer> {
  const engine = idle.pop() ?? (createGzip({ level: 1 }) as Engine);
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
      if (idle.length < mostIdle) idle.push(engine);
      else engine.close();
      resolve(Buffer.concat(chunks));
    });
  });
}
