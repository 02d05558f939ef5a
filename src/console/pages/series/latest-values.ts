import { HistoryService, type Series } from "../../../../gen/es/ids/history/v1/history_pb.ts";
import { columnUnit, labelOf } from "../../../contract/labels.ts";
import { html } from "../../../pages/html.ts";
import { table } from "../../../pages/layout.ts";
import { operationNamed, readMessage } from "../../metadata.ts";
import type { PageContext } from "../../page-context.ts";
import { type BlockParts, provenanceOf } from "../../view/block.ts";
import { amountText, numberText } from "../../view/figures.ts";
import { dayText } from "../../view/times.ts";
import { isOfCountries, keyName } from "./key-names.ts";

/** Maximum number of keys of a series whose latest values are read for a page. */
const maxRead = 500;
const maxRows = 100;

/** Returns the last value of each key, the largest first. Undefined for a series with one key, or with too many. */
export async function latestValues(series: Series, page: PageContext): Promise<BlockParts | undefined> {
  const { id, keys, keyParts, unit, scale } = series;
  if (keys < 2 || keys > maxRead) return undefined;
  const { response, message } = await readMessage(page.read, HistoryService.method.getSeries, {
    series: id,
    interval: "latest",
  });
  const points = message?.points ?? [];
  const rows = points
    .slice(0, maxRows)
    .map(({ key, at, value = 0 }) => [
      html`<a href="/series/${id}?${new URLSearchParams({ keys: key })}">${keyName(key)}</a>`,
      numberText(value),
      dayText(Number(at)),
    ]);
  const head = [isOfCountries(series) ? "Country" : labelOf(keyParts[0] ?? "key"), "Value", "Day"];
  const measure = columnUnit(unit, scale);
  const extent =
    points.length > maxRows
      ? `The first ${maxRows} of ${points.length}. The file has all.`
      : amountText(points.length, "key");
  return {
    ...{ id: "latest", title: "Latest values", span: "two-thirds" },
    about: `${measure === "" ? "" : `In ${measure}. `}Keys whose last value is too old, or unknown, are left out.`,
    content: message && html`${table(head, rows, [1])}<p class="small soft">${extent}</p>`,
    provenance: { ...provenanceOf(response), madeBy: operationNamed(series.operation) },
  };
}
