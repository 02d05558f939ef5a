import { operation as operationOption } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { type AnyOperation, requiredTier } from "../catalog.ts";
import { getOption } from "../option.ts";
import type { JsonSchema } from "../rules/json-schema.ts";
import type { TimeMetadata } from "./parameters.ts";

/** Facts about an operation that the proto files do not contain. */
export interface OperationNotes extends TimeMetadata {
  /** Seconds for which a client may cache a response of fresh data; 0 for none. */
  readonly maxAgeSeconds: number;
  /** Minutes after the last refresh at which data is marked as stale; undefined if no data is refreshed. */
  readonly staleAfterMinutes?: number;
  readonly sources: readonly string[];
  /** Response in sample mode to the example request, shortened. If there is none, the example of the contract. */
  readonly example: unknown;
}

/** Returns machine-readable metadata about an operation: access, limits, caching, freshness, and terms. */
export function noteMembers(
  operation: AnyOperation,
  notes: Omit<OperationNotes, "example" | keyof TimeMetadata>,
): JsonSchema {
  const { access, quotaPerMinute, freeCallsPerDay } = operation;
  return {
    ...(access.anonymous ? {} : { "x-tier": requiredTier(operation) }),
    ...(access.scope === "" ? {} : { "x-scope": access.scope }),
    ...(access.operator ? { "x-operator": true } : {}),
    ...(quotaPerMinute > 0 ? { "x-limit-per-minute": quotaPerMinute } : {}),
    ...(freeCallsPerDay > 0 ? { "x-tier-0-limit-per-day": freeCallsPerDay } : {}),
    "x-max-age": notes.maxAgeSeconds,
    ...(notes.staleAfterMinutes === undefined ? {} : { "x-stale-after-minutes": notes.staleAfterMinutes }),
    ...(notes.sources.length > 0 ? { "x-sources": notes.sources } : {}),
  };
}

/** Returns access, limits, and freshness of an operation as sentences. */
export function noteSentences(
  operation: AnyOperation,
  { staleAfterMinutes }: Pick<OperationNotes, "staleAfterMinutes">,
): string {
  const { jsonOnly } = getOption(operation.method, operationOption);
  const sentences = [
    accessSentence(operation),
    limitSentence(operation),
    freshnessSentence(staleAfterMinutes),
    jsonOnly === "" ? "" : `JSON only. ${jsonOnly}`,
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

function accessSentence(operation: AnyOperation): string {
  const { access } = operation;
  if (access.anonymous) return "No key needed.";
  if (access.operator) return "Only the operator's key may call this.";
  const tier = requiredTier(operation);
  const needs = [
    ...(tier > 0 ? [`a subscription of tier ${tier} or higher`] : []),
    ...(access.scope === "" ? [] : [`a key with scope \`${access.scope}\``]),
  ];
  return `Needs ${needs.length > 0 ? needs.join(" and ") : "any valid key"}.`;
}

function limitSentence({ quotaPerMinute, freeCallsPerDay }: AnyOperation): string {
  return [
    ...(quotaPerMinute > 0 ? [`At most ${quotaPerMinute} requests per minute, in addition to the plan's limits.`] : []),
    ...(freeCallsPerDay > 0
      ? [`Tier 0: ${freeCallsPerDay} calls per UTC day; beyond that 429 with \`reason\` \`daily-allowance\`.`]
      : []),
  ].join(" ");
}

function freshnessSentence(minutes: number | undefined): string {
  if (minutes === undefined) return "";
  const hours = Math.round(minutes / 60);
  const limit = minutes < 120 ? `${minutes} minutes` : hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
  return `Data is marked as stale after ${limit}.`;
}
