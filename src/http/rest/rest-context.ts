import type { DescMethodUnary } from "@bufbuild/protobuf";
import { type ContextValues, createContextValues, type HandlerContext } from "@connectrpc/connect";
import { type Caller, callerKey } from "../../access/caller.ts";
import type { Principal } from "../../access/keys/api-key.ts";
import { RequestAborted } from "../../errors.ts";
import type { Exchange } from "../exchange.ts";

/** What a handler sees of a plain JSON request. Members are made when first asked for: most handlers ask for none. */
export class RestContext implements HandlerContext {
  readonly method: DescMethodUnary;
  readonly protocolName = "rest";
  readonly #exchange: Exchange;
  readonly #caller: () => Caller;
  #requestHeader: Headers | undefined;
  #responseHeader: Headers | undefined;
  #values: ContextValues | undefined;
  #abort: AbortController | undefined;

  constructor(method: DescMethodUnary, exchange: Exchange, caller: () => Caller) {
    this.method = method;
    this.#exchange = exchange;
    this.#caller = caller;
  }

  get service() {
    return this.method.parent;
  }

  get requestMethod() {
    return this.#exchange.request.method ?? "GET";
  }

  get url() {
    return `http://${this.#exchange.request.headers.host ?? "localhost"}${this.#exchange.request.url}`;
  }

  get requestHeader() {
    if (!this.#requestHeader) {
      this.#requestHeader = new Headers();
      for (const [name, value] of Object.entries(this.#exchange.request.headers))
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
    if (!this.#abort) {
      const abort = new AbortController();
      const { response } = this.#exchange;
      response.once("close", () => {
        if (!response.writableFinished) abort.abort();
      });
      this.#abort = abort;
    }
    return this.#abort.signal;
  }

  timeoutMs() {
    return undefined;
  }

  /** Throws `RequestAborted` where nobody waits for the answer any more: it is not written. */
  requireCaller(): void {
    if (this.#exchange.isGone()) throw new RequestAborted("The caller has gone");
  }

  /** The headers the handler set, as flat pairs. */
  ownHeaders(): string[] {
    return this.#responseHeader ? [...this.#responseHeader].flatMap(([name, value]) => [canonical(name), value]) : [];
  }
}

/** `x-data-origin` as `X-Data-Origin`. */
function canonical(name: string): string {
  return name.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/** What a handler may know of who calls. */
export function callerOf(exchange: Exchange, principal: Principal | undefined): Caller {
  const edge = exchange.edge();
  return {
    address: exchange.address(),
    requestId: exchange.id,
    ...(edge ? { edge } : {}),
    ...(principal ? { principal } : {}),
  };
}
