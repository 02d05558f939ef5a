import type { DescField } from "@bufbuild/protobuf";
import type { Series } from "../../../../gen/es/ids/history/v1/history_pb.ts";
import { Role } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "../../../contract/catalog.ts";
import type { Column } from "../../../contract/columns.ts";
import { isNeeded } from "../../../contract/rules/field-rules.ts";
import { type Table, tablesOf } from "../../../contract/tables.ts";
import { operationNamed } from "../../metadata.ts";
import type { PageContext } from "../../page-context.ts";
import type { ChartLine } from "../../view/chart-line.ts";

interface OwnTerms {
  readonly operation: Operation;
  readonly parameter: DescField;
  readonly table: Table;
  readonly unit: Column;
  readonly title: Column | undefined;
}

/** Returns undefined if all keys have the same unit, or none. */
function ownTerms({ unit, operation: name }: Series): OwnTerms | undefined {
  const operation = operationNamed(name);
  if (unit !== "" || !operation) return undefined;
  const [table] = tablesOf(operation);
  const [parameter] = operation.method.input.fields.filter(isNeeded);
  const column = table?.columns.find((each) => /(?:^|\.)units?$/.test(each.name) && each.type === "text");
  if (!table || !parameter || !column) return undefined;
  return { operation, parameter, table, unit: column, title: table.columns.find(({ role }) => role === Role.LABEL) };
}

export function differsByKey(series: Series): boolean {
  return ownTerms(series) !== undefined;
}

export async function withOwnTerms(
  series: Series,
  lines: readonly ChartLine[],
  { read }: PageContext,
): Promise<readonly ChartLine[]> {
  const own = ownTerms(series);
  if (!own) return lines;
  const { operation, parameter, table } = own;
  return Promise.all(
    lines.map(async (line): Promise<ChartLine> => {
      const response = await read(operation, { [parameter.name]: line.key });
      const [row] = response.kind === "answered" ? table.rowsIn(response.body, {}) : [];
      if (!row) return line;
      const [unit, title] = [own.unit.read(row), own.title?.read(row)];
      return {
        ...line,
        ...(typeof unit === "string" && { unit }),
        ...(typeof title === "string" && { label: `${title} (${line.key})` }),
      };
    }),
  );
}

/** Returns the smallest step between months with points. Undefined for fewer than two points. */
export function stepBetween({ points }: Pick<ChartLine, "points">): string | undefined {
  const months = points.flatMap(({ at, value }) => {
    const date = new Date(at);
    return value === undefined ? [] : [12 * date.getUTCFullYear() + date.getUTCMonth()];
  });
  const gaps = months.slice(1).map((month, place) => month - (months[place] ?? 0));
  if (gaps.length === 0) return undefined;
  const min = Math.min(...gaps);
  if (min < 3) return "month";
  return min < 12 ? "quarter" : "year";
}

const steps = ["month", "quarter", "year"];

/** Returns the step by which a chart labels its points. Undefined for days and times. */
export function shownStep(series: Series, lines: readonly ChartLine[], interval: string): string | undefined {
  // A week may begin in the year before the one of its value.
  if (interval === "week") return undefined;
  const known = lines.flatMap((line) => stepBetween(line) ?? []);
  const step = differsByKey(series)
    ? (steps.find((each) => known.length === lines.length && known.includes(each)) ?? "month")
    : series.step;
  if (steps.includes(step)) return step;
  return interval === "month" ? "month" : undefined;
}
