import type { MessageInitShape } from "@bufbuild/protobuf";
import type { NewsMentionSchema } from "../../../../gen/es/ids/intelligence/v1/enrichment_pb.ts";
import type { ListedCompany, NewsCorpus } from "../../../../gen/es/ids/stored/v1/company_pb.ts";
import { namesCompany } from "./company-name.ts";

const maxMentions = 5;

export function mentionsOf(company: ListedCompany, corpus: NewsCorpus): MessageInitShape<typeof NewsMentionSchema>[] {
  const names = namesCompany(company);
  const mentions: MessageInitShape<typeof NewsMentionSchema>[] = [];
  for (const { title, summary, url, source, publishedAtMs } of corpus.items) {
    if (!names(title) && !names(summary)) continue;
    mentions.push({ title, url, source, publishedAtMs });
    if (mentions.length === maxMentions) break;
  }
  return mentions;
}
