import { aliasHeaders } from "../contract/deprecation.ts";
import type { ClientInfo } from "../interceptors/client-info.ts";
import { RouteNotFound, VerbNotAllowed } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import type { ReadRequest } from "./read-request.ts";
import { pathPattern } from "./rest/path-parameters.ts";
import type { ResponseRead } from "./rest/rest.ts";

/** What serves a path. */
export interface Route {
  /** Name in metrics and logs. */
  readonly name: string;
  /** The path with its parameters in braces; the router knows it. */
  readonly template?: string;
  readonly verbs: readonly string[];
  /** Takes a POST as well, as if it were a GET. */
  readonly postAsGet?: boolean;
  /** Failures are told as `{message}`, the gateway's own included. */
  readonly anonymous: boolean;
  /** Returns the status sent. */
  readonly serve: (exchange: Exchange) => number | Promise<number>;
  /** Answers a GET that is a part of another request; only reads have it. */
  readonly answer?: ResponseRead;
}

/** The same route under an older name: its answers say so and name the path. */
export function underAlias(route: Route, path: string): Route {
  const headers = aliasHeaders(path);
  const { answer: response } = route;
  return {
    ...route,
    serve(exchange) {
      exchange.headers.push(...headers);
      return route.serve(exchange);
    },
    ...(response && {
      answer(requested, query, line) {
        requested.headers.push(...headers);
        return response(requested, query, line);
      },
    }),
  };
}

/** Fixed paths first, then templated ones. */
export interface Router {
  readonly find: (path: string, verb: string) => Route | undefined;
  /** Every verb that some route takes. */
  readonly verbs: readonly string[];
}

export function createRouter(routes: readonly (readonly [path: string, route: Route])[]): Router {
  const places = Object.entries(Object.groupBy(routes, ([path]) => path)).map(
    ([path, together = []]) => [path, chooser(together.map(([, route]) => ({ ...route, template: path })))] as const,
  );
  const fixed = new Map(places.filter(([path]) => !path.includes("{")));
  const templated = places
    .filter(([path]) => path.includes("{"))
    .map(([path, choose]) => ({ pattern: pathPattern(path), choose }));
  return {
    verbs: [...new Set(routes.flatMap(([, { verbs }]) => verbs))].sort((a, b) => a.localeCompare(b)),
    find(path, verb) {
      const choose = fixed.get(path) ?? templated.find(({ pattern }) => pattern.test(path))?.choose;
      return choose?.(verb);
    },
  };
}

/** The verbs that a route serves, beside OPTIONS, which every path has. */
export function verbsOf({ verbs, postAsGet = false }: Pick<Route, "verbs" | "postAsGet">): readonly string[] {
  return postAsGet && !verbs.includes("POST") ? [...verbs, "POST"] : verbs;
}

/** Whether a route serves a verb. */
export function takes(route: Route, verb: string): boolean {
  return verbsOf(route).includes(verb);
}

/** Chooses among the routes of one path; where none takes the verb, one that names the verbs of them all. */
function chooser(routes: readonly Route[]): (verb: string) => Route | undefined {
  const [first] = routes;
  if (!first || routes.length === 1) return () => first;
  const none: Route = { ...first, postAsGet: false, verbs: [...new Set(routes.flatMap(verbsOf))] };
  return (verb) =>
    routes.find(({ verbs }) => verbs.includes(verb)) ?? routes.find((route) => takes(route, verb)) ?? none;
}

/**
 * Rejects a request without a route, or with a verb that its route does not serve. Its key is not read: a misspelled path
 * is not a missing key. `meter` counts it for its address, and throws `QuotaExceeded`.
 */
export async function rejectUnserved(
  requested: ReadRequest,
  route: Pick<Route, "verbs" | "postAsGet"> | undefined,
  meter: (client: ClientInfo) => unknown,
): Promise<never> {
  await meter(requested);
  throw route ? new VerbNotAllowed([...verbsOf(route), "OPTIONS"].join(", ")) : new RouteNotFound("Not found");
}
