import { NotFound } from "../../errors.ts";
import { dayMs } from "../../reference/duration.ts";

export const securityTextPath = "/.well-known/security.txt";

/** Days for which a copy of the file may be trusted. RFC 9116 recommends less than a year. */
const validDays = 180;

/**
 * Returns how to report a vulnerability to the operator (RFC 9116). It names only the operator's contact, because
 * reports to an invented address would be lost. Throws `NotFound` if no contact is set.
 */
export function securityText(contact: string | undefined, origin: string, day: number): string {
  if (contact === undefined || /^http:/i.test(contact))
    throw new NotFound("No contact for security: the operator sets IDS_OPERATOR_CONTACT to an e-mail or https address");
  return [
    `Contact: ${contact.includes("://") ? contact : `mailto:${contact}`}`,
    `Expires: ${new Date((day + validDays) * dayMs).toISOString()}`,
    // RFC 9116 permits only https in this field.
    ...(origin.startsWith("https:") ? [`Canonical: ${origin}${securityTextPath}`] : []),
    "",
  ].join("\n");
}
