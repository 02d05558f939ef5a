// The series of a dataset's page, with the possible countries and the series of other datasets about the same topic.
import type { DescMethod } from "@bufbuild/protobuf";
import { tierNames } from "../src/access/plans.ts";
import { catalog, requiredTier } from "../src/contract/catalog.ts";
import { datasets } from "../src/domains/index.ts";
import type { Series } from "../src/ingest/series/dataset-series.ts";
import { countryByCode } from "../src/reference/countries/countries.ts";
import { cell, markdownTable } from "./markdown-table.ts";

/** Returns the lines of the section of series; none if the dataset has no series. */
export function seriesOf({ name, series }: (typeof datasets)[number]): string[] {
  const own = series?.series ?? [];
  if (own.length === 0) return [];
  const topics = new Set(own.map(topicOf));
  const related = datasets.flatMap((other) =>
    (other.name === name ? [] : (other.series?.series ?? []))
      .filter((one) => topics.has(topicOf(one)))
      .map((one) => `- Related series: \`${one.id}\` of [${other.name}](${other.name}.md#series). ${withKeys(one)}`),
  );
  const countries = new Set(own.flatMap((one) => countriesOf(one) ?? []));
  const table = markdownTable(
    ["Series", "Value", "Unit", "Step", "Key", "Plan"],
    own.map(({ id, title, unit, scale, step, keyParts, shownBy }) => [
      `\`${id}\``,
      cell(title),
      scale === 1 ? unit : `${scale} ${unit}`,
      step,
      keyParts.join("/"),
      planOf(shownBy),
    ]),
  );
  const notes = [...[...countries].map((names) => `- ${names}`), ...related];
  return notes.length === 0 ? table : [...table, "", ...notes];
}

/** Returns the lowest plan whose keys may read a series: that of the operation with its current value. */
function planOf(method: DescMethod): string {
  const operation = catalog.find((each) => each.method === method);
  return operation ? (tierNames[requiredTier(operation)] ?? "") : "";
}

/** Series whose ids have the same prefix are about the same topic. */
function topicOf({ id }: Series): string {
  return id.split(".", 1)[0] ?? id;
}

function withKeys(series: Series): string {
  return [cell(series.title), countriesOf(series)].filter((text) => text !== undefined).join(" ");
}

/** Returns a sentence that names the countries of a series. Undefined if the program does not define them. */
function countriesOf({ keys, keyParts }: Series): string | undefined {
  if (!keys || keyParts[0] !== "country") return undefined;
  const names = keys.map((key) => `${countryByCode(key)?.name ?? key} (\`${key}\`)`);
  return `Possible countries, as \`keys\` of GetSeries: ${names.sort((one, other) => one.localeCompare(other, "en")).join(", ")}.`;
}
