import { z } from "zod";
import { UpstreamError } from "../../../../egress/upstream-error.ts";
import { type Parsed, rejection, type Source } from "../../../../ingest/source.ts";
import { libraries } from "../../../../reference/libraries.ts";
import { readCsv } from "../../../../upstream/csv.ts";
import type { Upstream } from "../../../../upstream/upstream.ts";
import { distinct, lines, type Notice, noticeTime, officialLink, plain } from "./notice-fields.ts";

const address = "https://canadabuys.canada.ca/opendata/pub/openTenderNotice-ouvertAvisAppelOffres.csv";
const noticePage = "https://canadabuys.canada.ca/en/tender-opportunities/tender-notice";
const hosts = ["canadabuys.canada.ca", "www.merx.com", "portal.us.bn.cloud.ariba.com", "discovery.ariba.com"];
/** The time zone of the department that publishes the file. The times in the file have no zone. */
const zone = "America/Toronto";

/** CanadaBuys lists every open notice of the federal bodies in one file that is replaced each morning. */
export const canadaBuys: Source<Notice> = {
  name: "canada-buys",
  license: { kind: "attribution", publisher: "CanadaBuys", terms: "Open Government Licence - Canada, CanadaBuys" },
  rows: { atLeast: 50, mayBeEmpty: false },
  // The file has about 6 MB, and the host is slow.
  fetch: (upstream: Upstream) => upstream.text({ url: address, timeoutMs: 60_000, tries: 2 }),
  parse: parseFile,
  covers: "all open items",
  observedAt: ({ publishedAt = "" }) => Date.parse(publishedAt),
};

/** The names of the columns. Columns in two languages end in `-eng` and `-fra`. */
const columns = {
  title: "title-titre",
  id: "referenceNumber-numeroReference",
  solicitation: "solicitationNumber-numeroSollicitation",
  amendment: "amendmentNumber-numeroModification",
  published: "publicationDate-datePublication",
  closing: "tenderClosingDate-appelOffresDateCloture",
  amended: "amendmentDate-dateModification",
  status: "tenderStatus-appelOffresStatut",
  unspsc: "unspsc",
  unspscWords: "unspscDescription",
  category: "procurementCategory-categorieApprovisionnement",
  type: "noticeType-avisType",
  buyer: "contractingEntityName-nomEntitContractante",
  link: "noticeURL-URLavis",
  description: "tenderDescription-descriptionAppelOffres",
} as const;

/** Required columns. If one of them is missing, the file has an unknown format. Other columns are optional. */
const required = [
  `${columns.title}-eng`,
  columns.id,
  columns.published,
  columns.closing,
  `${columns.status}-eng`,
  `${columns.link}-eng`,
];

const timesSchema = z.object({
  closing: noticeTime(zone, "end"),
  published: noticeTime(zone),
  amended: noticeTime(zone),
});

/** Returns the text of a row in a column. Empty if the file does not have the column. */
type Cell = (column: string) => string;

/** Parses the file. If a notice has several amendments, the one with the highest number counts. */
function parseFile(response: unknown): Parsed<Notice> {
  const { head, rows, rejected } = readCsv("CanadaBuys", z.string().parse(response));
  // A rejected row may contain any notice, so no notice is closed because it is missing in the file.
  const complete = rejected.length === 0;
  const places = new Map(head.map((column, place) => [column, place]));
  const missing = required.filter((column) => !places.has(column));
  if (missing.length > 0) throw new UpstreamError(`CanadaBuys has no column ${missing.join(", ")}`);
  const highest = new Map<string, { amendment: number; notice: Notice }>();
  for (const { line, cells } of rows.slice(1)) {
    const cell: Cell = (column) => cells[places.get(column) ?? -1] ?? "";
    const id = plain(cell(columns.id));
    const notice = cells.length === head.length ? noticeOf(id, cell) : `has ${cells.length} cells`;
    if (typeof notice === "string") rejected.push({ row: id || `line ${line}`, reason: notice });
    else {
      // The first publication has the amendment number `000`, or an empty cell. Both are read as 0.
      const amendment = Number(cell(columns.amendment)) || 0;
      if (amendment >= (highest.get(id)?.amendment ?? 0)) highest.set(id, { amendment, notice });
    }
  }
  return { rows: [...highest.values()].map(({ notice }) => notice), rejected, complete };
}

function noticeOf(id: string, cell: Cell): Notice | string {
  if (id === "") return "has no reference number";
  const title = plain(withoutEntities(inEnglish(cell, columns.title)));
  if (title === "") return "has no title";
  const officialUrl = link(id, cell);
  if (officialUrl === undefined) return "has no page on an official host";
  const times = timesSchema.safeParse({
    closing: cell(columns.closing),
    published: cell(columns.published),
    amended: cell(columns.amended),
  });
  if (!times.success) return rejection("", times.error).reason;
  return {
    source: "canada-buys",
    sourceNoticeId: id,
    officialUrl,
    countryCode: "CA",
    region: "North America",
    title,
    description: lines(withoutEntities(inEnglish(cell, columns.description))).join("\n"),
    buyer: plain(inEnglish(cell, columns.buyer)),
    publishedAt: times.data.published,
    updatedAt: times.data.amended,
    deadline: times.data.closing,
    status: plain(cell(`${columns.status}-eng`)).toLowerCase() || "open",
    procedureId: plain(cell(columns.solicitation)),
    noticeType: entries(inEnglish(cell, columns.type)).join(", "),
    categoryCodes: [...entries(cell(columns.unspsc)), ...entries(cell(columns.category))],
    sectors: entries(inEnglish(cell, columns.unspscWords)),
  };
}

/** Returns the English text. Some notices exist in one language only, so French replaces an empty English cell. */
function inEnglish(cell: Cell, column: string): string {
  const english = cell(`${column}-eng`);
  return english.trim() === "" ? cell(`${column}-fra`) : english;
}

/** Returns the entries of a cell. Each entry is a line that starts with `*`. */
function entries(cell: string): string[] {
  return distinct(lines(cell).map((line) => line.replace(/^\*+\s*/, "")));
}

/** Decodes character references, which remain in texts from HTML. Text that looks like a tag is not removed. */
function withoutEntities(text: string): string {
  return text.includes("&") ? libraries.cheerio().load(text.replaceAll("<", "&lt;"), null, false).text() : text;
}

function link(id: string, cell: Cell): string | undefined {
  const given = ["eng", "fra"].map((language) => cell(`${columns.link}-${language}`).trim()).filter(Boolean);
  // A notice that was created in CanadaBuys may have no link. The address of its page contains its ID.
  if (given.length === 0 && /^cb-[\w-]+$/i.test(id)) return `${noticePage}/${id.toLowerCase()}`;
  return given.map((url) => officialLink(url, hosts)).find((url) => url !== undefined);
}
