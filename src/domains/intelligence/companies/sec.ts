import { ConfigurationError } from "../../../errors.ts";
import type { SourceTerms } from "../../../ingest/source.ts";
import { userAgent } from "../../../upstream/live.ts";
import type { Upstream } from "../../../upstream/upstream.ts";

/** The US Securities and Exchange Commission: what everything that reads from it says of itself. */
export const sec = {
  name: "sec",
  licence: { kind: "open", terms: "US government, public domain; Securities and Exchange Commission, EDGAR" },
  variables: ["SEC_CONTACT"],
} as const satisfies SourceTerms;

/** The Commission refuses who does not say whom to turn to. */
export function declared(upstream: Upstream): Readonly<Record<string, string>> {
  const contact = upstream.variable("SEC_CONTACT");
  // It is sent in a header.
  if (!/^[\x20-\x7e]+$/.test(contact)) throw new ConfigurationError("SEC_CONTACT must be plain ASCII");
  return { "user-agent": userAgent(contact) };
}
