import { labelOf } from "../contract/labels.ts";
import type { Violation } from "../errors.ts";
import { headerOf } from "../http/exchange.ts";
import { amountText } from "./view/figures.ts";

type Body = Readonly<Record<string, unknown>>;

interface Rejection {
  readonly text: string;
  readonly problems: ReadonlyMap<string, string>;
}

/** The error of a form that changed nothing. The form is shown again with it. */
export interface RejectedForm extends Rejection {
  readonly action: string;
}

export function messageIn(body: Body): string {
  const { error, message, _jmespath_error: projection } = body;
  const violations = violationsIn(body);
  if (violations.length > 0) return violations.map(({ field, description }) => `${field}: ${description}`).join("; ");
  if (typeof error === "object" && error !== null && "message" in error) return String(error.message);
  return String(message ?? error ?? projection ?? "");
}

function violationsIn({ violations }: Body): readonly Violation[] {
  return Array.isArray(violations) ? violations : [];
}

export function waitIn(headers: readonly string[]): string | undefined {
  const seconds = headerOf(headers, "Retry-After");
  return seconds === undefined ? undefined : `Try again in ${amountText(Number(seconds), "second")}.`;
}

export function rejectionIn(body: Body): Rejection {
  const violations = violationsIn(body);
  if (violations.length === 0) return { text: messageIn(body), problems: new Map() };
  const problems = new Map(
    violations.map(({ field, description }) => [
      fieldIn(field),
      description.replaceAll(/`([\w.]+)`/g, (_, name: string) => `“${labelOf(name)}”`),
    ]),
  );
  const text = [...problems].map(([field, description]) => `${labelOf(field)}: ${description}`).join("; ");
  return { text, problems };
}

/** Returns the name of the form field for a member of a request: `min_value` for `trigger.tenders.minValue`. */
function fieldIn(path: string): string {
  const last = path.replace(/\[.*$/, "").split(".").at(-1) ?? path;
  return last.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
