import { Code, ConnectError } from "@connectrpc/connect";
import { ConfigurationError, Unavailable } from "../errors.ts";
import { whyUnreadable } from "../reference/file-failure.ts";
import { printable } from "../reference/printable.ts";

/** Describes an error and its remedy in one line, without the prefix of the protocol. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConnectError) return rejectionText(error);
  if (error instanceof ConfigurationError) return error.message;
  return fileText([error, ...causesOf(error)]) ?? unavailableText(error);
}

function unavailableText(error: Error): string {
  return error instanceof Unavailable
    ? `${error.message}: check DATABASE_URL, and that the database runs`
    : error.message;
}

/** Handles files such as the certificates in DATABASE_URL, which are read when a connection opens. */
function fileText(errors: readonly NodeJS.ErrnoException[]): string | undefined {
  const file = errors.find(({ syscall, path }) => syscall === "open" && path !== undefined);
  if (file) return `${file.path} cannot be opened: ${whyUnreadable(file)}; check the settings that name it`;
  const { code } = errors.find((error) => error.code?.startsWith("ERR_OSSL_")) ?? {};
  return code && `A certificate or key isn't a PEM file (${code}): check the files in DATABASE_URL`;
}

const remedies = new Map([
  [Code.Unauthenticated, "IDS_API_KEY (or IDS_OPERATOR_KEY) must be a key of this service"],
  [Code.PermissionDenied, "the key in IDS_API_KEY may not do this; `ids whoami` shows its account"],
]);

/** These codes of name servers and TLS libraries need a translation. */
const unreached = new Map([
  ["ENOTFOUND", "The host in IDS_URL has no address: check its name"],
  ["EPROTO", "The host in IDS_URL does not speak TLS: write http:// instead of https://"],
]);

/** Returns undefined if the text is that of the service. */
function rejectionText(error: ConnectError): string {
  for (const { code = "", address, port } of causesOf(error)) {
    if (code === "ECONNREFUSED" && address !== undefined)
      return `No service responds at ${address}:${port}: start the service, or set PORT or IDS_URL`;
    const text = unreached.get(code);
    if (text !== undefined) return text;
  }
  const remedy = remedies.get(error.code);
  return printable(error.rawMessage) + (remedy === undefined ? "" : `: ${remedy}`);
}

/** Errors of connections contain the address. */
type Cause = NodeJS.ErrnoException & { readonly address?: string; readonly port?: number };

function causesOf({ cause }: Error): Cause[] {
  return cause instanceof Error ? [cause, ...causesOf(cause)] : [];
}
