import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { IntelligenceService } from "../../../gen/es/ids/intelligence/v1/intelligence_pb.ts";
import type { ListedCompany, TickerRegister } from "../../../gen/es/ids/stored/v1/company_pb.ts";
import { InvalidRequest } from "../../errors.ts";
import type { LookupParts } from "../../ingest/ask-live.ts";
import { scheduled } from "../../ingest/schedule/scheduled.ts";
import type { Served } from "../../store/served/served.ts";
import { type EnrichmentParts, enrichment, isPartial, stub, withoutCompany } from "./companies/company-enrichment.ts";
import { companyNews, readingOf } from "./companies/company-news.ts";
import { companyLookups, companyParts } from "./companies/company-parts.ts";
import { mentionsOf } from "./companies/news-mentions.ts";
import { secTickers } from "./companies/sec-tickers.ts";
import { companyIndex } from "./companies/ticker-register.ts";
import { riskOperations } from "./risk/risk-answers.ts";
import { riskScores } from "./risk/risk-scores.ts";
import { topicTimelines } from "./topics/topic-timelines.ts";

/** The datasets behind these operations. */
export const intelligenceDatasets = [
  scheduled(secTickers),
  scheduled(companyNews),
  scheduled(topicTimelines),
  scheduled(riskScores),
];

/** The sources that are asked while a caller waits. */
export const intelligenceLookups = companyLookups;

export interface IntelligenceParts extends LookupParts {
  readonly served: Served;
  readonly clock: () => Date;
}

/** Intelligence operations: topics and risks from memory, companies also from their sources. */
export function intelligence(parts: IntelligenceParts): ServiceImpl<typeof IntelligenceService> {
  const { served, clock } = parts;
  const readParts = companyParts(parts);

  /** The register while it is not stale. */
  function freshRegister(context: HandlerContext): TickerRegister | undefined {
    const register = served.messageIfAny(secTickers, context);
    if (!register) return undefined;
    const { storedAt } = served.dataset(secTickers, context);
    return clock().getTime() - storedAt.getTime() > secTickers.freshForMinutes * 60_000 ? undefined : register;
  }

  function newsOf(company: ListedCompany, context: HandlerContext): EnrichmentParts["news"] {
    const corpus = served.messageIfAny(companyNews, context);
    const reading = corpus && readingOf(corpus, clock());
    return reading ? { state: "read", value: mentionsOf(company, corpus), ...reading } : { state: "failed" };
  }

  return {
    ...riskOperations(parts),
    async getCompanyEnrichment(request, context) {
      const { ticker, domain } = request;
      const name = request.name.trim();
      if (ticker === "" && domain !== "") return stub(request, clock());
      if (ticker === "" && name === "")
        throw new InvalidRequest([{ field: "ticker", description: "value is required, or a name" }]);
      const register = freshRegister(context);
      if (!register) return { ...withoutCompany(request, clock()), unavailable: true };
      const index = companyIndex(register);
      const company = ticker === "" ? index.byName(name) : index.byTicker(ticker);
      if (!company) return withoutCompany(request, clock());
      const read = { ...(await readParts(company)), news: newsOf(company, context) };
      if (isPartial(read)) context.responseHeader.set("Cache-Control", "no-store");
      return enrichment(company, read);
    },

    getNewsTopicTimeline({ topic }, context) {
      const timelines = served.messageIfAny(topicTimelines, context)?.timelines ?? [];
      const reported = timelines.find((timeline) => timeline.topic === topic);
      // Each topic is read by itself: another that was read lately makes it no younger.
      const isServed = reported && served.mayServe(topicTimelines, new Date(reported.fetchedAt), context);
      return isServed ? reported : { topic, error: "unavailable" };
    },
  };
}
