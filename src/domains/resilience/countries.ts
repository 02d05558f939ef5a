// The third part of the methodology: the countries to score, and constants for some of them.

/** The countries to score: the 193 members of the United Nations, Hong Kong, Macao, and Taiwan. */
export const scoredCountries: readonly string[] = `
  AD AE AF AG AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU
  CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FM FR GA GB GD GE GH GM GN GQ GR GT GW GY HK HN HR HT HU ID IE IL IN
  IQ IR IS IT JM JO JP KE KG KH KI KM KN KP KR KW KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ML MM MN MO MR
  MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NR NZ OM PA PE PG PH PK PL PT PW PY QA RO RS RU RW SA SB SC SD SE SG SI SK SL
  SM SN SO SR SS ST SV SY SZ TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VC VE VN VU WS YE ZA ZM ZW`
  .trim()
  .split(/\s+/);

/** How well English-language sources cover a country. `factor` multiplies the weight of indicators from them. */
export const languages = {
  primary: { factor: 1, countries: "AU CA GB IE NZ SG US" },
  secondary: {
    factor: 0.7,
    countries:
      "AE BB BD BH BW CM CY ET FJ GH GM GY HK IL IN JM JO KE KH KW LK LR LS MT MW MY MM MZ NA NG NP PG PH PK QA RW SL SZ TT TZ UG WS ZA ZM ZW",
  },
  limited: {
    factor: 0.4,
    countries:
      "AM AR AT AZ BE BG BR BY CH CL CN CO CZ DE DK DZ EC EE EG ES FI FR GE GR HR HU ID IQ IR IT JP KR KZ LB LT LV MA MX NL NO PE PL PT RO RS RU SA SE SI SK TH TN TR TW UA UZ VE VN",
  },
  minimal: { factor: 0.2, countries: "" },
} as const;

/** The members of the European Union, whose common tariff the Union reports. */
export const unionCountries = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK";

/** Countries whose gas storage is part of that of the EU, or is filled from it. */
export const gasCountries = `${unionCountries} NO CH IS GB`;

/** Sanctions exclude these countries from Western finance, so their score for financial exposure is capped. */
export const embargo = { countries: "RU BY IR KP CU MM VE LY", cap: 15 } as const;

/** These countries re-export most of their imports. Their reserves are compared only with the imports that they use. */
export const reexportHubs = "AE PA";

/** A sovereign wealth fund: its assets in US$ billions, and its access, liquidity, and transparency from 0 to 1. */
export interface Fund {
  readonly country: string;
  readonly name: string;
  readonly assets: number;
  readonly access: number;
  readonly liquidity: number;
  readonly transparency: number;
}

/** The year to which the approximate assets of the funds refer. */
export const fundYear = 2025;

export const funds: readonly Fund[] = (
  [
    ["NO", "Government Pension Fund Global", 1740, 0.6, 1, 1],
    ["AE", "Abu Dhabi Investment Authority", 1000, 0.4, 0.7, 0.5],
    ["AE", "Mubadala", 300, 0.5, 0.5, 0.7],
    ["AE", "Investment Corporation of Dubai", 320, 0.5, 0.5, 0.4],
    ["AE", "ADQ", 199, 0.5, 0.4, 0.4],
    ["SA", "Public Investment Fund", 900, 0.4, 0.4, 0.3],
    ["KW", "General Reserve Fund", 50, 0.7, 0.8, 0.4],
    ["KW", "Future Generations Fund", 950, 0.2, 0.8, 0.4],
    ["QA", "Qatar Investment Authority", 520, 0.4, 0.6, 0.4],
    ["SG", "GIC", 800, 0.6, 0.9, 0.8],
    ["SG", "Temasek", 290, 0.4, 0.5, 0.9],
    ["CN", "China Investment Corporation", 1350, 0.4, 0.5, 0.3],
    ["CN", "National Council for Social Security Fund", 400, 0.2, 0.5, 0.4],
    ["KR", "Korea Investment Corporation", 182, 0.3, 0.7, 0.7],
    ["OM", "Oman Investment Authority", 50, 0.5, 0.5, 0.5],
    ["BH", "Mumtalakat", 19, 0.4, 0.4, 0.6],
    ["TL", "Petroleum Fund", 22, 0.7, 0.9, 0.9],
    ["AU", "Future Fund", 192, 0.3, 0.5, 0.8],
  ] as const
).map(([country, name, assets, access, liquidity, transparency]) => ({
  country,
  name,
  assets,
  access,
  liquidity,
  transparency,
}));
