import type { SampleFolder } from "../folder.ts";
import { yahooChart } from "../format/yahoo-chart.ts";
import { metals, type WorldMetal } from "../world/metals.ts";
import { history } from "../world/trading.ts";

const charts = "https://query1.finance.yahoo.com/v8/finance/chart";

/** Returns Returns New York's futures of gold and silver. */
export function sample(): SampleFolder {
  const files = (day: number) => ({
    "gold.json": chartOf(metals.gold, day),
    "silver.json": chartOf(metals.silver, day),
  });
  return {
    index: {
      note: "Illustrative futures prices with invented values in the form of the chart API of Yahoo Finance. There is none on weekends and on closing days in China, America or the euro area.",
      rows: 2,
      series: "series.json",
      responses: [
        { url: `${charts}/GC=F`, file: "gold.json" },
        { url: `${charts}/SI=F`, file: "silver.json" },
      ],
    },
    files: { ...files(-1), "series.json": history(files) },
  };
}

function chartOf({ symbol, name, future, volume, decimals }: WorldMetal, day: number): string {
  return yahooChart({
    symbol,
    shortName: name,
    exchange: ["CMX", "COMEX"],
    type: "FUTURE",
    range: "1d",
    market: "trade",
    closes: future,
    days: [day],
    decimals: decimals.future,
    volume,
    opens: "20:52:03",
    closed: "20:52:03",
  });
}
