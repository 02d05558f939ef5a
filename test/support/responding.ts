import { Response } from "undici";
import type { Outside } from "../../src/ingest/upstreams.ts";

/** An outside whose every answer the test makes from the URL; undefined is a 503. */
export function responding(bodyOf: (url: URL) => unknown): Outside {
  return {
    async transport(url) {
      const body = bodyOf(new URL(url));
      if (body === undefined) return new Response("", { status: 503 });
      return new Response(typeof body === "string" ? body : JSON.stringify(body));
    },
    wait: async () => undefined,
    floorOf: () => 1,
  };
}
