import type { SampleFolder } from "../folder.ts";
import { element, nested } from "../format/rss.ts";
import { randomOf } from "../random.ts";
import { table } from "../world/table.ts";
import { dayAt } from "../world/weeks.ts";

interface Advisory {
  readonly tag: string;
  readonly name: string;
  readonly level: Level;
  /** Number of days before the latest Sunday. */
  readonly ago: number;
}

const advice = {
  1: "Exercise Normal Precautions",
  2: "Exercise Increased Caution",
  3: "Reconsider Travel",
  4: "Do Not Travel",
} as const;
type Level = keyof typeof advice;

const reasons = [
  "road safety",
  "the weather of the season",
  "crowded places",
  "long ways to a hospital",
  "petty theft",
];
/** Levels of the day before, if they differ. */
const before: Readonly<Record<string, Level>> = { Cuba: 3, "Saudi Arabia": 1 };

const pages = "https://travel.example.org/advisories";
const date = (ago: number) => dayAt(-ago, " Day, DD Mon YYYY");

/** Returns levels of countries, a worldwide caution, and an advisory for a place that is not a country. */
export function sample(): SampleFolder {
  const advisories = table<"tag" | "name" | "level" | "ago">("advisories").map(
    (row): Advisory => ({ tag: row.tag, name: row.name, level: levelOf(row.level), ago: Number(row.ago) }),
  );
  const yesterday = advisories.map((one) => ({ ...one, level: before[one.name] ?? one.level }));
  const series = [{ daysBefore: 1, files: { "feed.xml": feed(yesterday) } }];
  return {
    index: {
      note: "Illustrative travel advisories in the form of the US State Department's feed: invented levels, days and words. They are not advice.",
      rows: 204,
      series: "series.json",
      responses: [{ url: "https://travel.state.gov/_res/rss/TAsTWs.xml", file: "feed.xml" }],
    },
    files: { "feed.xml": feed(advisories), "series.json": `${JSON.stringify(series, null, 1)}\n` },
  };
}

function levelOf(text: string): Level {
  const level = Number(text);
  if (level !== 1 && level !== 2 && level !== 3 && level !== 4) throw new Error(`${text} is not a level`);
  return level;
}

function feed(advisories: readonly Advisory[]): string {
  const invented = [
    element("title", `The Northern Isles - Level 1: ${advice[1]}`),
    element("link", `${pages}/northern-isles`),
    element("pubDate", date(18)),
    element("description", "<p>Illustrative: exercise normal precautions.</p>"),
  ];
  const worldwide = [
    element("title", "Worldwide Caution"),
    element("link", `${pages}/worldwide-caution`),
    element("pubDate", date(55)),
    element("description", "<p>Illustrative.</p>"),
  ];
  const channel = [
    ["title", "Travel Advisories (illustrative)"],
    ["link", pages],
    ["description", "Illustrative travel advisories"],
    ["pubDate", date(0)],
  ].map(([name = "", text = ""]) => `    ${element(name, text)}`);
  const items = [...advisories.map(itemOf), worldwide, invented].map((elements) => nested("item", elements, "    "));
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0">
  <channel>
${[...channel, ...items].join("\n")}
  </channel>
</rss>
`;
}

function itemOf({ tag, name, level, ago }: Advisory): string[] {
  const link = `${pages}/${name
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, "-")
    .replace(/-$/, "")}`;
  const [first, second] = pair(tag);
  const because = level === 1 ? "" : ` because of ${first} and ${second}`;
  return [
    element("title", `${name} - Level ${level}: ${advice[level]}`),
    element("link", link),
    element("guid", link),
    element("category", `Level ${level}: ${advice[level]}`, 'domain="Threat-Level"'),
    element("category", tag, 'domain="Country-Tag"'),
    element("category", "advisory", 'domain="Keyword"'),
    element("pubDate", date(ago)),
    element("description", `<p>Illustrative: ${advice[level].toLowerCase()} in ${name}${because}.</p>`),
  ];
}

/** Returns two different reasons. */
function pair(tag: string): readonly [string, string] {
  const { integer } = randomOf("advisory", tag);
  const first = integer(0, reasons.length - 1);
  const second = (first + integer(1, reasons.length - 1)) % reasons.length;
  return [reasons[first] ?? "", reasons[second] ?? ""];
}
