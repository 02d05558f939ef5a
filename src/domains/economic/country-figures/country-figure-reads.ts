import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { EconomicService } from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import type { ReadAge } from "../../../ingest/read-age.ts";
import type { Served } from "../../../store/served/served.ts";
import { countryMacro, macroAnswer } from "./country-macro.ts";
import { euHousingCycle, housePrices } from "./eu-housing-cycle.ts";
import { indicatorAnswer } from "./eu-indicator.ts";
import { euIndustrialProduction, industrialProduction } from "./eu-industrial-production.ts";
import { euQuarterlyGovDebt, govDebt } from "./eu-quarterly-gov-debt.ts";

/** What operations on figures need. */
export interface FiguresParts {
  readonly served: Served;
  readonly clock: () => Date;
}

type CountryFigures = Pick<
  ServiceImpl<typeof EconomicService>,
  "getCountryMacro" | "getEuHousingCycle" | "getEuQuarterlyGovDebt" | "getEuIndustrialProduction"
>;

/** Figures of countries, answered from memory. */
export function countryFigureReads({ served, clock }: FiguresParts): CountryFigures {
  const at = ({ freshForMinutes }: { readonly freshForMinutes: number }) => ({ freshForMinutes, now: clock() });
  return {
    getCountryMacro(request, context) {
      return kept(
        macroAnswer(served.messageIfAny(countryMacro, context, { flagged: "old" }), request, clock()),
        context,
      );
    },
    getEuHousingCycle(request, context) {
      const stored = served.messageIfAny(euHousingCycle, context, { flagged: "old" })?.data?.housePrices;
      const { age, indicator } = indicatorAnswer(housePrices, stored, request, at(euHousingCycle));
      return kept({ ...age, data: { housePrices: indicator } }, context);
    },
    getEuQuarterlyGovDebt(request, context) {
      const stored = served.messageIfAny(euQuarterlyGovDebt, context, { flagged: "old" })?.data?.govDebtQ;
      const { age, indicator } = indicatorAnswer(govDebt, stored, request, at(euQuarterlyGovDebt));
      return kept({ ...age, data: { govDebtQ: indicator } }, context);
    },
    getEuIndustrialProduction(request, context) {
      const stored = served.messageIfAny(euIndustrialProduction, context, { flagged: "old" })?.data
        ?.industrialProduction;
      const { age, indicator } = indicatorAnswer(industrialProduction, stored, request, at(euIndustrialProduction));
      return kept({ ...age, data: { industrialProduction: indicator } }, context);
    },
  };
}

/** Old figures, and none at all, are kept nowhere: new ones may be there at any moment. */
function kept<Figures extends ReadAge>(answer: Figures, { responseHeader }: HandlerContext): Figures {
  if (answer.stale) responseHeader.set("Cache-Control", "no-store");
  return answer;
}
