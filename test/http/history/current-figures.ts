/** The current value as its read shows it: by key, or by key and day. */
export interface CurrentFigure {
  readonly path: string;
  readonly read: (response: never) => readonly Figure[];
}

export interface Figure {
  readonly key: string;
  readonly value: number;
  /** YYYY-MM-DD, where the read says it. */
  readonly day?: string;
}

const figure = <Answer>(path: string, read: (response: Answer) => readonly Figure[]): CurrentFigure => ({ path, read });
const yearStart = (year: number) => `${year}-01-01`;

const counted = (path: string, of: "events" | "fatalities" | "outages", country: string) =>
  figure<{ counts: readonly Record<string, never>[] }>(`${path}?group_by=day&country=${country}`, ({ counts }) =>
    counts.map(({ day, [of]: value }) => ({ key: country, day, value }) as unknown as Figure),
  );

const events = "/api/conflict/v1/count-conflict-events";

interface Gas {
  readonly history: readonly { readonly date: string; readonly fillPct: number; readonly gasTwh: number }[];
}

const gas = (of: "fillPct" | "gasTwh") =>
  figure<Gas>("/api/economic/v1/get-eu-gas-storage", ({ history }) =>
    history.map(({ date: day, [of]: value }) => ({ key: "EU", day, value })),
  );

interface Vulnerabilities {
  readonly vulnerabilities: readonly {
    readonly commodityId: string;
    readonly score: number;
    readonly hasScore: boolean;
    readonly components: unknown;
  }[];
}

const chokepointStatus = "/api/supply-chain/v1/list-chokepoint-status";

interface Chokepoints {
  readonly chokepoints: readonly {
    readonly chokepointId: string;
    readonly score: number;
    readonly ships: number;
    readonly observedTo: string;
  }[];
}

const vulnerabilities = "/api/supply-chain/v1/get-country-vulnerabilities?iso2=DE";

type Years = Record<string, number>;
interface Macro {
  readonly data: Record<"macro" | "growth" | "labor", { readonly countries: Record<string, Years> }>;
}

const macro = (part: keyof Macro["data"], field: string) =>
  figure<Macro>("/api/economic/v1/get-country-macro", ({ data }) =>
    Object.entries(data[part].countries).flatMap(([key, { year = 0, latestYear, [field]: value }]) =>
      value === undefined || year !== latestYear ? [] : { key, value, day: yearStart(year) },
    ),
  );

interface Timeline {
  readonly topic: string;
  readonly tone: readonly { readonly date: string; readonly value: number }[];
  readonly vol: Timeline["tone"];
}

const topic = (of: "tone" | "vol") =>
  figure<Timeline>("/api/intelligence/v1/get-news-topic-timeline?topic=cyber", ({ topic: key, [of]: days }) =>
    days.map(({ date: day, value }) => ({ key, day, value })),
  );

interface Premiums {
  readonly premiums: readonly {
    readonly metal: string;
    readonly physical: { readonly asOf: string };
    readonly premiumPct: number;
    readonly premiumUsdPerOz: number;
  }[];
}

const premium = (of: "premiumPct" | "premiumUsdPerOz") =>
  figure<Premiums>("/api/market/v1/get-physical-premiums", ({ premiums }) =>
    premiums.map(({ metal: key, physical, [of]: value }) => ({ key, day: physical.asOf, value })),
  );

interface Resilience {
  readonly overallScore: number;
  readonly domains: readonly {
    readonly id: string;
    readonly score: number;
    readonly dimensions: readonly { readonly coverage: number }[];
  }[];
  readonly pillars: readonly { readonly id: string; readonly score: number; readonly coverage: number }[];
}

const resilience = (read: (response: Resilience) => readonly Figure[]) =>
  figure("/api/resilience/v1/get-resilience-score?country_code=DE", read);

interface Risk {
  readonly ciiScores: readonly {
    readonly region: string;
    readonly combinedScore: number;
    readonly components: Record<"ciiContribution" | "geoConvergence", number>;
  }[];
}

const risk = (of: (score: Risk["ciiScores"][number]) => number) =>
  figure<Risk>("/api/intelligence/v1/get-risk-scores", ({ ciiScores }) =>
    ciiScores.map((score) => ({ key: score.region, value: of(score) })),
  );

interface RiskExplanation {
  readonly region: string;
  readonly baselineWeight: number;
  readonly staticBaseline: number;
  readonly eventWeight: number;
  readonly components: readonly { readonly name: string; readonly weight: number; readonly score: number }[];
  readonly additions: readonly { readonly name: string; readonly points: number; readonly cap: number }[];
}

const sixDecimals = (value: number) => Number(value.toFixed(6));

const riskContributions = figure<RiskExplanation>(
  "/api/intelligence/v1/get-risk-score-explanation?region=MM",
  ({ region, baselineWeight, staticBaseline, eventWeight, components, additions }) => [
    { key: `${region}/baseline`, value: sixDecimals(baselineWeight * staticBaseline) },
    ...components.map(({ name, weight, score }) => ({
      key: `${region}/${name}`,
      value: sixDecimals(eventWeight * weight * score),
    })),
    ...additions.map(({ name, points, cap }) => ({
      key: `${region}/${name}`,
      value: sixDecimals(Math.min(cap, points)),
    })),
  ],
);

interface Weighted {
  readonly id: string;
  readonly score: number;
  readonly weight: number;
  readonly coverage: number;
}

interface ResilienceExplanation {
  readonly pillars: readonly (Weighted & { readonly domains: readonly Weighted[] })[];
}

const resilienceContributions = figure<ResilienceExplanation>(
  "/api/resilience/v1/get-resilience-score-explanation?country_code=DE",
  ({ pillars }) => {
    const weights = pillars.reduce((sum, { weight, coverage }) => sum + (coverage > 0 ? weight : 0), 0);
    return pillars.flatMap(({ weight, domains }) => {
      const shares = domains.reduce((sum, domain) => sum + domain.weight * domain.coverage, 0);
      return domains.map((domain) => ({
        key: `DE/${domain.id}`,
        value: sixDecimals(((domain.weight * domain.coverage) / shares) * domain.score * (weight / weights)),
      }));
    });
  },
);

interface Stress {
  readonly compositeScore: number;
  readonly components: readonly { readonly id: string; readonly score: number; readonly missing: boolean }[];
}

const stress = (read: (response: Stress) => readonly Figure[]) => figure("/api/economic/v1/get-economic-stress", read);

interface Flows {
  readonly flows: readonly Record<"year" | "exportValueUsd" | "importValueUsd", number>[];
}

const flow = (of: "exportValueUsd" | "importValueUsd") =>
  figure<Flows>("/api/trade/v1/get-trade-flows?reporting_country=276&years=5", ({ flows }) =>
    flows.map(({ year, [of]: value }) => ({ key: "DE", day: yearStart(year), value })),
  );

/** Where each series is shown. Only webhooks report a series whose value no read shows. */
export const currentFigures: Readonly<Record<string, CurrentFigure | "webhooks">> = {
  "chokepoint.disruption": figure<Chokepoints>(chokepointStatus, ({ chokepoints }) =>
    chokepoints.map(({ chokepointId: key, score: value }) => ({ key, value })),
  ),
  "chokepoint.transits": figure<Chokepoints>(chokepointStatus, ({ chokepoints }) =>
    chokepoints.map(({ chokepointId: key, ships: value, observedTo: day }) => ({ key, value, day })),
  ),
  "chokepoint.exposure": figure<{ vulnerabilityIndex: number }>(
    "/api/supply-chain/v1/get-country-chokepoint-index?iso2=DE",
    ({ vulnerabilityIndex: value }) => [{ key: "DE", value }],
  ),
  "conflict.events": counted(events, "events", "UA"),
  "conflict.fatalities": counted(events, "fatalities", "UA"),
  "gas.country_fill": figure<Vulnerabilities>(vulnerabilities, ({ vulnerabilities: all }) => {
    const reported =
      /"value":([\d.]+),"year":\d+,"fetchedAt":"[^"]*","stale":false,"detail":"Gas storage fill, gas day ([\d-]+)"/;
    const [, value, day = ""] = reported.exec(JSON.stringify(all)) ?? [];
    return [{ key: "DE", day, value: Number(value) }];
  }),
  "gas.fill": gas("fillPct"),
  "gas.stored": gas("gasTwh"),
  "labor.figure": figure<{ series: { observations: readonly Record<"year" | "period" | "value", string>[] } }>(
    "/api/economic/v1/get-labor-stats-series?series_id=USPRIV",
    ({ series: { observations } }) =>
      observations.map(({ year, period, value }) => ({
        ...{ key: "USPRIV", day: `${year}-${period.slice(1)}-01`, value: Number(value) },
      })),
  ),
  "macro.inflation": macro("macro", "inflationPct"),
  "macro.current_account": macro("macro", "currentAccountPct"),
  "macro.growth": macro("growth", "realGdpGrowthPct"),
  "macro.gdp_per_capita": macro("growth", "gdpPerCapitaUsd"),
  "macro.unemployment": macro("labor", "unemploymentPct"),
  "news.articles": topic("vol"),
  "news.tone": topic("tone"),
  "outages.count": counted("/api/infrastructure/v1/count-internet-outages", "outages", "SY"),
  "premium.percent": premium("premiumPct"),
  "premium.usd": premium("premiumUsdPerOz"),
  "resilience.score": resilience(({ overallScore: value }) => [{ key: "DE", value }]),
  "resilience.domain": resilience(({ domains }) => domains.map(({ id, score }) => ({ key: `DE/${id}`, value: score }))),
  "resilience.pillar": resilience(({ pillars }) => pillars.map(({ id, score }) => ({ key: `DE/${id}`, value: score }))),
  "resilience.contribution": resilienceContributions,
  "risk.contribution": riskContributions,
  "risk.score": risk(({ combinedScore }) => combinedScore),
  "risk.unrest": risk(({ components }) => components.ciiContribution),
  "risk.conflict": risk(({ components }) => components.geoConvergence),
  "shipping.stress": figure<{ stressScore: number }>(
    "/api/supply-chain/v1/get-shipping-stress",
    ({ stressScore: value }) => [{ key: "world", value }],
  ),
  "stress.composite": stress(({ compositeScore: value }) => [{ key: "US", value }]),
  "stress.component": stress(({ components }) =>
    components.flatMap(({ id, score, missing }) => (missing ? [] : { key: id, value: score })),
  ),
  "tariff.rate": figure<{ datapoints: readonly Record<"year" | "tariffRate", number>[] }>(
    "/api/trade/v1/get-tariff-trends?reporting_country=840",
    ({ datapoints }) => datapoints.map(({ year, tariffRate: value }) => ({ key: "US", day: yearStart(year), value })),
  ),
  "trade.exports": flow("exportValueUsd"),
  "trade.imports": flow("importValueUsd"),
  "vulnerability.score": figure<Vulnerabilities>(vulnerabilities, ({ vulnerabilities: all }) =>
    all.flatMap(({ commodityId, score, hasScore }) => (hasScore ? { key: `DE/${commodityId}`, value: score } : [])),
  ),
};
