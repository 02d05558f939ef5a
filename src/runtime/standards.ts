import type { Config } from "../config/config.ts";
import { datasets } from "../domains/index.ts";
import type { AccessControl } from "../http/access-control.ts";
import type { Exchange } from "../http/exchange.ts";
import type { RequestQueue } from "../http/load/request-queue.ts";
import type { Readable } from "../http/rest/read-operation.ts";
import type { Route } from "../http/router.ts";
import type { Site } from "../pages/frame/frame.ts";
import { programVersion } from "../reference/program-version.ts";
import { createDiscovery } from "../standards/discovery/routes.ts";
import { lakeRoutes } from "../standards/lake/lake-routes.ts";
import { type OgcParts, ogcRoutes } from "../standards/ogc/routes.ts";
import { withheldOf } from "./withheld.ts";

export interface StandardsParts {
  readonly config: Config;
  readonly site: Site;
  /** Reads whose responses are computed from the store. */
  readonly reads: readonly Readable[];
  readonly queue: RequestQueue;
  readonly accessControl: AccessControl;
  readonly hasPast: OgcParts["hasPast"];
  readonly admitSession: OgcParts["admitSession"];
  readonly epoch: () => number;
  /** Counts each request against the limits of the client's address. */
  readonly meter: (exchange: Exchange) => unknown;
  readonly clock: () => Date;
}

/** Creates the routes that serve the data in standard formats, such as OGC API. */
export function createStandards(parts: StandardsParts) {
  const { config, site, reads, queue, epoch, meter, clock } = parts;
  const operations = reads.map(({ operation }) => operation);
  const withheld = ({ method }: (typeof operations)[number]) => withheldOf(method, config);
  const discovery = createDiscovery({
    ...{ site, datasets, reads, version: programVersion(), epoch, meter, clock },
    withheld,
  });
  const routes: (readonly [path: string, route: Route])[] = [
    ...discovery.routes,
    ...lakeRoutes({ operations, withheld, queue, meter }),
    ...ogcRoutes(parts),
  ];
  return { routes, structuredData: discovery.structuredData };
}
