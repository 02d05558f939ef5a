import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { TopicDaySchema } from "../../../../gen/es/ids/stored/v1/topic_pb.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { type Parsed, type Rejection, readAs, readRow, type Source } from "../../../ingest/source.ts";
import { named } from "../../../reference/named.ts";
import { rounded } from "../../../reference/rounding.ts";
import { sourceDay } from "../../../reference/source-time.ts";
import type { Upstream } from "../../../upstream/upstream.ts";

interface Topic {
  readonly name: string;
  readonly words: readonly string[];
}

export const topics: readonly Topic[] = [
  { name: "military", words: ["troops", "missile", "airstrike", "army", "naval exercise"] },
  { name: "cyber", words: ["ransomware", "malware", "hackers", "data breach", "cyberattack"] },
  { name: "nuclear", words: ["uranium enrichment", "IAEA", "nuclear warhead", "nuclear reactor"] },
  { name: "sanctions", words: ["sanctions", "embargo", "asset freeze", "export controls"] },
  { name: "intelligence", words: ["espionage", "spying", "intelligence agency", "surveillance"] },
  { name: "maritime", words: ["tanker", "strait", "piracy", "naval blockade", "shipping lane"] },
];

type Day = MessageInitShape<typeof TopicDaySchema>;

const address = "https://api.gdeltproject.org/api/v2/doc/doc";
/** GDELT accepts one request per 5 seconds from an address. This applies to all topics and series together. */
const pace = { spacingMs: 5_500, oneAtATime: true } as const;
const timeoutMs = 60_000;
const series = { tone: "TimelineTone", articles: "TimelineVolRaw" } as const;

/** The source of a topic. A topic is missing if one of its two series has less than half as many days as the other. */
export function gdeltSource(topic: Topic): Source<Day> {
  return {
    name: `gdelt-${topic.name}`,
    license: { kind: "attribution", publisher: "GDELT", terms: "The GDELT Project, free and open with attribution" },
    pace,
    access: {
      rejection:
        "The address sent more than one request in 5 s, from this service or from others behind it. The last valid series stays.",
    },
    rows: { atLeast: 30, mayBeEmpty: false },
    fetch: (upstream) => sendRequest(upstream, topic),
    parse: (response) => parseSeries(topic, response),
    observedAt: ({ date = "" }) => Date.parse(date),
  };
}

async function sendRequest(upstream: Upstream, topic: Topic): Promise<unknown> {
  const words = topic.words.map((word) => (word.includes(" ") ? `"${word}"` : word)).join(" OR ");
  const bodies: [string, string][] = [];
  for (const [name, mode] of Object.entries(series)) {
    const query = new URLSearchParams({ query: `(${words}) sourcelang:eng`, mode, format: "json", timespan: "90d" });
    bodies.push([name, await upstream.text({ url: `${address}?${query}`, timeoutMs, tooOften })]);
  }
  return Object.fromEntries(bodies);
}

const responseSchema = z.object({ tone: z.string(), articles: z.string() });

function parseSeries({ name }: Topic, response: unknown): Parsed<Day> {
  const bodies = readAs("GDELT", responseSchema, response);
  const tone = readTimeline(bodies.tone);
  const articles = readTimeline(bodies.articles);
  const counts = new Map(articles.points.map(({ at, value }) => [at, value]));
  // If GDELT finds no article, it may report a tone of 0, so times without articles are omitted.
  const measured = tone.points.filter(({ at }) => counts.get(at) !== 0);
  const tones = new Map([...byDay(measured)].map(([date, points]) => [date, meanTone(points, counts)]));
  const sums = new Map(
    [...byDay(articles.points)].map(([date, points]) => [date, points.reduce((sum, { value }) => sum + value, 0)]),
  );
  const toneDays = byDay(tone.points).size;
  const fewer = Math.min(toneDays, sums.size);
  if (fewer === 0 || fewer * 2 < Math.max(toneDays, sums.size))
    throw new UpstreamError(`GDELT sent an incomplete response: ${toneDays} days of tone, ${sums.size} of articles`);
  const days = [...new Set([...sums.keys(), ...tones.keys()])];
  return {
    rows: days.map((date) => ({ date, ...named("tone", tones.get(date)), ...named("articles", sums.get(date)) })),
    rejected: [...tone.rejected, ...articles.rejected].map(({ row, reason }) => ({ row: `${name} ${row}`, reason })),
  };
}

interface Point {
  /** The time in GDELT's format, such as `20261118T141500Z`. */
  readonly at: string;
  readonly value: number;
}

const timelineSchema = z.object({ timeline: z.array(z.object({ data: z.array(z.unknown()) })).max(1) });
const pointSchema = z
  .object({
    date: z.string().refine((stamp) => sourceDay(stamp) !== undefined, "is not a timestamp"),
    value: z.number(),
  })
  .transform(({ date: at, value }): Point => ({ at, value }));

/** Returns the points of a response. Throws for GDELT's error messages, most of which have status 200. */
export function readTimeline(body: string) {
  const { timeline } = readAs("GDELT", timelineSchema, jsonOf(body));
  const points: Point[] = [];
  const rejected: Rejection[] = [];
  const known = new Set<string>();
  for (const [place, value] of (timeline[0]?.data ?? []).entries()) {
    const read = readRow(pointSchema, value, `#${place}`, rejected);
    if (!read) continue;
    if (known.has(read.at)) rejected.push({ row: `#${place}`, reason: `date: ${read.at} again` });
    else points.push(read);
    known.add(read.at);
  }
  return { points, rejected };
}

function jsonOf(body: string): unknown {
  let response: unknown;
  try {
    response = JSON.parse(body);
  } catch {
    throw rejectionReason(body.trim());
  }
  // GDELT returns an empty object for a theme or word that it does not know.
  if (typeof response === "object" && response !== null && Object.keys(response).length === 0)
    throw new UpstreamError("GDELT does not know the requested topic", { status: 200 });
  return response;
}

const tooOften = /limit requests|too many requests/i;

/** Returns an error for a response that is not JSON. GDELT rejects requests with plain text and any status. */
function rejectionReason(body: string): UpstreamError {
  if (tooOften.test(body))
    return new UpstreamError("GDELT received too many requests: one request in 5 s is allowed", { status: 429 });
  if (body === "") return new UpstreamError("GDELT sent an empty response", { status: 200 });
  if (body.startsWith("<")) return new UpstreamError("GDELT sent HTML, not JSON", { status: 200 });
  if (/^[{[]/.test(body)) return new UpstreamError("GDELT sent a truncated response that is not JSON", { status: 200 });
  return new UpstreamError(`GDELT rejected the request: ${body.replace(/\s+/g, " ").slice(0, 200)}`, { status: 400 });
}

function byDay(points: readonly Point[]): Map<string, Point[]> {
  return Map.groupBy(points, ({ at }) => sourceDay(at) ?? "");
}

/** Returns the mean tone, weighted by the number of articles. Without articles, all points have the same weight. */
function meanTone(points: readonly Point[], counts: ReadonlyMap<string, number>): number {
  const weights = points.map(({ at }) => counts.get(at) ?? 0);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean =
    total > 0
      ? points.reduce((sum, { value }, place) => sum + value * (weights[place] ?? 0), 0) / total
      : points.reduce((sum, { value }) => sum + value, 0) / points.length;
  return rounded(mean, 4);
}
