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

/** What pages say of who runs the service. */
export const operator = {
  operator: {
    name: {
      name: "IDS_OPERATOR_NAME",
      type: anyText,
      meaning: "Who runs this service, as `/about` says it. If not set, the page says that the operator has not said.",
    },
    contact: {
      name: "IDS_OPERATOR_CONTACT",
      type: contact,
      meaning:
        "How the operator is reached, for keys and questions: an e-mail address or a page. `/about` shows it to everybody, and requests to upstreams name it in `User-Agent`. Required with `IDS_GEOCODER_URL`.",
    },
    privacy: {
      name: "IDS_PRIVACY_URL",
      type: webAddress,
      meaning: "The operator's own privacy notice, which `/about` leads to beside what the program itself keeps.",
    },
    prices: {
      name: "IDS_PLAN_PRICES",
      type: mapOf(z.enum(givenPlans), z.string().trim().min(1), `plan=price for the plans ${givenPlans.join(", ")}`),
      default: "",
      meaning:
        "What plans cost, as `/plans` shows it, such as `free=0 EUR,pro_monthly=19 EUR a month`. Text alone: nothing is charged by it.",
    },
  },
} as const satisfies SettingTable;
