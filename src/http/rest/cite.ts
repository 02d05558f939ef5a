import { createHash } from "node:crypto";
import { field as fieldOption } from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { Principal } from "../../access/keys/api-key.ts";
import { allVersionsDays, asOfParameter, readAsOf, storedTime } from "../../contract/as-of.ts";
import { kebab, type Operation } from "../../contract/catalog.ts";
import {
  type CitationForm,
  citationForms,
  citationTypes,
  citeParameter,
  type SourceTerms,
  writeCitation,
} from "../../contract/citation.ts";
import { getOption } from "../../contract/option.ts";
import { namesOf } from "../../contract/request/parameter-names.ts";
import { knownNames } from "../../contract/request/strict.ts";
import { updatedAfterParameter } from "../../contract/updated-after.ts";
import { InvalidRequest, invalidField } from "../../errors.ts";
import { thingsOf } from "../../pages/reference/contents.ts";
import { isoDay } from "../../reference/calendar.ts";
import { dayMs } from "../../reference/duration.ts";
import { type Exchange, headerOf, operationAt, splitTarget } from "../exchange.ts";
import { originOf } from "../origin.ts";
import { noStore } from "./cache-policy.ts";
import { digestOf } from "./encoding.ts";
import type { PreparedResponse } from "./prepared-response.ts";
import { otherParameters } from "./request-decoder.ts";
import { sendOnce } from "./send-once.ts";

/** The history of the data that a read returns, for its citation. */
export interface CitedHistory {
  /** Waits for refreshes that could still change past responses. Returns false if the read has no `as_of`. */
  readonly settle: (operation: Operation) => Promise<boolean>;
  /** Returns for how many days a caller can read the end of a past UTC day. Infinity if there is no limit. */
  readonly historyDays: (principal: Principal | undefined) => number;
}

export interface CiteParts {
  readonly operation: Operation;
  readonly history: CitedHistory;
  /** Returns the licenses of the named sources, or of all sources of the read. */
  readonly licenses: (named?: readonly string[]) => readonly SourceTerms[];
  readonly respond: (query: string) => PreparedResponse | Promise<PreparedResponse>;
}

/** Returns the requested format of a citation; undefined if the request is not for a citation. */
export function citationFormIn(query: string): CitationForm | undefined {
  // The name of the parameter can be percent-encoded.
  const wanted = /cite|%/.test(query) ? new URLSearchParams(query).get(citeParameter) : null;
  if (wanted === null || wanted === "") return undefined;
  const form = citationForms.find((each) => each === wanted);
  if (form) return form;
  throw invalidField(citeParameter, `value must be one of ${citationForms.join(", ")}`);
}

/** Sends the citation of a response: sources, URL with `as_of`, digest, and how long the URL returns these bytes. */
export async function sendCitation(
  exchange: Exchange,
  principal: Principal | undefined,
  { query: given, form }: { readonly query: string; readonly form: CitationForm },
  { operation, history, licenses, respond }: CiteParts,
): Promise<number> {
  const query = citedQuery(operation, given);
  const title = titleOf(operation, query);
  const cited = await setTime(query, exchange.now, { operation, history });
  // The `Accept` header is removed, because the URL in the citation must return the same bytes without it.
  const { accept: _, ...head } = exchange.head;
  exchange.head = head;
  const { identity, readAt } = await respond(query.toString());
  const sha256 = Buffer.from(digestOf(identity.body), "base64");
  const address = originOf(exchange) + exchange.path + (query.size > 0 ? `?${query}` : "");
  const text = writeCitation(form, {
    // The ID is a hash of the URL too, because different requests can have equal responses, and an entry in a
    // bibliography needs a unique ID.
    id: `ids-${kebab(operation.name)}-${createHash("sha256").update(address).update(sha256).digest("hex").slice(0, 8)}`,
    title,
    sources: licenses(headerOf(identity.headers, "X-Data-Sources")?.split(", ")),
    isSample: headerOf(identity.headers, "X-Data-Origin") === "sample",
    readAt: readAt?.toISOString(),
    accessedAt: new Date(exchange.now).toISOString(),
    address,
    sha256: sha256.toString("hex"),
    needsKey: !operation.access.anonymous,
    until: cited && endOf(cited, history.historyDays(principal)),
  });
  return sendOnce(exchange, { headers: [...noStore], body: Buffer.from(text), mediaType: citationTypes[form] });
}

/** Returns the parameters that select the response. Those that the read ignores, such as a key, are not cited. */
function citedQuery(operation: Operation, given: string): URLSearchParams {
  const query = new URLSearchParams(given);
  query.delete(citeParameter);
  const { fields } = operation.method.input;
  const known = knownNames(
    fields.filter((field) => !getOption(field, fieldOption).ignored),
    otherParameters(operation),
  );
  for (const name of new Set(query.keys())) if (!known.has(name)) query.delete(name);
  const hasOwnUpdates = fields.some(({ name }) => name === updatedAfterParameter);
  requireAbsent(query, ["all", ...(hasOwnUpdates ? [] : [updatedAfterParameter])]);
  return query;
}

/** Sets `as_of` in the query. For rows of another read, whose URL is the parameter `path`, sets it in that URL. */
async function setTime(
  query: URLSearchParams,
  now: number,
  { operation, history }: Pick<CiteParts, "operation" | "history">,
): Promise<CitedTime | undefined> {
  const target = query.get("path") ?? "";
  const rows = operationAt(target);
  const { path, query: rowQuery } = splitTarget(target);
  const timed = rows ? new URLSearchParams(rowQuery) : query;
  const cited = await citedTime(timed, now, () => history.settle(rows ?? operation));
  for (const name of namesOf(asOfParameter)) timed.delete(name);
  if (cited) timed.set(asOfParameter, cited.text);
  if (rows) query.set("path", timed.size > 0 ? `${path}?${timed}` : path);
  return cited;
}

/** Throws `InvalidRequest` for parameters whose response changes over time. */
function requireAbsent(query: URLSearchParams, names: readonly string[]): void {
  const given = names.filter((name) => namesOf(name).some((each) => (query.get(each) ?? "false") !== "false"));
  if (given.length > 0)
    throw new InvalidRequest(
      given.map((field) => ({ field, description: `value must be absent with ${citeParameter}` })),
    );
}

interface CitedTime {
  readonly text: string;
  readonly at: number;
  readonly isDay: boolean;
}

/**
 * Returns a time whose response stays the same. Without a requested time, or for a day that has not ended, this is the
 * time of the request. After seven days, only the ends of UTC days are stored.
 */
async function citedTime(
  query: URLSearchParams,
  now: number,
  settle: () => Promise<boolean>,
): Promise<CitedTime | undefined> {
  const [given] = namesOf(asOfParameter).flatMap((name) => query.get(name) || []);
  const wanted = given === undefined ? undefined : readAsOf(given);
  if (!wanted || (wanted.isDay && wanted.at > now && wanted.at - dayMs <= now)) {
    return (await settle()) ? { text: new Date(now).toISOString(), at: now, isDay: false } : undefined;
  }
  const at = storedTime(wanted, now);
  const isDay = wanted.isDay || at !== wanted.at;
  return { text: isDay ? isoDay(at) : new Date(at).toISOString(), at, isDay };
}

function endOf({ at, isDay }: CitedTime, historyDays: number): string | "forever" {
  const days = isDay ? historyDays : Math.min(historyDays, allVersionsDays);
  return days === Number.POSITIVE_INFINITY ? "forever" : new Date(at + days * dayMs).toISOString();
}

/** Returns a title: what the rows are, and the parameters that select them. */
function titleOf(operation: Operation, query: URLSearchParams): string {
  const things = thingsOf(operation);
  const selected = [...query].flatMap(([name, value]) =>
    name === asOfParameter || value === "" ? [] : `${name} ${value}`,
  );
  return selected.length === 0 ? things : `${things} (${selected.join(", ")})`;
}
