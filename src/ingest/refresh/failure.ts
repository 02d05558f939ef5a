import type { Mask } from "../../config/masking.ts";
import { unreachable } from "../../contract/live-summary.ts";
import { UpstreamError } from "../../errors.ts";

/** What everybody reads of each kind of failure: never the words of a source, which may hold whatever was sent to it. */
const sentences = {
  unconfigured: "A setting is missing",
  unreachable,
  refused: "The source refused the request",
  "over quota": "The source's quota is used up",
  "not found": "The source does not have what was asked for",
  failing: "The source failed",
  malformed: "The source's answer has an unknown form",
  changed: "The source's answer has changed its form",
  "too small": "The answer was empty, or too small to be trusted",
  "too old": "The answer was older than what is stored",
  incomplete: "What is stored is not enough to be published",
  unstored: "The rows were good, but could not be stored",
} as const;

export type FailureKind = keyof typeof sentences;

/** Why a source brought nothing. */
export interface Failure {
  readonly kind: FailureKind;
  /** HTTP status, where there was one. */
  readonly status?: number;
  /** For the operator alone; configured secrets are masked. */
  readonly words: string;
}

/** The failure of what was thrown while a source was read. */
export function failureOf(error: unknown, mask: Mask): Failure {
  const words = mask(error instanceof Error ? error.message : String(error));
  if (!(error instanceof UpstreamError)) return { kind: "malformed", words };
  return failureOfStatus(error.status, words, error.kind);
}

/** The failure that an HTTP status tells of, if there was one. */
export function failureOfStatus(
  status: number | undefined,
  words: string,
  kind: FailureKind = kindOf(status),
): Failure {
  return { kind, words, ...(status === undefined ? {} : { status }) };
}

/** The public sentence about a failure. A newer program may have stored a kind that this one does not know. */
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
