// The program that loads a service from a process of its own: `node load-generator.ts <scene> <url>`. It says `ready`, waits for a line and
// prints what it saw as JSON.
import { once } from "node:events";
import { type ClientHttp2Session, connect, constants } from "node:http2";
import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import { atRate } from "../at-rate.ts";

const [, , scene = "", url = ""] = process.argv;
const events = "/api/conflict/v1/list-conflict-events";
let distinct = 0;

const scenes: Readonly<Record<string, () => Promise<object>>> = {
  ...{ unread, held, reset, streams, anonymous },
  pages: () => views(pageOf),
  selections: () => views(selectionOf),
};

/** 300 connections that let themselves be sent nothing, and ping; 100 requests on each. */
async function unread() {
  const sessions = Array.from({ length: 300 }, () => open(0));
  await Promise.all(sessions.map(opened));
  const pings = setInterval(() => {
    for (const session of sessions) if (!session.destroyed) session.ping(() => undefined);
  }, 1_000);
  const begunAt = performance.now();
  const ended: number[] = [];
  const accepted = sessions.filter(({ destroyed }) => !destroyed);
  const streams = accepted.flatMap((session) => requested(session, 100, () => "/api/health"));
  for (const stream of streams) stream.once("close", () => ended.push(performance.now() - begunAt));
  process.stdout.write("asked\n");
  while (ended.length < streams.length && performance.now() - begunAt < 150_000) await delay(50);
  clearInterval(pings);
  const left = streams.length - ended.length;
  for (const session of sessions) session.destroy();
  return { connections: accepted.length, requested: streams.length, left, lastMs: Math.max(...ended) };
}

/** 200 requests on two connections. */
async function held() {
  const sessions = [open(), open()];
  return { statuses: await statusesOf(sessions.flatMap((session) => requested(session, 100, distinctEvents))) };
}

/** The same, each taken back at once, ten times over. */
async function reset() {
  const streams: ReturnType<typeof requested> = [];
  for (let round = 0; round < 10; round++) {
    const sessions = [open(), open()];
    await Promise.all(sessions.map(opened));
    const requests = sessions.flatMap((session) => requested(session, 100, distinctEvents));
    await delay(1);
    for (const stream of requests) stream.close(constants.NGHTTP2_CANCEL);
    streams.push(...requests);
    await delay(50);
  }
  return { statuses: await statusesOf(streams) };
}

/** 500 requests on five connections. */
async function streams() {
  const sessions = Array.from({ length: 5 }, () => open());
  return { statuses: await statusesOf(sessions.flatMap((session) => requested(session, 100, distinctEvents))) };
}

/** As many as an address may ask in a minute, at once, over HTTP/1.1. */
async function anonymous() {
  const dispatcher = new Agent({ connections: 600 });
  const statuses: Record<string, number> = {};
  await Promise.all(
    Array.from({ length: 600 }, async (_, index) => {
      const { statusCode, body } = await request(`${url}${events}?start=1000&end=${1_900_000_000_000 + index}`, {
        dispatcher,
      });
      await body.dump();
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
    }),
  );
  await dispatcher.close();
  return { statuses };
}

/** Pages as people find them, by links that say where they were found. */
function pageOf(index: number): string {
  const countries = ["UA", "SD", "FR", "US", "MM", "JP", "BR", "IN", "DE", "TV"];
  const others = ["/status", "/data", "/countries", "/tenders", "/data/conflict-events", "/series/risk.score"];
  const pages = ["/", ...countries.map((code) => `/countries/${code}`), ...others];
  return `${pages[index % pages.length]}?utm_source=${index}`;
}

/** A page that was never requested before. */
function selectionOf(index: number): string {
  const pages = ["/?layer", "/countries?q", "/tenders?min_value", "/data/conflict-events?start"];
  return `${pages[index % pages.length]}=${index}`;
}

/** 1,000 views of pages a second for 20 seconds, however fast they are answered: each of another address of the world. */
async function views(pathOf: (index: number) => string) {
  const [perSecond, seconds] = [1_000, 20];
  const dispatcher = new Agent({ connections: 2_000 });
  const statuses: Record<string, number> = {};
  const served: number[] = [];
  const view = async (index: number) => {
    const begun = performance.now();
    const headers = { accept: "text/html", "x-forwarded-for": `203.${index % 100}.${(index >> 3) % 250}.7` };
    const { statusCode, body } = await request(url + pathOf(index), { dispatcher, headers });
    await body.dump();
    statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
    if (statusCode === 200) served.push(performance.now() - begun);
  };
  const begun = performance.now();
  const viewing = atRate(perSecond, view);
  await delay(seconds * 1_000);
  await viewing.end();
  await dispatcher.close();
  const lastMs = performance.now() - begun;
  return { statuses, lastMs, medianMs: served.sort((a, b) => a - b)[Math.floor(served.length / 2)] };
}

function open(initialWindowSize = 1_000_000): ClientHttp2Session {
  const session = connect(url, { settings: { initialWindowSize } });
  session.on("error", () => undefined);
  return session;
}

/** Resolves when the other side has begun to speak, or closed. */
async function opened(session: ClientHttp2Session): Promise<void> {
  await Promise.race([once(session, "remoteSettings"), once(session, "close")]);
}

function distinctEvents(): string {
  distinct += 1;
  return `${events}?start=${1_000 + process.pid * 10_000 + distinct}`;
}

function requested(session: ClientHttp2Session, count: number, path: () => string) {
  return Array.from({ length: count }, () => {
    const stream = session.request({ ":path": path() });
    stream.on("error", () => undefined);
    return stream;
  });
}

async function statusesOf(streams: ReturnType<typeof requested>) {
  const statuses: Record<string, number> = {};
  await Promise.all(
    streams.map(async (stream) => {
      let status = "reset";
      stream.once("response", (head) => {
        status = String(head[":status"]);
      });
      stream.resume();
      if (!stream.destroyed) await once(stream, "close");
      statuses[status] = (statuses[status] ?? 0) + 1;
    }),
  );
  return statuses;
}

const run = scenes[scene];
if (!run) throw new Error(`No scene ${scene}`);
// The machine's work at startup is not part of the load.
process.stdout.write("ready\n");
await once(process.stdin, "data");
process.stdout.write(`${JSON.stringify(await run())}\n`);
process.exit();
