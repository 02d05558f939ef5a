/** What became of reads that were asked at a steady rate. */
export interface ReadReport {
  readonly asked: number;
  readonly failed: readonly string[];
  /** Of pages that list rows of one generation: how many were read, and those that showed two. */
  readonly pages: number;
  readonly generations: number;
  readonly mixed: readonly string[];
  readonly slowestMs: number;
}

/** By default what two cores bear beside six hosts and others at work. */
export const readsPerSecond = Number(process.env.IDS_HOSTS_RATE ?? 50);

const prepared = [
  "/api/infrastructure/v1/list-internet-outages?country=SY",
  "/api/economic/v1/list-global-tenders?query=software&countries=FR,DE,GB&sort=closing_soon",
  "/api/intelligence/v1/get-risk-scores?region=UA",
];
const patienceMs = 30_000;

/** The title of every tender while a generation is served. */
export const titleOf = (generation: number) => `generation ${generation}`;

/** Each is begun in time, whether or not those before it have ended; every other asks the database for a page that nobody asked for before. */
export function startReads(url: string, key: string) {
  const failed: string[] = [];
  const mixed: string[] = [];
  const generations = new Set<string>();
  const waiting: Promise<void>[] = [];
  // Above all that were asked before.
  const first = Math.floor(Date.now() / 1_000) * readsPerSecond;
  let pages = 0;
  let slowestMs = 0;
  const read = async (path: string) => {
    const begun = performance.now();
    try {
      const signal = AbortSignal.timeout(patienceMs);
      const answer = await fetch(url + path, { headers: { "x-service-key": key }, signal });
      const body = await answer.text();
      if (answer.status === 200) return body;
      failed.push(`${answer.status} ${path} ${body.slice(0, 200)}`);
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
  const timer = setInterval(() => {
    const number = waiting.length;
    const path = prepared[(number >> 1) % prepared.length] ?? "";
    waiting.push(number % 2 ? readPage(first + number) : read(path).then(() => undefined));
  }, 1_000 / readsPerSecond);
  return {
    async end(): Promise<ReadReport> {
      clearInterval(timer);
      await Promise.all(waiting);
      return { asked: waiting.length, failed, pages, generations: generations.size, mixed, slowestMs };
    },
  };
}
