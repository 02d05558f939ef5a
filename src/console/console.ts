import type { Encryption } from "../access/encryption.ts";
import type { Principal } from "../access/keys/api-key.ts";
import type { Plan } from "../access/plans.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Route } from "../http/router.ts";
import type { Entitle } from "../interceptors/entitle.ts";
import { networkOf } from "../interceptors/network.ts";
import type { DemoKey } from "../pages/reference/reference.ts";
import { type ExportParts, exportRoute } from "./export-route.ts";
import { atLeastPublic, createPageAccess, visitor, withOwnRights } from "./page-access.ts";
import { type PageRouteParts, pageServer } from "./page-route.ts";
import { type AboutParts, aboutPage } from "./pages/about.ts";
import { accountPage } from "./pages/account/account.ts";
import { privateRoutes } from "./pages/account/private-page.ts";
import { alertsPage } from "./pages/alerts/alerts.ts";
import { chokepointPage } from "./pages/chokepoint.ts";
import { chokepointsPage } from "./pages/chokepoints.ts";
import { countriesPage, countriesParameters } from "./pages/countries.ts";
import { countryPage } from "./pages/country/country.ts";
import { dataPage } from "./pages/data.ts";
import { datasetPage, datasetParameters } from "./pages/dataset/dataset.ts";
import { homePage, homeParameters } from "./pages/home.ts";
import { operatorPage } from "./pages/operator/operator.ts";
import { searchPage } from "./pages/search.ts";
import { seriesPage } from "./pages/series/series.ts";
import { seriesListPage } from "./pages/series/series-list.ts";
import { seriesParameters } from "./pages/series/series-request.ts";
import { statusPage } from "./pages/status/status.ts";
import { tenderParameters, tendersPage } from "./pages/tenders.ts";
import { createReads, type ReadsParts } from "./reads.ts";
import { type Sections, sectionsFrom } from "./sections.ts";
import { sessionTokenOf } from "./session/session-cookie.ts";
import { type SignInParts, signedIn, signInRoutes } from "./session/signing-in.ts";
import { createToldOnce } from "./session/told-once.ts";
import type { Write } from "./session/writes.ts";

export interface ConsoleParts
  extends Omit<Sections, "facts" | "layers" | "operations" | "isSample">,
    Pick<ReadsParts, "reads" | "failed" | "notPassedOn" | "pause">,
    Pick<ExportParts, "notPassedOnWhole">,
    AboutParts {
  readonly entitle: Entitle;
  /** With whose rights the public reads; absent: public operations only. */
  readonly publicPlan: Plan | undefined;
  readonly meter: (payer: Principal | undefined, exchange: Exchange, viewer: Principal | undefined) => Promise<void>;
  /** Counts what costs an account nothing of its plan. */
  readonly meterClient: (exchange: Exchange, account?: string) => unknown;
  readonly signIn: SignInParts;
  readonly write: Write;
  readonly encryption: Encryption;
  readonly demoKeys: readonly DemoKey[];
  /** Whether rules can report by e-mail. */
  readonly sendsMail: boolean;
  readonly epoch: () => number;
  readonly askedAt: PageRouteParts["askedAt"];
  /** Whether a setting of a source has a value. */
  readonly isSet: (variable: string) => boolean;
  /** File or setting that has the operator's key; absent if the service can be reached from other machines. */
  readonly keyAt: string | undefined;
}

/** The pages that people look at. */
export function consoleRoutes(parts: ConsoleParts): (readonly [path: string, route: Route])[] {
  const { reads, site, entitle, publicPlan, failed, epoch, pause, notPassedOn, notPassedOnWhole, sendsMail } = parts;
  const access = createPageAccess(entitle);
  const { readFor, serveOf } = createReads({ reads, epoch, failed, notPassedOn, pause, access });
  const sections = sectionsFrom({
    ...parts,
    operations: reads.map(({ operation }) => operation),
    isSample: site.isSample,
  });
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
    const { principal } = withOwnRights(viewer);
    // Nobody has fewer views for having signed in.
    return parts.meter(viewer.own ? visitorOf(exchange) : principal, exchange, principal);
  };
  const toldOnce = createToldOnce(parts.encryption);
  const page = pageServer({ site, readFor, viewerOf: readerOf, meter, epoch, pause, askedAt: parts.askedAt });
  return [
    ["/", page("page_home", homePage(sections), homeParameters)],
    ["/countries", page("page_countries", countriesPage(sections), countriesParameters)],
    ["/countries/{code}", page("page_country", countryPage(sections))],
    ["/data", page("page_data", dataPage(sections))],
    ["/data/{dataset}", page("page_dataset", datasetPage(sections), datasetParameters(sections))],
    ["/series", page("page_series_list", seriesListPage(sections))],
    ["/series/{id}", page("page_series", seriesPage(sections), seriesParameters)],
    ["/chokepoints", page("page_chokepoints", chokepointsPage(sections))],
    ["/chokepoints/{id}", page("page_chokepoint", chokepointPage(sections))],
    ["/tenders", page("page_tenders", tendersPage(sections), tenderParameters)],
    ["/status", page("page_status", statusPage(sections))],
    ["/search", page("page_search", searchPage(sections), ["q"])],
    ["/about", page("page_about", aboutPage(parts))],
    ...signInRoutes(parts.signIn),
    ...[
      accountPage({ facts: sections.facts, publicPlan }, site, parts.demoKeys),
      alertsPage({ facts: sections.facts, sendsMail }, site, parts.demoKeys),
      operatorPage(sections, parts.isSet),
    ].flatMap((own) => privateRoutes(own, { ...parts, viewerOf, readFor, toldOnce })),
    exportRoute({ viewerOf: readerOf, meter, serveOf, facts: sections.facts, notPassedOnWhole }),
  ];
}
