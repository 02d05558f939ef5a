// Written by `make generate`.
import type { DatasetName, SeriesId } from "../../../known.ts";
/** A figure that has crossed the threshold of a rule. */
export interface SeriesCrossing {
  /** Id of the series. */
  series: string;
  /** Key of the figure. */
  key: string;
  /** Time of the figure, Unix epoch milliseconds. */
  at: number;
  /** The figure, as GetSeries returns it: times `scale` of the series it is in `unit`. */
  value: number;
  /** The figure before it. Absent for the first that the rule sees. */
  previousValue?: number;
  /** True if the figure is beyond the threshold, false if it is back. */
  beyond: boolean;
}

/** What a rule watches: exactly one of its members. */
export interface Trigger {
  /** Changes of the rows of datasets. */
  changes?: ChangesTrigger | undefined;
  /** The level of a series. */
  series?: SeriesTrigger | undefined;
  /** Procurement notices that appear or change. */
  tenders?: TendersTrigger | undefined;
  /** Datasets that pass their age. */
  staleness?: StalenessTrigger | undefined;
}

/** Changes of the rows of datasets, as ListChanges lists them. */
export interface ChangesTrigger {
  /** Names of datasets, as in ListDatasets. 1 to 50. */
  datasets: DatasetName[];
  /** Countries in any form, up to 250. Changes without a country then do not match. Default: all. */
  countries?: string[] | undefined;
  /** Kinds of changes. Default: `appeared`, `changed` and `vanished`. */
  kinds?: ("appeared" | "changed" | "vanished" | "replaced" | "corrected")[] | undefined;
  /** JMESPath expression over a change, up to 1,024 bytes. Changes for which it gives false, null or nothing are not reported, nor are those for which it fails or costs too much. Conditions of one account share a budget for every 500 changes. */
  condition?: string | undefined;
}

/** A figure that crosses a threshold. It is reported once when it stands beyond the threshold, again when it is back on the near side of threshold and hysteresis (`series.recovered`), and then once more. The first value after the creation of the rule is reported if it stands there already. A value computed by another methodology or from other sources than the one before it is never reported: watching starts over with it. Figures of times before the last one are not reported either. */
export interface SeriesTrigger {
  /** Id of the series, as in ListSeries. */
  series: SeriesId;
  /** Keys, case-insensitive, up to 50. The first parts of a key stand for all keys that begin with them. A key that the series does not cover is rejected; a valid key of a series that was never loaded is accepted. Default: all keys. */
  keys?: string[] | undefined;
  /** Threshold, as the values of GetSeries: in `unit` times `scale` of the series, so 500 is 500 million USD where the scale is 1,000,000. A value equal to it is beyond it. Of a figure whose range is documented it must lie in that range. */
  threshold: number;
  /** `above` or `below`: on which side of the threshold a value is reported. */
  direction: "above" | "below";
  /** How far a value must be back across the threshold before the rule can report again, 0 or more, on the scale of the threshold. Default 0: any value on the near side. Of a figure whose range is documented at most as far as it can be back. */
  hysteresis?: number | undefined;
}

/** Procurement notices that appear or change, by the filters of ListGlobalTenders. At least one must be set. */
export interface TendersTrigger {
  /** Countries in any form, up to 50. Default: all. */
  countries?: string[] | undefined;
  /** Source: `sam`, `ted`, `contracts-finder`, `canada-buys`, `gets` or `world-bank`. Default: all. */
  source?: "sam" | "ted" | "contracts-finder" | "canada-buys" | "gets" | "world-bank" | undefined;
  /** Minimum stated amount, inclusive. 0 or less means no bound. Amounts are compared as stated: set `currency` too. */
  minValue?: number | undefined;
  /** Maximum stated amount, inclusive. 0 or less means no bound. */
  maxValue?: number | undefined;
  /** ISO 4217 currency code. */
  currency?: string | undefined;
  /** Part of a category code or sector, case-insensitive. */
  category?: string | undefined;
  /** Words and quoted phrases that must all occur in the title or description, case-insensitive and without regard to accents. */
  query?: string | undefined;
  /** Part of the buyer's name, case-insensitive. */
  buyer?: string | undefined;
  /** Minimum automation-fit score, 1 to 100. 0 means no bound. */
  minAutomationScore?: number | undefined;
}

/** Datasets that pass their age (`dataset.stale`), lose inputs (`dataset.degraded`), or recover (`dataset.recovered`). */
export interface StalenessTrigger {
  /** Names of datasets, as in ListDatasets. 1 to 50. */
  datasets: DatasetName[];
}

