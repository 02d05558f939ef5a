import { coastSides } from "./coast-sides.ts";
import { tradeRoutes } from "./trade-routes.ts";

/**
 * The countries that trade by each route: those at its ends and along it. A country without a coast uses the routes of
 * the neighbor whose port it uses. Some were chosen individually: Türkiye only has the two routes that end in its
 * waters.
 */
const served: Readonly<Record<string, string>> = {
  // East and Southeast Asia, most of Europe, and the Mediterranean coast of North Africa.
  "china-europe-suez": `CN JP LK SG MY TH VN KH ID BN LA MM DZ EG LY MA TN
    AL AT BA BE CH CZ DE DK EE ES FI FR GB GR HR HU IE IT LT LU LV ME MK MT NL NO PL PT RS SE SI SK XK`,
  // North America and its Atlantic neighbors, the Caribbean, Western Europe, the Baltic, and West Africa.
  transatlantic: `US CA AG BB BS CU DM DO GD HT JM KN LC TT VC GY SR VE
    BE DE DK EE ES FI FR GB IE IS LT LV NL NO PL PT SE
    CI CV GH GM GN GW LR MA MR NG SL SN ST`,
  // West, Central, and East Africa, and the countries without a coast that use their ports.
  "china-africa": `CN BF BI BJ CD CF CG CI CM AO DJ ER ET GA GH GN GQ KE KM ML NE NG RW SD SN SO SS TD TG TZ UG`,
  // The Gulf, the Red Sea, the Levant, and the countries that import oil from the Gulf.
  "gulf-europe-oil": "AE BH IQ IR KW OM QA SA YE DJ EG ER JO SD IL LB SY CY GR IT MT NL TR",
  // South America on the Atlantic, southern Africa, Oceania.
  "brazil-china-bulk": "AR BR PY UY BW LS MW MZ NA SZ ZA ZM ZW AU FJ NZ PG SB TO VU WS",
  // The countries at the ends of the route around Africa, and southern Africa.
  "asia-europe-cape": "DE HK JP KR PH TH TW VN AO BW LS MG MU MZ NA SZ ZA",
  // South Asia, East Africa, and the islands east of Africa.
  "india-se-asia": "BD IN LK MM MV NP BI KE KM MU MZ RW SC SO TZ UG",
  // The countries on both shores of the Pacific, and the islands between them.
  "china-us-west": "CN US CA MX TW VN PH HK MO MN FM KI MH NR PW TV",
  "gulf-asia-oil": "AE IQ IR KW OM SA CN JP KR SG MY TH ID IN AU",
  // The Black Sea, the Caucasus, the countries behind them, and the countries that import the oil.
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

/** The IDs of each country's routes. Four countries have none, because neither they nor a neighbor has a port. */
export const countryRoutes: ReadonlyMap<string, readonly string[]> = new Map(
  [...coastSides.keys()].map((code) => [
    code,
    tradeRoutes.map(({ id }) => id).filter((id) => (served[id] ?? "").split(/\s+/).includes(code)),
  ]),
);

export const routeTable = { name: "route-table" } as const;
