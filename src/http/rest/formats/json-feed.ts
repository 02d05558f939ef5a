import type { Feed, FeedWriter } from "../../feeds/atom.ts";
import type { RowEntry } from "./feed-entry.ts";
import { provenanceOf } from "./file-metadata.ts";
import type { RowPlan } from "./row-plan.ts";

/** Writes a feed as JSON Feed 1.1. The member `_ids` has the origin and the terms of the data. */
export function jsonFeedWriter({ title, subtitle, self, page }: Feed, { metadata }: RowPlan): FeedWriter<RowEntry> {
  const about = {
    version: "https://jsonfeed.org/version/1.1",
    title,
    home_page_url: page,
    feed_url: self,
    description: subtitle,
    language: "en",
    authors: [{ name: "Intelligence Data Service" }],
    _ids: { about: page, ...provenanceOf(metadata) },
  };
  return {
    begin: `${JSON.stringify(about).slice(0, -1)},"items":[`,
    entry: ({ id, title: own, text, link, publishedAt, categories }) =>
      JSON.stringify({
        id,
        url: link,
        title: own,
        content_text: text,
        date_published: publishedAt?.toISOString(),
        tags: categories,
      }),
    separator: ",",
    end: "]}",
  };
}
