import { z } from "zod";
import { givenPlans } from "../../access/plans.ts";
import { isMailAddress } from "../../reference/mail-address.ts";
import type { SettingTable } from "../setting.ts";
import { anyText, isHeaderText, isWebAddress, mapOf } from "../text-types.ts";

const contact = z
  .string()
  .refine((text) => isMailAddress(text) || (isWebAddress(text) && isHeaderText(text)))
  .describe("an e-mail address or an http(s) URL");

const webAddress = z.string().refine(isWebAddress).describe("an http(s) URL");

export const operator = {
  operator: {
    name: {
      name: "IDS_OPERATOR_NAME",
      type: anyText,
      meaning: "Name of the operator, which `/about` shows. If not set, the page says that the operator gave no name.",
    },
    contact: {
      name: "IDS_OPERATOR_CONTACT",
      type: contact,
      meaning:
        "How to contact the operator for keys and questions: an e-mail address or a page. `/about` shows it publicly, and requests to upstreams include it in `User-Agent`. Required with `IDS_GEOCODER_URL`.",
    },
    privacy: {
      name: "IDS_PRIVACY_URL",
      type: webAddress,
      meaning:
        "The operator's privacy notice. `/about` links to it in addition to the data that the program itself stores.",
    },
    prices: {
      name: "IDS_PLAN_PRICES",
      type: mapOf(z.enum(givenPlans), z.string().trim().min(1), `plan=price for the plans ${givenPlans.join(", ")}`),
      default: "",
      meaning:
        "Prices of the plans, as `/plans` shows them, such as `free=0 EUR,pro_monthly=19 EUR a month`. They are only text: the service charges nothing.",
    },
  },
} as const satisfies SettingTable;
