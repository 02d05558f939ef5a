// A process that reads impacts over HTTP as 400 accounts do, and prints how long each kind of request took.
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { buffer, text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import type { ImpactPage } from "../domains/monitoring.ts";
import { randomOf } from "../domains/synthetic-bases.ts";

interface Reader {
  readonly key: string;
  readonly companies: readonly string[];
}

interface Task {
  /** Address of company monitoring, with a slash. */
  readonly url: string;
  /** The first has the most impacts. */
  readonly readers: readonly Reader[];
}

const { url, readers }: Task = JSON.parse(await text(process.stdin));
const random = randomOf(11);
const agent = new Agent({ keepAlive: true });
const times: Record<string, number[]> = {};

async function measure(what: string, key: string, operation: string, query: Record<string, string>) {
  const address = `${url}${operation}?${new URLSearchParams(query)}`;
  const started = performance.now();
  const request = get(address, { agent, headers: { "X-Service-Key": key, "Accept-Encoding": "gzip" } });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const bytes = await buffer(response);
  // To the last byte: what a caller makes of them is its own time.
  const taken = performance.now() - started;
  const isPacked = response.headers["content-encoding"] === "gzip";
  const body = JSON.parse((isPacked ? gunzipSync(bytes) : bytes).toString()) as ImpactPage;
  if (response.statusCode !== 200) throw new Error(JSON.stringify(body));
  times[what] ??= [];
  times[what].push(taken);
  return body;
}

const impacts = "list-company-event-impacts";
for (let round = 0; round < 1_500; round++) {
  const { key, companies } = readers[Math.floor(random() ** 2 * readers.length)]!;
  const page = { page_size: String(1 + (round % 100)) };
  await measure("first pages", key, impacts, page);
  const company = companies[Math.floor(random() * companies.length)] ?? "";
  const filter = { company_id: company, direction: round % 2 ? "negative" : "positive" };
  const { snapshot } = await measure("filtered pages", key, impacts, { ...filter, ...page });
  await measure("polls", key, "list-company-event-changes", { ...filter, cursor: snapshot.pollCursor });
}
let walked = 0;
for (let cursor = "", isOver = false; !isOver; ) {
  const query = { page_size: "100", ...(cursor ? { cursor } : {}) };
  const page = await measure("pages of one walk", readers[0]?.key ?? "", impacts, query);
  walked += page.impacts.length;
  cursor = page.nextCursor;
  isOver = cursor === "";
}
console.log(JSON.stringify({ walked, times }));
