import { fromJson } from "@bufbuild/protobuf";
import { CatalogService, ListDatasetsResponseSchema } from "../../gen/es/ids/catalog/v1/catalog_pb.ts";
import type { Dataset } from "../../gen/es/ids/catalog/v1/dataset_pb.ts";
import { SupplyChainService } from "../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import {
  type ChokepointDependency,
  GetChokepointDependenciesResponseSchema,
} from "../../gen/es/ids/supply_chain/v1/vulnerability_pb.ts";
import type { Encryption } from "../access/encryption.ts";
import type { Principal } from "../access/keys/api-key.ts";
import type { Plan } from "../access/plans.ts";
import type { Operation } from "../contract/catalog.ts";
import { NotAuthenticated, NotFound } from "../errors.ts";
import { NotRedistributable } from "../http/errors.ts";
import type { Exchange } from "../http/exchange.ts";
import type { RequestQueue } from "../http/load/request-queue.ts";
import { lastSegment } from "../http/rest/path-parameters.ts";
import type { RestRoute } from "../http/rest/rest.ts";
import type { Route } from "../http/router.ts";
import type { Entitle } from "../interceptors/entitle.ts";
import { networkOf } from "../interceptors/network.ts";
import { shortened } from "../pages/all-rows.ts";
import { type Html, html } from "../pages/html.ts";
import type { DemoKey } from "../pages/reference/reference.ts";
import { chokepointById } from "../reference/trade/chokepoints.ts";
import { addressOf } from "./address.ts";
import { type Metadata, operationFor, operationOfSlug } from "./metadata.ts";
import { atLeastPublic, createPageAccess, visitor, withOwnAccess } from "./page-access.ts";
import type { MakePage, PageContext } from "./page-context.ts";
import { type PageRouteParts, pageServer } from "./page-route.ts";
import { type AboutParts, aboutPage } from "./pages/about.ts";
import { accountPage } from "./pages/account/account.ts";
import { privateRoutes } from "./pages/account/private-page.ts";
import { alertsPage } from "./pages/alerts/alerts.ts";
import { chokepointsPage, readDisruption } from "./pages/chokepoints.ts";
import { countriesPage, countriesParameters } from "./pages/countries.ts";
import { countryPage } from "./pages/country.ts";
import { datasetPage, datasetParameters } from "./pages/dataset/dataset.ts";
import { homePage, homeParameters } from "./pages/home.ts";
import { operatorPage } from "./pages/operator.ts";
import { searchPage } from "./pages/search.ts";
import { seriesPage, seriesParameters } from "./pages/series/series.ts";
import { seriesListPage } from "./pages/series/series-list.ts";
import { seriesProvenance } from "./pages/series/series-read.ts";
import { statusPage } from "./pages/status.ts";
import { tenderParameters, tendersPage } from "./pages/tenders.ts";
import { createReads, type ReadsParts, withheldText } from "./reads.ts";
import { type Sections, sectionsFrom } from "./sections.ts";
import { createDeduplicated } from "./session/deduplicated.ts";
import { sessionTokenOf } from "./session/session-cookie.ts";
import { type SignInParts, signedIn, signInRoutes } from "./session/signing-in.ts";
import type { Write } from "./session/writes.ts";
import { catalogState, stateMarkup } from "./view/availability.ts";
import { blockMaker, provenanceOf } from "./view/block.ts";
import { countryLink } from "./view/data-table.ts";
import { bar, evenly, numberText } from "./view/figures.ts";
import { labelOf } from "./view/labels.ts";
import { lineChart } from "./view/line-chart.ts";
import { ago, durationText } from "./view/times.ts";

const operation = operationFor(SupplyChainService.method.getChokepointDependencies);
/** The maximum in the contract. */
const maxDependencies = 100;

/** Creates `/chokepoints/<id>`: its disruption over time, and the imports that depend on it. */
function chokepointPage({ metadata }: Sections): MakePage {
  return async (page) => {
    const chokepoint = chokepointById(lastSegment(page.path));
    if (!chokepoint) return undefined;
    const { id, name, threat, oilBaseline } = chokepoint;
    const [disruption, dependencies] = await Promise.all([
      readDisruption(page, [id], 365),
      page.read(operation, { chokepoint_id: id, page_size: maxDependencies, sort: "share" }),
    ]);
    const block = blockMaker(page, metadata);
    const blocks = [
      block({
        id: "disruption",
        title: "Disruption",
        about: html`0 is calm, 100 is closed. <a href="/series/chokepoint.disruption?keys=${id}">Compare with others</a>`,
        content:
          disruption.response.kind === "answered"
            ? lineChart({ lines: disruption.lines, title: `Disruption of ${name}`, unit: "", range: [0, 100] })
            : undefined,
        provenance: seriesProvenance(disruption, operation),
      }),
      block({
        id: "dependencies",
        title: "Who depends on it",
        about: `The ${maxDependencies} largest shares of imports that pass here, by country and commodity. Shares are modeled, not measured: from each import's exporters and the table of trade routes, or from the country's trade routes only.`,
        content:
          dependencies.kind === "answered"
            ? dependenciesMarkup(fromJson(GetChokepointDependenciesResponseSchema, dependencies.body).dependencies)
            : undefined,
        provenance: provenanceOf(dependencies),
      }),
    ];
    const body = html`<main id="content" tabindex="-1"><header class="top"><p class="crumbs"><a href="/chokepoints">Chokepoints</a></p><h1>${name}</h1><p class="lead">Threat level: ${labelOf(threat).toLowerCase()}.${oilBaseline && ` About ${numberText(oilBaseline.millionBarrelsPerDay)} million barrels of oil a day in a usual year.`}</p></header><div class="grid">${blocks.map(({ markup }) => markup)}</div></main>`;
    return { title: name, description: `Disruption of ${name} and who depends on it.`, body, blocks };
  };
}

function dependenciesMarkup(dependencies: readonly ChokepointDependency[]): Html {
  if (dependencies.length === 0)
    return html`<div class="nothing"><p><strong>None.</strong> No covered import passes here.</p></div>`;
  const shares = evenly(
    dependencies.flatMap(({ transitShare }) => (transitShare === undefined ? [] : percentOf(transitShare))),
  );
  const scores = evenly(dependencies.flatMap(({ score }) => score ?? []));
  return html`<div class="wide scrolls" role="region" aria-label="Table: Dependencies" tabindex="0"><table class="cards"><thead><tr><th scope="col">Country</th><th scope="col">Commodity</th><th scope="col" class="number">Share passing here (modeled)</th><th scope="col">Modeled from</th><th scope="col" class="number">Vulnerability</th><th scope="col">Band</th></tr></thead><tbody>${dependencies.map(
    ({ countryIso2, commodity, transitShare, shareBasis, score, band }) =>
      html`<tr><th scope="row">${countryLink(countryIso2)}</th><td data-label="Commodity">${commodity}</td><td class="number" data-label="Share passing here (modeled)">${transitShare === undefined ? "–" : `${shares(percentOf(transitShare))}%`}</td><td data-label="Modeled from">${shareBases[shareBasis] ?? "–"}</td><td class="number" data-label="Vulnerability">${score === undefined ? "–" : html`<span class="bar-cell">${bar(score, 100, "risk")}<span>${scores(score)}</span></span>`}</td><td data-label="Band">${band}</td></tr>\n`,
  )}</tbody></table></div>`;
}

const shareBases: Readonly<Record<string, string>> = {
  flow_weighted: "imports and routes",
  country_route_fallback: "routes only",
};

/** Rounded to a tenth. */
function percentOf(share: number): number {
  return Math.round(share * 1000) / 10;
}

const listDatasets = operationFor(CatalogService.method.listDatasets);

/** Creates `/data`: every dataset with its subject, status, and licenses. */
function dataPage({ metadata, isSample }: Sections): MakePage {
  return async (page) => {
    const response = await page.read(listDatasets);
    const datasets = response.kind === "answered" ? fromJson(ListDatasetsResponseSchema, response.body).datasets : [];
    const list = blockMaker(
      page,
      metadata,
    )({
      id: "datasets",
      title: "Datasets",
      about: "The licenses are those of the sources. Check every license that isn't open before you publish data.",
      content: datasets.length > 0 ? listMarkup(datasets, page) : undefined,
      provenance: provenanceOf(response),
    });
    const body = html`<main id="content" tabindex="-1"><header class="top"><h1>Data</h1><p class="lead">What this service reads, how fresh it is, and under which terms. Each dataset has its table, its fields with units, and files for spreadsheets and programs.</p>${isSample && goingLive}</header>${list.markup}</main>`;
    return { title: "Data", description: "All datasets with freshness and licenses.", body, blocks: [list] };
  };
}

const goingLive = html`<p>These are samples. For real data, the operator starts the service with <code>IDS_DATA=live</code>. <code>ids init</code> shows which sources need a key, and <code>ids doctor</code> shows what was read.</p>`;

function listMarkup(datasets: readonly Dataset[], page: PageContext): Html {
  const list = (body: Html) => html`${!page.isEmbed && findForm}
<div class="wide" role="region" aria-label="Table: Datasets" tabindex="0"><table id="dataset-list" class="cards"><thead><tr><th scope="col">Dataset</th><th scope="col">About</th><th scope="col">State</th><th scope="col">Read</th><th scope="col">Stale after</th><th scope="col" class="number">Rows</th><th scope="col">Licenses</th></tr></thead>${body}</table></div>`;
  return shortened(
    datasets.map((dataset) => rowMarkup(dataset, page)),
    "datasets",
    list,
  );
}

const findForm = html`<form class="filters" role="search" aria-label="Page" action="/search"><span class="field wide-field"><label for="dataset">Find a dataset</label><input id="dataset" name="q" type="search" data-filters="dataset-list" placeholder="Name or subject" maxlength="60" autocomplete="off"></span><button>Find</button><span id="dataset-list-count" role="status" class="soft small"></span></form>`;

function rowMarkup(
  { name, subject, state, readAt, freshForSeconds, rows, sources }: Dataset,
  { now }: PageContext,
): Html {
  const kinds = [...new Set(sources.map(({ license }) => license?.kind ?? ""))].filter((kind) => kind !== "");
  return html`<tr><th scope="row"><a href="/data/${name}">${labelOf(name)}</a></th><td class="text lines">${subject}</td><td data-label="State">${stateMarkup(catalogState(state))}</td><td class="time" data-label="Read">${readAt === undefined ? "never" : ago(Number(readAt), now)}</td><td class="time" data-label="Stale after">${durationText(freshForSeconds)}</td><td class="number" data-label="Rows">${rows === undefined ? "–" : numberText(rows)}</td><td data-label="Licenses">${kinds.length === 0 ? html`<span class="soft">computed</span>` : html`<div>${kinds.map((kind) => html`<span class="tag">${kind}</span> `)}</div>`}</td></tr>\n`;
}

export interface ConsoleParts
  extends Omit<Sections, "metadata" | "layers" | "operations" | "isSample">,
    Pick<ReadsParts, "reads" | "failed" | "withheldSources">,
    Pick<ExportParts, "withheldFromFile">,
    AboutParts {
  readonly entitle: Entitle;
  /** The plan whose access the public has. If absent, only public operations. */
  readonly publicPlan: Plan | undefined;
  readonly meter: (payer: Principal | undefined, exchange: Exchange, viewer: Principal | undefined) => Promise<void>;
  /** Counts a request that costs an account nothing of its plan. */
  readonly meterClient: (exchange: Exchange, account?: string) => unknown;
  readonly signIn: SignInParts;
  readonly write: Write;
  readonly encryption: Encryption;
  readonly demoKeys: readonly DemoKey[];
  /** Whether rules can report by email. */
  readonly sendsMail: boolean;
  readonly epoch: () => number;
  readonly queue: RequestQueue;
  /** Returns whether a setting of a source has a value. */
  readonly isSet: (variable: string) => boolean;
  /** File or setting that contains the operator's key. Absent if the service can be reached from other machines. */
  readonly keyAt: string | undefined;
}

/** Returns the routes of all pages. */
export function consoleRoutes(parts: ConsoleParts): (readonly [path: string, route: Route])[] {
  const { reads, site, entitle, publicPlan, failed, epoch, queue, withheldSources, withheldFromFile, sendsMail } =
    parts;
  const access = createPageAccess(entitle);
  const { readFor, serveOf } = createReads({ reads, epoch, failed, withheldSources, access });
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
    const { principal } = withOwnAccess(viewer);
    // Signing in must not reduce the number of views.
    return parts.meter(viewer.own ? visitorOf(exchange) : principal, exchange, principal);
  };
  const deduplicated = createDeduplicated(parts.encryption);
  const page = pageServer({ site, readFor, viewerOf: readerOf, meter, epoch, queue });
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
      accountPage({ metadata: sections.metadata, publicPlan }, site, parts.demoKeys),
      alertsPage({ metadata: sections.metadata, sendsMail }, site, parts.demoKeys),
      operatorPage(sections, parts.isSet),
    ].flatMap((own) => privateRoutes(own, { ...parts, viewerOf, readFor, deduplicated })),
    exportRoute({ viewerOf: readerOf, meter, serveOf, metadata: sections.metadata, withheldFromFile }),
  ];
}

interface ExportParts extends Pick<PageRouteParts, "viewerOf" | "meter"> {
  /** Returns the sources whose data in the response is withheld from the public, including nested data. */
  readonly withheldFromFile: (operation: Operation) => readonly string[];
  readonly metadata: Pick<Metadata, "isOfAccount">;
  readonly serveOf: (operation: Operation) => RestRoute | undefined;
}

/** Serves the data of a page as a file, with the access of the viewer. A browser's link sends no key. */
function exportRoute({
  viewerOf,
  meter,
  serveOf,
  metadata,
  withheldFromFile,
}: ExportParts): readonly [path: string, route: Route] {
  const serve = async (exchange: Exchange) => {
    const operation = operationOfSlug(lastSegment(exchange.path));
    const serveRead = operation && serveOf(operation);
    if (!serveRead) throw new NotFound("There is no such read");
    const viewer = await viewerOf(exchange, false);
    if (!viewer.isSignedIn && metadata.isOfAccount(operation))
      throw new NotAuthenticated("Sign in to see what is an account's");
    const withheld = withheldFromFile(operation);
    if (withheld.length > 0 && !viewer.isSignedIn) throw new NotRedistributable(withheldText(withheld));
    await meter(exchange, viewer);
    const { principal } = withheld.length > 0 ? withOwnAccess(viewer) : viewer;
    if (principal) exchange.leadTo(addressOf(operation.path, exchange.query), principal);
    exchange.isOfCookie = viewer.isSignedIn;
    return serveRead(exchange);
  };
  return ["/export/{operation}", { name: "export", verbs: ["GET", "HEAD"], anonymous: false, serve }];
}
