import type { Source } from "../../ingest/source.ts";
import type { Upstream } from "../../upstream/upstream.ts";

const address = "https://ec.europa.eu/eurostat/api/dissemination/statistics/1.0/data";

export const eurostatMetadata = {
  license: { kind: "attribution", publisher: "Eurostat", terms: "Eurostat, reuse with acknowledgement (CC BY 4.0)" },
} as const satisfies Partial<Source<unknown>>;

/** Fetches a table as JSON-stat, only with the given codes in each named dimension. */
export function fetchEurostat(
  upstream: Upstream,
  table: string,
  places: Readonly<Record<string, string | readonly string[]>>,
): Promise<unknown> {
  const query = new URLSearchParams({ format: "JSON", lang: "EN" });
  for (const [dimension, codes] of Object.entries(places))
    for (const code of [codes].flat()) query.append(dimension, code);
  return upstream.json({ url: `${address}/${table}?${query}` });
}
