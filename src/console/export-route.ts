import type { Operation } from "../contract/catalog.ts";
import { NotAuthenticated, NotFound } from "../errors.ts";
import { NotRedistributable } from "../http/errors.ts";
import type { Exchange } from "../http/exchange.ts";
import { lastSegment } from "../http/rest/path-parameters.ts";
import type { RestRoute } from "../http/rest/rest.ts";
import type { Route } from "../http/router.ts";
import { addressOf } from "./address.ts";
import { type Facts, operationOfSlug } from "./facts.ts";
import { withOwnRights } from "./page-access.ts";
import type { PageRouteParts } from "./page-route.ts";
import { withheldText } from "./reads.ts";

export interface ExportParts extends Pick<PageRouteParts, "viewerOf" | "meter"> {
  /** The same of everything within an answer. */
  readonly notPassedOnWhole: (operation: Operation) => readonly string[];
  readonly facts: Pick<Facts, "isOfAccount">;
  readonly serveOf: (operation: Operation) => RestRoute | undefined;
}

/** What a page shows as a file: the read of the API, with the rights of who views the page. A browser's link sends no key. */
export function exportRoute({
  viewerOf,
  meter,
  serveOf,
  facts,
  notPassedOnWhole,
}: ExportParts): readonly [path: string, route: Route] {
  const serve = async (exchange: Exchange) => {
    const operation = operationOfSlug(lastSegment(exchange.path));
    const serveRead = operation && serveOf(operation);
    if (!serveRead) throw new NotFound("There is no such read");
    const viewer = await viewerOf(exchange, false);
    if (!viewer.isSignedIn && facts.isOfAccount(operation))
      throw new NotAuthenticated("Sign in to see what is an account's");
    const withheld = notPassedOnWhole(operation);
    if (withheld.length > 0 && !viewer.isSignedIn) throw new NotRedistributable(withheldText(withheld));
    await meter(exchange, viewer);
    const { principal } = withheld.length > 0 ? withOwnRights(viewer) : viewer;
    if (principal) exchange.leadTo(addressOf(operation.path, exchange.query), principal);
    exchange.isOfCookie = viewer.isSignedIn;
    return serveRead(exchange);
  };
  return ["/export/{operation}", { name: "export", verbs: ["GET", "HEAD"], anonymous: false, serve }];
}
