import { coastSides } from "./coast-sides.ts";
import { tradeRoutes } from "./trade-routes.ts";

/**
 * The countries that trade by each route, by alpha-2 code: those at its ends and on its way, by region. A country
 * without a coast uses the routes of its neighbor's port. Some are set manually, such as Türkiye, which has only the
 * two that end in its waters.
 */
const served: Readonly<Record<string, string>> = {
  // East and South-East Asia, nearly all of Europe, North Africa on the Mediterranean.
  "china-europe-suez": `CN JP LK SG MY TH VN KH ID BN LA MM DZ EG LY MA TN
    AL AT BA BE CH CZ DE DK EE ES FI FR GB GR HR HU IE IT LT LU LV ME MK MT NL NO PL PT RS SE SI SK XK`,
  // North America, its Atlantic neighbors, the Caribbean, Western Europe, the Baltic, West Africa.
  transatlantic: `US CA AG BB BS CU DM DO GD HT JM KN LC TT VC GY SR VE
    BE DE DK EE ES FI FR GB IE IS LT LV NL NO PL PT SE
    CI CV GH GM GN GW LR MA MR NG SL SN ST`,
  // West, Central and East Africa with the countries behind their ports.
  "china-africa": `CN BF BI BJ CD CF CG CI CM AO DJ ER ET GA GH GN GQ KE KM ML NE NG RW SD SN SO SS TD TG TZ UG`,
  // The Gulf, the Red Sea, the Levant and the destinations of its oil.
  "gulf-europe-oil": "AE BH IQ IR KW OM QA SA YE DJ EG ER JO SD IL LB SY CY GR IT MT NL TR",
  // South America on the Atlantic, southern Africa, Oceania.
  "brazil-china-bulk": "AR BR PY UY BW LS MW MZ NA SZ ZA ZM ZW AU FJ NZ PG SB TO VU WS",
  // The ends of the route around Africa, and southern Africa.
  "asia-europe-cape": "DE HK JP KR PH TH TW VN AO BW LS MG MU MZ NA SZ ZA",
  // South Asia, East Africa and its islands.
  "india-se-asia": "BD IN LK MM MV NP BI KE KM MU MZ RW SC SO TZ UG",
  // Both shores of the Pacific and the islands between.
  "china-us-west": "CN US CA MX TW VN PH HK MO MN FM KI MH NR PW TV",
  "gulf-asia-oil": "AE IQ IR KW OM SA CN JP KR SG MY TH ID IN AU",
  // The Black Sea, the Caucasus, the countries behind them, and the destinations of the oil.
  "russia-med-oil": "RU UA BG RO MD TR GE AM AZ BY KZ TM RS GR CY",
  // Central America, the larger islands of the Caribbean, the west coast of South America.
  "panama-transit": "BZ CR GT HN NI PA SV CU DO JM BO CL CO EC PE",
  "india-europe": "IN BE DE DK ES FI FR GB GR IT NL PL PT SE",
  "intra-asia-container": "CN HK ID JP KP KR MO MY PH SG TH TL TW VN",
  "cpec-route": "CN PK AF KG TJ TM UZ",
  "qatar-asia-lng": "QA BH CN JP KR",
  "us-europe-lng": "US GB FR IE",
  "singapore-med": "SG ES MC",
  "china-us-east-suez": "CN US",
  "china-us-east-panama": "CN US",
  "qatar-europe-lng": "QA",
  "gulf-americas-cape": "ZA",
};

/** IDs of the routes of each country in `coastSides`; empty for four without a port of their own or a neighbor's. */
export const countryRoutes: ReadonlyMap<string, readonly string[]> = new Map(
  [...coastSides.keys()].map((code) => [
    code,
    tradeRoutes.map(({ id }) => id).filter((id) => (served[id] ?? "").split(/\s+/).includes(code)),
  ]),
);

export const routeTable = { name: "route-table" } as const;
