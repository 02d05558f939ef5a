import type { ClientInfo } from "../interceptors/client-info.ts";
import type { AccessControl } from "./access-control.ts";
import type { ReadRequest } from "./read-request.ts";
import { type Route, type Router, refusalOf } from "./router.ts";

interface UnservedParts {
  readonly router: Router;
  readonly accessControl: AccessControl;
  /** Throws `QuotaExceeded`. */
  readonly meter: (client: ClientInfo) => unknown;
}

/**
 * Rejects what no route serves. It counts for its address like every anonymous request. Below a domain's path the key is
 * checked first.
 */
export async function refuseUnserved(
  asked: ReadRequest,
  route: Route | undefined,
  { router, accessControl, meter }: UnservedParts,
): Promise<never> {
  await meter(asked);
  if (!route?.anonymous && router.isKeyed(asked.path)) await accessControl.identify(asked);
  throw refusalOf(route);
}
