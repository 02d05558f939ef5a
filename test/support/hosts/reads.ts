import { Agent, request } from "undici";
import { atRate } from "../at-rate.ts";

/** What became of reads that were asked at a steady rate. */
export interface ReadReport {
  readonly requested: number;
  /** How many a second were asked indeed. */
  readonly perSecond: number;
  readonly failed: readonly string[];
  /** Of pages that list rows of one generation: how many were read, and those that showed two. */
  readonly pages: number;
  readonly generations: number;
  readonly mixed: readonly string[];
  readonly slowestMs: number;
}

/** The default is a rate that two cores sustain with six hosts and other tests. */
export const readsPerSecond = Number(process.env.IDS_HOSTS_RATE ?? 50);

const prepared = [
  "/api/infrastructure/v1/list-internet-outages?country=SY",
  "/api/economic/v1/list-global-tenders?query=software&countries=FR,DE,GB&sort=closing_soon",
  "/api/intelligence/v1/get-risk-scores?region=UA",
];
const timeoutMs = 30_000;

/** The title of every tender while a generation is served. */
export const titleOf = (generation: number) => `generation ${generation}`;

/** One in this number of reads requests a new page from the database. */
export const readsPerPage = 10;

/** Each is begun in time, whether or not those before it have ended. */
export function startReads(url: string, key: string) {
  const failed: string[] = [];
  const mixed: string[] = [];
  const generations = new Set<string>();
  const dispatcher = new Agent();
  // Above all that were asked before.
  const first = Math.floor(Date.now() / 1_000) * readsPerSecond;
  let pages = 0;
  let slowestMs = 0;
  const read = async (path: string) => {
    const begun = performance.now();
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await request(url + path, { dispatcher, headers: { "x-service-key": key }, signal });
      const body = await response.body.text();
      if (response.statusCode === 200) return body;
      failed.push(`${response.statusCode} ${path} ${body.slice(0, 200)}`);
    } catch (error) {
      failed.push(`${error} ${path}`);
    } finally {
      slowestMs = Math.max(slowestMs, performance.now() - begun);
    }
    return undefined;
  };
  const readPage = async (number: number) => {
    const body = await read(`/api/economic/v1/list-global-tenders?page_size=50&min_value=-${number}`);
    if (body === undefined) return;
    const { tenders } = JSON.parse(body) as { tenders: { title: string }[] };
    const titles = new Set(tenders.map(({ title }) => title));
    const [title] = titles;
    if (title === undefined) return void failed.push(`200 without a row: ${body.slice(0, 1_000)}`);
    pages += 1;
    generations.add(title);
    if (titles.size > 1) mixed.push([...titles].join(", "));
  };
  const reading = atRate(readsPerSecond, (number) =>
    number % readsPerPage === 0 ? readPage(first + number) : read(prepared[number % prepared.length] ?? ""),
  );
  return {
    async end(): Promise<ReadReport> {
      const { begun, perSecond } = await reading.end();
      await dispatcher.close();
      return { requested: begun, perSecond, failed, pages, generations: generations.size, mixed, slowestMs };
    },
  };
}
