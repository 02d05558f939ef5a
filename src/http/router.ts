import { aliasHeaders } from "../contract/deprecation.ts";
import type { ClientInfo } from "../interceptors/client-info.ts";
import { type Failure, RouteNotFound, VerbNotAllowed } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import type { ReadRequest } from "./read-request.ts";
import { pathPattern } from "./rest/path-parameters.ts";
import type { ResponseRead } from "./rest/rest.ts";

export interface Route {
  /** Name of the route in metrics and logs. */
  readonly name: string;
  /** Path with parameters in braces, which the router sets. */
  readonly template?: string;
  readonly verbs: readonly string[];
  readonly postAsGet?: boolean;
  /** Whether all failures have a body with `message`, except those that concern the caller's key or plan. */
  readonly anonymous: boolean;
  /** Returns the body of a failure in the schema of a standard. */
  readonly failureBody?: (error: unknown, body: Failure["body"]) => Failure["body"];
  readonly serve: (exchange: Exchange) => number | Promise<number>;
  /** Computes the response to a GET that is part of a batch or feed. Only reads have it. */
  readonly respond?: ResponseRead;
}

/** Returns the route under a deprecated path. Its responses contain the new path. */
export function underAlias(route: Route, path: string): Route {
  const headers = aliasHeaders(path);
  const { respond } = route;
  return {
    ...route,
    serve(exchange) {
      exchange.headers.push(...headers);
      return route.serve(exchange);
    },
    ...(respond && {
      respond(requested, query, line) {
        requested.headers.push(...headers);
        return respond(requested, query, line);
      },
    }),
  };
}

/** Finds a route by path: fixed paths precede those with parameters. */
export interface Router {
  readonly find: (path: string, verb: string) => Route | undefined;
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

/** Returns the verbs of a route without OPTIONS, which every path accepts. */
export function verbsOf({ verbs, postAsGet = false }: Pick<Route, "verbs" | "postAsGet">): readonly string[] {
  return postAsGet && !verbs.includes("POST") ? [...verbs, "POST"] : verbs;
}

export function takes(route: Route, verb: string): boolean {
  return verbsOf(route).includes(verb);
}

/** Chooses a route by verb. If no route accepts the verb, returns a route with the verbs of all, for the error. */
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
