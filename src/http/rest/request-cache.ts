import { LRUCache } from "lru-cache";
import type { Decoded } from "./decoded.ts";

/** Decoded requests by their lines, of all operations together. */
export type Requests = LRUCache<string, Decoded>;

/** Bounds the memory of remembered requests: of all, and what each costs beside its texts. */
const rememberedBytes = 16_000_000;
const messageBytes = 2_048;

export function createRequestCache(): Requests {
  return new LRUCache<string, Decoded>({
    // A bound on their number would have room for so many from the start.
    maxSize: rememberedBytes,
    sizeCalculation: ({ key }, line) => line.length + key.length + messageBytes,
  });
}
