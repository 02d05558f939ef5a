import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  EarningsSurpriseSchema,
  HackerNewsMentionSchema,
} from "../../../../gen/es/ids/intelligence/v1/enrichment_pb.ts";
import { IntelligenceService } from "../../../../gen/es/ids/intelligence/v1/intelligence_pb.ts";
import type { ListedCompany } from "../../../../gen/es/ids/stored/v1/company_pb.ts";
import { UpstreamError } from "../../../errors.ts";
import type { Lookup, SourceTerms } from "../../../ingest/source.ts";
import type { Upstreams } from "../../../ingest/upstreams.ts";
import { rateGate } from "../../../upstream/rate-gate.ts";
import { readThrough } from "../../../upstream/read-through.ts";
import type { Upstream, UpstreamRequest } from "../../../upstream/upstream.ts";
import { askEarnings, askProfile, finnhub, type Profile } from "./finnhub.ts";
import { askMentions, hackerNews } from "./hacker-news.ts";
import { sec } from "./sec.ts";
import { askSubmissions, type Submissions } from "./sec-submissions.ts";

/** How one part came out; `unasked` where its source is not configured, `partial` where some of it could not be read. */
export type Outcome<Value> =
  | { readonly state: "read"; readonly value: Value; readonly fetchedAt: Date; readonly partial?: boolean }
  | { readonly state: "failed" | "unasked" };

/** What is looked up of a company while a caller waits. */
export interface CompanyParts {
  readonly submissions: Outcome<Submissions>;
  readonly profile: Outcome<Profile | undefined>;
  readonly earnings: Outcome<readonly MessageInitShape<typeof EarningsSurpriseSchema>[]>;
  readonly stories: Outcome<readonly MessageInitShape<typeof HackerNewsMentionSchema>[]>;
}

export interface LookupParts {
  readonly upstreams: Pick<Upstreams, "upstreamOf" | "missingOf">;
  /** Called for every look-up, whether its answer was kept or not; `failure` is absent for one that went well. */
  readonly lookedUp: (upstream: string, failure?: UpstreamError) => void;
}

const serves = [IntelligenceService.method.getCompanyEnrichment] as const;

/** The sources of the parts. */
export const companyLookups: readonly Lookup[] = [sec, finnhub, hackerNews].map((source) => ({ ...source, serves }));

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const unknownKeptMs = 5 * minuteMs;
const longestTurnMs = 2_000;
const mostKept = 2_000;
const mostAtOnce = 64;

/** Reads the parts side by side. Answers are kept for their time, failures never. */
export function companyParts(parts: LookupParts): (company: ListedCompany) => Promise<CompanyParts> {
  // EDGAR allows 10 requests in a second from an address, which the refreshes and other processes share.
  const ofSec = asker(parts, sec, { most: 5, withinMs: 1_000, timeoutMs: 10_000 });
  const ofFinnhub = asker(parts, finnhub, { most: 30, withinMs: minuteMs, timeoutMs: 6_000 });
  const ofHackerNews = asker(parts, hackerNews, { most: 150, withinMs: minuteMs, timeoutMs: 6_000 });
  const submissions = ofSec((upstream, { cik }, request) => askSubmissions(upstream, cik, request), {
    key: ({ cik }) => cik,
    keptForMs: (found) => (found ? 6 * hourMs : unknownKeptMs),
  });
  const profile = ofFinnhub((upstream, { ticker }, request) => askProfile(upstream, ticker, request), {
    key: ({ ticker }) => ticker,
    keptForMs: () => 24 * hourMs,
  });
  const earnings = ofFinnhub((upstream, { ticker }, request) => askEarnings(upstream, ticker, request), {
    key: ({ ticker }) => ticker,
    keptForMs: () => 12 * hourMs,
  });
  const stories = ofHackerNews((upstream, { title }, request) => askMentions(upstream, title, request), {
    key: ({ title }) => title,
    keptForMs: () => 20 * minuteMs,
  });
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

/** A filer that EDGAR does not have was not read. */
function known(outcome: Outcome<Submissions | undefined>): Outcome<Submissions> {
  if (outcome.state !== "read") return outcome;
  return outcome.value ? { ...outcome, value: outcome.value } : { state: "failed" };
}

interface Limits {
  readonly most: number;
  readonly withinMs: number;
  /** Of a part as a whole, the wait for its turn included. */
  readonly timeoutMs: number;
}

interface Keeping<Value> {
  readonly key: (company: ListedCompany) => string;
  readonly keptForMs: (value: Value) => number;
}

/** Asks one source, all its parts together within its limits. */
function asker({ upstreams, lookedUp }: LookupParts, source: SourceTerms, { timeoutMs, ...limit }: Limits) {
  const { name } = source;
  const isConfigured = upstreams.missingOf(source).length === 0;
  const upstream = upstreams.upstreamOf(source);
  const clock = () => upstream.now;
  const wait = async (milliseconds: number) => upstream.pause?.(milliseconds);
  const turn = rateGate({ name, ...limit, longestWaitMs: longestTurnMs, clock, wait });
  return <Value>(
    ask: (upstream: Upstream, company: ListedCompany, request: Partial<UpstreamRequest>) => Promise<Value>,
    { key, keptForMs }: Keeping<Value>,
  ): ((company: ListedCompany) => Promise<Outcome<Value>>) => {
    if (!isConfigured) return async () => ({ state: "unasked" });
    const { read } = readThrough<ListedCompany, { readonly value: Value; readonly fetchedAt: Date }>({
      key,
      async ask(company) {
        const waitedMs = await turn();
        const value = await ask(upstream, company, { timeoutMs: timeoutMs - waitedMs, tries: 1 });
        return { value, fetchedAt: clock() };
      },
      keptForMs: ({ value }) => keptForMs(value),
      mostKept,
      mostAtOnce,
      clock,
    });
    return async (company) => {
      try {
        const answer = await read(company);
        lookedUp(name);
        return { state: "read", ...answer };
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        lookedUp(name, error);
        return { state: "failed" };
      }
    };
  };
}
