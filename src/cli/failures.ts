import { Code, ConnectError } from "@connectrpc/connect";
import { ConfigurationError, Unavailable } from "../errors.ts";
import { whyUnreadable } from "../reference/file-failure.ts";
import { printable } from "../reference/printable.ts";

/** Describes an error and how to fix it in one line. Removes the error code that the RPC library adds. */
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

/** Describes the error of a file that cannot be read when a connection opens, such as a certificate of the database. */
function fileText(errors: readonly NodeJS.ErrnoException[]): string | undefined {
  const file = errors.find(({ syscall, path }) => syscall === "open" && path !== undefined);
  if (file) return `${file.path} cannot be opened: ${whyUnreadable(file)}; check the settings that name it`;
  const { code } = errors.find((error) => error.code?.startsWith("ERR_OSSL_")) ?? {};
  return code && `A certificate or key isn't a PEM file (${code}): check the files in DATABASE_URL`;
}

const remedies = new Map([
  [Code.Unauthenticated, "IDS_API_KEY (or IDS_OPERATOR_KEY) must be a key of this service"],
  [Code.PermissionDenied, "the key in IDS_API_KEY may not do this; `ids get get-caller` shows its account"],
]);

const withoutTls = "The host in IDS_URL does not speak TLS: write http:// instead of https://";
/** Descriptions for codes of name servers and TLS libraries, which users would not understand. */
const unreached = new Map([
  ["ENOTFOUND", "The host in IDS_URL has no address: check its name"],
  ["EPROTO", withoutTls],
  ["ERR_SSL_WRONG_VERSION_NUMBER", withoutTls],
]);

/** Describes an error of a request: why the service was not reached, or what the service says and how to fix it. */
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

/** Causes of an error. Errors of Node's connections have the address and port. */
type Cause = NodeJS.ErrnoException & { readonly address?: string; readonly port?: number };

function causesOf({ cause }: Error): Cause[] {
  return cause instanceof Error ? [cause, ...causesOf(cause)] : [];
}

/** Exit codes of `ids`. The documentation's table is generated from them. */
export const exitCodes = {
  done: {
    code: 0,
    commands: "all",
    meaning: "Done. If a reader such as `head` closes its end early, only a backup fails.",
  },
  failed: { code: 1, commands: "all", meaning: "Failed. The error stream says why, and what to change." },
  unready: {
    code: 1,
    commands: "`doctor --check`",
    meaning: "`ids serve` would not start, or a dataset has no data to serve.",
  },
  unrefreshed: {
    code: 1,
    commands: "`ingest`, `sources check`",
    meaning:
      "A dataset got no new data, a response was not as expected, or a named source is not configured. The others were refreshed or checked.",
  },
  late: {
    code: 1,
    commands: "`serve`, `work`",
    meaning: "A part failed permanently, or the shutdown took longer than 10 s.",
  },
  misused: {
    code: 2,
    commands: "all",
    meaning: "Unknown command, option, dataset or source, or a missing or wrong argument. Nothing was run.",
  },
  interrupted: { code: 130, commands: "`serve`, `work`", meaning: "Ended by a second signal, SIGINT (Ctrl-C)." },
  terminated: { code: 143, commands: "`serve`, `work`", meaning: "Ended by a second signal, SIGTERM." },
} as const;
