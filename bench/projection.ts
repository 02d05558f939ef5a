import { create } from "@bufbuild/protobuf";
import { search } from "jmespath";
import {
  InternetOutageSchema,
  ListInternetOutagesResponseSchema,
} from "../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { jsonWriter } from "../src/contract/json.ts";
import { plainMaker } from "../src/contract/plain.ts";
import { compileExpression } from "../src/projection/compile.ts";
import { Fuel } from "../src/projection/fuel.ts";
import { serialize } from "../src/projection/serialize.ts";
import type { Json } from "../src/projection/value.ts";
import { deepFreeze } from "../src/store/served/stored-dataset.ts";

const bodyBytes = 33_000;
const rounds = 21;
const inRound = 200;

/** This expression is trivial, so that it shows the fixed cost. */
const fixed = "length(outages)";
const expressions = [
  "outages[*].{id: id, country: country, at: detectedAt}",
  "outages[?country == 'US']",
  "outages[?detectedAt > `1700000000000`].[id, title, location.latitude]",
  "sort_by(outages, &title)[:10].title",
  "outages[*]",
  fixed,
];

/**
 * Prints the cost of a projection of a 33 KB list, from the message to the body, in alternating rounds. It is a ratio
 * to the library's search on the parsed body with JSON.stringify. Also prints the cost of the first projection of a
 * cached response, whose body is parsed for it.
 */
export function printProjections(): void {
  const message = outageList();
  const plain = plainMaker(ListInternetOutagesResponseSchema);
  const body = Buffer.from(jsonWriter(ListInternetOutagesResponseSchema)(message), "latin1").toString();
  const parsed = JSON.parse(body);
  console.log(`\nprojection of a list of ${Math.round(Buffer.byteLength(body) / 1000)} KB\n`);
  console.log("| expression | bare (us) | from the message | from its bytes | target |");
  console.log("|---|---|---|---|---|");
  for (const expression of expressions) {
    const evaluate = compileExpression(expression);
    const project = (value: Json) => {
      const fuel = new Fuel();
      return serialize(evaluate(value, fuel), fuel);
    };
    const [bare, fresh, stored] = alternately([
      () => JSON.stringify(search(parsed, expression)),
      () => project(plain(message) as Json),
      () => project(JSON.parse(body)),
    ]);
    const ratio = (times: number[] = []) => (median(times) / median(bare ?? [])).toFixed(2);
    console.log(
      `| \`${expression}\` | ${(median(bare ?? []) * 1000).toFixed(1)} | ${ratio(fresh)} | ${ratio(stored)} | ${expression === fixed ? "" : "<= 1.5"} |`,
    );
  }
}

/** Returns milliseconds per run of each kind in each round. */
function alternately(kinds: readonly (() => unknown)[]): number[][] {
  const times: number[][] = kinds.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, run] of kinds.entries()) {
      const begun = performance.now();
      for (let time = 0; time < inRound; time++) run();
      times[index]?.push((performance.now() - begun) / inRound);
    }
  return times;
}

function outageList() {
  const message = create(ListInternetOutagesResponseSchema, { pagination: { totalCount: 0 } });
  for (let index = 0, bytes = 0; bytes < bodyBytes; index++) {
    const outage = create(InternetOutageSchema, {
      ...{
        id: `outage-${index}`,
        title: `Outage ${(index * 7919) % 1000} of a network`,
        link: "https://example.org/outage",
      },
      ...{ description: "Traffic fell to less than half of what is usual.", region: "", cause: "POWER_OUTAGE" },
      ...{ detectedAt: 1_700_000_000_000n + BigInt(index), country: ["US", "SY", "SD"][index % 3] ?? "" },
      ...{ categories: ["power", "government"], location: { latitude: index / 7, longitude: -index / 3 } },
    });
    message.outages.push(outage);
    bytes += jsonWriter(InternetOutageSchema)(outage).length + 1;
  }
  deepFreeze(message);
  return message;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
