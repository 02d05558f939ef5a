import { watchPath } from "./listed-changes.ts";

/** A server-sent event, as a browser sees it. */
export interface ServerEvent {
  readonly id: string;
  readonly event: string;
  readonly data: never;
}

/** An open stream of server-sent events. */
export interface EventStream extends AsyncDisposable {
  readonly response: Response;
  /** The next event; undefined when the stream has ended. */
  readonly next: () => Promise<ServerEvent | undefined>;
  /** Every line that is not an event: comments, and lines that set only the id or the time to reconnect. */
  readonly aside: readonly string[];
  /** Waits for more of those. */
  readonly nextAside: () => Promise<void>;
}

export async function openEvents(
  app: { readonly url: string },
  query: string,
  { key, headers = {} }: { readonly key: string; readonly headers?: Readonly<Record<string, string>> },
): Promise<EventStream> {
  const gone = new AbortController();
  const response = await fetch(`${app.url}${watchPath}?${query}`, {
    headers: { "X-Service-Key": key, ...headers },
    signal: gone.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const aside: string[] = [];
  let rest = "";
  const block = async (): Promise<string | undefined> => {
    for (;;) {
      const end = rest.indexOf("\n\n");
      if (end >= 0) {
        const text = rest.slice(0, end);
        rest = rest.slice(end + 2);
        return text;
      }
      const read = await reader?.read();
      if (!read || read.done) return undefined;
      rest += read.value;
    }
  };
  return {
    response,
    aside,
    async next() {
      for (;;) {
        const text = await block();
        if (text === undefined) return undefined;
        const fields = new Map(
          text.split("\n").map((line) => [line.split(": ")[0], line.slice(line.indexOf(": ") + 2)]),
        );
        const data = fields.get("data");
        if (data === undefined) aside.push(text);
        else return { id: fields.get("id") ?? "", event: fields.get("event") ?? "", data: JSON.parse(data) as never };
      }
    },
    async nextAside() {
      const text = await block();
      if (text !== undefined) aside.push(text);
    },
    async [Symbol.asyncDispose]() {
      gone.abort();
      await reader?.cancel().catch(() => {});
    },
  };
}
