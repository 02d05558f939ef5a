import {
  conflictPerMillion,
  conflictPressure,
  debtGrowth,
  debtSustainabilityGap,
  debtToReserves,
  farmGap,
  fundMonths,
  gasStress,
  governanceMean,
  importedFossils,
  liquidMonths,
  log10,
  partnersCertainty,
  schoolingCertainty,
  severity,
  tenth,
  tradeExposure,
} from "./derived.ts";
import { financialIndicators } from "./financial-exposure.ts";
import { derived, direct, type Indicator, type Line, missing } from "./indicator.ts";
import type { DimensionId } from "./structure.ts";

// The fourth part of the methodology: the indicators of each dimension. Those of financial exposure are in
// financial-exposure.ts.

const displacement: Line = [7, 0];
const wgi: Line = [-2.5, 2.5];
const conflict = ["conflictEvents", "conflictKinds", "conflictDeaths"] as const;
const sixth = 1 / 6;
const perThousand = "per 1,000 people: a tenth";

export const indicators: Readonly<Record<DimensionId, readonly Indicator[]>> = {
  macroFiscal: [
    direct("govRevenuePct", 0.4, "govRevenue", [5, 45]),
    derived("debtGrowthRate", 0.2, ["debt"], "max(0, % change of debt over the year)", [20, 0], debtGrowth),
    direct("currentAccountPct", 0.2, "currentAccount", [-20, 20]),
    direct("unemploymentPct", 0.15, "unemployment", [25, 3]),
    direct("householdDebtService", 0.05, "householdDebtService", [20, 0]),
  ],
  currencyExternal: [
    direct("inflationStability", 0.6, "inflation", {
      points: [
        [-5, 0],
        [1, 100],
        [3, 100],
        [50, 0],
      ],
    }),
    direct("fxReservesAdequacy", 0.4, "reserveMonths", [1, 12]),
  ],
  tradePolicy: [
    derived(
      "tradeRestrictions",
      0.3,
      ["mfnTariff"],
      "mfnTariff > 10: 2, > 5: 1, else 0",
      [2, 0],
      (data) => severity(data.value("mfnTariff")),
      { absent: "noWtoReporter" },
    ),
    derived(
      "tradeBarriers",
      0.3,
      ["mfnAgricultural", "mfnOther"],
      "mfnAgricultural − mfnOther > 10: 2, > 5: 1, else 0",
      [2, 0],
      (data) => severity(farmGap(data)),
      { absent: "noWtoReporter" },
    ),
    direct("appliedTariffRate", 0.4, "appliedTariff", [20, 0]),
  ],
  financialSystemExposure: financialIndicators,
  cyberDigital: [
    missing("cyberThreats", 0.45, [25, 0], "Threat lists name hosts, and none may be stored by country"),
    direct("internetOutages", 0.35, "outages", [20, 0]),
    missing("gpsJamming", 0.2, [20, 0], "The terms of the map of jammed navigation do not permit access by programs"),
  ],
  logisticsSupply: [
    direct("roadsPavedLogistics", 0.5, "pavedRoads", [0, 100]),
    missing("shippingStress", 0.25, [100, 0], "There is no open index of stress in shipping"),
    derived(
      "transitDisruption",
      0.25,
      ["transitDisruption", "tradeShare"],
      "transitDisruption; of the score the share min(tradeShare / 50, 1) counts, the rest is 100",
      [30, 0],
      (data) => (tradeExposure(data) === undefined ? undefined : data.value("transitDisruption")),
      { exposure: tradeExposure },
    ),
  ],
  infrastructure: [
    direct("electricityAccess", 0.3, "electricityAccess", [40, 100]),
    direct("roadsPavedInfra", 0.3, "pavedRoads", [0, 100]),
    direct("infraOutages", 0.25, "outages", [20, 0]),
    direct("broadband", 0.15, "broadband", [0, 40]),
  ],
  energy: [
    derived(
      "importedFossilDependence",
      0.35,
      ["fossilShare", "energyImports"],
      "fossilShare × max(energyImports, 0) / 100",
      [100, 0],
      importedFossils,
    ),
    direct("lowCarbonGenerationShare", 0.2, "lowCarbonShare", [0, 80]),
    direct("powerLossesPct", 0.2, "powerLosses", [25, 3]),
    derived("euGasStorageStress", 0.1, ["gasFill"], "clamp((80 − gasFill) / 80, 0, 1) × 100", [100, 0], gasStress),
    missing("energyPriceStress", 0.15, [25, 0], "No energy prices are stored"),
  ],
  governanceInstitutional: [
    direct("wgiVoiceAccountability", sixth, "voice", wgi),
    direct("wgiPoliticalStability", sixth, "stability", wgi),
    direct("wgiGovernmentEffectiveness", sixth, "effectiveness", wgi),
    direct("wgiRegulatoryQuality", sixth, "regulation", wgi),
    direct("wgiRuleOfLaw", sixth, "ruleOfLaw", wgi),
    direct("wgiControlOfCorruption", sixth, "corruption", wgi),
  ],
  socialCohesion: [
    missing("gpiScore", 0.55, [3.6, 1], "The terms of the Global Peace Index do not permit this use"),
    derived(
      "displacementTotal",
      0.25,
      ["displaced"],
      "log10(displaced)",
      displacement,
      (data) => log10(data.value("displaced")),
      { absent: "noDisplacedRow" },
    ),
    missing("unrestEvents", 0.2, [10, 0], "Protests are available for few countries only"),
  ],
  borderSecurity: [
    derived(
      "ucdpConflict",
      0.65,
      [...conflict, "population"],
      "(2·conflictEvents + conflictKinds + √conflictDeaths) / max(population in millions, 0.5)",
      [15, 0],
      conflictPerMillion,
    ),
    derived(
      "displacementHosted",
      0.35,
      ["hosted", "displaced"],
      "log10(hosted, else displaced)",
      displacement,
      (data) => log10(data.value("hosted") ?? data.value("displaced")),
      { absent: "noHostedRow" },
    ),
  ],
  informationCognitive: [
    missing("rsfPressFreedom", 0.55, [100, 0], "The terms of the Press Freedom Index do not permit this use"),
    missing("socialVelocity", 0.15, [3, 0], "The terms of social networks do not permit this use", {
      byLanguage: true,
    }),
    missing("newsThreatScore", 0.3, [20, 0], "News are read by topic and company, not by country", {
      byLanguage: true,
    }),
  ],
  education: [
    direct(
      "femaleUpperSecondaryAttainment",
      1,
      "schooling",
      {
        points: [
          [0, 0],
          [85, 92],
          [100, 100],
        ],
      },
      { certainty: schoolingCertainty },
    ),
  ],
  healthPublicService: [
    direct("uhcIndex", 0.35, "uhcIndex", [40, 90]),
    direct("measlesCoverage", 0.25, "measlesCoverage", [50, 99]),
    derived("hospitalBeds", 0.1, ["hospitalBeds"], perThousand, [0, 8], (data) => tenth(data.value("hospitalBeds"))),
    derived("physiciansPer1k", 0.15, ["physicians"], perThousand, [0, 5], (data) => tenth(data.value("physicians"))),
    direct("healthExpPerCapitaUsd", 0.15, "healthSpending", [20, 3000]),
  ],
  foodWater: [
    derived(
      "ipcPeopleInCrisis",
      0.45,
      ["foodCrisisPeople"],
      "log10(foodCrisisPeople)",
      displacement,
      (data) => log10(data.value("foodCrisisPeople")),
      { absent: "noFoodCrisisRecord" },
    ),
    direct("ipcPhase", 0.15, "foodCrisisPhase", [5, 1], { absent: "noFoodCrisisRecord" }),
    direct("aquastatScore", 0.4, "waterStress", [100, 0]),
  ],
  fiscalSpace: [
    direct("recoveryGovRevenue", 0.25, "govRevenue", [5, 45]),
    direct("recoveryFiscalBalance", 0.2, "fiscalBalance", [-15, 5]),
    direct("recoveryDebtToGdp", 0.2, "debt", [150, 0]),
    derived(
      "debtSustainabilityGap",
      0.35,
      ["debt", "fiscalBalance", "primaryBalance", "growth", "inflation"],
      "primaryBalance − ((r − g) / (1 + g))·debt; g = (1 + growth)(1 + inflation) − 1, r = max(0, (primaryBalance − fiscalBalance) / debt); unknown above 10 % inflation",
      [-5, 3],
      debtSustainabilityGap,
    ),
  ],
  reserveAdequacy: [],
  externalDebtCoverage: [
    derived(
      "recoveryDebtToReserves",
      1,
      ["shortTermDebt", "reserves"],
      "shortTermDebt / reserves; a debt of 0 counts as unknown",
      [2, 0],
      debtToReserves,
    ),
  ],
  importConcentration: [
    derived(
      "recoveryImportHhi",
      1,
      ["importHhi"],
      "importHhi × 10,000",
      [5000, 0],
      (data) => {
        const hhi = data.value("importHhi");
        return hhi === undefined ? undefined : hhi * 10_000;
      },
      { certainty: partnersCertainty },
    ),
  ],
  stateContinuity: [
    derived(
      "recoveryWgiContinuity",
      0.5,
      ["voice", "stability", "effectiveness", "regulation", "ruleOfLaw", "corruption"],
      "mean of the known values",
      wgi,
      governanceMean,
    ),
    derived(
      "recoveryConflictPressure",
      0.3,
      conflict,
      "2·conflictEvents + conflictKinds + √conflictDeaths",
      [30, 0],
      conflictPressure,
    ),
    derived("recoveryDisplacementVelocity", 0.2, ["displaced"], "log10(displaced)", displacement, (data) =>
      log10(data.value("displaced")),
    ),
  ],
  fuelStockDays: [],
  liquidReserveAdequacy: [
    derived(
      "recoveryLiquidReserveMonths",
      1,
      ["reserveMonths", "reexportShare"],
      "min(reserveMonths, 12) / (1 − reexportShare); the divisor applies only to re-export hubs",
      [1, 12],
      liquidMonths,
    ),
  ],
  sovereignFiscalBuffer: [
    derived(
      "recoverySovereignWealthEffectiveMonths",
      1,
      ["usableFunds", "imports"],
      "12 × sum of usableFunds / imports",
      { filling: 12 },
      fundMonths,
    ),
  ],
};
