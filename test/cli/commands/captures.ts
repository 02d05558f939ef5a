import { parse as parseCsv } from "csv-parse/sync";

/** The result of a replay. */
export interface Replayed {
  readonly state: string;
  readonly rowsIn: number;
  readonly rowsOut: number;
  /** Fields that the program reads and that the capture does not have. */
  readonly unfound: readonly string[];
  /** Without new fields, which are only counted. */
  readonly drift: readonly string[];
  readonly newFields: number;
  readonly failure?: string;
}

/** Captured answers of one source, and which of its requests they answer. */
interface Capture {
  readonly folder: string;
  readonly source: string;
  /** When they were captured. */
  readonly at: string;
  readonly responses: readonly {
    readonly match: string;
    readonly query?: Record<string, string>;
    readonly file: string;
    /** Makes the answer as it was sent of what was kept of it. */
    readonly wire?: (stored: string) => string;
  }[];
  /** Why it is not as the source answers today. */
  readonly because?: string;
  readonly expected: Partial<Replayed>;
}

const csvAsDataset = (stored: string) => JSON.stringify({ Dataset: parseCsv(stored, { columns: true, bom: true }) });
const withoutNext = (stored: string) => JSON.stringify({ ...JSON.parse(stored), links: {}, releases: [] });
const fred = (id: string, file = `${id}.json`) => ({ match: "/series/observations", query: { series_id: id }, file });
const imf = (id: string) => ({ match: `/api/v1/${id}$`, file: `${id}.json` });

/** An answer in the form of the sample, before its rows are counted. */
export const asSample: Replayed = { state: "ok", rowsIn: 0, rowsOut: 0, unfound: [], drift: [], newFields: 0 };

export const captures: readonly Capture[] = [
  {
    folder: "agsi",
    source: "agsi-countries",
    at: "2026-08-13T12:00:00Z",
    responses: [
      { match: "agsi", query: { country: "DE" }, file: "api-country-DE-2026-08-13.json" },
      { match: "agsi", query: { country: "FR" }, file: "api-page-FR-60days.reconstructed.json" },
      { match: "agsi", file: "api-empty-data.json" },
    ],
    because: "The countries whose page has no day are not rows.",
    expected: { rowsIn: 2, rowsOut: 2, newFields: 4 },
  },
  {
    folder: "bls",
    source: "bls",
    at: "2024-12-14T12:00:00Z",
    responses: [
      { match: "timeseries/data", file: "bls_data.json", wire: (stored) => JSON.stringify(JSON.parse(stored).data) },
    ],
    because: "It is an answer for other series.",
    expected: {
      state: "failed",
      failure: "BLS has no observation of CES0500000001",
    },
  },
  {
    folder: "canadabuys",
    source: "canada-buys",
    at: "2026-08-05T12:00:00Z",
    responses: [{ match: "openTenderNotice", file: "openTenderNotice-67cols-4rows.csv" }],
    expected: { rowsIn: 4, rowsOut: 4, newFields: 0 },
  },
  {
    folder: "canadabuys",
    source: "canada-buys",
    at: "2015-11-23T12:00:00Z",
    responses: [{ match: "openTenderNotice", file: "buyandsell-2015-tenders.csv" }],
    because: "The format of 2015, before today's columns.",
    expected: {
      state: "failed",
      newFields: 20,
      failure:
        "CanadaBuys has no column title-titre-eng, referenceNumber-numeroReference, publicationDate-datePublication, tenderClosingDate-appelOffresDateCloture, tenderStatus-appelOffresStatut-eng, noticeURL-URLavis-eng",
    },
  },
  {
    folder: "cloudflare-radar",
    source: "cloudflare-radar",
    at: "2026-11-18T12:00:00Z",
    responses: [{ match: "annotations/outages", file: "annotations-outages-mock.json" }],
    because: "Written by hand after the SDK's types: without the envelope's lists, and with a location for locations.",
    expected: {
      state: "changed",
      rowsIn: 3,
      rowsOut: 3,
      unfound: ["errors", "result.annotations[].asnsDetails[].locations"],
      drift: [
        "vanished field errors",
        "vanished field messages",
        "vanished field result.annotations[].asnsDetails[].locations",
      ],
      newFields: 4,
    },
  },
  {
    folder: "contracts-finder",
    source: "contracts-finder",
    at: "2026-09-17T12:00:00Z",
    responses: [
      { match: "[?&]cursor=", file: "ocds-search-2026-09-17.json", wire: withoutNext },
      { match: "OCDS/Search", file: "ocds-search-2026-09-17.json" },
    ],
    because: "Trimmed, and one of its two releases is made up.",
    expected: {
      state: "changed",
      rowsIn: 2,
      rowsOut: 2,
      unfound: ["releases[].tender.documents", "releases[].tender.mainProcurementCategory"],
      drift: [
        "vanished field extensions",
        "vanished field publicationPolicy",
        "vanished field releases[].tender.items",
        "vanished field releases[].tender.procurementMethod",
        "vanished field releases[].tender.contractPeriod",
        "vanished field releases[].tender.suitability",
        "vanished field releases[].tender.documents",
        "vanished field releases[].awards[].documents[].description",
        "vanished field releases[].awards[].documents[].format",
        "vanished field releases[].awards[].documents[].language",
      ],
      newFields: 1,
    },
  },
  {
    folder: "dev-events",
    source: "dev-events",
    at: "2026-11-18T12:00:00Z",
    responses: [{ match: "rss.xml", file: "rss-synthetic-shape.xml" }],
    expected: { rowsIn: 3, rowsOut: 3, newFields: 1 },
  },
  {
    folder: "fred",
    source: "fred-stress",
    at: "2026-08-22T12:00:00Z",
    responses: [
      fred("T10Y2Y", "DGS2.reconstructed.json"),
      fred("T10Y3M", "DGS2.reconstructed.json"),
      fred("VIXCLS", "VIXCLS.reconstructed.json"),
      fred("STLFSI4", "STLFSI4.reconstructed.json"),
      fred("ICSA", "ICSA.reconstructed.json"),
    ],
    because: "The yield spreads are not captured: another daily rate stands for them.",
    expected: { rowsIn: 500, rowsOut: 500, newFields: 0 },
  },
  {
    folder: "fred",
    source: "fred-labor",
    at: "2026-08-22T12:00:00Z",
    responses: [fred("USPRIV", "PAYEMS.json"), fred("ECIALLCIV", "GDP.json")],
    because: "Another monthly and another quarterly series stand for ours.",
    expected: { rowsIn: 423, rowsOut: 423, newFields: 0 },
  },
  {
    folder: "fred",
    source: "gscpi",
    at: "2026-08-22T12:00:00Z",
    responses: [{ match: "gscpi", file: "csv-cc0/gscpi.csv" }],
    because: "A table of other makers: one column, and not an edition a column.",
    expected: {
      state: "failed",
      failure: "GSCPI: no table of editions by month",
    },
  },
  {
    folder: "gdelt",
    source: "gdelt-military",
    at: "2026-08-31T12:00:00Z",
    responses: [
      { match: "doc/doc", query: { mode: "TimelineTone" }, file: "timelinetone-15m-oil-20260831.json" },
      { match: "doc/doc", query: { mode: "TimelineVolRaw" }, file: "timelinevol-15m-oil-20260831.json" },
    ],
    expected: { rowsIn: 2, rowsOut: 2, newFields: 0 },
  },
  {
    folder: "gdelt",
    source: "gdelt-cyber",
    at: "2026-08-31T12:00:00Z",
    responses: [{ match: "doc/doc", file: "rate-limit-429.txt" }],
    because: "A refusal in plain text.",
    expected: {
      state: "failed",
      failure: "GDELT received too many requests: one request in 5 s is allowed",
    },
  },
  {
    folder: "gets",
    source: "gets",
    at: "2026-11-18T12:00:00Z",
    responses: [{ match: "RSSFeed", file: "rss-synthetic-shape.xml" }],
    expected: {
      rowsIn: 2,
      rowsOut: 2,
      drift: ["vanished field rss.@_xmlns:dc"],
    },
  },
  {
    folder: "imf-datamapper",
    source: "imf-datamapper",
    at: "2026-07-10T12:00:00Z",
    responses: ["GGXWDG_NGDP", "BCA_NGDPD", "LUR", "NGDPDPC", "NGDP_RPCH", "PCPIPCH"].map(imf),
    because: "Four of ten series are not captured; they count as gone.",
    expected: { rowsIn: 3509, rowsOut: 3505, newFields: 0 },
  },
  {
    folder: "imf-datamapper",
    source: "imf-weo",
    at: "2026-07-10T12:00:00Z",
    responses: ["GGXWDG_NGDP", "BCA_NGDPD", "LUR", "NGDPDPC", "NGDP_RPCH", "PCPIPCH"].map(imf),
    because: "Eight of the series are not captured; they count as gone.",
    expected: { rowsIn: 2637, rowsOut: 2629, newFields: 0 },
  },
  {
    folder: "osm-military",
    source: "overpass",
    at: "2025-02-17T12:00:00Z",
    responses: [{ match: "interpreter", file: "overpass-envelope-relation-04.json" }],
    because: "A route of buses: no military feature.",
    expected: {
      state: "changed",
      rowsIn: 1,
      unfound: ["elements[].tags.military"],
      drift: ["vanished field elements[].tags.military"],
      newFields: 9,
    },
  },
  {
    folder: "osm-military",
    source: "overpass",
    at: "2025-02-17T12:00:00Z",
    responses: [{ match: "interpreter", file: "overpass-remark-runtime-error-01.json" }],
    expected: {
      state: "failed",
      newFields: 2,
      failure: 'Overpass: runtime error: Query timed out in "query" at line 4 after 2 seconds.',
    },
  },
  {
    folder: "sam-gov",
    source: "sam",
    at: "2026-09-12T12:00:00Z",
    responses: [{ match: "opportunities", query: { offset: "0" }, file: "opportunities-search-2026-09-12.json" }],
    expected: { rowsIn: 5, rowsOut: 5, newFields: 3 },
  },
  {
    folder: "sec",
    source: "sec",
    at: "2026-08-22T12:00:00Z",
    responses: [{ match: "company_tickers", file: "company_tickers.json" }],
    expected: { rowsIn: 9610, rowsOut: 9610, newFields: 0 },
  },
  {
    folder: "techmeme",
    source: "techmeme",
    at: "2026-11-18T12:00:00Z",
    responses: [{ match: "newsy_events", file: "newsy_events-synthetic-shape.ics" }],
    expected: { rowsIn: 5, rowsOut: 5, newFields: 0 },
  },
  {
    folder: "ted",
    source: "ted",
    at: "2026-09-09T12:00:00Z",
    responses: [{ match: "notices/search", file: "notices-search-2026-09-09.json" }],
    because: "Two notices of thirteen, asked for with fewer fields.",
    expected: {
      state: "changed",
      rowsIn: 2,
      rowsOut: 2,
      unfound: [
        "notices[].description-proc",
        "notices[].deadline-receipt-tender-time-lot",
        "notices[].title-lot",
        "notices[].organisation-name-buyer",
        "notices[].organisation-country-buyer",
        "notices[].main-classification-proc",
        "notices[].estimated-value-proc",
        "notices[].estimated-value-cur-proc",
      ],
      newFields: 6,
    },
  },
  {
    folder: "ucdp",
    source: "ucdp",
    at: "2020-01-17T12:00:00Z",
    responses: [{ match: "gedevents", query: { page: "0" }, file: "gedevents-page0.reconstructed.json" }],
    because: "The shape of 2019, which lacks no field that is read.",
    expected: { rowsIn: 100, rowsOut: 100, newFields: 0 },
  },
  {
    folder: "usgs-minerals",
    source: "usgs-mcs",
    at: "2026-08-22T12:00:00Z",
    responses: [{ match: "file/get", file: "mcs2026-sample.csv" }],
    expected: { rowsIn: 140, rowsOut: 140, newFields: 0 },
  },
  {
    folder: "worldbank-indicators",
    source: "world-bank-development",
    at: "2026-07-13T12:00:00Z",
    responses: [
      { match: "indicator/", file: "NY.GDP.PCAP.CD.json" },
      { match: "country", file: "countries.json" },
    ],
    because:
      "One indicator's first page of two stands for each, and lists of countries are of all, where the sample has some.",
    expected: {
      state: "partial",
      rowsIn: 2400,
      rowsOut: 2400,
      drift: [
        "new value [][].region.id",
        "new value [][].incomeLevel.id",
        "new value [][].incomeLevel.iso2code",
        "new value [][].incomeLevel.value",
      ],
    },
  },
  {
    folder: "worldbank-procnotices",
    source: "world-bank",
    at: "2026-09-11T12:00:00Z",
    responses: [
      { match: "procnotices", query: { os: "0" }, file: "procnotices-2026-09-11.json" },
      {
        match: "procnotices",
        file: "procnotices-2026-09-11.json",
        wire: (stored) => JSON.stringify({ ...JSON.parse(stored), procnotices: [] }),
      },
    ],
    because: "Its notices stand in a list; in the sample they stand in a map.",
    expected: {
      state: "changed",
      rowsIn: 5,
      rowsOut: 5,
      unfound: ["procnotices.*"],
      drift: ["vanished field procnotices.*"],
      newFields: 9,
    },
  },
  {
    folder: "wto",
    source: "wto-flows",
    at: "2026-05-07T12:00:00Z",
    responses: [
      { match: "data", query: { i: "ITS_MTV_AX" }, file: "ITS_MTV_AX.csv", wire: csvAsDataset },
      { match: "data", query: { i: "ITS_MTV_AM" }, file: "ITS_MTV_AM.csv", wire: csvAsDataset },
      {
        match: "reporters",
        file: "ITS_MTV_AX.csv",
        wire: (stored) =>
          JSON.stringify(
            [
              ...new Map(
                (parseCsv(stored, { columns: true, bom: true }) as Record<string, string>[]).map((row) => [
                  row.ReportingEconomyCode,
                  row.ReportingEconomy,
                ]),
              ),
            ].map(([code, name]) => ({ code, name })),
          ),
      },
    ],
    because: "Tables with the API's field names, in which every cell is text; the list of reporters is made from them.",
    expected: {
      state: "changed",
      rowsIn: 11,
      rowsOut: 11,
      unfound: ["[].iso3A", "[].displayOrder"],
      drift: [
        "changed type Dataset[].Year",
        "changed type Dataset[].Value",
        "vanished field [].iso3A",
        "vanished field [].displayOrder",
      ],
    },
  },
];

/** Folders that hold no answer of a source that a refresh asks, and why. */
export const otherFolders: Readonly<Record<string, string>> = {
  adsb: "asked while a caller waits, not by a refresh",
  eurostat: "of a table that no source asks for",
  finnhub: "asked while a caller waits, not by a refresh",
  geoip: "a database file",
  "hn-algolia": "asked while a caller waits, not by a refresh",
  portwatch: "counts of which a table was made, with other names; no answer",
};
