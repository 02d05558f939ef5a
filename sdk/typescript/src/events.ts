/** One server-sent event. An event without data only has the position of the stream, or the time to reconnect. */
export interface ServerEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  /** Milliseconds to wait before connecting again. */
  readonly retry?: number;
}

/** Reads server-sent events from a body. Ends with the body. */
export async function* serverEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of body) {
    rest += decoder.decode(piece, { stream: true });
    const blocks = rest.split(/\r\n\r\n|\n\n|\r\r/);
    rest = blocks.pop() ?? "";
    for (const block of blocks) yield eventOf(block);
  }
}

function eventOf(block: string): ServerEvent {
  const fields = new Map<string, string[]>();
  for (const line of block.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(":");
    // A line that begins with a colon is a comment.
    if (colon === 0 || line === "") continue;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  const last = (name: string) => fields.get(name)?.at(-1);
  const [id, event, data, retry] = [last("id"), last("event"), fields.get("data")?.join("\n"), last("retry")];
  return {
    ...(id !== undefined && { id }),
    ...(event !== undefined && { event }),
    ...(data !== undefined && { data }),
    ...(retry !== undefined && /^\d+$/.test(retry) && { retry: Number(retry) }),
  };
}
