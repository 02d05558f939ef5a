import { rounded } from "../../../reference/rounding.ts";
import { total } from "../../../reference/sums.ts";
import { embargo } from "../countries.ts";
import { type CountryData, type Inputs, sourcesOf } from "../country-data.ts";
import { derived, type Indicator, type IndicatorScore } from "./indicator.ts";
import { clamped, exactScore } from "./scale.ts";
import { finance, imputations } from "./structure.ts";

const claimsLine = {
  points: [
    [0, 30],
    [5, 75],
    [25, 100],
    [60, 45],
    [80, 35],
  ],
} as const;

export const financialIndicators: readonly Indicator[] = [
  derived(
    "shortTermExternalDebtPctGni",
    0.35,
    ["shortTermDebt", "gni"],
    "shortTermDebt / gni × 100",
    [15, 0],
    debtPctGni,
  ),
  derived(
    "bisLbsXborderPctGdp",
    0.3,
    ["bankClaims", "gdp"],
    "sum of bankClaims / gdp × 100; of the score the part above 75 × score of financialCenterRedundancy / 100",
    claimsLine,
    claimsPctGdp,
  ),
  derived(
    "fatfListingStatus",
    0.2,
    ["fatfListing"],
    "0 if it is on no list",
    {
      points: [
        [0, 100],
        [1, 55],
        [2, 0],
      ],
    },
    (data, inputs) => (inputs.countryCount("fatfListing") === 0 ? undefined : (data.value("fatfListing") ?? 0)),
  ),
  derived(
    "financialCenterRedundancy",
    0.15,
    ["bankClaims", "gdp"],
    "home countries of banks with claims above 1 % of gdp",
    [1, 10],
    homesOf,
  ),
];

function debtPctGni(data: CountryData): number | undefined {
  const [debt, gni] = [data.value("shortTermDebt"), data.value("gni")];
  return debt === undefined || !gni ? undefined : (debt / gni) * 100;
}

/** Returns the claims of banks on the country by home country of the banks, in percent of GDP. */
function claims(data: CountryData): number[] | undefined {
  const gdp = data.value("gdp");
  const reported = data.readings("bankClaims");
  if (!gdp || reported.length === 0) return undefined;
  const newest = [...Map.groupBy(reported, ({ series }) => series).values()].flatMap(([reading]) => reading ?? []);
  return newest.map(({ value }) => (value / gdp) * 100);
}

function claimsPctGdp(data: CountryData): number | undefined {
  const known = claims(data);
  return known && total(known);
}

function homesOf(data: CountryData): number | undefined {
  return claims(data)?.filter((percent) => percent > finance.homeFromPct).length;
}

/** Returns the score for foreign claims. A high score counts in full only if many home countries share them. */
export function claimsScore(percent: number, redundancy: number | undefined): number {
  const score = exactScore(claimsLine, percent);
  const premium = Math.max(0, score - finance.premiumAbove);
  return clamped(rounded(score - premium + (premium * (redundancy ?? 0)) / 100), 0, 100);
}

export function hasFinance(countryInputs: Inputs): boolean {
  return financialIndicators.every(({ inputs }) => inputs.every((input) => sourcesOf(countryInputs, input).length > 0));
}

export function adjusted(slots: readonly IndicatorScore[], data: CountryData, inputs: Inputs): IndicatorScore[] {
  const find = (id: string) => slots.find(({ indicator }) => indicator.id === id);
  const [debt, claimed, listing, redundancy] = financialIndicators.map(({ id }) => find(id));
  if (!debt || !claimed || !listing || !redundancy) return [...slots];
  const { debtPct, claimsPct, share } = finance.constrained;
  const isConstrained =
    debt.value !== undefined &&
    debt.value <= debtPct &&
    claimed.value !== undefined &&
    claimed.value < claimsPct &&
    redundancy.value === 0;
  const isIncomplete = inputs.seriesCount("bankClaims") < finance.homes;
  const isOnly = [debt, claimed, redundancy].every(({ score }) => score === undefined);
  const byAbsence = data.value("fatfListing") === undefined;
  return [
    debtSlot(debt, data, isConstrained ? share : 1),
    claimed.value === undefined
      ? claimed
      : {
          ...claimed,
          score: claimsScore(claimed.value, redundancy.score),
          certainty: isIncomplete ? finance.certaintyOfIncomplete : 1,
        },
    isOnly && byAbsence && !isEmbargoed(data) ? without(listing) : listing,
    redundancy,
  ];
}

function debtSlot(slot: IndicatorScore, data: CountryData, share: number): IndicatorScore {
  if (slot.score !== undefined) return { ...slot, weight: slot.weight * share, certainty: slot.certainty * share };
  const isUnreported = data.value("debtNotReported") === 1 && data.readings("bankClaims").length > 0;
  const { score, certainty } = imputations.debtNotReported;
  return isUnreported ? { ...slot, score, certainty, imputation: "debtNotReported" } : slot;
}

function without({ indicator, weight, factor }: IndicatorScore): IndicatorScore {
  return { indicator, weight, factor, certainty: 0 };
}

export function capped(score: number, data: CountryData): number {
  return isEmbargoed(data) ? Math.min(score, embargo.cap) : score;
}

function isEmbargoed({ country }: CountryData): boolean {
  return embargo.countries.split(" ").includes(country);
}
