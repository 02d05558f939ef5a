import type { AccessControl } from "./access-control.ts";
import type { ReadRequest } from "./read-request.ts";
import { type Route, type Router, refusalOf } from "./router.ts";

/** Refuses what no route serves, below a domain's path only after its key: that comes before whether an operation exists. */
export async function refuseUnserved(
  asked: ReadRequest,
  route: Route | undefined,
  { router, accessControl }: { readonly router: Router; readonly accessControl: AccessControl },
): Promise<never> {
  if (!route?.anonymous && router.isKeyed(asked.path)) await accessControl.identify(asked);
  throw refusalOf(route);
}
