import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { IntelligenceService } from "../../../gen/es/ids/intelligence/v1/intelligence_pb.ts";
import type { GetRiskScoreExplanationResponse } from "../../../gen/es/ids/intelligence/v1/risk_explanation_pb.ts";
import { GetNewsTopicTimelineResponseSchema } from "../../../gen/es/ids/intelligence/v1/timeline_pb.ts";
import type { ListedCompany, TickerRegister } from "../../../gen/es/ids/stored/v1/company_pb.ts";
import { RiskAssessmentSchema } from "../../../gen/es/ids/stored/v1/risk_pb.ts";
import { type TopicDay, TopicDaySchema, TopicTimelinesSchema } from "../../../gen/es/ids/stored/v1/topic_pb.ts";
import { noteMissing, setNoStore } from "../../contract/request-context.ts";
import { invalidField } from "../../errors.ts";
import type { Refresh } from "../../ingest/dataset.ts";
import type { LookupParts } from "../../ingest/fetch-live.ts";
import { scheduled } from "../../ingest/schedule/scheduled.ts";
import { seriesOfField, seriesOfMessage } from "../../ingest/series/series.ts";
import { snapshot } from "../../ingest/snapshot.ts";
import { minuteMs } from "../../reference/duration.ts";
import type { Served } from "../../store/served/served.ts";
import {
  companyLookups,
  companyParts,
  type EnrichmentParts,
  enrichment,
  isPartial,
  stub,
  withoutCompany,
} from "./companies/company-enrichment.ts";
import { mentionsOf } from "./companies/company-name.ts";
import { companyNews, readingOf } from "./companies/company-news.ts";
import { companyIndex, secTickers } from "./companies/sec-tickers.ts";
import { explainNothing } from "./risk/risk-explanation.ts";
import { riskMethodology } from "./risk/risk-methodology.ts";
import { ciiScore, componentOf, highestFirst, worldRisk } from "./risk/risk-response.ts";
import { riskScores } from "./risk/risk-scores.ts";
import { gdeltSource, topics } from "./topics/gdelt.ts";

type RiskOperations = Pick<ServiceImpl<typeof IntelligenceService>, "getRiskScores" | "getRiskScoreExplanation">;

const retainedMs = 60 * minuteMs;

function riskOperations({ served, clock }: { readonly served: Served; readonly clock: () => Date }): RiskOperations {
  /** Returns the current scores. If they are incomplete or stale, it marks the response as not cacheable. */
  function assessed(context: HandlerContext) {
    const now = clock();
    const stored = served.messageIfAny(riskScores, context, { flagged: "incomplete" });
    const age = stored
      ? now.getTime() - served.dataset(riskScores, context, { flagged: "incomplete" }).storedAt.getTime()
      : retainedMs + 1;
    const explanations =
      stored && age <= retainedMs
        ? stored.explanations
        : create(RiskAssessmentSchema, { explanations: explainNothing(now) }).explanations;
    const stale = age > riskScores.freshForMinutes * minuteMs && age <= retainedMs;
    const missingInputs = explanations[0]?.missingInputs ?? [];
    const degraded = stale || missingInputs.length > 0;
    if (degraded) setNoStore(context);
    const state = { degraded, stale, missingInputs: [...missingInputs, ...unsourced(explanations[0])] };
    return { explanations, state };
  }

  return {
    getRiskScores({ region }, context) {
      const { explanations, state } = assessed(context);
      const chosen = explanations.filter((explanation) => region === "" || explanation.region === region);
      if (chosen.length === 0) noteMissing(context, notCovered(region, explanations));
      const sorted = highestFirst(chosen);
      return {
        ciiScores: sorted.map(ciiScore),
        strategicRisks: region === "" ? [worldRisk(sorted)] : [],
        ...state,
      };
    },
    getRiskScoreExplanation({ region }, context) {
      const { explanations, state } = assessed(context);
      const explanation = explanations.find((each) => each.region === region);
      if (explanation) return { ...explanation, ...state };
      noteMissing(context, notCovered(region, explanations));
      return { region };
    },
  };
}

function notCovered(region: string, { length }: readonly unknown[]): string {
  return `${region}: only ${length} countries have a risk score`;
}

function unsourced(explanation: GetRiskScoreExplanationResponse | undefined): string[] {
  const isAbsent = (component: string) =>
    explanation?.components
      .find(({ name }) => name === component)
      ?.terms.every(({ inputs }) => inputs.every(({ state }) => state === "absent"));
  return Object.entries(componentOf).flatMap(([field, component]) => (isAbsent(component) ? [field] : []));
}

const terms = {
  keyParts: ["topic"],
  step: "day",
  shownBy: IntelligenceService.method.getNewsTopicTimeline,
} as const;

const tone = seriesOfField({ ...terms, id: "news.tone" }, GetNewsTopicTimelineResponseSchema.field.tone);
const volume = seriesOfField(
  { ...terms, id: "news.articles", isCount: true },
  GetNewsTopicTimelineResponseSchema.field.vol,
);

/** The tone and volume of news by topic and day. The count of today still grows, so each refresh stores it again. */
const topicSeries = seriesOfMessage(TopicTimelinesSchema, [tone, volume], function* ({ timelines }) {
  for (const { topic, ...reported } of timelines) {
    for (const { date, value } of reported.tone) yield { series: tone, key: topic, at: new Date(date), value };
    for (const { date, value } of reported.vol) yield { series: volume, key: topic, at: new Date(date), value };
  }
});

const sources = topics.map((topic) => ({ topic: topic.name, source: gdeltSource(topic) }));

/** The tone and volume of news for each topic. If the source of a topic cannot be read, its last points remain. */
const topicTimelines = snapshot({
  name: "news-topic-timelines",
  subject: "Daily volume and tone of world news on six security topics.",
  notIncluded: ["news by country, tone by country, news articles: one value by topic and day for the whole world"],
  row: TopicDaySchema,
  message: TopicTimelinesSchema,
  series: topicSeries,
  schedule: "20 * * * *",
  freshForMinutes: 6 * 60,
  serves: [IntelligenceService.method.getNewsTopicTimeline],
  sources: sources.map(({ source }) => source),
  combine: (refresh) => ({ timelines: sources.flatMap(({ topic, source }) => timeline(topic, source.name, refresh)) }),
  count: ({ timelines }) => timelines.reduce((sum, { tone, vol }) => sum + tone.length + vol.length, 0),
});

function timeline(
  topic: string,
  source: string,
  { bySource, responses }: Refresh<typeof TopicDaySchema>,
): MessageInitShape<typeof GetNewsTopicTimelineResponseSchema>[] {
  const days = bySource.get(source);
  const response = responses.get(source);
  if (!days || !response) return [];
  const ascending = [...days].sort((a, b) => (a.date < b.date ? -1 : 1));
  return [
    {
      topic,
      fetchedAt: response.fetchedAt.toISOString(),
      tone: points(ascending, ({ tone }) => tone),
      vol: points(ascending, ({ articles }) => articles),
    },
  ];
}

/** Returns the days of a topic that have this value, even if the value is 0. */
function points(days: readonly TopicDay[], valueIn: (day: TopicDay) => number | undefined) {
  return days.flatMap((day) => {
    const value = valueIn(day);
    return value === undefined ? [] : [{ date: day.date, value }];
  });
}

interface IntelligenceParts extends LookupParts {
  readonly served: Served;
  readonly clock: () => Date;
}

export const intelligence = {
  datasets: [scheduled(secTickers), scheduled(companyNews), scheduled(topicTimelines), scheduled(riskScores)],
  lookups: companyLookups,
  methodology: riskMethodology,
  implement,
};

function implement(parts: IntelligenceParts): ServiceImpl<typeof IntelligenceService> {
  const { served, clock } = parts;
  const readParts = companyParts(parts);

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
      if (ticker === "" && name === "") throw invalidField("ticker", "value is required, or a name");
      const register = freshRegister(context);
      if (!register) return { ...withoutCompany(request, clock()), unavailable: true };
      const index = companyIndex(register);
      const company = ticker === "" ? index.byName(name) : index.byTicker(ticker);
      if (!company) return withoutCompany(request, clock());
      const read = { ...(await readParts(company)), news: newsOf(company, context) };
      if (isPartial(read)) setNoStore(context);
      return enrichment(company, read);
    },

    getNewsTopicTimeline({ topic }, context) {
      const timelines = served.messageIfAny(topicTimelines, context)?.timelines ?? [];
      const reported = timelines.find((timeline) => timeline.topic === topic);
      // Each topic has its own read time. A topic that was read too long ago is not served.
      const isServed = reported && served.mayServe(topicTimelines, new Date(reported.fetchedAt), context);
      return isServed ? reported : { topic, error: "unavailable" };
    },
  };
}
