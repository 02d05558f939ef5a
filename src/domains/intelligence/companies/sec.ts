import { parseValue } from "../../../config/reading.ts";
import { asciiText } from "../../../config/text-types.ts";
import type { SourceTerms } from "../../../ingest/source.ts";
import type { Upstream, UpstreamRequest } from "../../../upstream/upstream.ts";

const contact = { name: "SEC_CONTACT", type: asciiText, secret: "value" } as const;

export const sec = {
  name: "sec",
  license: {
    kind: "open",
    publisher: "US Securities and Exchange Commission",
    terms: "US government, public domain; Securities and Exchange Commission, EDGAR",
  },
  variables: [contact.name],
  // All processes together may send 10 requests per second from an address, so each process sends fewer.
  pace: { spacingMs: 250 },
  access: {
    signUp: "https://www.sec.gov/os/accessing-edgar-data",
    minutes: 1,
    cost: "free, without an account: only a contact is required",
    quota: "10 requests a second",
    terms: "https://www.sec.gov/privacy#security",
    rejection:
      "The user agent has no contact, or the address sent more than 10 requests in a second. SEC_CONTACT must be a web or mail address of yours.",
  },
} as const satisfies SourceTerms;

/** Returns the operator's contact for the request, because the Commission rejects requests without a contact. */
export function declared(upstream: Upstream): Pick<UpstreamRequest, "contact"> {
  return { contact: parseValue(contact, upstream.variable(contact.name)) };
}
