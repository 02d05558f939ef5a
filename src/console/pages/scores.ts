import { fromJson } from "@bufbuild/protobuf";
import { IntelligenceService } from "../../../gen/es/ids/intelligence/v1/intelligence_pb.ts";
import { GetRiskScoresResponseSchema, TrendDirection } from "../../../gen/es/ids/intelligence/v1/risk_pb.ts";
import {
  GetResilienceRankingResponseSchema,
  type RankedCountry,
} from "../../../gen/es/ids/resilience/v1/ranking_pb.ts";
import { ResilienceService } from "../../../gen/es/ids/resilience/v1/resilience_pb.ts";
import { countries } from "../../reference/countries/countries.ts";
import type { Shading } from "../map/world-map.ts";
import { operationFor } from "../metadata.ts";
import type { Read, ReadResponse } from "../read-response.ts";

export interface Scores {
  readonly id: string;
  readonly title: string;
  readonly kind: "risk" | "calm";
  readonly response: ReadResponse;
  readonly tables: readonly string[];
  readonly rows: readonly ScoreRow[];
}

export interface ScoreRow {
  readonly code: string;
  readonly score: number;
  readonly note: string;
  readonly trend: string;
}

const risk = operationFor(IntelligenceService.method.getRiskScores);
const resilience = operationFor(ResilienceService.method.getResilienceRanking);

const trends: Readonly<Partial<Record<TrendDirection, string>>> = {
  [TrendDirection.RISING]: "rising",
  [TrendDirection.FALLING]: "falling",
  [TrendDirection.STABLE]: "stable",
  [TrendDirection.UNSPECIFIED]: "no comparison",
};

export async function readRisk(read: Read): Promise<Scores> {
  const response = await read(risk);
  const { ciiScores } =
    response.kind === "answered" ? fromJson(GetRiskScoresResponseSchema, response.body) : { ciiScores: [] };
  const rows = ciiScores.map(({ region, combinedScore, advisoryLevel, trend }) => ({
    code: region,
    score: combinedScore,
    note: advisoryLevel.replaceAll("-", " "),
    trend: trends[trend] ?? "",
  }));
  rows.sort(byScore);
  return { id: "risk", title: "Risk", kind: "risk", response, tables: ["ciiScores"], rows };
}

export async function readResilience(read: Read): Promise<Scores> {
  const response = await read(resilience);
  const { items, greyedOut } =
    response.kind === "answered"
      ? fromJson(GetResilienceRankingResponseSchema, response.body)
      : { items: [], greyedOut: [] };
  const rowOf = (item: RankedCountry) => ({
    ...{ code: item.countryCode, score: item.overallScore, trend: "" },
    note: levelText(item),
  });
  // Countries of an unknown level have no score.
  const rows = [...items, ...greyedOut.filter(({ level }) => level !== "unknown")].map(rowOf);
  return {
    id: "resilience",
    title: "Resilience",
    kind: "calm",
    response,
    tables: ["items", "greyedOut"],
    rows,
  };
}

export function levelText({
  level,
  lowConfidence,
  headlineEligible,
}: Pick<RankedCountry, "level" | "lowConfidence" | "headlineEligible">): string {
  const remark = headlineEligible ? lowConfidence && "low confidence" : "too little data to rank";
  return remark === false ? level : `${level}, ${remark}`;
}

function byScore(a: ScoreRow, b: ScoreRow): number {
  return b.score - a.score || nameOf(a).localeCompare(nameOf(b), "en");
}

function nameOf({ code }: ScoreRow): string {
  return countries.get(code)?.name ?? code;
}

export function unscoredWord({ response }: Scores): string {
  return response.kind === "answered" ? "not covered" : "not shown";
}

export function shadingOf(scores: Scores): Shading {
  const { id, title, kind, rows } = scores;
  return {
    id,
    title,
    kind,
    otherwise: unscoredWord(scores),
    values: new Map(rows.map(({ code, score }) => [code, score])),
  };
}
