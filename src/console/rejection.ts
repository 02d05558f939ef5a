import { labelOf } from "../contract/labels.ts";
import { messageIn, violationsIn } from "./failure-text.ts";

export interface Rejection {
  readonly text: string;
  readonly problems: ReadonlyMap<string, string>;
}

/** A submitted form that changed nothing, so that it is shown again with its error. */
export interface RejectedForm extends Rejection {
  readonly action: string;
}

export function rejectionIn(body: Readonly<Record<string, unknown>>): Rejection {
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

/** Returns `min_value` for `trigger.tenders.minValue`, and `scopes` for `scopes[0]`. */
function fieldIn(path: string): string {
  const last = path.replace(/\[.*$/, "").split(".").at(-1) ?? path;
  return last.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
