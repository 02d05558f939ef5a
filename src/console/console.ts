import type { Plan } from "../access/plans.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Route } from "../http/router.ts";
import type { Entitle } from "../interceptors/entitle.ts";
import { networkOf } from "../interceptors/network.ts";
import type { Site } from "../pages/frame/frame.ts";
import { exportRoute } from "./export-route.ts";
import { createPageAccess, visitor } from "./page-access.ts";
import { type PageRouteParts, pageServer } from "./page-route.ts";
import { chokepointPage } from "./pages/chokepoint.ts";
import { chokepointsPage } from "./pages/chokepoints.ts";
import { countriesPage } from "./pages/countries.ts";
import { countryPage } from "./pages/country/country.ts";
import { dataPage } from "./pages/data.ts";
import { datasetPage } from "./pages/dataset/dataset.ts";
import { homePage } from "./pages/home.ts";
import { searchPage } from "./pages/search.ts";
import { seriesPage } from "./pages/series/series.ts";
import { seriesListPage } from "./pages/series/series-list.ts";
import { statusPage } from "./pages/status.ts";
import { tendersPage } from "./pages/tenders.ts";
import { createReads, type ReadsParts } from "./reads.ts";
import { type Sections, sectionsFrom } from "./sections.ts";

export interface ConsoleParts
  extends Omit<Sections, "facts" | "layers" | "operations" | "isSample">,
    Pick<ReadsParts, "reads" | "failed"> {
  readonly site: Site;
  readonly entitle: Entitle;
  /** With whose rights the public reads; absent: public operations only. */
  readonly publicPlan: Plan | undefined;
  readonly meter: (viewer: ReturnType<typeof visitor> | undefined, exchange: Exchange) => Promise<void>;
  readonly epoch: () => number;
}

/** The pages that people look at. */
export function consoleRoutes(parts: ConsoleParts): (readonly [path: string, route: Route])[] {
  const { reads, site, entitle, publicPlan, failed, epoch } = parts;
  const { readFor, serveOf } = createReads({ reads, failed, access: createPageAccess(entitle) });
  const sections = sectionsFrom({
    ...parts,
    operations: reads.map(({ operation }) => operation),
    isSample: site.isSample,
  });
  const viewerOf: PageRouteParts["viewerOf"] = (exchange) => ({
    principal: publicPlan && visitor(publicPlan, networkOf(exchange.address())),
    isSignedIn: false,
  });
  const meter: PageRouteParts["meter"] = (exchange, { principal }) => parts.meter(principal, exchange);
  const page = pageServer({ site, readFor, viewerOf, meter, epoch });
  return [
    ["/", page("page_home", homePage(sections))],
    ["/countries", page("page_countries", countriesPage(sections))],
    ["/countries/{code}", page("page_country", countryPage(sections))],
    ["/data", page("page_data", dataPage(sections))],
    ["/data/{dataset}", page("page_dataset", datasetPage(sections))],
    ["/series", page("page_series_list", seriesListPage(sections))],
    ["/series/{id}", page("page_series", seriesPage(sections))],
    ["/chokepoints", page("page_chokepoints", chokepointsPage(sections))],
    ["/chokepoints/{id}", page("page_chokepoint", chokepointPage(sections))],
    ["/tenders", page("page_tenders", tendersPage(sections))],
    ["/status", page("page_status", statusPage(sections))],
    ["/search", page("page_search", searchPage(sections))],
    exportRoute({ viewerOf, meter, serveOf }),
  ];
}
