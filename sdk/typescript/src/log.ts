/** Receives the log messages of a client. */
export interface Logger {
  debug(message: string, facts: object): void;
  warn(message: string, facts: object): void;
}

export const silent: Logger = { debug: () => undefined, warn: () => undefined };

const secretHeaders = ["x-service-key", "authorization", "cookie"];

/** Returns a `fetch` that logs each request and its response, without keys and bodies. */
export function loggingFetch(
  fetch: typeof globalThis.fetch,
  logger: Logger,
  now: () => number,
): typeof globalThis.fetch {
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
      logger.debug(`no response after ${now() - began} ms`, { requestId, error });
      throw error;
    }
  };
}

function masked(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].map(([name, value]) => [name, secretHeaders.includes(name) ? "***" : value]));
}
