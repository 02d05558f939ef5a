import type { ServiceImpl } from "@connectrpc/connect";
import type { CountryService } from "../../../gen/es/ids/country/v1/country_pb.ts";
import { asOfHeader, startOfPastStep, storedTime } from "../../contract/as-of.ts";
import { asOfKey } from "../../contract/request-context.ts";
import { invalidField } from "../../errors.ts";
import { countries } from "../../reference/countries/countries.ts";
import { countryBrief } from "./brief.ts";
import type { CallOperation } from "./part-state.ts";

export function country(parts: {
  readonly call: CallOperation;
  readonly clock: () => Date;
}): ServiceImpl<typeof CountryService> {
  return {
    getCountryBrief({ countryCode }, context) {
      const found = countries.get(countryCode);
      if (!found) throw invalidField("country_code", `${countryCode} is not a country`);
      const asOf = context.values.get(asOfKey);
      const now = parts.clock().getTime();
      const then = asOf ? storedTime(asOf, now) : now;
      if (asOf) context.responseHeader.set(asOfHeader, new Date(then).toISOString());
      // A past brief ends its time spans at the start of a stored step of time, as responses of that time did.
      return countryBrief(found, { call: parts.call, context, now: new Date(startOfPastStep(then)) });
    },
  };
}
