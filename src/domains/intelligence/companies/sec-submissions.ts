import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { SecFilingSchema, SecFilingsSchema } from "../../../../gen/es/ids/intelligence/v1/enrichment_pb.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { day, text } from "../../../ingest/row-fields.ts";
import { readAs } from "../../../ingest/source.ts";
import type { Upstream, UpstreamRequest } from "../../../upstream/upstream.ts";
import { declared } from "./sec.ts";

/** Short titles of the items of form 8-K (17 CFR 249.308). */
const filingItems: ReadonlyMap<string, string> = new Map([
  ["1.01", "Entry into a material definitive agreement"],
  ["1.02", "Termination of a material definitive agreement"],
  ["1.03", "Bankruptcy or receivership"],
  ["1.04", "Mine safety: shutdowns and patterns of violations"],
  ["1.05", "Material cybersecurity incident"],
  ["2.01", "Completed acquisition or disposal of assets"],
  ["2.02", "Results of operations and financial condition"],
  ["2.03", "New direct or off-balance-sheet obligation"],
  ["2.04", "Event that accelerates or increases an obligation"],
  ["2.05", "Costs of exit or disposal activities"],
  ["2.06", "Material impairment"],
  ["3.01", "Notice of delisting or of a listing rule not met"],
  ["3.02", "Unregistered sale of equity securities"],
  ["3.03", "Material change to rights of security holders"],
  ["4.01", "Change of the certifying accountant"],
  ["4.02", "Issued financial statements no longer to be relied on"],
  ["5.01", "Change in control"],
  ["5.02", "Change of directors or certain officers; their compensation"],
  ["5.03", "Change of articles, bylaws or fiscal year"],
  ["5.04", "Trading suspended under employee benefit plans"],
  ["5.05", "Change or waiver of the code of ethics"],
  ["5.06", "Change of shell company status"],
  ["5.07", "Votes of security holders"],
  ["5.08", "Nominations of directors by shareholders"],
  ["6.01", "Asset-backed securities: informational material"],
  ["6.02", "Asset-backed securities: change of servicer or trustee"],
  ["6.03", "Asset-backed securities: change of credit enhancement"],
  ["6.04", "Asset-backed securities: distribution not made"],
  ["6.05", "Asset-backed securities: disclosure under the Securities Act"],
  ["6.06", "Asset-backed securities: static pool"],
  ["7.01", "Regulation FD disclosure"],
  ["8.01", "Other events"],
  ["9.01", "Financial statements and exhibits"],
]);

export interface Submissions {
  readonly name: string;
  readonly description: string;
  readonly location: string;
  /** The website of the company. EDGAR rarely has one. */
  readonly website: string;
  readonly filings: MessageInitShape<typeof SecFilingsSchema>;
}

const address = "https://data.sec.gov/submissions";
const archives = "https://www.sec.gov/Archives/edgar/data";
/** Filings in samples are invented, so they link to a reserved example domain. */
const sampleArchives = "https://example.org/Archives/edgar/data";
const maxFilings = 15;
/** Maximum size of a response. A company with a thousand recent filings has about 400 KB. */
const maxBytes = 8 * 1024 * 1024;

/** Fetches the filings of a company by its ten-digit key. Undefined if EDGAR does not know the key. */
export async function fetchSubmissions(
  upstream: Upstream,
  cik: string,
  request: Partial<UpstreamRequest>,
): Promise<Submissions | undefined> {
  try {
    const url = `${address}/CIK${cik}.json`;
    const response = await upstream.json({ maxBytes, ...request, url, ...declared(upstream) });
    return parseSubmissions(response, upstream.origin === "sample" ? sampleArchives : archives);
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

/** Parses the filings of a company. `pages` is the address with which links to filings start. */
export function parseSubmissions(response: unknown, pages = archives): Submissions {
  const { cik, name, sicDescription, website, addresses, filings } = readAs("SEC", submissionsSchema, response);
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

/** Converts the name of a city to title case, because EDGAR writes it in capitals. */
function capitalised(city: string): string {
  return city.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
}
