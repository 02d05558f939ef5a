import { z } from "zod";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { type Rejection, rejection } from "../../ingest/source.ts";
import { isoDay } from "../../reference/calendar.ts";
import { countryByName, countryByNumeric } from "../../reference/countries/countries.ts";
import { dayMs } from "../../reference/duration.ts";
import type { Upstream, UpstreamRequest } from "../../upstream/upstream.ts";

const site = "https://acleddata.com";
const pageSize = 5_000;
const maxPages = 20;

/** The terms of a source that requires a licensed ACLED account. */
export const acledTerms = {
  license: {
    kind: "non-commercial",
    publisher: "ACLED",
    terms: "ACLED terms of use, acleddata.com/eula; attribution to ACLED",
  },
  variables: ["ACLED_EMAIL", "ACLED_PASSWORD"],
  access: {
    signUp: "https://acleddata.com/api-documentation/getting-started",
    cost: "free for non-commercial use, by kind of account; commercial use needs a license",
    quota: "no published number",
    terms: "https://acleddata.com/eula",
    rejection:
      "The account can sign in but lacks API access: some users report that an open account is not sufficient. Ask ACLED for API access.",
  },
} as const;

/** Fetches all pages of events of these types from the last `days` days. */
export async function fetchAcled(
  upstream: Upstream,
  { eventTypes, days }: { readonly eventTypes: readonly string[]; readonly days: number },
): Promise<unknown[]> {
  const headers = { authorization: `Bearer ${await accessToken(upstream)}` };
  const [from, to] = [days, 0].map((before) => isoDay(upstream.now.getTime() - before * dayMs));
  const pages: unknown[] = [];
  // If one request names several types, ACLED may return only the last one, so each type has its own request.
  for (const eventType of eventTypes) {
    const others = eventTypes.filter((other) => other !== eventType);
    const query = { event_type: eventType, event_date: `${from}|${to}`, event_date_where: "BETWEEN" };
    pages.push(...(await fetchPages(upstream, { headers, query })).map((page) => withoutTypes(page, others)));
  }
  return pages;
}

async function fetchPages(
  upstream: Upstream,
  { headers, query }: Readonly<Record<"headers" | "query", Readonly<Record<string, string>>>>,
): Promise<Page[]> {
  const seen = new Set<string>();
  const pages: Page[] = [];
  let isWhole = false;
  while (pages.length < maxPages) {
    const search = new URLSearchParams({
      ...query,
      limit: String(pageSize),
      page: String(pages.length + 1),
      _format: "json",
    });
    const page = acledPage(await fetchPage(upstream, { url: `${site}/api/acled/read?${search}`, headers }));
    pages.push(page);
    const rows = page.data;
    const ids = rows.map(acledId).filter((id) => id !== undefined);
    const known = seen.size;
    for (const id of ids) seen.add(id);
    // A page that is not full is the last one. If all IDs of a full page are known, ACLED repeats pages, so the loop
    // ends. If the page has malformed rows, its IDs are incomplete, so the loop continues.
    isWhole = rows.length < pageSize;
    const repeated = ids.length === rows.length && seen.size === known;
    if (isWhole || repeated) break;
  }
  const total = pages.reduce((sum, { data }) => sum + data.length, 0);
  // ACLED's `count` is that of one page or of all pages. A count above the page size must be that of all pages.
  const isCut = pages.some(({ data, count = 0 }) => (count > pageSize ? total : data.length) < count);
  return pages.map((page) => ({ ...page, isWhole: isWhole && !isCut }));
}

async function fetchPage(upstream: Upstream, request: UpstreamRequest): Promise<unknown> {
  try {
    return await upstream.json(request);
  } catch (cause) {
    if (!(cause instanceof UpstreamError) || cause.status !== 403) throw cause;
    throw new UpstreamError(noAccess, { status: 403, cause });
  }
}

/** ACLED returns this 403 after a successful login if the account lacks API access. */
const noAccess =
  "ACLED returned 403: the account lacks API access, which an open account does not have; ask ACLED for it";

const typedSchema = z.object({ event_type: z.string() });

/** Removes events of other types that ACLED returned, because another request fetches them. */
function withoutTypes(page: Page, others: readonly string[]): Page {
  const data = page.data.filter((row) => !others.includes(typedSchema.safeParse(row).data?.event_type ?? ""));
  return { ...page, data };
}

const tokenSchema = z.object({ access_token: z.string().min(1) });

async function accessToken(upstream: Upstream): Promise<string> {
  const form = {
    username: upstream.variable("ACLED_EMAIL"),
    password: upstream.variable("ACLED_PASSWORD"),
    grant_type: "password",
    client_id: "acled",
  };
  const read = tokenSchema.safeParse(await upstream.json({ url: `${site}/oauth/token`, form }));
  if (!read.success) throw new UpstreamError("ACLED returned no access token", { kind: "refused" });
  return read.data.access_token;
}

/** `isWhole` is not from ACLED. It is true if the pages contain all events of their type. */
const pageSchema = z
  .object({ data: z.array(z.unknown()), count: z.int().optional().catch(undefined), isWhole: z.boolean().optional() })
  .loose();

type Page = z.output<typeof pageSchema>;

/** ACLED sends errors with status 200. The error message is in one of these members. */
const complaintSchema = z.union([
  z.object({ message: z.unknown().refine(Boolean) }).transform(({ message }) => message),
  z.object({ error: z.unknown().refine(Boolean) }).transform(({ error }) => error),
  z.object({ success: z.literal(false) }).transform(() => "no success"),
]);

/** ACLED also sends a rejection with status 200, and with 403 in the body. */
const forbidden = z.object({ status: z.literal(403) });

function acledPage(page: unknown): Page {
  const complaint = complaintSchema.safeParse(page);
  if (complaint.success)
    throw new UpstreamError(
      forbidden.safeParse(page).success
        ? noAccess
        : `ACLED rejected the request: ${JSON.stringify(complaint.data).slice(0, 200)}`,
      { kind: "refused" },
    );
  const read = pageSchema.safeParse(page);
  if (!read.success) {
    const reasons = read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new UpstreamError(`ACLED: ${reasons.join("; ")}`);
  }
  return read.data;
}

const idSchema = z.object({ event_id_cnty: z.string().trim().min(1) });

/** Returns the ID of an event. ACLED's other IDs change if the event is revised. */
function acledId(row: unknown): string | undefined {
  return idSchema.safeParse(row).data?.event_id_cnty;
}

/** Parses the pages. If an ID occurs twice, the later, newer row is used. `complete`: no page is missing. */
export function acledRows<R>(
  pages: unknown,
  schema: z.ZodType<R>,
): { readonly rows: ReadonlyMap<string, R>; readonly rejected: Rejection[]; readonly complete: boolean } {
  const rows = new Map<string, R>();
  const rejected: Rejection[] = [];
  const read = z.array(z.unknown()).parse(pages).map(acledPage);
  for (const [place, value] of read.flatMap(({ data }) => data).entries()) {
    const id = acledId(value);
    const row = schema.safeParse(value);
    if (id === undefined) rejected.push({ row: `#${place}`, reason: "has no event_id_cnty" });
    else if (!row.success) rejected.push(rejection(id, row.error));
    else rows.set(id, row.data);
  }
  return { rows, rejected, complete: read.every(({ isWhole }) => isWhole === true) };
}

/** Returns the country of an event, or undefined for an event at sea. */
export function acledCountry({ iso, country }: { readonly iso?: number | null | undefined; readonly country: string }) {
  return countryByNumeric(iso ?? 0) ?? countryByName(country);
}
