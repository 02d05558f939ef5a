// `make bench` prints the cost of the request path as ratios to plain node:http, from one alternating run. It asserts
// nothing.
import { measure } from "./measure.ts";
import { printProjections } from "./projection.ts";
import { startServers } from "./servers.ts";
import { printSteps } from "./steps.ts";
import { missingTools, pins } from "./tools.ts";

/** The number is odd and at least nine, so that the median is a measured slice. */
const slices = Number(process.env.BENCH_SLICES ?? 25);
const seconds = Number(process.env.BENCH_SECONDS ?? 1);
/** If the slices of the plain server differ by more than this share, the ratios are not reliable. */
const quietSpread = 0.2;

const targets: readonly { name: string; target: string; wanted?: string }[] = [
  { name: "bare node:http, 10 KB body", target: "bare" },
  { name: "keyed prepared GET, live limit headers", target: "prepared", wanted: ">= 0.85" },
  { name: "304", target: "notModified", wanted: ">= 0.95" },
  { name: "gzip, prepared", target: "gzip" },
  { name: "keyed prepared CSV of the same size", target: "csv" },
  { name: "uncached list of 50", target: "uncached", wanted: ">= 0.16" },
  { name: "connect-node unary JSON", target: "connect" },
  { name: "Fastify, fixed buffer", target: "fastify" },
  { name: "Fastify with key, two quotas, headers, validated query", target: "checked" },
];

const missing = missingTools();
if (missing !== undefined) {
  console.error(missing);
  process.exit(1);
}
if (!pins) console.warn("This system pins no process to a core: servers and load share them all, and ratios are rough");
await using servers = await startServers();
const measured = await measure(
  targets.map(({ target }) => servers.requestOf(target)),
  slices,
  seconds,
);
const rates = measured.map((kind) => kind.map(({ requestsPerSecond }) => requestsPerSecond));
const [bare = []] = rates;

console.log(`\n${slices} alternating slices of ${seconds} s; one process on one core, wrk on the other\n`);
console.log(
  "| what | requests/s (median) | ratio to bare (median, min-max) | processor us a request (median) | target |",
);
console.log("|---|---|---|---|---|");
targets.forEach(({ name, wanted = "" }, index) => {
  const own = (rates[index] ?? []).map((rate, slice) => rate / (bare[slice] ?? Number.NaN));
  const spread = `${Math.min(...own).toFixed(2)}-${Math.max(...own).toFixed(2)}`;
  const processor = median((measured[index] ?? []).map(({ processorUs }) => processorUs));
  console.log(
    `| ${name} | ${Math.round(median(rates[index] ?? []))} | ${median(own).toFixed(2)} (${spread}) | ${processor.toFixed(1)} | ${wanted} |`,
  );
});
console.log(
  `\nkeyed prepared GET is ${times("prepared", "connect").toFixed(1)} x connect-node unary JSON (target >= 8)`,
);
console.log(`keyed prepared CSV is ${times("csv", "prepared").toFixed(2)} x keyed prepared GET (target >= 0.95)\n`);
const spread = Math.max(...bare) / Math.min(...bare) - 1;
if (spread > quietSpread)
  console.log(
    `noisy: the slices of the bare server differ by ${Math.round(spread * 100)} %, so something else used the machine\n`,
  );
await printSteps();
printProjections();

/** Returns the ratio of requests per second between two targets, as the median over slices. */
function times(target: string, other: string): number {
  const [own = [], others = []] = [target, other].map(
    (name) => rates[targets.findIndex((each) => each.target === name)],
  );
  return median(own.map((rate, slice) => rate / (others[slice] ?? Number.NaN)));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
