import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  EarningsSurpriseSchema,
  HackerNewsMentionSchema,
} from "../../../../gen/es/ids/intelligence/v1/enrichment_pb.ts";
import { IntelligenceService } from "../../../../gen/es/ids/intelligence/v1/intelligence_pb.ts";
import type { ListedCompany } from "../../../../gen/es/ids/stored/v1/company_pb.ts";
import { fetchLive, type LookupOutcome, type LookupParts } from "../../../ingest/fetch-live.ts";
import type { LiveSource } from "../../../ingest/source.ts";
import { hourMs, minuteMs } from "../../../reference/duration.ts";
import { fetchEarnings, fetchProfile, finnhub, type Profile } from "./finnhub.ts";
import { fetchMentions, hackerNews } from "./hacker-news.ts";
import { sec } from "./sec.ts";
import { fetchSubmissions, type Submissions } from "./sec-submissions.ts";

/** The result of one part. `partial` means that some of it could not be read. */
export type Outcome<Value> = LookupOutcome<Value> & { readonly partial?: boolean };

export interface CompanyParts {
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

/** Reads the parts concurrently. Responses are cached for a fixed time, and failures are not cached. */
export function companyParts(parts: LookupParts): (company: ListedCompany) => Promise<CompanyParts> {
  // EDGAR allows 10 requests per second from an address. Refreshes and other processes share this limit.
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

/** A company that EDGAR does not have counts as failed. */
function known(outcome: Outcome<Submissions | undefined>): Outcome<Submissions> {
  if (outcome.state !== "read") return outcome;
  return outcome.value ? { ...outcome, value: outcome.value } : { state: "failed" };
}
