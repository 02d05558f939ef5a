import { reporters } from "../../../src/providers/comtrade/comtrade-codes.ts";
import { chokepoints } from "../../../src/reference/trade/chokepoints.ts";
import { commodities } from "../../../src/reference/trade/commodities.ts";
import { responding } from "../responding.ts";

const dayMs = 86_400_000;
const hosts = {
  comtrade: "comtradeapi.un.org",
  portWatch: "services9.arcgis.com",
  agsi: "agsi.gie.eu",
  usgs: "www.sciencebase.gov",
  bgs: "ogcapi.bgs.ac.uk",
} as const;

/** Upstreams of supply chains whose every figure is set by the test. */
export interface InventedSupply {
  /** Countries that report imports, by alpha-2. */
  readonly importers: Set<string>;
  /** Chokepoints where the tankers of the last days fail to arrive, are too few, or are not reported at all. */
  readonly disrupted: Set<string>;
  readonly young: Set<string>;
  readonly silent: Set<string>;
  readonly down: Set<keyof typeof hosts>;
  readonly outside: ReturnType<typeof responding>;
  readonly environment: Readonly<Record<string, string>>;
}

export function inventedSupply(now: () => Date): InventedSupply {
  const sets = { disrupted: new Set<string>(), young: new Set<string>(), silent: new Set<string>() };
  const importers = new Set(reporters.values());
  const down = new Set<keyof typeof hosts>();
  const outside = responding((url) => {
    const { host, pathname, searchParams } = url;
    if ([...down].some((name) => hosts[name] === host)) return undefined;
    if (host === hosts.comtrade) return importsOf(Number(searchParams.get("reporterCode")), importers, now());
    if (host === hosts.portWatch) return shipsOf(searchParams.get("where") ?? "", sets, now());
    if (host === hosts.agsi) return searchParams.get("country") === "DE" ? gasOf(now()) : { data: [] };
    if (host === "msi.nga.mil") return { "broadcast-warn": [warning] };
    if (host === hosts.usgs) return pathname.endsWith("/items") ? { items: [] } : minerals;
    if (host === hosts.bgs) return bgsOf(searchParams.get("bgs_commodity_trans") ?? "");
    if (pathname.endsWith("/latest")) return { year: "2026", month: "09" };
    if (host === "api.iea.org") return oil;
    if (pathname.endsWith("/countries")) return [{ countryCode: "JA", countryName: "Japan" }];
    return pathname.includes("/0410000/") ? [psd(176, 70), psd(125, 900), psd(88, 100)] : [];
  });
  const keys = { COMTRADE_API_KEY: "secret", USDA_API_KEY: "secret", AGSI_API_KEY: "secret" };
  return { importers, ...sets, down, outside, environment: { IDS_DATA: "live", IDS_SOURCE_BGS: "on", ...keys } };
}

const warning = { msgYear: 2026, msgNumber: 1, navArea: "P", text: "DANGEROUS OPERATIONS" };
const headings = [...new Set(commodities.map(({ hs4 }) => hs4))];
const [saudiArabia, china, elsewhere] = [682, 156, 899];

/** Every watched heading comes 50 % from Saudi Arabia, 30 % from China, and the rest from several countries. */
function importsOf(reporter: number, importers: ReadonlySet<string>, now: Date) {
  const shares = importers.has(reporters.get(reporter) ?? "") ? [50, 30, 20] : [];
  const data = headings.flatMap((cmdCode) =>
    shares.map((primaryValue, place) => ({
      ...{ refYear: now.getUTCFullYear() - 2, reporterCode: reporter, flowCode: "M", cmdCode, primaryValue },
      partnerCode: [saudiArabia, china, elsewhere][place],
    })),
  );
  return { elapsedTime: "0.1 secs", count: data.length, data, error: "" };
}

/** Ten tankers a day for a hundred days up to the day before. */
function shipsOf(
  where: string,
  { disrupted, young, silent }: Pick<InventedSupply, "disrupted" | "young" | "silent">,
  now: Date,
) {
  const id = chokepoints.find(({ portWatchName }) => where.includes(`'${portWatchName}'`))?.id ?? "";
  const days = silent.has(id) ? 0 : young.has(id) ? 20 : 100;
  return {
    features: Array.from({ length: days }, (_, place) => ({
      attributes: {
        date: Math.floor(now.getTime() / dayMs) * dayMs - (place + 1) * dayMs,
        n_total: 40,
        n_tanker: disrupted.has(id) && place < 3 ? 2 : 10,
      },
    })),
  };
}

function gasOf(now: Date) {
  const day = new Date(now.getTime() - dayMs).toISOString().slice(0, 10);
  return { data: [{ gasDayStart: day, full: "60", gasInStorage: "150" }] };
}

/** Japan half of what it owes; Korea none at all, which is measured. */
const oil = [
  { countryName: "Japan", yearMonth: "202609", total: "45" },
  { countryName: "Korea", yearMonth: "202609", total: "0" },
];

function psd(attributeId: number, value: number) {
  return {
    ...{ commodityCode: "0410000", countryCode: "JA", marketYear: "2026", calendarYear: "2026", month: "10" },
    ...{ attributeId, unitId: 8, value },
  };
}

const head = "MCS chapter,Section,Commodity,Country,Statistics,Statistics_detail,Unit,Year,Value,Notes,Other notes";

function mined(chapter: string, detail: string, shares: Readonly<Record<string, number>>): string[] {
  return Object.entries(shares).map(
    ([country, value]) =>
      `${chapter},World Mine Production,x,${country},Production,${detail},metric tons,2025,${value},,`,
  );
}

/** Cobalt: mines 50, 30, 20 (HHI .38), refineries 80, 20 (HHI .68). Ten more chapters of one mine each; no uranium. */
const minerals = [
  head,
  ...mined("COBALT", "Mine production", { "Congo (Kinshasa)": 50, China: 30, Australia: 20 }),
  ...mined("COBALT", "Refinery production", { China: 80, Finland: 20 }),
  ...["RARE EARTHS", "LITHIUM", "COPPER", "NICKEL", "GRAPHITE (NATURAL)", "TUNGSTEN", "GALLIUM", "GERMANIUM", "HELIUM"]
    .concat("ALUMINUM", "BAUXITE AND ALUMINA")
    .flatMap((chapter) => mined(chapter, "Mine production", { China: 10 })),
].join("\n");

/** Only the British Geological Survey reports uranium: 3 to 1, a concentration of .625. */
function bgsOf(commodity: string) {
  const features = commodity === "uranium" ? [uranium("KZ", 3), uranium("CA", 1)] : [];
  return { type: "FeatureCollection", numberMatched: features.length, features };
}

function uranium(iso2: string, quantity: number) {
  return {
    properties: {
      ...{ bgs_commodity_trans: "uranium", bgs_statistic_type_trans: "Production", country_trans: "x" },
      ...{ country_iso2_code: iso2, year: "2023-01-01T00:00:00", quantity, units: "tonnes (metal content)" },
    },
  };
}
