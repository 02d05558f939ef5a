import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { type Exchange, send } from "../exchange.ts";
import { chooseEncoding } from "../rest/accept-encoding.ts";
import { bodyHash, type Encoding, entityTag, noneMatch } from "../rest/entity-tag.ts";
import type { Route } from "../router.ts";

/** Bytes that do not change while the process runs. */
export interface FixedDocument {
  /** Name in metrics and logs. */
  readonly name: string;
  readonly type: string;
  readonly make: () => string | Buffer;
  /** Flat pairs beside type, tag and caching. */
  readonly headers?: readonly string[];
}

/** Made at the first request, compressed at the first that takes it so, and kept. `meter` counts each by its address. */
export function documentRoute(
  { name, type, make, headers = [] }: FixedDocument,
  meter: (exchange: Exchange) => unknown,
): Route {
  let made: ReturnType<typeof prepare> | undefined;
  const serve = async (exchange: Exchange) => {
    await meter(exchange);
    made ??= prepare(Buffer.from(make()));
    const { hash, bytesOf } = made;
    const encoding = chooseEncoding(exchange.head.acceptEncoding, true, true) ?? "identity";
    const common = ["ETag", entityTag(hash, encoding), ...caching, ...headers, ...exchange.headers];
    const condition = exchange.head.ifNoneMatch;
    if (condition !== undefined && !noneMatch(condition, hash)) {
      send(exchange, 304, common);
      return 304;
    }
    const bytes = await bytesOf(encoding);
    const encoded = encoding === "identity" ? [] : ["Content-Encoding", encoding];
    send(exchange, 200, ["Content-Type", type, "Content-Length", `${bytes.length}`, ...encoded, ...common], bytes);
    return 200;
  };
  return { name, verbs: ["GET", "HEAD"], anonymous: false, serve };
}

const caching = [
  ...["Cache-Control", "public, max-age=300", "Vary", "Accept-Encoding, Origin"],
  ...["X-Content-Type-Options", "nosniff"],
];

const compress = {
  identity: async (bytes: Buffer) => bytes,
  gzip: promisify<Buffer, Buffer>(gzip),
  // From here on each step takes several times as long, for a few hundredths less.
  br: (bytes: Buffer) => compressBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }),
};
const compressBrotli = promisify(brotliCompress);

function prepare(body: Buffer) {
  const kept = new Map<Encoding, Promise<Buffer>>();
  return {
    hash: bodyHash(body),
    bytesOf(encoding: Encoding): Promise<Buffer> {
      const bytes = kept.get(encoding) ?? compress[encoding](body);
      kept.set(encoding, bytes);
      return bytes;
    },
  };
}
