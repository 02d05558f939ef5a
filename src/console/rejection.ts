import { messageIn, violationsIn } from "./failure-text.ts";
import { labelOf } from "./view/labels.ts";

/** Why a request was refused, for the form that sent it. */
export interface Rejection {
  readonly text: string;
  /** What is wrong, by the name of the form's field. */
  readonly problems: ReadonlyMap<string, string>;
}

/** A form that changed nothing, as it is shown again. */
export interface RejectedForm extends Rejection {
  readonly action: string;
}

export function rejectionIn(body: Readonly<Record<string, unknown>>): Rejection {
  const violations = violationsIn(body);
  if (violations.length === 0) return { text: messageIn(body), problems: new Map() };
  const problems = new Map(violations.map(({ field, description }) => [fieldIn(field), inLabels(description)]));
  const text = [...problems].map(([field, description]) => `${labelOf(field)}: ${description}`).join("; ");
  return { text, problems };
}

/** Fields are named as the form does. */
function inLabels(description: string): string {
  return description.replaceAll(/`([\w.]+)`/g, (_, name: string) => `“${labelOf(name)}”`);
}

/** `trigger.tenders.minValue` as `min_value`, `scopes[0]` as `scopes`. */
function fieldIn(path: string): string {
  const last = path.replace(/\[.*$/, "").split(".").at(-1) ?? path;
  return last.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
