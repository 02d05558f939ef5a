import type { Series } from "../../../gen/es/ids/history/v1/history_pb.ts";
import { labelOf } from "../../contract/labels.ts";
import { operationNamed } from "../metadata.ts";
import type { Provenance } from "../view/block.ts";
import { quantityText } from "../view/figures.ts";
import type { ChartLine } from "../view/points-table.ts";
import { lastTimeText } from "../view/times.ts";
import type { Group, Hit, Lists } from "./search-hits.ts";
import { readSeries, seriesProvenance, withOwnTerms } from "./series/series-read.ts";

/** Maximum number of hits with a value, because each series of them is read. */
const maxValues = 6;

export type ValuedGroup = readonly [...Group, provenance: readonly Provenance[]];

/** Adds the latest value to the first hits that lead to a single key of a series, a country, or a chokepoint. */
export async function withValues(groups: readonly Group[], { series, page }: Lists): Promise<readonly ValuedGroup[]> {
  const valued = groups.flatMap(([title, hits]) => (/^(?:Answers|Countries|Chokepoints)$/.test(title) ? hits : []));
  const wanted = new Set(valued.filter((hit) => measuresOf(hit).length > 0).slice(0, maxValues));
  const bySeries = Map.groupBy([...wanted].flatMap(measuresOf), ({ id }) => id);
  const readLatest = async (one: Series) => {
    const keys = [...new Set(bySeries.get(one.id)?.map(({ key }) => key))].join(",");
    const latest = await readSeries(page, { series: one.id, keys, interval: "latest" });
    const lines = await withOwnTerms(one, latest.lines, page);
    const texts = new Map(lines.map((line) => [line.key.toLowerCase(), valueText(line, one, page.now)]));
    return [one.id, { texts, provenance: seriesProvenance(latest, operationNamed(one.operation)) }] as const;
  };
  const reads = new Map(await Promise.all(series.filter(({ id }) => bySeries.has(id)).map(readLatest)));
  return groups.map(([title, hits]): ValuedGroup => {
    const shown = new Set<Provenance>();
    const own = hits.map((hit) => {
      for (const { id, key, label } of wanted.has(hit) ? measuresOf(hit) : []) {
        const { texts, provenance } = reads.get(id) ?? {};
        const text = texts?.get(key.toLowerCase());
        if (text === undefined || !provenance) continue;
        shown.add(provenance);
        return { ...hit, value: label + text };
      }
      return hit;
    });
    return [title, own, [...shown]];
  });
}

/** Returns the series and keys whose latest value may be shown for a page. The first one with a value is shown. */
function measuresOf({ path }: Hit): { readonly id: string; readonly key: string; readonly label: string }[] {
  const [, kind, name = "", key] =
    /^\/(series|countries|chokepoints)\/([\w.]+)(?:\?keys=([^,&]+)(?:&|$)|$)/.exec(path) ?? [];
  if (kind === "series") return key === undefined ? [] : [{ id: name, key, label: "" }];
  if (kind === "chokepoints") return [{ id: "chokepoint.disruption", key: name, label: "Disruption " }];
  const scores = ["risk", "resilience"].map((id) => ({ id: `${id}.score`, key: name, label: `${labelOf(id)} ` }));
  return kind === undefined ? [] : scores;
}

/** Returns `73.35%, 28 Nov 2026` or `80 of 100, 28 Nov 2026`. Undefined if there is no value. */
function valueText({ points, unit }: ChartLine, series: Series, now: number): string | undefined {
  const { value, at } = points.at(-1) ?? {};
  if (value === undefined || at === undefined) return undefined;
  const { title, scale, step } = series;
  const text = quantityText(value, unit ?? series.unit, scale);
  const isOf100 = series.unit === "" && /\b0(?: \(\w+\))? to 100\b/.test(title);
  return `${text}${isOf100 ? " of 100" : ""}, ${lastTimeText(at, step, now)}`;
}
