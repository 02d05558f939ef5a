import type { SampleFolder } from "../folder.ts";
import { table } from "../world/table.ts";
import { element, nested, xmlText } from "./rss.ts";

/** A feed of an authority. Its pages have a reserved domain. */
export interface PressFeed {
  readonly name: string;
  readonly of: string;
  readonly url: string;
  readonly title: string;
  readonly creator: string;
  readonly host: string;
  /** Time zone after the time of each item. */
  readonly zone: string;
  /** Titles are CDATA sections. */
  readonly cdata?: boolean;
}

interface Item {
  readonly day: string;
  readonly time: string;
  readonly title: string;
  readonly summary: string;
  readonly link: string;
}

const maxSlug = 70;

/** Returns items whose titles begin with "Illustrative". */
function itemsOf({ name, host }: PressFeed): Item[] {
  return table<"feed" | "ago" | "time" | "title" | "summary">("press")
    .filter(({ feed }) => feed === name)
    .map(({ ago, time, title, summary }) => ({
      day: ago === "0" ? "wed" : `wed-${ago}`,
      time,
      title: `Illustrative: ${title}`,
      summary,
      link: `https://${host}/${slug(title)}`,
    }));
}

function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, maxSlug)
    .replace(/-$/, "");
}

function folder(feed: PressFeed, rows: number, text: string): SampleFolder {
  return {
    index: {
      note: `Illustrative, invented items in the form of ${feed.of}; named companies exist, but the reported events did not take place.`,
      rows,
      responses: [{ url: feed.url, file: "feed.xml" }],
    },
    files: { "feed.xml": text },
  };
}

/** Returns the folder of a feed in RSS 2.0. */
export function rssFolder(feed: PressFeed): SampleFolder {
  const { host, title, creator, zone } = feed;
  const items = itemsOf(feed);
  const home = `https://${host}/`;
  const written = items.map((item) =>
    nested(
      "item",
      [
        feed.cdata ? `<title><![CDATA[${item.title}]]></title>` : element("title", item.title),
        element("link", item.link),
        element("description", feed.zone === "+0100" ? item.summary : `<p>${xmlText(item.summary)}</p>`),
        element("pubDate", `{{${item.day} Day, DD Mon YYYY}} ${item.time} ${zone}`),
        element("dc:creator", creator),
        element("guid", item.link, 'isPermaLink="true"'),
      ],
      "    ",
    ),
  );
  return folder(
    feed,
    items.length,
    `<?xml version="1.0" encoding="utf-8"?>
<rss xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom" version="2.0" xml:base="${home}">
  <channel>
    ${element("title", title)}
    ${element("link", home)}
    <description>Illustrative items</description>
    <language>en</language>
    <atom:link href="${home}feed.xml" rel="self" type="application/rss+xml"/>
${written.join("\n")}
  </channel>
</rss>
`,
  );
}

/** Returns the folder of a feed in Atom. */
export function atomFolder(feed: PressFeed): SampleFolder {
  const { host, title } = feed;
  const items = itemsOf(feed);
  const self = `https://${host}/feed.atom`;
  const written = items.map(({ day, time, title, summary, link }) =>
    nested(
      "entry",
      [
        element("id", `${link}#{{${day}}}`),
        element("updated", `{{${day}}}T${time}Z`),
        `<link rel="alternate" type="text/html" href="${link}"/>`,
        element("title", title),
        element("summary", summary, 'type="html"'),
      ],
      "  ",
    ),
  );
  return folder(
    feed,
    items.length,
    `<?xml version="1.0" encoding="UTF-8"?>
<feed xml:lang="en-GB" xmlns="http://www.w3.org/2005/Atom">
  <id>${self}</id>
  <link rel="self" type="application/atom+xml" href="${self}"/>
  ${element("title", title)}
  <updated>{{${items[0]?.day ?? "wed"}}}T10:00:00Z</updated>
${written.join("\n")}
</feed>
`,
  );
}
