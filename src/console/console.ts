import type { Encryption } from "../access/encryption.ts";
import type { Principal } from "../access/keys/api-key.ts";
import type { Plan } from "../access/plans.ts";
import type { Operation } from "../contract/catalog.ts";
import { NotAuthenticated, NotFound } from "../errors.ts";
import { NotRedistributable } from "../http/errors.ts";
import { type Exchange, operationAt } from "../http/exchange.ts";
import type { RequestQueue } from "../http/load/request-queue.ts";
import { lastSegment } from "../http/rest/path-parameters.ts";
import type { RestRoute } from "../http/rest/rest.ts";
import type { Route } from "../http/router.ts";
import type { Entitle } from "../interceptors/entitle.ts";
import { networkOf } from "../interceptors/network.ts";
import { operationOfSlug } from "../pages/reference/contents.ts";
import type { DemoKey } from "../pages/reference/reference.ts";
import { addressOf } from "./address.ts";
import { layersFrom } from "./map/layers.ts";
import { mapParameters } from "./map/map-figure.ts";
import { type Metadata, metadataFrom } from "./metadata.ts";
import { atLeastPublic, createPageAccess, visitor, withOwnAccess } from "./page-access.ts";
import type { Sections } from "./page-context.ts";
import { type PageRouteParts, pageServer } from "./page-route.ts";
import { type AboutParts, aboutPage } from "./pages/about.ts";
import { accountPage } from "./pages/account/account.ts";
import { privateRoutes } from "./pages/account/private-page.ts";
import { alertsPage } from "./pages/alerts/alerts.ts";
import { watchlistPage } from "./pages/alerts/watchlist.ts";
import { chokepointPage, chokepointParameters, chokepointsPage } from "./pages/chokepoints.ts";
import { comparePage, compareParameters } from "./pages/compare.ts";
import { countriesPage, countriesParameters } from "./pages/countries.ts";
import { countryPage } from "./pages/country.ts";
import { countryBriefPage } from "./pages/country-brief.ts";
import { dataPage } from "./pages/data.ts";
import { datasetPage, datasetParameters } from "./pages/dataset/dataset.ts";
import { homePage, homeParameters } from "./pages/home.ts";
import { operatorPage } from "./pages/operator.ts";
import { searchPage } from "./pages/search.ts";
import { seriesPage } from "./pages/series/series.ts";
import { seriesListPage } from "./pages/series/series-list.ts";
import { seriesParameters } from "./pages/series/series-request.ts";
import { statusPage } from "./pages/status.ts";
import { tenderParameters, tendersPage } from "./pages/tenders.ts";
import { createReads, type ReadsParts, withheldText } from "./reads.ts";
import { createDeduplicated } from "./session/deduplicated.ts";
import { sessionTokenOf } from "./session/session-cookie.ts";
import { type SignInParts, signedIn, signInRoutes } from "./session/signing-in.ts";
import type { Write } from "./session/writes.ts";

export interface ConsoleParts
  extends Omit<Sections, "metadata" | "layers" | "operations" | "isSample">,
    Pick<ReadsParts, "reads" | "failed" | "withheldSources" | "clock">,
    Pick<ExportParts, "withheldFromFile">,
    AboutParts {
  readonly entitle: Entitle;
  /** The plan whose data visitors without a key see; if undefined, they see only public operations. */
  readonly publicPlan: Plan | undefined;
  readonly meter: (payer: Principal | undefined, exchange: Exchange, viewer: Principal | undefined) => Promise<void>;
  /** Counts a request against service limits, but not against the plan of the account. */
  readonly meterClient: (exchange: Exchange, account?: string) => unknown;
  readonly signIn: SignInParts;
  readonly write: Write;
  readonly encryption: Encryption;
  readonly demoKeys: readonly DemoKey[];
  /** Whether a mail server is configured, so that alert rules can send email. */
  readonly sendsMail: boolean;
  readonly epoch: () => number;
  readonly queue: RequestQueue;
  /** Returns whether the setting of a source has a value. */
  readonly isSet: (variable: string) => boolean;
  /** File or setting that contains the operator's key. Undefined if other machines can reach the service. */
  readonly keyAt: string | undefined;
}

/** Returns the routes of all pages. */
export function consoleRoutes(parts: ConsoleParts): (readonly [path: string, route: Route])[] {
  const { reads, site, entitle, publicPlan, failed, epoch, queue, withheldSources, withheldFromFile } = parts;
  const { inputs, scores, newestChange, structuredData, sendsMail } = parts;
  const access = createPageAccess(entitle);
  const { readFor, serveOf } = createReads({ reads, epoch, failed, withheldSources, access, clock: parts.clock });
  const operations = reads.map(({ operation }) => operation);
  const sections: Sections = {
    ...{ operations, inputs, scores, newestChange, structuredData, isSample: site.isSample },
    metadata: metadataFrom(inputs, withheldSources),
    layers: layersFrom(operations, inputs),
  };
  const visitorOf = (exchange: Exchange) => publicPlan && visitor(publicPlan, networkOf(exchange.address()));
  const viewerOf: PageRouteParts["viewerOf"] = async (exchange, isEmbed) => {
    const known = isEmbed ? undefined : await signedIn(exchange, parts.signIn.identifySession);
    if (known) return known;
    return {
      principal: visitorOf(exchange),
      isSignedIn: false,
      keyAt: parts.keyAt,
      hasEnded: !isEmbed && sessionTokenOf(exchange) !== undefined,
    };
  };
  const readerOf: PageRouteParts["viewerOf"] = async (exchange, isEmbed) =>
    atLeastPublic(await viewerOf(exchange, isEmbed), publicPlan);
  const meter: PageRouteParts["meter"] = (exchange, viewer) => {
    if (!viewer.isSignedIn) return parts.meter(viewer.principal, exchange, undefined);
    const { principal } = withOwnAccess(viewer);
    // If the public plan includes more than the account's own, the view counts as one of a visitor.
    return parts.meter(viewer.own ? visitorOf(exchange) : principal, exchange, principal);
  };
  const deduplicated = createDeduplicated(parts.encryption);
  const page = pageServer({ sections, site, readFor, viewerOf: readerOf, meter, epoch, queue });
  return [
    ["/", page("page_home", homePage, homeParameters)],
    ["/countries", page("page_countries", countriesPage, countriesParameters)],
    ["/countries/{code}", page("page_country", countryPage, mapParameters)],
    ["/countries/{code}/brief", page("page_country_brief", countryBriefPage)],
    ["/compare", page("page_compare", comparePage, compareParameters)],
    ["/data", page("page_data", dataPage)],
    ["/data/{dataset}", page("page_dataset", datasetPage, datasetParameters(operations))],
    ["/series", page("page_series_list", seriesListPage)],
    ["/series/{id}", page("page_series", seriesPage, seriesParameters)],
    ["/chokepoints", page("page_chokepoints", chokepointsPage)],
    ["/chokepoints/{id}", page("page_chokepoint", chokepointPage, chokepointParameters)],
    ["/tenders", page("page_tenders", tendersPage(sendsMail), tenderParameters)],
    ["/status", page("page_status", statusPage)],
    ["/search", page("page_search", searchPage, ["q", "format"])],
    ["/about", page("page_about", aboutPage(parts))],
    ...signInRoutes(parts.signIn),
    ...[accountPage(publicPlan), alertsPage(sendsMail), watchlistPage, operatorPage(parts.isSet)].flatMap((own) =>
      privateRoutes(own, { ...parts, sections, viewerOf, readFor, meter, deduplicated }),
    ),
    exportRoute({ viewerOf: readerOf, meter, serveOf, metadata: sections.metadata, withheldFromFile }),
  ];
}

interface ExportParts extends Pick<PageRouteParts, "viewerOf" | "meter"> {
  /** Returns the sources whose data the public must not receive in a file of this operation. */
  readonly withheldFromFile: (operation: Operation) => readonly string[];
  readonly metadata: Pick<Metadata, "isOfAccount">;
  readonly serveOf: (operation: Operation) => RestRoute | undefined;
}

/** Serves the data of a page as a file with the viewer's access, because a link in a browser sends no key. */
function exportRoute(parts: ExportParts): readonly [path: string, route: Route] {
  const { viewerOf, meter, serveOf, metadata, withheldFromFile } = parts;
  const serve = async (exchange: Exchange) => {
    const operation = operationOfSlug(lastSegment(exchange.path));
    const serveRead = operation && serveOf(operation);
    if (!serveRead) throw new NotFound("There is no such read");
    const viewer = await viewerOf(exchange, false);
    if (!viewer.isSignedIn && metadata.isOfAccount(operation))
      throw new NotAuthenticated("Sign in to see what is an account's");
    // A file with counts of another read's rows is subject to the terms of that read too.
    const counted = operationAt(new URLSearchParams(exchange.query).get("path") ?? "");
    const withheld = [operation, ...(counted ? [counted] : [])].flatMap(withheldFromFile);
    if (withheld.length > 0 && !viewer.isSignedIn) throw new NotRedistributable(withheldText(withheld));
    await meter(exchange, viewer);
    const { principal } = withheld.length > 0 ? withOwnAccess(viewer) : viewer;
    if (principal) exchange.leadTo(addressOf(operation.path, exchange.query), principal);
    exchange.isOfCookie = viewer.isSignedIn;
    return serveRead(exchange);
  };
  return ["/export/{operation}", { name: "export", verbs: ["GET", "HEAD"], anonymous: false, serve }];
}
