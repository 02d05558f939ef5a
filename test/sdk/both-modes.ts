import type { APIPromise } from "../../sdk/typescript/src/api-promise.ts";
import { type CallOptions, type ClientOptions, createClient } from "../../sdk/typescript/src/client.ts";
import type { Runtime } from "../../sdk/typescript/src/options.ts";
import { createPlainClient } from "../../sdk/typescript/src/plain.ts";
import type { Operation } from "../../src/contract/catalog.ts";

/** The same calls in either mode of the client. */
export interface AnyMode {
  readonly read: (options?: CallOptions) => APIPromise<unknown>;
  /** A read whose parameters break two rules. */
  readonly readBroken: () => APIPromise<unknown>;
  readonly change: (name: string, options?: CallOptions) => APIPromise<{ readonly secret: string }>;
  /** Ids of all accounts. */
  readonly accountIds: (pageSize: number) => AsyncIterable<string>;
}

/** Makes a client of this mode. */
export type Mode = (options: ClientOptions, surroundings?: Partial<Runtime>) => AnyMode;

export const modes: Readonly<Record<string, Mode>> = {
  Connect(options, surroundings) {
    const client = createClient(options, surroundings);
    return {
      read: (callOptions) => client.infrastructure.getIpGeo({}, callOptions),
      readBroken: () => client.infrastructure.reverseGeocode({ lat: 91, lon: 181 }),
      change: (name, callOptions) => client.account.createApiKey({ name }, callOptions),
      accountIds: async function* (pageSize) {
        for await (const { id } of client.pages(client.account.listAccounts, { pageSize })) yield id;
      },
    };
  },
  "plain JSON"(options, surroundings) {
    const client = createPlainClient(options, surroundings);
    return {
      read: (callOptions) => client.get("/api/infrastructure/v1/get-ip-geo", {}, callOptions),
      readBroken: () => client.get("/api/infrastructure/v1/reverse-geocode", { lat: 91, lon: 181 }),
      change: (name, callOptions) => client.post("/api/account/v1/create-api-key", { name }, callOptions),
      accountIds: async function* (pageSize) {
        for await (const { id } of client.pages("/api/account/v1/list-accounts", { page_size: pageSize })) yield id;
      },
    };
  },
};

/** A `fetch` that leads the client's reads to another operation of the same server, whichever the mode. */
export function leadingTo({ path, method }: Operation): typeof fetch {
  return (input, init) => {
    const url = new URL(String(input));
    url.pathname = url.pathname.startsWith("/api/") ? path : `/${method.parent.typeName}/${method.name}`;
    return fetch(url, init);
  };
}

/** Returns the error of a call. Fails if there is none. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  const response = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ("error" in response) return response.error;
  throw new Error(`It was answered: ${JSON.stringify(response.value)}`);
}
