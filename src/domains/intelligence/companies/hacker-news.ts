import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { HackerNewsMentionSchema } from "../../../../gen/es/ids/intelligence/v1/enrichment_pb.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { readAs, type SourceTerms } from "../../../ingest/source.ts";
import type { Upstream, UpstreamRequest } from "../../../upstream/upstream.ts";
import { webAddress } from "../fields.ts";
import { brandOf } from "./company-name.ts";

type Mention = MessageInitShape<typeof HackerNewsMentionSchema>;

/** Posts on Hacker News, found through the search engine of Algolia. */
export const hackerNews = {
  name: "hn-algolia",
  license: { kind: "attribution", publisher: "Hacker News", terms: "Hacker News, by Algolia's public search API" },
} as const satisfies SourceTerms;

const address = "https://hn.algolia.com/api/v1/search_by_date";
const pages = "https://news.ycombinator.com/item";
const maxMentions = 5;
const maxBytes = 1024 * 1024;

export async function fetchMentions(
  upstream: Upstream,
  title: string,
  request: Partial<UpstreamRequest>,
): Promise<Mention[]> {
  const query = new URLSearchParams({
    query: `"${brandOf(title).replaceAll('"', "")}"`,
    tags: "story",
    restrictSearchableAttributes: "title",
    typoTolerance: "false",
    hitsPerPage: String(maxMentions),
  });
  return parseMentions(await upstream.json({ maxBytes, ...request, url: `${address}?${query}` }));
}

const hitSchema = z
  .object({
    _tags: z.array(z.string()).refine((tags) => tags.includes("story"), "is not a story"),
    objectID: z.string().regex(/^\d+$/),
    title: z.string().trim().min(1),
    url: webAddress,
    points: z.int().nullish(),
    num_comments: z.int().nullish(),
    created_at_i: z.int().positive(),
  })
  .transform(({ objectID, title, url, points, num_comments, created_at_i }) => ({
    title,
    url: url || `${pages}?id=${objectID}`,
    points: points ?? 0,
    comments: num_comments ?? 0,
    createdAtMs: BigInt(created_at_i) * 1000n,
  }));

/** Parses the posts that mention a company. Comments and other items are omitted. */
export function parseMentions(response: unknown): Mention[] {
  const { hits } = readAs("Hacker News", z.object({ hits: z.array(z.unknown()) }), response);
  const mentions = hits.flatMap((hit) => hitSchema.safeParse(hit).data ?? []);
  if (mentions.length === 0 && hits.length > 0) throw new UpstreamError("Hacker News: no hit has the known format");
  return mentions.sort((a, b) => Number(b.createdAtMs - a.createdAtMs)).slice(0, maxMentions);
}
