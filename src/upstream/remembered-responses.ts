import { LRUCache } from "lru-cache";
import type { Headers } from "undici";
import type { UpstreamRequest } from "./upstream.ts";

export interface RememberedResponses {
  readonly of: (request: UpstreamRequest) => RememberedResponse | undefined;
  readonly retain: (request: UpstreamRequest, headers: Pick<Headers, "get">, body: Buffer<ArrayBuffer>) => void;
}

interface RememberedResponse {
  readonly body: Buffer<ArrayBuffer>;
  readonly validators: Readonly<Record<string, string>>;
}

const maxBytes = 64 * 1024 * 1024;

export function rememberedResponses(): RememberedResponses {
  const responses = new LRUCache<string, RememberedResponse>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }) => body.length + 1,
  });
  return {
    of: (request) => responses.get(keyOf(request)),
    retain(request, headers, body) {
      const etag = headers.get("etag");
      const modified = headers.get("last-modified");
      if (etag === null && modified === null) return;
      const validators = {
        ...(etag === null ? {} : { "if-none-match": etag }),
        ...(modified === null ? {} : { "if-modified-since": modified }),
      };
      responses.set(keyOf(request), { body, validators });
    },
  };
}

/** Returns the cache key of a request. It includes the media type, because a URL may return several formats. */
function keyOf({ url, accept, mediaType }: UpstreamRequest): string {
  return `${accept ?? mediaType ?? ""} ${url}`;
}
