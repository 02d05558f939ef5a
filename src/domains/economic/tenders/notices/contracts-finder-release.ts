import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { TenderNoticeSchema } from "../../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { currency, decimal, noticeTime, text } from "./notice-fields.ts";
import { lines } from "./notice-lines.ts";
import { officialLink } from "./notice-link.ts";

type Notice = MessageInitShape<typeof TenderNoticeSchema>;

const site = "https://www.contractsfinder.service.gov.uk";
/** Times without an offset are in the zone of the publisher. */
const zone = "Europe/London";
const hosts = [".contractsfinder.service.gov.uk"];

const words = z.array(z.string()).catch([]);
const documents = z.array(z.object({ documentType: text, url: text })).catch([]);
const classification = z.object({ id: text });

export const releaseSchema = z.object({
  id: text,
  date: noticeTime(zone),
  dateModified: noticeTime(zone),
  tag: words,
  buyer: z.object({ name: text }).nullish().catch(null),
  parties: z.array(z.object({ name: text, roles: words })).catch([]),
  awards: z.array(z.object({ documents })).catch([]),
  tender: z.object({
    title: text.pipe(z.string().min(1)),
    description: z.string().catch(""),
    status: text,
    datePublished: noticeTime(zone),
    documents,
    classification: classification.nullish().catch(null),
    additionalClassifications: z.array(classification).catch([]),
    mainProcurementCategory: text,
    value: z.object({ amount: z.unknown(), currency: z.unknown() }).nullish().catch(null),
    tenderPeriod: z.object({ endDate: noticeTime(zone, "end") }).nullish(),
  }),
});

type Release = z.output<typeof releaseSchema>;

export function noticeOf(ocid: string, release: Release): Notice | string {
  const { buyer, parties, dateModified, tag, tender } = release;
  const officialUrl = link(release);
  if (officialUrl === undefined) return "has no page on Contracts Finder";
  const codes = [tender.classification, ...tender.additionalClassifications].map((one) => one?.id ?? "");
  const { date: at } = release;
  const published = tender.datePublished;
  return {
    source: "contracts-finder",
    sourceNoticeId: ocid,
    officialUrl,
    countryCode: "GB",
    region: "Europe",
    title: tender.title,
    description: lines(tender.description).join("\n"),
    buyer: buyer?.name || (parties.find(({ roles }) => roles.includes("buyer"))?.name ?? ""),
    publishedAt: published || at,
    // If a release is not the first of its notice, it is the latest change.
    updatedAt: dateModified || (published && published !== at ? at : ""),
    deadline: tender.tenderPeriod?.endDate ?? "",
    status: tender.status.toLowerCase() || (isAward(release) ? "awarded" : "open"),
    noticeType: tag.join(", "),
    amount: decimal(tender.value?.amount),
    currency: currency(tender.value?.currency),
    categoryCodes: [...new Set(codes)].filter(Boolean),
    sectors: [tender.mainProcurementCategory].filter(Boolean),
  };
}

function isAward({ tag }: Release): boolean {
  return tag.some((one) => one.startsWith("award"));
}

/** The page is in a document, or follows from the first 36 characters of the id, which differ from the ocid. */
function link(release: Release): string | undefined {
  const { awards, id, tender } = release;
  const awarded = awards.flatMap((award) => award.documents);
  const pages = (isAward(release) ? [...awarded, ...tender.documents] : [...tender.documents, ...awarded])
    .filter(({ documentType }) => documentType === "tenderNotice" || documentType === "awardNotice")
    .map(({ url }) => url);
  const guid = id.slice(0, 36);
  if (z.guid().safeParse(guid).success) pages.push(`${site}/Notice/${guid}`);
  return pages.map((url) => officialLink(url, hosts)).find((url) => url !== undefined);
}
