import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetCompanyEnrichmentRequest,
  GetCompanyEnrichmentResponseSchema,
  NewsMentionSchema,
} from "../../../../gen/es/ids/intelligence/v1/enrichment_pb.ts";
import type { ListedCompany } from "../../../../gen/es/ids/stored/v1/company_pb.ts";
import { webAddress } from "../fields.ts";
import type { CompanyParts, Outcome } from "./company-parts.ts";

type Enrichment = MessageInitShape<typeof GetCompanyEnrichmentResponseSchema>;

/** Everything that is read of a company. */
export interface EnrichmentParts extends CompanyParts {
  readonly news: Outcome<readonly MessageInitShape<typeof NewsMentionSchema>[]>;
}

/** The answer to a domain: nothing is looked up by it. */
export function stub({ name, domain }: GetCompanyEnrichmentRequest, now: Date): Enrichment {
  return { company: { name, domain, website: `https://${domain}` }, enrichedAtMs: BigInt(now.getTime()) };
}

/** The answer where there is no such company, or none can be looked for: what was asked for, and nothing else. */
export function withoutCompany({ name, ticker }: GetCompanyEnrichmentRequest, now: Date): Enrichment {
  return { company: { name, ticker }, enrichedAtMs: BigInt(now.getTime()) };
}

/** The answer for a company of the register, from what of it could be read. */
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

/** Whether something that was asked for is missing. */
export function isPartial(parts: EnrichmentParts): boolean {
  return Object.values<Outcome<unknown>>({ ...parts }).some((outcome) =>
    outcome.state === "read" ? outcome.partial : outcome.state === "failed",
  );
}

function valueIn<Value>(outcome: Outcome<Value>): Value | undefined {
  return outcome.state === "read" ? outcome.value : undefined;
}

/** 0 where nothing was read. */
function oldest(outcomes: readonly Outcome<unknown>[]): bigint {
  const times = outcomes.flatMap((outcome) => (outcome.state === "read" ? [outcome.fetchedAt.getTime()] : []));
  return times.length === 0 ? 0n : BigInt(Math.min(...times));
}

/** EDGAR leaves the scheme out now and then, and has `N/A` or `none` where there is no address. */
function httpsAddress(written: string): string {
  const address = webAddress.parse(/^[a-z][a-z\d+.-]*:/i.test(written) ? written : `https://${written}`);
  return address && new URL(address).hostname.includes(".") ? address : "";
}
