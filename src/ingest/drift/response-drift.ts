import type { Upstream } from "../../upstream/upstream.ts";
import type { Source } from "../source.ts";
import { changesForm, type Drift, driftBetween } from "./drift.ts";
import { fieldsRead } from "./fields-read.ts";
import { lineEnd } from "./response-value.ts";
import { type SeenDrift, unreported } from "./seen-drift.ts";
import type { Shape } from "./shape.ts";

export interface ResponseDrift {
  readonly found: readonly Drift[];
  readonly seen: readonly SeenDrift[];
  /**
   * Breaking changes: fields that the parser reads are missing or have another type in every object, or the table is
   * cut off.
   */
  readonly grave: readonly Drift[];
}

/** A response that lacks parts cannot have missing fields. */
export async function responseDrift(
  source: Pick<Source<unknown>, "fetch" | "parse">,
  response: { readonly shape: Shape; readonly isWhole: boolean },
  before: { readonly shape: Shape; readonly drift: readonly SeenDrift[] },
  sample: () => Upstream,
): Promise<ResponseDrift> {
  const { shape, isWhole } = response;
  const all = driftBetween(before.shape, shape).filter(({ kind }) => isWhole || kind !== "vanished field");
  // Recording the fields that a parser reads takes as long as a refresh, so it is done only for suspect changes.
  const suspects = all.filter((drift) => changesForm(drift, before.shape, shape));
  const read = suspects.length > 0 ? await fieldsRead(source, sample()) : new Set();
  const cut = all.filter(({ kind, field }) => kind === "vanished field" && field.endsWith(lineEnd));
  const grave = [...cut, ...suspects.filter(({ field }) => read.has(field))];
  return { found: unreported(all, before.drift), seen: before.drift, grave };
}
