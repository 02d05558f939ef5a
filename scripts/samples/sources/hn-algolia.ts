import type { SampleFolder } from "../folder.ts";
import { jsonText, numeric } from "../format/json.ts";
import { table } from "../world/table.ts";

const address = "https://hn.algolia.com/api/v1/search_by_date";
const none = "nothing.json";
/** First number, which no real story has yet. */
const firstStory = 900_000_001;

const stories = table<"company" | "author" | "site" | "ago" | "time" | "points" | "comments" | "title">("stories");
type Story = (typeof stories)[number];

/** Returns stories with a company's name in their titles. Companies without stories have a response too. */
export function sample(): SampleFolder {
  const companies = [...Map.groupBy(stories, ({ company }) => company)];
  const fileOf = (company: string) => `${company.toLowerCase().replaceAll(" ", "-")}.json`;
  return {
    index: {
      note: "Illustrative, invented stories about invented companies, in the form of Algolia's Hacker News search; each says so in its title. Names that are not among them have no story.",
      rows: stories.length,
      responses: [
        ...companies.map(([company]) => ({
          url: address,
          query: { query: `"${company}"` },
          file: fileOf(company),
        })),
        { url: address, file: none },
      ],
    },
    files: {
      ...Object.fromEntries(companies.map(([company, own]) => [fileOf(company), response(`"${company}"`, own)])),
      [none]: response("", []),
    },
  };
}

function response(query: string, own: readonly Story[]): string {
  return jsonText({
    exhaustiveNbHits: true,
    exhaustiveTypo: true,
    hits: own.map(hit),
    hitsPerPage: 5,
    nbHits: own.length,
    nbPages: Math.min(own.length, 1),
    page: 0,
    processingTimeMS: 2,
    query,
  });
}

function hit(story: Story) {
  const { author, ago, time, company } = story;
  const id = String(firstStory + stories.indexOf(story));
  const day = ago === "0" ? "day" : `day-${ago}`;
  const title = `Illustrative: ${story.title}`;
  const created = `{{${day}}}T${time}:00Z`;
  return {
    _highlightResult: {
      author: { matchLevel: "none", matchedWords: [], value: author },
      title: { fullyHighlighted: false, matchLevel: "full", matchedWords: [company.toLowerCase()], value: title },
    },
    _tags: ["story", `author_${author}`, `story_${id}`],
    author,
    children: [],
    created_at: created,
    created_at_i: numeric(`{{${day}T${time} s}}`),
    num_comments: Number(story.comments),
    objectID: id,
    points: Number(story.points),
    story_id: Number(id),
    title,
    updated_at: created,
    // A story without a URL would link to the real site.
    url: `https://${author}.example/${story.site || "ask"}/${id}`,
  };
}
