import type { SettingTable } from "../setting.ts";
import { anyText, baseUrl } from "../text-types.ts";

export const client = {
  url: {
    name: "IDS_URL",
    type: baseUrl.describe("the address of a running service, such as http://127.0.0.1:8080"),
    meaning: "Service that the account commands call. If not set, `http://127.0.0.1` on `PORT`.",
    secret: "password",
  },
  apiKey: {
    name: "IDS_API_KEY",
    type: anyText,
    meaning: "API key of the account commands. If not set, `IDS_OPERATOR_KEY`.",
    secret: "value",
  },
} as const satisfies SettingTable;
