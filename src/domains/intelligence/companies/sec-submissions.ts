import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { SecFilingSchema, SecFilingsSchema } from "../../../../gen/es/ids/intelligence/v1/enrichment_pb.ts";
import { UpstreamError } from "../../../errors.ts";
import { day } from "../../../ingest/time-fields.ts";
import type { Upstream, UpstreamRequest } from "../../../upstream/upstream.ts";
import { checked, text } from "../fields.ts";
import { filingItems } from "./filing-items.ts";
import { declared } from "./sec.ts";

/** What EDGAR knows of a company. */
export interface Submissions {
  readonly name: string;
  readonly description: string;
  readonly location: string;
  /** As EDGAR has it, mostly empty. */
  readonly website: string;
  readonly filings: MessageInitShape<typeof SecFilingsSchema>;
}

const address = "https://data.sec.gov/submissions";
const archives = "https://www.sec.gov/Archives/edgar/data";
/** Invented filings have no page at the Commission. */
const sampleArchives = "https://example.org/Archives/edgar/data";
const maxFilings = 15;
/** Companies with a thousand recent filings have about 400 KB. */
const maxBytes = 8 * 1024 * 1024;

/** Asks for a company by its ten-digit key; undefined where EDGAR has no such filer. */
export async function askSubmissions(
  upstream: Upstream,
  cik: string,
  request: Partial<UpstreamRequest>,
): Promise<Submissions | undefined> {
  try {
    const url = `${address}/CIK${cik}.json`;
    const answer = await upstream.json({ maxBytes, ...request, url, ...declared(upstream) });
    return parseSubmissions(answer, upstream.origin === "sample" ? sampleArchives : archives);
  } catch (error) {
    if (error instanceof UpstreamError && error.status === 404) return undefined;
    throw error;
  }
}

const column = z.array(z.string().nullish());

const submissionsSchema = z.object({
  cik: z.coerce.string().regex(/^\d{1,10}$/),
  name: text,
  sicDescription: text,
  website: text,
  addresses: z.object({ business: z.object({ city: text, stateOrCountryDescription: text }).nullish() }).nullish(),
  filings: z.object({
    recent: z
      .object({ accessionNumber: column, filingDate: column, form: column, items: column })
      .refine(
        ({ accessionNumber: { length }, filingDate, form, items }) =>
          [filingDate, form, items].every((other) => other.length === length),
        "columns differ in length",
      ),
  }),
});

/** The pages of its filings lie below `pages`. */
export function parseSubmissions(answer: unknown, pages = archives): Submissions {
  const { cik, name, sicDescription, website, addresses, filings } = checked("SEC", submissionsSchema, answer);
  const { accessionNumber, filingDate, form, items } = filings.recent;
  const all = accessionNumber.flatMap((number, place) => {
    const read = filingSchema.safeParse([number, filingDate[place], form[place], items[place]]);
    return read.success ? [filing(`${pages}/${Number(cik)}`, read.data)] : [];
  });
  if (all.length === 0 && accessionNumber.length > 0) throw new UpstreamError("SEC: no filing has the known format");
  return {
    name,
    description: sicDescription,
    location: [capitalised(addresses?.business?.city ?? ""), addresses?.business?.stateOrCountryDescription ?? ""]
      .filter(Boolean)
      .join(", "),
    website,
    filings: {
      totalFilings: accessionNumber.length,
      recentFilings: all
        .filter(({ form }) => shownForm.test(form))
        .sort((a, b) => (a.fileDate === b.fileDate ? 0 : a.fileDate > b.fileDate ? -1 : 1))
        .slice(0, maxFilings),
    },
  };
}

const shownForm = /^(10-K|10-Q|8-K|20-F|6-K|S-1|DEF 14A|40-F)(\/A)?$/;

const filingSchema = z.tuple([
  z.string().regex(/^\d{10}-\d{2}-\d{6}$/),
  day,
  z.string().trim().min(1),
  z
    .string()
    .nullish()
    .transform((list) =>
      (list ?? "")
        .split(",")
        .map((item) => item.trim())
        .filter(Boolean),
    ),
]);

function filing(pages: string, [number, fileDate, form, items]: z.output<typeof filingSchema>) {
  const isCurrent = /^8-K(\/A)?$/.test(form);
  return {
    form,
    fileDate,
    description: isCurrent ? items.map((item) => filingItems.get(item) ?? `Item ${item}`).join("; ") : "",
    url: `${pages}/${number.replaceAll("-", "")}/${number}-index.htm`,
    items,
  } satisfies MessageInitShape<typeof SecFilingSchema>;
}

/** EDGAR writes cities in capitals. */
function capitalised(city: string): string {
  return city.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
}
