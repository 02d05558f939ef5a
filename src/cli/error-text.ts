import { Code, ConnectError } from "@connectrpc/connect";
import { Unavailable } from "../errors.ts";
import { printable } from "../reference/printable.ts";

/** What went wrong and what helps, in one line; of a service's refusal without the protocol's own words. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Unavailable) return `${error.message}: check DATABASE_URL, and that the database runs`;
  if (error instanceof ConnectError) return refusalText(error);
  return error.message;
}

const remedies = new Map([
  [Code.Unauthenticated, "IDS_API_KEY (or IDS_OPERATOR_KEY) must be a key of this service"],
  [Code.PermissionDenied, "the key in IDS_API_KEY may not do this; `ids whoami` shows whose it is"],
]);

/** The words are the service's, which may be any. */
function refusalText({ rawMessage, code, cause }: ConnectError): string {
  if (cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED")
    return "No service responds: start the service, or set IDS_URL";
  const remedy = remedies.get(code);
  return printable(rawMessage) + (remedy === undefined ? "" : `: ${remedy}`);
}
