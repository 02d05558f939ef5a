import type { Dataset, DatasetSource } from "../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import { PartAvailability, type PartState } from "../../../gen/es/ids/country/v1/brief_parts_pb.ts";
import { countWithData, liveSummary } from "../../contract/live-summary.ts";
import { type Html, html } from "../../pages/html.ts";
import { inlineMarkup } from "../../pages/inline-markup.ts";
import type { PageContext } from "../page-context.ts";
import type { ReadResponse, Rejected } from "../read-response.ts";
import type { Viewer } from "../viewer.ts";

/** The state of data as a word and a tone, which determines its color and symbol. */
export interface Availability {
  readonly tone: "good" | "warn" | "bad" | "none";
  readonly word: string;
  readonly reason?: string;
}

export function stateMarkup({ tone, word }: Availability): Html {
  return html`<span class="state ${tone}">${word}</span>`;
}

export function availabilityOf(response: ReadResponse): Availability {
  if (response.kind === "refused") return rejectionOf(response);
  if (response.isFlagged)
    return { tone: "warn", word: "Incomplete", reason: "Some inputs are missing or old: a 0 may be unknown." };
  return response.isStale ? stale : current;
}

function rejectionOf({ status, message, missingScopes }: Rejected): Availability {
  if (missingScopes)
    return {
      tone: "none",
      word: "Scope missing",
      reason: `The key of this session lacks the scope ${missingScopes.join(", ")}. Sign in with a key that has it.`,
    };
  if (status === 401) return { tone: "none", word: "Sign-in needed", reason: "This part is not public." };
  if (status === 403) return { tone: "none", word: "Not in this plan", reason: message };
  if (status === 400) return { tone: "none", word: "Wrong request", reason: message };
  if (status === 404) return { tone: "none", word: "Not found", reason: message };
  if (status === 451) return { tone: "none", word: "Withheld", reason: message };
  if (status === 429) return { tone: "warn", word: "Limit reached", reason: message };
  return { tone: "bad", word: "Unavailable", reason: message };
}

const current: Availability = { tone: "good", word: "Current" };
const stale: Availability = { tone: "warn", word: "Stale", reason: "This is older than it should be." };
const unknown: Availability = { tone: "none", word: "Unknown" };
/** The data does not cover the requested country or subject. */
export const notCovered: Availability = { tone: "none", word: "Not covered" };
/** The data covers the subject but contains no values, perhaps because there was nothing to count. */
export const noFigures: Availability = { tone: "none", word: "No values" };

const words: Readonly<Partial<Record<PartAvailability, Availability>>> = {
  [PartAvailability.AVAILABLE]: current,
  [PartAvailability.NOT_COVERED]: notCovered,
  [PartAvailability.NOT_APPLICABLE]: { tone: "none", word: "Not applicable" },
  [PartAvailability.UNAVAILABLE]: { tone: "bad", word: "Unavailable" },
  [PartAvailability.NOT_ENTITLED]: { tone: "none", word: "Not in this plan" },
  [PartAvailability.DEGRADED]: { tone: "warn", word: "Incomplete" },
};

export function partAvailability({ availability, stale: isStale, reason, requiredTier }: PartState): Availability {
  const known = words[availability] ?? unknown;
  if (availability === PartAvailability.NOT_ENTITLED)
    return { ...known, reason: `Included from tier ${requiredTier} on.` };
  if (known.tone === "good" && isStale) return stale;
  if (availability === PartAvailability.DEGRADED) return { ...known, reason: `${reason}: a 0 may be unknown.` };
  return reason === "" ? known : { ...known, reason };
}

const datasetTones: Readonly<Record<string, Availability["tone"]>> = {
  ok: "good",
  partial: "warn",
  degraded: "warn",
  stale: "warn",
  incomplete: "warn",
  expired: "bad",
  failed: "bad",
  refused: "bad",
};

export function catalogState(state: string): Availability {
  const word = state === "ok" ? "OK" : state.charAt(0).toUpperCase() + state.slice(1);
  return { tone: datasetTones[state] ?? "none", word };
}

/** Returns why the last read of a source failed; undefined if it did not. */
export function failureText({ failure, failureStatus }: DatasetSource): string | undefined {
  return failure === undefined || failureStatus === undefined ? failure : `${failure} (status ${failureStatus})`;
}

/** Returns what to do next if most data is missing in live mode: the connected sources and the missing ones. */
export function liveStart(datasets: readonly Dataset[], { isSample, viewer }: PageContext): Html | undefined {
  if (isSample || 2 * countWithData(datasets) >= datasets.length) return undefined;
  const lines = liveSummary(
    datasets.map(({ state, rows, sources }) => ({
      ...{ state, rows },
      sources: sources.map((source) => ({ ...source, missing: source.missingVariables, error: source.failure })),
    })),
  );
  return html`<section class="notice" aria-labelledby="live-start"><h2 id="live-start">Most live data is not connected yet</h2>
${lines.map((line) => html`<p>${inlineMarkup(line)}</p>`)}${operatorHint(viewer)}
<p><a href="/status#sources">Status of every source</a></p></section>`;
}

export function operatorHint({ keyAt, isSignedIn }: Viewer): Html | undefined {
  if (keyAt === undefined || isSignedIn) return undefined;
  return html`<p>If you run this service, <a href="/account">sign in</a> with the operator's key in <code>${keyAt}</code>. To make these pages public, set <code>IDS_PUBLIC_PAGES</code> to a plan, such as <code>api</code>.</p>`;
}
