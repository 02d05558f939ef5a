import type { DescMethodUnary } from "@bufbuild/protobuf";
import { type ContextValues, createContextValues, type HandlerContext } from "@connectrpc/connect";
import { type Caller, callerKey } from "../../access/caller.ts";
import type { Principal } from "../../access/keys/api-key.ts";
import { RequestAborted } from "../../errors.ts";
import type { ReadRequest } from "../read-request.ts";

/** Context of a handler for plain JSON. Its members are created on first use, because most handlers need none. */
export class RestContext implements HandlerContext {
  readonly method: DescMethodUnary;
  readonly protocolName = "rest";
  readonly #requested: ReadRequest;
  readonly #caller: () => Caller;
  #requestHeader: Headers | undefined;
  #responseHeader: Headers | undefined;
  #values: ContextValues | undefined;

  constructor(method: DescMethodUnary, requested: ReadRequest, caller: () => Caller) {
    this.method = method;
    this.#requested = requested;
    this.#caller = caller;
  }

  get service() {
    return this.method.parent;
  }

  get requestMethod() {
    return this.#requested.request.method ?? "GET";
  }

  get url() {
    return `http://${this.#requested.request.headers.host ?? "localhost"}${this.#requested.request.url}`;
  }

  get requestHeader() {
    if (!this.#requestHeader) {
      this.#requestHeader = new Headers();
      for (const [name, value] of Object.entries(this.#requested.request.headers))
        if (value !== undefined && !name.startsWith(":"))
          this.#requestHeader.set(name, Array.isArray(value) ? value.join(", ") : value);
    }
    return this.#requestHeader;
  }

  get responseHeader() {
    this.#responseHeader ??= new Headers();
    return this.#responseHeader;
  }

  get responseTrailer() {
    return new Headers();
  }

  get values() {
    this.#values ??= createContextValues().set(callerKey, this.#caller());
    return this.#values;
  }

  get signal() {
    return this.#requested.signal();
  }

  timeoutMs() {
    return undefined;
  }

  /** Throws `RequestAborted` if the client has disconnected, so that the response is not serialized. */
  requireCaller(): void {
    if (this.#requested.isGone()) throw new RequestAborted("The caller has gone");
  }

  ownHeaders(): string[] {
    return this.#responseHeader ? headerPairs(this.#responseHeader) : [];
  }
}

export function headerPairs(headers: Headers): string[] {
  return [...headers].flatMap(([name, value]) => [canonical(name), value]);
}

/** Converts `x-data-origin` to `X-Data-Origin`. */
function canonical(name: string): string {
  return name.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

export function callerOf(requested: ReadRequest, principal: Principal | undefined): Caller {
  const edge = requested.edge();
  return {
    address: requested.address(),
    requestId: requested.id,
    ...(edge ? { edge } : {}),
    ...(principal ? { principal } : {}),
  };
}
