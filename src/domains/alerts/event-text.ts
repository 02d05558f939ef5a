import type { EventText } from "../../delivery/channels.ts";
import type { DeliveryRow } from "../../delivery/delivery-table.ts";
import { printable } from "../../reference/printable.ts";
import { confirmationType } from "./endpoints/confirmation.ts";

interface KnownData {
  readonly id?: string;
  readonly name?: string;
  readonly code?: string;
  readonly reason?: string;
  readonly ruleName?: string;
  readonly origin?: string;
  readonly changes?: readonly KnownChange[];
  readonly crossings?: readonly KnownCrossing[];
  readonly items?: readonly KnownItem[];
  readonly threshold?: number;
  readonly direction?: string;
}

interface KnownItem {
  readonly title: string;
  readonly valueThen?: number;
  readonly valueNow?: number;
  readonly change?: number;
}

interface KnownChange {
  readonly dataset: string;
  readonly kind: string;
  readonly subject: string;
  readonly country: string;
  readonly before?: object;
  readonly after?: object;
}

interface KnownCrossing {
  readonly series: string;
  readonly key: string;
  readonly at: number;
  readonly value: number;
  readonly previousValue?: number;
}

/** Maximum lines of a message, so that it stays readable. */
const maxLines = 20;
const maxLineLength = 300;

export function eventText({ type, body }: Pick<DeliveryRow, "type" | "body">): EventText {
  const { data }: { readonly data: KnownData } = JSON.parse(body);
  if (type === confirmationType) return confirmationText(data);
  const isInvented = data.origin === "sample" ? ["Sample data: the values are invented."] : [];
  return {
    subject: line(subjectOf(type, data)),
    text: [...isInvented, ...linesOf(type, data)].map(line).join("\n"),
  };
}

function subjectOf(
  type: string,
  { ruleName = "", name = "", id = "", changes = [], crossings = [], items = [] }: KnownData,
) {
  if (type === "rule.test") return `Test of the rule ${name}`;
  if (type === "endpoint.disabled") return `Endpoint disabled: ${name || id}`;
  const count = changes.length + crossings.length + items.length;
  const [one, many] = words[type] ?? [type, type];
  return `${ruleName}: ${count} ${count === 1 ? one : many}`;
}

const words: Readonly<Record<string, readonly [one: string, many: string]>> = {
  "change.matched": ["matching change", "matching changes"],
  "tender.matched": ["matching notice", "matching notices"],
  "dataset.stale": ["dataset stale", "datasets stale"],
  "dataset.degraded": ["dataset degraded", "datasets degraded"],
  "dataset.recovered": ["dataset recovered", "datasets recovered"],
  "series.crossed": ["value past the threshold", "values past the threshold"],
  "series.recovered": ["value recovered", "values recovered"],
  "watchlist.digest": ["change", "changes"],
};

function linesOf(type: string, data: KnownData): string[] {
  if (type === "rule.test") return ["This is a test. Nothing has happened."];
  if (type === "endpoint.disabled")
    return [
      data.reason === "gone" ? "It returned 410." : "A delivery failed on every attempt.",
      "Reactivate it when it works.",
    ];
  const all = [
    ...(data.changes ?? []).map(changeLine),
    ...(data.crossings ?? []).map((each) => crossingLine(each, data)),
    ...(data.items ?? []).map(itemLine),
  ];
  const rest = all.length - maxLines;
  return rest > 0 ? [...all.slice(0, maxLines), `and ${rest} more`] : all;
}

function changeLine({ dataset, kind, subject, country, before, after }: KnownChange): string {
  const values = after ?? before;
  const place = country === "" ? "" : ` (${country})`;
  return [`${dataset}${place}`, kind, subject, values ? JSON.stringify(values) : ""].join(" ").trimEnd();
}

function crossingLine({ series, key, at, value, previousValue }: KnownCrossing, { threshold, direction }: KnownData) {
  const before = previousValue === undefined ? ", first value" : `, before ${previousValue}`;
  return `${series} ${key}: ${value}${before} (${direction} ${threshold}), ${new Date(at).toISOString()}`;
}

function itemLine({ title, valueThen, valueNow, change }: KnownItem): string {
  const signed = change === undefined ? "" : ` (${change > 0 ? "+" : ""}${change}, before ${valueThen})`;
  return `${title}: ${valueNow}${signed}`;
}

/** Returns the mail for a new address. The address may be a stranger's, so the mail has no text of the user. */
function confirmationText({ code = "" }: KnownData): EventText {
  return {
    subject: "Confirm this address",
    text: [
      "A user wants to receive alerts at this address. If it was you, confirm it with the code",
      "",
      `    ${code}`,
      "",
      "If it was not you, do nothing: no other messages will be sent.",
    ].join("\n"),
  };
}

function line(text: string): string {
  return printable(text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text);
}
