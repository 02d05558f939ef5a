import { NotFound } from "../../errors.ts";
import { dayMs } from "../../reference/duration.ts";

export const securityTextPath = "/.well-known/security.txt";

/** A copy of the file must not be trusted longer. RFC 9116 recommends less than a year. */
const validDays = 180;

/**
 * Returns how to report a vulnerability to the operator (RFC 9116). The operator's contact is the only one: an invented
 * address would lose reports. Throws `NotFound` if there is none.
 */
export function securityText(contact: string | undefined, origin: string, day: number): string {
  if (contact === undefined || /^http:/i.test(contact))
    throw new NotFound("No contact for security: the operator sets IDS_OPERATOR_CONTACT to an e-mail or https address");
  return [
    `Contact: ${contact.includes("://") ? contact : `mailto:${contact}`}`,
    `Expires: ${new Date((day + validDays) * dayMs).toISOString()}`,
    // The RFC permits only https.
    ...(origin.startsWith("https:") ? [`Canonical: ${origin}${securityTextPath}`] : []),
    "",
  ].join("\n");
}
