/** Where a client tells what it does. */
export interface Logger {
  debug(message: string, facts: object): void;
  warn(message: string, facts: object): void;
}

export const silent: Logger = { debug: () => undefined, warn: () => undefined };

const secretHeaders = ["x-service-key", "authorization", "cookie"];

/** A `fetch` that tells of each request and how it was answered; never of keys and bodies. */
export function told(fetch: typeof globalThis.fetch, logger: Logger, now: () => number): typeof globalThis.fetch {
  return async (input, init) => {
    const url = new URL(String(input));
    url.username = "";
    url.password = "";
    const headers = new Headers(init?.headers);
    const requestId = headers.get("X-Request-Id");
    logger.debug(`${init?.method ?? "GET"} ${url}`, { requestId, headers: masked(headers) });
    const began = now();
    try {
      const response = await fetch(input, init);
      const facts = { requestId, headers: masked(response.headers) };
      logger.debug(`${response.status} after ${now() - began} ms`, facts);
      return response;
    } catch (error) {
      logger.debug(`no answer after ${now() - began} ms`, { requestId, error });
      throw error;
    }
  };
}

function masked(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].map(([name, value]) => [name, secretHeaders.includes(name) ? "***" : value]));
}
