import { check } from "./properties.ts";
import type { Sessions } from "./sessions.ts";

/** What rules on series must have reported, as the store stands after each transaction. */
export interface SeriesLedger {
  readonly check: () => Promise<void>;
}

interface Point {
  readonly id: number;
  readonly key: string;
  readonly at: number;
  readonly value: number;
  readonly basis: number;
}

interface Rule {
  readonly id: string;
  readonly account: string;
  readonly endpoints: readonly string[];
  readonly watch: {
    readonly keys?: readonly string[];
    readonly threshold: number;
    readonly direction: "above" | "below";
    readonly hysteresis?: number;
  };
}

/** Where a figure stands for a rule. */
interface Level extends Omit<Point, "id" | "key"> {
  readonly beyond: boolean;
}

interface DataStatus {
  readonly points: readonly Point[];
  readonly rules: readonly Rule[];
  readonly levels: readonly (Level & { readonly rule: string; readonly key: string })[];
  readonly endpoints: readonly { readonly id: string; readonly account: string }[];
  readonly queued: readonly {
    readonly id: string;
    readonly rule: string;
    readonly endpoint: string;
    readonly type: string;
    readonly crossings: readonly { readonly key: string; readonly at: number; readonly value: number }[];
  }[];
}

const milliseconds = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;
const dataStatus = `
  select
    (select coalesce(json_agg(json_build_object('id', id, 'key', key, 'at', ${milliseconds("at")}, 'value', value, 'basis', basis)
      order by id), '[]') from alert_point) as points,
    (select coalesce(json_agg(json_build_object('id', id, 'account', account, 'endpoints', endpoints, 'watch', trigger->'series')), '[]')
      from alert_rule where kind = 'series' and paused_at is null) as rules,
    (select coalesce(json_agg(json_build_object('rule', rule, 'key', key, 'at', ${milliseconds("at")}, 'value', value, 'basis', basis,
      'beyond', beyond)), '[]') from alert_level) as levels,
    (select coalesce(json_agg(json_build_object('id', id, 'account', account)), '[]') from webhook where inactive_reason is null)
      as endpoints,
    (select coalesce(json_agg(json_build_object('id', id, 'rule', rule, 'endpoint', webhook, 'type', type,
      'crossings', body::json->'data'->'crossings')), '[]') from webhook_delivery where type like 'series.%') as queued`;

export function seriesLedger({ observer }: Sessions): SeriesLedger {
  const levels = new Map<string, Level>();
  const known = new Set<string>();
  let waiting: readonly Point[] = [];
  return {
    async check() {
      const found = (await observer.query<DataStatus>(dataStatus)).rows[0];
      if (!found) throw new Error("No standing");
      const left = new Set(found.points.map(({ id }) => id));
      const seen = waiting.filter(({ id }) => !left.has(id));
      waiting = found.points;
      const due = found.rules.flatMap((rule) => reportsOf(rule, seen, levels));
      const fresh = found.queued.filter(({ id }) => !known.has(id));
      for (const { id } of fresh) known.add(id);
      compareReports(due, fresh, found.endpoints);
      compareLevels(levels, found.levels);
    },
  };
}

interface Report {
  readonly rule: Rule;
  readonly what: string;
}

/** By the words of the contract. Levels move with it. */
function reportsOf(rule: Rule, seen: readonly Point[], levels: Map<string, Level>): readonly Report[] {
  const { keys = [] } = rule.watch;
  return [...Map.groupBy(seen, ({ key }) => key)].flatMap(([key, points]) => {
    if (keys.length > 0 && !keys.includes(key)) return [];
    const place = `${rule.id} ${key}`;
    const reports: Report[] = [];
    // Only the newest point of a new key counts.
    const newest = Math.max(...points.map(({ at }) => at));
    for (const { at, value, basis } of levels.has(place)
      ? points
      : points.filter((each) => each.at === newest).slice(-1)) {
      const before = levels.get(place);
      if (before && at < before.at) continue;
      const { beyond, type } = next(before, { value, basis }, rule.watch);
      levels.set(place, { at, value, basis, beyond });
      if (type) reports.push({ rule, what: `${type} ${key} ${at} ${value}` });
    }
    return reports;
  });
}

function next(
  before: Level | undefined,
  { value, basis }: Pick<Point, "value" | "basis">,
  { threshold, direction, hysteresis = 0 }: Rule["watch"],
): { readonly beyond: boolean; readonly type?: string } {
  const over = direction === "above" ? value - threshold : threshold - value;
  if (before && before.basis !== basis) return { beyond: over >= 0 };
  if (!before?.beyond) return over >= 0 ? { beyond: true, type: "series.crossed" } : { beyond: false };
  const isBack = over < 0 && over <= -hysteresis;
  return isBack ? { beyond: false, type: "series.recovered" } : { beyond: true };
}

/** Each report is queued once for every endpoint of its rule, and nothing else is. */
function compareReports(due: readonly Report[], fresh: DataStatus["queued"], endpoints: DataStatus["endpoints"]): void {
  const queued = fresh.flatMap(({ rule, endpoint, type, crossings }) =>
    crossings.map(({ key, at, value }) => `${rule} tells ${endpoint} of ${type} ${key} ${at} ${value}`),
  );
  const wanted = due.flatMap(({ rule, what }) =>
    endpoints
      .filter(
        ({ id, account }) => account === rule.account && (rule.endpoints.length === 0 || rule.endpoints.includes(id)),
      )
      .map(({ id }) => `${rule.id} tells ${id} of ${what}`),
  );
  const rest = [...queued];
  for (const each of wanted) {
    const index = rest.indexOf(each);
    check("a crossing is queued for each endpoint of its rule", index >= 0, () => `it is not so that ${each}`);
    rest.splice(index, 1);
  }
  check("a report of a series has a crossing", rest.length === 0, () => `${rest[0]}, without a reason`);
}

function compareLevels(levels: ReadonlyMap<string, Level>, found: DataStatus["levels"]): void {
  const textOf = ({ at, value, basis, beyond }: Level) => `${value} (${basis}) of ${at}${beyond ? ", beyond" : ""}`;
  const stored = new Map(found.map(({ rule, key, ...level }) => [`${rule} ${key}`, textOf(level)]));
  for (const [place, level] of levels)
    check(
      "a stored level is that of the last point",
      stored.get(place) === textOf(level),
      () => `${place} stands at ${stored.get(place) ?? "nothing"}, not at ${textOf(level)}`,
    );
  for (const place of stored.keys())
    check("a level belongs to a point that was stored", levels.has(place), () => `${place} was never stored`);
}
