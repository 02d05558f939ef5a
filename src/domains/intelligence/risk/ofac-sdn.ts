import { z } from "zod";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { type Parsed, type Rejection, readAs, type Source } from "../../../ingest/source.ts";
import { isoDay } from "../../../reference/calendar.ts";
import { countryByName } from "../../../reference/countries/countries.ts";
import { dayMs } from "../../../reference/duration.ts";
import { readCsv } from "../../../upstream/csv.ts";
import type { Upstream } from "../../../upstream/upstream.ts";
import { growthDays } from "./risk-inputs.ts";
import { counted, signalKey } from "./risk-signals.ts";
import type { Signal, SignalRow } from "./risk-values.ts";

const address = "https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports";
/** The only host to which the service redirects requests for its files. */
const redirectsTo = "wc2h-sls-prod-public-published.s3.us-gov-west-1.amazonaws.com";

const lists = [
  { parties: "SDN.CSV", addresses: "ADD.CSV", comments: "SDN_COMMENTS.CSV" },
  { parties: "CONS_PRIM.CSV", addresses: "CONS_ADD.CSV", comments: "CONS_COMMENTS.CSV" },
] as const;

/** Sanctioned parties per country. A party counts in each country of its addresses and nationalities. */
export const ofacSdn: Source<SignalRow> = {
  name: "ofac-sdn",
  license: { kind: "open", publisher: "OFAC", terms: "US government, public domain; Department of the Treasury, OFAC" },
  rows: { atLeast: 30, mayBeEmpty: false },
  fetch: (upstream) =>
    Promise.all(
      lists.map(async (list) => {
        const files = [list.parties, list.addresses, list.comments];
        const [parties, addresses, comments] = await Promise.all(files.map((file) => sendRequest(upstream, file)));
        return { parties, addresses, comments };
      }),
    ),
  parse: parseList,
  observedAt: ({ date = "" }) => Date.parse(date),
  minutesApart: 3 * 60,
  // The lists have no history, so the counts of earlier days are retained, from which growth is computed.
  remember: {
    key: signalKey,
    retains: ({ date = "" }, now) => {
      const days = (now.getTime() - Date.parse(date)) / dayMs;
      // Counts of the current day are not retained, because the newest list replaces them.
      return days >= 1 && days <= growthDays + 1;
    },
  },
};

function sendRequest(upstream: Upstream, file: string): Promise<string> {
  return upstream.text({ url: `${address}/${file}`, redirectsTo, timeoutMs: 120_000 });
}

const listSchema = z.object({ parties: z.string(), addresses: z.string(), comments: z.string() });
const responseSchema = z.tuple([listSchema, listSchema]);
/** Positions of columns, because the files have no header. The text `-0-` means an empty cell. */
const partyColumns = { count: 12, remarks: 11 };
const addressColumns = { count: 6, country: 4 };
const commentColumns = { count: 2, text: 1 };
/** If remarks have this length, they are continued in the file of comments. */
const maxRemarksLength = 1_000;

function parseList(response: unknown, now: Date): Parsed<Signal> {
  const texts = readAs("OFAC", responseSchema, response);
  const rejected: Rejection[] = [];
  const unknown = new Set<string>();
  const countries = new Map<string, Set<string>>();
  const count = (party: string, name: string) => {
    if (name === "" || name === "-0-") return;
    const country = countryByName(ownNames[name] ?? name)?.alpha2;
    if (country === undefined) unknown.add(name);
    else countries.get(party)?.add(country);
  };
  for (const [place, files] of lists.entries()) {
    const { parties = "", addresses = "", comments = "" } = texts[place] ?? {};
    const rests = Map.groupBy(linesOf(files.comments, comments, commentColumns.count, rejected), ([party]) => party);
    for (const cells of linesOf(files.parties, parties, partyColumns.count, rejected)) {
      const party = cells[0] ?? "";
      // A party that is on both lists has the same number on both, so it counts once.
      if (!countries.has(party)) countries.set(party, new Set());
      const remarks = cells[partyColumns.remarks] ?? "";
      const rest = (rests.get(party) ?? []).map((comment) => comment[commentColumns.text] ?? "").join("");
      // Parsing removes a space at the end of full-length remarks. It is added again before the continuation.
      const text = `${remarks}${remarks.length < maxRemarksLength ? " " : ""}${rest}`.trim();
      for (const name of nationalities(text)) count(party, name);
    }
    for (const cells of linesOf(files.addresses, addresses, addressColumns.count, rejected))
      count(cells[0] ?? "", cells[addressColumns.country] ?? "");
  }
  for (const name of unknown) rejected.push({ row: name.slice(0, 80), reason: "is not a country" });
  const date = isoDay(now.getTime());
  const input = "sanctionedParties" as const;
  const listed = [...countries.values()].flatMap((codes) => [...codes]);
  return { rows: counted(listed.map((country) => ({ country, input, date, amount: 1 }))), rejected };
}

/** The files end with this DOS end-of-file character. */
const endOfFile = String.fromCharCode(26);

function linesOf(file: string, text: string, cellCount: number, rejected: Rejection[]): (readonly string[])[] {
  const read = readCsv(`OFAC ${file}`, text.replace(endOfFile, ""));
  for (const { row, reason } of read.rejected) rejected.push({ row: `${file} ${row}`, reason });
  const good: (readonly string[])[] = [];
  for (const { line, cells } of read.rows)
    if (cells.length === cellCount && /^\d+$/.test(cells[0] ?? "")) good.push(cells);
    else rejected.push({ row: `${file} line ${line}`, reason: `has ${cells.length} cells` });
  const mayBeEmpty = cellCount === commentColumns.count && read.rows.length === 0;
  if (good.length === 0 && !mayBeEmpty) throw new UpstreamError(`OFAC ${file} has no rows of ${cellCount} cells`);
  return good;
}

/** Names of countries that only this office uses, with the usual names. */
const ownNames: Readonly<Record<string, string>> = {
  Palestinian: "Palestine",
  "Region: Gaza": "Gaza",
};

/**
 * Finds nationalities in remarks such as `DOB 12 Mar 1961; nationality Iran; citizen Syria; Gender Male.` `Nationality
 * of Registration` does not count, because it is about a company.
 */
function nationalities(remarks: string): string[] {
  return [...remarks.matchAll(/\b(?:nationality|citizen) (?!of registration\b)([^;]+?)\.?(?:;|$)/gi)].map(
    ([, name = ""]) => name.trim(),
  );
}
