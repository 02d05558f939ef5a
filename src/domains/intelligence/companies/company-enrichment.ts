import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  EarningsSurpriseSchema,
  GetCompanyEnrichmentRequest,
  GetCompanyEnrichmentResponseSchema,
  HackerNewsMentionSchema,
  NewsMentionSchema,
} from "../../../../gen/es/ids/intelligence/v1/enrichment_pb.ts";
import { IntelligenceService } from "../../../../gen/es/ids/intelligence/v1/intelligence_pb.ts";
import type { ListedCompany } from "../../../../gen/es/ids/stored/v1/company_pb.ts";
import { fetchLive, type LookupOutcome, type LookupParts } from "../../../ingest/fetch-live.ts";
import type { LiveSource } from "../../../ingest/source.ts";
import { hourMs, minuteMs } from "../../../reference/duration.ts";
import { webAddress } from "../fields.ts";
import { fetchEarnings, fetchProfile, finnhub, type Profile } from "./finnhub.ts";
import { fetchMentions, hackerNews } from "./hacker-news.ts";
import { sec } from "./sec.ts";
import { fetchSubmissions, type Submissions } from "./sec-submissions.ts";

/** The outcome of one part of the response. `partial`: some of its sources could not be read. */
export type Outcome<Value> = LookupOutcome<Value> & { readonly partial?: boolean };

interface CompanyParts {
  readonly submissions: Outcome<Submissions>;
  readonly profile: Outcome<Profile | undefined>;
  readonly earnings: Outcome<readonly MessageInitShape<typeof EarningsSurpriseSchema>[]>;
  readonly stories: Outcome<readonly MessageInitShape<typeof HackerNewsMentionSchema>[]>;
}

const serves = [IntelligenceService.method.getCompanyEnrichment] as const;

export const companyLookups: readonly LiveSource[] = [sec, finnhub, hackerNews].map((source) => ({
  ...source,
  serves,
}));

const unknownTtlMs = 5 * minuteMs;

/** Returns a function that reads all parts of a company concurrently. Responses are cached, failures are not. */
export function companyParts(parts: LookupParts): (company: ListedCompany) => Promise<CompanyParts> {
  // EDGAR accepts 10 requests per second from an address, which refreshes and other processes use too.
  const ofSec = fetchLive(parts, sec, { max: 5, withinMs: 1_000, timeoutMs: 10_000 });
  const ofFinnhub = fetchLive(parts, finnhub, { max: 30, withinMs: minuteMs, timeoutMs: 6_000 });
  const ofHackerNews = fetchLive(parts, hackerNews, { max: 150, withinMs: minuteMs, timeoutMs: 6_000 });
  const submissions = ofSec((upstream, { cik }: ListedCompany, request) => fetchSubmissions(upstream, cik, request), {
    key: ({ cik }) => cik,
    ttlMs: (found) => (found ? 6 * hourMs : unknownTtlMs),
  });
  const profile = ofFinnhub((upstream, { ticker }: ListedCompany, request) => fetchProfile(upstream, ticker, request), {
    key: ({ ticker }) => ticker,
    ttlMs: () => 24 * hourMs,
  });
  const earnings = ofFinnhub(
    (upstream, { ticker }: ListedCompany, request) => fetchEarnings(upstream, ticker, request),
    {
      key: ({ ticker }) => ticker,
      ttlMs: () => 12 * hourMs,
    },
  );
  const stories = ofHackerNews(
    (upstream, { title }: ListedCompany, request) => fetchMentions(upstream, title, request),
    {
      key: ({ title }) => title,
      ttlMs: () => 20 * minuteMs,
    },
  );
  return async (company) => {
    const [filer, ...rest] = await Promise.all([
      submissions(company),
      profile(company),
      earnings(company),
      stories(company),
    ]);
    return { submissions: known(filer), profile: rest[0], earnings: rest[1], stories: rest[2] };
  };
}

/** Changes the outcome for a company without an entry in EDGAR to a failure. */
function known(outcome: Outcome<Submissions | undefined>): Outcome<Submissions> {
  if (outcome.state !== "read") return outcome;
  return outcome.value ? { ...outcome, value: outcome.value } : { state: "failed" };
}

type Enrichment = MessageInitShape<typeof GetCompanyEnrichmentResponseSchema>;

export interface EnrichmentParts extends CompanyParts {
  readonly news: Outcome<readonly MessageInitShape<typeof NewsMentionSchema>[]>;
}

/** Returns a response without data for a request by domain, because companies cannot be looked up by domain. */
export function stub({ name, domain }: GetCompanyEnrichmentRequest, now: Date): Enrichment {
  return { company: { name, domain, website: `https://${domain}` }, enrichedAtMs: BigInt(now.getTime()) };
}

/** Returns the response without data for an unknown company, or if the register of companies is unavailable. */
export function withoutCompany({ name, ticker }: GetCompanyEnrichmentRequest, now: Date): Enrichment {
  return { company: { name, ticker }, enrichedAtMs: BigInt(now.getTime()) };
}

export function enrichment({ cik, ticker, title }: ListedCompany, parts: EnrichmentParts): Enrichment {
  const { submissions, profile, earnings, news, stories } = parts;
  const outcomes = Object.values<Outcome<unknown>>({ submissions, profile, earnings, news, stories });
  const filer = valueIn(submissions);
  const website = httpsAddress(filer?.website ?? "") || (valueIn(profile)?.website ?? "");
  const market = valueIn(profile)?.market;
  return {
    company: {
      name: filer?.name || title,
      domain: website && new URL(website).hostname.replace(/^www\./, ""),
      description: filer?.description ?? "",
      location: filer?.location ?? "",
      website,
      cik,
      ticker,
    },
    ...(filer ? { secFilings: filer.filings } : {}),
    ...(market ? { market } : {}),
    earningsSurprises: [...(valueIn(earnings) ?? [])],
    newsMentions: [...(valueIn(news) ?? [])],
    hackerNewsMentions: [...(valueIn(stories) ?? [])],
    sources: Object.entries({
      sec_edgar: [submissions],
      finnhub: [profile, earnings],
      news: [news],
      hacker_news: [stories],
    })
      .filter(([, read]) => read.some(({ state }) => state === "read"))
      .map(([source]) => source),
    enrichedAtMs: oldest(outcomes),
    unavailable: outcomes.every(({ state }) => state !== "read"),
  };
}

export function isPartial(parts: EnrichmentParts): boolean {
  return Object.values<Outcome<unknown>>({ ...parts }).some((outcome) =>
    outcome.state === "read" ? outcome.partial : outcome.state === "failed",
  );
}

function valueIn<Value>(outcome: Outcome<Value>): Value | undefined {
  return outcome.state === "read" ? outcome.value : undefined;
}

/** Returns the read time of the oldest part. 0 if no part was read. */
function oldest(outcomes: readonly Outcome<unknown>[]): bigint {
  const times = outcomes.flatMap((outcome) => (outcome.state === "read" ? [outcome.fetchedAt.getTime()] : []));
  return times.length === 0 ? 0n : BigInt(Math.min(...times));
}

/** Returns the https address of a website. EDGAR may omit the scheme, or write `N/A` or `none`. */
function httpsAddress(written: string): string {
  const address = webAddress.parse(/^[a-z][a-z\d+.-]*:/i.test(written) ? written : `https://${written}`);
  return address && new URL(address).hostname.includes(".") ? address : "";
}
