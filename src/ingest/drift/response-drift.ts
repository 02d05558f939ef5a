import type { Upstream } from "../../upstream/upstream.ts";
import type { Source } from "../source.ts";
import { changesForm, type Drift, driftBetween } from "./drift.ts";
import { fieldsRead } from "./fields-read.ts";
import { lineEnd } from "./response-value.ts";
import { type SeenDrift, unreported } from "./seen-drift.ts";
import type { Shape } from "./shape.ts";

/** How an answer's form differs from the last good one's. */
export interface ResponseDrift {
  /** As far as it was not told yet. */
  readonly found: readonly Drift[];
  /** What was told lately. */
  readonly seen: readonly SeenDrift[];
  /** What makes it one of another form: fields that the source's program reads are gone, or of another type throughout; or the end of a table. */
  readonly grave: readonly Drift[];
}

/** Holds the form of an answer against the last good one's. In one that lacks parts nothing can have vanished. */
export async function responseDrift(
  source: Pick<Source<unknown>, "fetch" | "parse">,
  response: { readonly shape: Shape; readonly isWhole: boolean },
  before: { readonly shape: Shape; readonly drift: readonly SeenDrift[] },
  sample: () => Upstream,
): Promise<ResponseDrift> {
  const { shape, isWhole } = response;
  const all = driftBetween(before.shape, shape).filter(({ kind }) => isWhole || kind !== "vanished field");
  // Watching a program read its sample takes as long as a refresh: only where it matters.
  const suspects = all.filter((drift) => changesForm(drift, before.shape, shape));
  const read = suspects.length > 0 ? await fieldsRead(source, sample()) : new Set();
  const cut = all.filter(({ kind, field }) => kind === "vanished field" && field.endsWith(lineEnd));
  const grave = [...cut, ...suspects.filter(({ field }) => read.has(field))];
  return { found: unreported(all, before.drift), seen: before.drift, grave };
}
