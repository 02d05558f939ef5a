import { Code, ConnectError } from "@connectrpc/connect";
import { z } from "zod";
import { flagOf } from "./read-options.ts";

const told = z.object({
  violations: z.array(z.object({ field: z.string(), description: z.string() })).optional(),
  message: z.string().optional(),
  error: z.union([z.string(), z.object({ message: z.string() })]).optional(),
  _jmespath_error: z.string().optional(),
});

const codes = new Map([
  [401, Code.Unauthenticated],
  [403, Code.PermissionDenied],
]);

/** What an answer that is no success says, in the words of the command line. */
export async function refusal(response: Response): Promise<ConnectError> {
  const { status } = response;
  const words = wordsOf(await response.text().catch(() => ""));
  return new ConnectError(`${words ?? "The request was refused"} (${status})`, codes.get(status) ?? Code.Unknown);
}

function wordsOf(text: string): string | undefined {
  const { success, data } = told.safeParse(parsed(text));
  if (!success) return undefined;
  const { violations, message, error, _jmespath_error: projection } = data;
  if (violations) return violations.map(({ field, description }) => `${flagOf(field)}: ${description}`).join("; ");
  if (projection !== undefined) return `${flagOf("jmespath")}: ${projection}`;
  return message ?? (typeof error === "object" ? error.message : error);
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
