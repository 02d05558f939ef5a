import { topics } from "../../../src/domains/intelligence/topics/gdelt.ts";
import type { SampleFolder } from "../folder.ts";
import { randomOf } from "../random.ts";
import { dayAt, ofWeek, type Week, weekSteps } from "../world/weeks.ts";
import { jsonRows } from "./json.ts";

/** Coverage of a topic: the mean tone, and its share of all articles. */
export interface Coverage {
  readonly tone: number;
  readonly share: number;
  /** Growth of the share from the first day to the last. */
  readonly growth: number;
}

const window = 90;
/** Days before the latest Sunday that both series lack, and a day without a tone. */
const missing = { both: [20, 47], tone: 63 };
/** Number of all articles by weekday. It is far lower on weekends. */
const articles: Week = [112_000, 168_000, 176_000, 181_000, 178_000, 163_000, 104_000];
/** The tone is a little friendlier on weekends. */
const kinder: Week = [0.25, 0, 0, 0, 0, 0.05, 0.3];
/** Minimum absolute tone, so that no tone is rounded to 0. */
const faintest = 0.02;

const address = "https://api.gdeltproject.org/api/v2/doc/doc";

/** Returns tone and articles of a topic over 90 days, with a weekly cycle and a slow trend. */
export function gdeltFolder(name: string, coverage: Coverage): SampleFolder {
  const topic = topics.find((other) => other.name === name);
  if (!topic) throw new Error(`There is no topic ${name}`);
  const words = topic.words.map((word) => (word.includes(" ") ? `"${word}"` : word)).join(" OR ");
  const query = `(${words}) sourcelang:eng`;
  const points = pointsOf(name, coverage);
  const filesOf = (newest: number) => ({
    "tone.json": timeline(query, "Average Tone", tones(points, newest)),
    "volume.json": timeline(query, "Article Count", volumes(points, newest)),
  });
  return {
    index: {
      note: "Illustrative, invented tones and counts in the form of the GDELT DOC API. Two days are left out, and one has no tone.",
      rows: window - missing.both.length,
      editions: "editions.json",
      responses: [
        { url: address, query: { mode: "TimelineTone", query }, file: "tone.json" },
        { url: address, query: { mode: "TimelineVolRaw", query }, file: "volume.json" },
      ],
    },
    files: { ...filesOf(0), "editions.json": weekSteps(filesOf) },
  };
}

interface Point {
  /** Day relative to the latest Sunday. */
  readonly day: number;
  readonly tone: number;
  readonly count: number;
  readonly norm: number;
}

/** Returns the points of all days that any edition contains. */
function pointsOf(name: string, { tone, share, growth }: Coverage): Point[] {
  const { normal } = randomOf("gdelt", name);
  let mood = 0;
  let interest = 0;
  const days = Array.from({ length: window + 6 }, (_, place) => place + 1 - window);
  return days.map((day) => {
    mood = 0.7 * mood + 0.3 * normal();
    interest = 0.8 * interest + 0.12 * normal();
    const norm = Math.round(ofWeek(articles, -day) * (1 + 0.02 * normal()));
    const value = tone + mood + ofWeek(kinder, -day) - 0.004 * (day + window / 2);
    return {
      day,
      tone: Number((Math.abs(value) < faintest ? -faintest : value).toFixed(4)),
      count: Math.round(norm * share * Math.exp(interest) * (1 + (growth * (day + window)) / window)),
      norm,
    };
  });
}

function seen(points: readonly Point[], newest: number): Point[] {
  return points.filter(({ day }) => day <= newest && day > newest - window && !missing.both.includes(-day));
}

const date = (day: number) => `${dayAt(day, " YYYYMMDD")}T000000Z`;

function tones(points: readonly Point[], newest: number) {
  return seen(points, newest)
    .filter(({ day }) => -day !== missing.tone)
    .map(({ day, tone }) => ({ date: date(day), value: tone }));
}

function volumes(points: readonly Point[], newest: number) {
  return seen(points, newest).map(({ day, count, norm }) => ({ date: date(day), value: count, norm }));
}

function timeline(query: string, series: string, rows: readonly object[]): string {
  const details = JSON.stringify({ title: query, date_resolution: "day" });
  return jsonRows(`{"query_details":${details},"timeline":[{"series":"${series}","data":`, rows, "}]}");
}
