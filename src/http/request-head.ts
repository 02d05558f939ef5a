/** Headers that most requests need. An object with all headers is created only if another one is needed. */
export interface RequestHead {
  requestId?: string;
  origin?: string;
  prefer?: string;
  serviceKey?: string;
  apiKey?: string;
  accept?: string;
  acceptEncoding?: string;
  ifNoneMatch?: string;
  ifMatch?: string;
  range?: string;
  ifRange?: string;
  traceparent?: string;
  hosts: number;
  transferEncoding?: string;
}

/** Reads the headers. The first of repeated headers counts, but keys, conditions, and encodings are joined. */
export function readHead(rawHeaders: readonly string[]): RequestHead {
  const head: RequestHead = { hosts: 0 };
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    const value = rawHeaders[index + 1] ?? "";
    // Comparing the length first avoids comparing the letters of most other headers.
    switch (name.length) {
      case 4:
        if (name === "Host" || is(name, "host")) head.hosts += 1;
        break;
      case 5:
        if (is(name, "range")) head.range = joined(head.range, value);
        break;
      case 6:
        if (is(name, "origin")) head.origin ??= value;
        else if (is(name, "prefer")) head.prefer = joined(head.prefer, value);
        else if (is(name, "accept")) head.accept = joined(head.accept, value);
        break;
      case 8:
        if (is(name, "if-match")) head.ifMatch = joined(head.ifMatch, value);
        else if (is(name, "if-range")) head.ifRange = joined(head.ifRange, value);
        break;
      case 9:
        if (is(name, "x-api-key")) head.apiKey = agreed(head.apiKey, value);
        break;
      case 11:
        if (is(name, "traceparent")) head.traceparent ??= value;
        break;
      case 12:
        if (is(name, "x-request-id")) head.requestId ??= value;
        break;
      case 13:
        if (is(name, "x-service-key")) head.serviceKey = agreed(head.serviceKey, value);
        else if (is(name, "if-none-match")) head.ifNoneMatch = joined(head.ifNoneMatch, value);
        break;
      case 15:
        if (is(name, "accept-encoding")) head.acceptEncoding = joined(head.acceptEncoding, value);
        break;
      case 17:
        if (is(name, "transfer-encoding")) head.transferEncoding = joined(head.transferEncoding, value);
        break;
    }
  }
  return head;
}

/** Joins two different keys to one invalid key, because a proxy may have checked the other one. */
function agreed(known: string | undefined, value: string): string {
  return known === value ? value : joined(known, value);
}

function is(name: string, wanted: string): boolean {
  return name === wanted || name.toLowerCase() === wanted;
}

function joined(known: string | undefined, value: string): string {
  return known === undefined ? value : `${known}, ${value}`;
}

/** Returns path and query of a target. Servers must also accept the absolute form `http://host/path?query`. */
export function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const rest = /^https?:\/\/[^/?#]+(.*)$/is.exec(target)?.[1];
  if (rest === undefined) return target;
  return rest.startsWith("/") ? rest : `/${rest}`;
}
