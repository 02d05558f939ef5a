import type { SampleFolder } from "../folder.ts";
import { randomOf } from "../random.ts";
import { benchmark, metals, type WorldMetal } from "../world/metals.ts";
import { history, trade, upTo } from "../world/trading.ts";

const pages = 7;

/** Returns Shanghai's benchmark prices of gold and silver, morning and afternoon, a little above New York's. */
export function sample(): SampleFolder {
  const files = (day: number) => ({ "gold.html": page(metals.gold, day), "silver.html": page(metals.silver, day) });
  return {
    index: {
      note: "Illustrative benchmark prices with invented values in the form of the English pages of the Shanghai Gold Exchange. There is none on weekends and on closing days in China, America or the euro area.",
      rows: 2 * pages,
      series: "series.json",
      responses: [
        { url: "https://en.sge.com.cn/data_BenchmarkPrice_Daily", file: "gold.html" },
        { url: "https://en.sge.com.cn/data/data_silver_daily", file: "silver.html" },
      ],
    },
    files: { ...files(-1), "series.json": history(files) },
  };
}

function page(metal: WorldMetal, newest: number): string {
  const { title, contract } = metal;
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Shanghai ${title} Benchmark Price</title></head>
<body>
<div class="nav"><a href="/">Home</a> &gt; <a href="/data">Data</a></div>
<h1>Shanghai ${title} Benchmark Price</h1>
<!-- daily table -->
<table class="ke-zeroborder">
<thead><tr><th>Trade Date</th><th>Contract</th><th>Benchmark Price AM</th><th>Benchmark Price PM</th></tr></thead>
<tbody>
${upTo(newest, pages)
  .map((day) => {
    const pm = benchmark(metal, day);
    const am = pm * (1 + 0.002 * randomOf("morning", contract, day).normal());
    const cells = [trade(day, " YYYYMMDD"), contract, priceText(am, metal), priceText(pm, metal)];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  })
  .join("\n")}
</tbody>
</table>
</body>
</html>
`;
}

function priceText(price: number, { decimals }: WorldMetal): string {
  return Number(price.toFixed(decimals.benchmark)).toLocaleString("en-US", {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
}
