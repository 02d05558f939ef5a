import { aliasHeaders } from "../contract/deprecation.ts";
import { RouteNotFound, VerbNotAllowed } from "./errors.ts";
import type { Exchange } from "./exchange.ts";

/** What serves a path. */
export interface Route {
  /** Name in metrics and logs. */
  readonly name: string;
  readonly verbs: readonly string[];
  /** Takes a POST as well, as if it were a GET. */
  readonly postAsGet?: boolean;
  /** Failures are told as `{message}`, the gateway's own included. */
  readonly anonymous: boolean;
  /** Returns the status sent. */
  readonly serve: (exchange: Exchange) => number | Promise<number>;
}

/** The same route under an older name: its answers say so and name the path. */
export function underAlias(route: Route, path: string): Route {
  const headers = aliasHeaders(path);
  return {
    ...route,
    serve(exchange) {
      exchange.headers.push(...headers);
      return route.serve(exchange);
    },
  };
}

/** Fixed paths first, then templated ones. */
export interface Router {
  readonly find: (path: string) => Route | undefined;
  /** Whether an unknown path is looked at only after its key. */
  readonly isKeyed: (path: string) => boolean;
}

/** Below `keyedPrefixes` a path without a route is looked at only after its key. */
export function createRouter(
  routes: readonly (readonly [path: string, route: Route])[],
  keyedPrefixes: readonly string[],
): Router {
  const fixed = new Map(routes.filter(([path]) => !path.includes("{")));
  const templated = routes
    .filter(([path]) => path.includes("{"))
    .map(([path, route]) => ({
      pattern: new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+")}$`),
      route,
    }));
  return {
    find: (path) => fixed.get(path) ?? templated.find(({ pattern }) => pattern.test(path))?.route,
    isKeyed: (path) => keyedPrefixes.some((prefix) => path.startsWith(prefix)),
  };
}

/** Why a request finds nothing: no such path, or not with this verb. */
export function refusalOf(route: Route | undefined): RouteNotFound | VerbNotAllowed {
  return route ? new VerbNotAllowed(route.verbs.join(", ")) : new RouteNotFound("Not found");
}
