import type { Mask } from "../../config/masking.ts";
import { unreachable } from "../../contract/live-summary.ts";
import { UpstreamError } from "../../egress/upstream-error.ts";

/** They never contain words of a source, because its error may repeat what was sent to it. */
const sentences = {
  unconfigured: "A setting is missing",
  unreachable,
  refused: "The source refused the request",
  "over quota": "The source's quota is used up",
  "not found": "The source does not have the requested data",
  failing: "The source failed",
  malformed: "The source's response has an unknown format",
  changed: "The format of the source's response has changed",
  "too small": "The response was empty or implausibly small",
  "too old": "The response was older than the stored data",
  incomplete: "What is stored is not enough to be published",
  unstored: "The rows were good, but could not be stored",
} as const;

export type FailureKind = keyof typeof sentences;

export interface Failure {
  readonly kind: FailureKind;
  readonly status?: number;
  /** Details for the operator only. Configured secrets are masked. */
  readonly words: string;
}

export function failureOf(error: unknown, mask: Mask): Failure {
  const words = mask(error instanceof Error ? error.message : String(error));
  if (!(error instanceof UpstreamError)) return { kind: "malformed", words };
  return failureOfStatus(error.status, words, error.kind);
}

export function failureOfStatus(
  status: number | undefined,
  words: string,
  kind: FailureKind = kindOf(status),
): Failure {
  return { kind, words, ...(status === undefined ? {} : { status }) };
}

/** A newer program may have stored a kind that this program does not know. */
export function publicSentence(kind: string | null, status: number | null): string {
  const sentence = isKind(kind) ? sentences[kind] : "The last read failed";
  return status === null || status === 200 ? sentence : `${sentence} (HTTP ${status})`;
}

function isKind(kind: string | null): kind is FailureKind {
  return kind !== null && Object.hasOwn(sentences, kind);
}

function kindOf(status: number | undefined): FailureKind {
  if (status === undefined || (status >= 200 && status < 400)) return "malformed";
  if (status === 429) return "over quota";
  if (status === 404 || status === 410) return "not found";
  return status >= 500 ? "failing" : "refused";
}
