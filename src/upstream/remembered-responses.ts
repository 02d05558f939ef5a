import { LRUCache } from "lru-cache";
import type { Headers } from "undici";
import type { UpstreamRequest } from "./upstream.ts";

export interface RememberedResponses {
  readonly of: (request: UpstreamRequest) => RememberedResponse | undefined;
  readonly retain: (request: UpstreamRequest, headers: Pick<Headers, "get">, text: string) => void;
}

interface RememberedResponse {
  readonly text: string;
  readonly validators: Readonly<Record<string, string>>;
}

const maxCharacters = 64 * 1024 * 1024;

export function rememberedResponses(): RememberedResponses {
  const responses = new LRUCache<string, RememberedResponse>({
    maxSize: maxCharacters,
    sizeCalculation: ({ text }) => text.length + 1,
  });
  return {
    of: (request) => responses.get(keyOf(request)),
    retain(request, headers, text) {
      const etag = headers.get("etag");
      const modified = headers.get("last-modified");
      if (etag === null && modified === null) return;
      const validators = {
        ...(etag === null ? {} : { "if-none-match": etag }),
        ...(modified === null ? {} : { "if-modified-since": modified }),
      };
      responses.set(keyOf(request), { text, validators });
    },
  };
}

/** Returns the cache key of a request. It includes the media type, because a URL may return several formats. */
function keyOf({ url, accept, mediaType }: UpstreamRequest): string {
  return `${accept ?? mediaType ?? ""} ${url}`;
}
