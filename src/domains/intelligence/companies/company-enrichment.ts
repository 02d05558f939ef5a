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

export interface EnrichmentParts extends CompanyParts {
  readonly news: Outcome<readonly MessageInitShape<typeof NewsMentionSchema>[]>;
}

/** Returns the response for a domain. Companies cannot be looked up by domain. */
export function stub({ name, domain }: GetCompanyEnrichmentRequest, now: Date): Enrichment {
  return { company: { name, domain, website: `https://${domain}` }, enrichedAtMs: BigInt(now.getTime()) };
}

/** Returns the response if there is no such company or the register is unavailable. It only repeats the request. */
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

/** Returns 0 if no part was read. */
function oldest(outcomes: readonly Outcome<unknown>[]): bigint {
  const times = outcomes.flatMap((outcome) => (outcome.state === "read" ? [outcome.fetchedAt.getTime()] : []));
  return times.length === 0 ? 0n : BigInt(Math.min(...times));
}

/** EDGAR sometimes omits the scheme, and uses `N/A` or `none` if there is no address. */
function httpsAddress(written: string): string {
  const address = webAddress.parse(/^[a-z][a-z\d+.-]*:/i.test(written) ? written : `https://${written}`);
  return address && new URL(address).hostname.includes(".") ? address : "";
}
