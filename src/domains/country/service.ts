import type { ServiceImpl } from "@connectrpc/connect";
import type { CountryService } from "../../../gen/es/ids/country/v1/country_pb.ts";
import { InvalidRequest } from "../../errors.ts";
import { countries } from "../../reference/countries/countries.ts";
import { countryBrief } from "./brief.ts";
import type { CallOperation } from "./part-call.ts";

/** Operations about a country as a whole, made from the operations of the other domains. */
export function country(parts: {
  readonly call: CallOperation;
  readonly clock: () => Date;
}): ServiceImpl<typeof CountryService> {
  return {
    getCountryBrief({ countryCode }, context) {
      const found = countries.get(countryCode);
      if (!found) throw new InvalidRequest([{ field: "country_code", description: `${countryCode} is no country` }]);
      return countryBrief(found, { call: parts.call, context, now: parts.clock() });
    },
  };
}
