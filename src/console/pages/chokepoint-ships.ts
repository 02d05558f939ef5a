import { SupplyChainService } from "../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import { html } from "../../pages/html.ts";
import { isoDay } from "../../reference/calendar.ts";
import type { Chokepoint } from "../../reference/trade/chokepoints.ts";
import { operationFor } from "../metadata.ts";
import type { Block, PageContext } from "../page-context.ts";
import { blockOf } from "../view/block.ts";
import { numberText } from "../view/figures.ts";
import { lineChart } from "../view/line-chart.ts";
import type { ChartLine } from "../view/points-table.ts";
import { periodText } from "../view/times.ts";
import { readSeries, type SeriesRead, seriesProvenance } from "./series/series-read.ts";
import { changesOf, yearBefore } from "./series/series-views.ts";

const series = "chokepoint.transits";
const months = 12;

/** Ships per day in a month, and their change from the same month a year before. Undefined if unknown. */
export interface Compared {
  readonly ships: number | undefined;
  readonly change: number | undefined;
}

interface MonthOfShips {
  /** The last month that can be compared, such as `October 2026`. Undefined if there is none. */
  readonly month: string | undefined;
  /** Ships per day, by the ID of the chokepoint. */
  readonly ships: ReadonlyMap<string, Compared>;
}

/** Returns the ships in the last month of which all days are counted. Counts of the newest days are still missing. */
export async function shipsOfLastMonth(page: PageContext, ids: readonly string[]): Promise<MonthOfShips> {
  const from = monthsBefore(page.now, 2);
  const { lines } = await readShips(page, ids, from);
  const compared = lines.map((line) => ({ ...line, changes: changesOf(line.points, { ...ofMonths, from }).points }));
  const whole = compared.flatMap(({ changes }) => changes.findLast(({ value }) => value !== undefined)?.at ?? []);
  const month = whole.length === 0 ? undefined : Math.max(...whole);
  const ofMonth = (points: ChartLine["points"]) => points.find(({ at }) => at === month)?.value;
  const ships = compared.map(({ key, points, changes }): [string, Compared] => [
    key.toLowerCase(),
    { ships: ofMonth(points), change: ofMonth(changes) },
  ]);
  return { month: month === undefined ? undefined : periodText(month, "month"), ships: new Map(ships) };
}

/** Returns the start of the month that is `count` months before the current one. */
function monthsBefore(now: number, count: number): number {
  return Date.UTC(new Date(now).getUTCFullYear(), new Date(now).getUTCMonth() - count);
}

/** Reads the ships of each month. It starts a year earlier than the first month, which is compared with that. */
function readShips(page: PageContext, ids: readonly string[], first: number): Promise<SeriesRead> {
  const from = isoDay(yearBefore(first));
  return readSeries(page, { series, keys: ids.join(","), from, interval: "month", aggregation: "mean" });
}

const ofMonths = { isRelative: true, isWeekly: false, wholeSince: 0 } as const;

interface ShipsView {
  readonly block: Block;
  /** The ships per day in the last compared month, and the change in words. Undefined if no month can be compared. */
  readonly figure: readonly [ships: string, change: string] | undefined;
}

/** Returns the ships of each month next to those of the same month a year before. */
export async function shipsView(page: PageContext, { id, name }: Chokepoint): Promise<ShipsView> {
  const start = monthsBefore(page.now, months);
  const read = await readShips(page, [id], start);
  const points = read.lines[0]?.points ?? [];
  const known = new Map(points.map(({ at, value }) => [at, value]));
  const then = (at: number) => known.get(yearBefore(at));
  const shown = points.filter(({ at }) => at >= start);
  const { points: changes } = changesOf(points, { ...ofMonths, from: start });
  const last = changes.findLast(({ value }) => value !== undefined);
  const line = { key: id, label: "Ships a day", points: shown };
  const before = {
    ...line,
    label: "A year before",
    short: "Year before",
    isReference: true,
    points: shown.map((each) => ({ ...each, value: then(each.at) })),
  };
  const more = [{ ...line, label: "Change over a year", unit: "%", points: changes }];
  const changeText = (text: (value: number) => string) =>
    `${text(Math.abs(last?.value ?? 0))}% ${(last?.value ?? 0) < 0 ? "fewer" : "more"} than a year before`;
  const month = last && periodText(last.at, "month");
  const compared = last
    ? `${month}: ${numberText(known.get(last.at) ?? 0)} ships a day, ${changeText(numberText)} (${numberText(then(last.at) ?? 0)}).`
    : "The last month can't be compared with a year before.";
  const block = blockOf(page, {
    id: "ships",
    title: "Ships",
    ownTitle: `${name}: ships`,
    about: html`Mean number of ships a day by month, of all types. Counts are several days late. <a href="/series/${series}?keys=${id}&amp;view=change">Each day, compared with a year before</a>`,
    content:
      read.response.kind === "answered"
        ? html`<p><strong>${compared}</strong></p>${lineChart({ lines: [line, before], more, title: `Ships through ${name}`, unit: "", step: "month" })}`
        : undefined,
    provenance: seriesProvenance(read, operationFor(SupplyChainService.method.listChokepointStatus), { step: "month" }),
    span: "half",
  });
  const wholeText = (value: number) => numberText(Math.round(value));
  return { block, figure: last && [wholeText(known.get(last.at) ?? 0), `${month}, ${changeText(wholeText)}`] };
}
