import type { ServiceImpl } from "@connectrpc/connect";
import type { CountryService } from "../../../gen/es/ids/country/v1/country_pb.ts";
import { asOfHeader, storedTime } from "../../contract/as-of.ts";
import { asOfKey } from "../../contract/request-context.ts";
import { InvalidRequest } from "../../errors.ts";
import { countries } from "../../reference/countries/countries.ts";
import { countryBrief } from "./brief.ts";
import type { CallOperation } from "./part-call.ts";

export function country(parts: {
  readonly call: CallOperation;
  readonly clock: () => Date;
}): ServiceImpl<typeof CountryService> {
  return {
    getCountryBrief({ countryCode }, context) {
      const found = countries.get(countryCode);
      if (!found) throw new InvalidRequest([{ field: "country_code", description: `${countryCode} is not a country` }]);
      const asOf = context.values.get(asOfKey);
      const now = parts.clock();
      if (!asOf) return countryBrief(found, { call: parts.call, context, now });
      const then = new Date(storedTime(asOf, now.getTime()));
      context.responseHeader.set(asOfHeader, then.toISOString());
      return countryBrief(found, { call: parts.call, context, now: then });
    },
  };
}
