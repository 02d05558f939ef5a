import { parseValue } from "../../../config/reading.ts";
import { asciiText } from "../../../config/text-types.ts";
import type { SourceTerms } from "../../../ingest/source.ts";
import { userAgent } from "../../../upstream/live.ts";
import type { Upstream } from "../../../upstream/upstream.ts";

const contact = { name: "SEC_CONTACT", type: asciiText, secret: "value" } as const;

/** The US Securities and Exchange Commission: what everything that reads from it says of itself. */
export const sec = {
  name: "sec",
  licence: { kind: "open", terms: "US government, public domain; Securities and Exchange Commission, EDGAR" },
  variables: [contact.name],
} as const satisfies SourceTerms;

/** The Commission refuses who does not say whom to turn to. */
export function declared(upstream: Upstream): Readonly<Record<string, string>> {
  return { "user-agent": userAgent(parseValue(contact, upstream.variable(contact.name))) };
}
