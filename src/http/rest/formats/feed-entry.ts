import type { JsonValue } from "@bufbuild/protobuf";
import { field as fieldOption, Role } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import { cellText, instantOf } from "../../../contract/cell-text.ts";
import type { Column, Place } from "../../../contract/columns.ts";
import { identityOf } from "../../../contract/file-format.ts";
import { columnUnit, enumText, labelOf } from "../../../contract/labels.ts";
import { getOption } from "../../../contract/option.ts";
import { countries } from "../../../reference/countries/countries.ts";
import type { FeedEntry } from "../../feeds/atom.ts";
import type { RowPlan } from "./row-plan.ts";

export interface RowEntry extends FeedEntry {
  readonly place: Place;
  /** Time of the row; undefined if it has none, or if the time is in the future. */
  readonly publishedAt: Date | undefined;
}

export interface DatedPlace {
  readonly place: Place;
  /** Time of the row in Unix epoch milliseconds; undefined if it has none, or a future one. */
  readonly publishedAt: number | undefined;
  /** Time of the row, or when the data was read. */
  readonly updatedAt: number;
}

/** Limits of the text of an entry. Files have all columns, and their whole values. */
const [maxLines, maxCharacters, maxTitle] = [15, 500, 200];

/** Sorts rows by their times. Rows without times keep the order of the list. */
export function newestFirst({ table, metadata }: RowPlan, places: readonly Place[]): readonly DatedPlace[] {
  const column = table.columns.findLast(({ role }) => role === Role.TIME);
  const readAt = metadata.readAt === undefined ? undefined : Date.parse(metadata.readAt);
  const dated = places.map((place) => {
    const at = column && instantOf(column, column.read(place));
    const publishedAt = at !== undefined && at <= (readAt ?? at) ? at : undefined;
    return { place, at: at ?? Number.NEGATIVE_INFINITY, publishedAt, updatedAt: publishedAt ?? readAt ?? 0 };
  });
  return dated.sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
}

export function urn(id: string, ...parts: readonly string[]): string {
  return ["urn:ids", id, ...parts.map((part) => encodeURIComponent(part.toWellFormed()))].join(":");
}

/** Returns a function that creates the feed entry of a row from columns with roles such as label and time. */
export function entryMaker({ table, subject }: RowPlan, origin: string): (dated: DatedPlace) => RowEntry {
  const { columns } = table;
  const identity = identityOf(table);
  const ofRole = (...roles: readonly Role[]) => columns.filter(({ role }) => roles.includes(role));
  const labels = ofRole(Role.LABEL);
  const areas = ofRole(Role.COUNTRY);
  const categories = ofRole(Role.COUNTRY, Role.WORDS, Role.SOURCE);
  const linesOf = lineReader(columns);
  return ({ place, publishedAt, updatedAt }) => {
    const textsOf = (given: readonly Column[]) => [
      ...new Set(given.map((column) => shownText(column, place)).filter((text) => text !== "")),
    ];
    const label = textsOf(labels).join(", ") || textsOf(identity).join(", ");
    const names = [label, ...textsOf(areas).filter((area) => !label.includes(area))].filter((name) => name !== "");
    const link = columns.map(({ read }) => read(place)).find(isPage);
    const elsewhere = new Set([...textsOf(labels), ...names, link ?? ""]);
    return {
      place,
      id: urn(subject.id, ...identity.map(({ read }) => String(read(place) ?? ""))),
      title: shortened(names.join(", ") || subject.things, maxTitle),
      text: linesOf(place, elsewhere).join("\n"),
      publishedAt: publishedAt === undefined ? undefined : new Date(publishedAt),
      updatedAt: new Date(updatedAt),
      link: link ?? origin + subject.page,
      categories: textsOf(categories),
    };
  };
}

/** Returns a function that writes a row's main columns as lines, without those that the entry shows elsewhere. */
function lineReader(columns: readonly Column[]): (place: Place, elsewhere: ReadonlySet<string>) => string[] {
  const flags = new Set(columns.map(({ field }) => (field ? getOption(field, fieldOption).measuredBy : "")));
  const shown = columns.filter(({ role, type, field }) => {
    const isHidden = role === Role.ID || role === Role.LATITUDE || role === Role.LONGITUDE || type === "json";
    // A boolean that says whether another column has a value is not shown, because columns without a value are left
    // out.
    return !isHidden && !(type === "boolean" && flags.has(field?.name ?? ""));
  });
  const labels = shown.map(({ name }) => labelOf(name));
  const titled = shown.map((column, index) => {
    const label = labels[index] ?? "";
    const above = column.name.split(".").at(-2);
    const isOnly = above === undefined || labels.indexOf(label) === labels.lastIndexOf(label);
    return { column, title: isOnly ? label : `${labelOf(above)}: ${label.toLowerCase()}` };
  });
  return (place, elsewhere) =>
    titled
      .map(({ column, title }) => ({ title, text: withUnit(column, place, columns) }))
      .filter(({ text }) => text !== "" && !elsewhere.has(text))
      .slice(0, maxLines)
      .map(({ title, text }) => `${title}: ${shortened(text, maxCharacters)}`);
}

function withUnit(column: Column, place: Place, columns: readonly Column[]): string {
  const text = shownText(column, place);
  const from = column.unitFrom && columns.find(({ name }) => name === column.unitFrom);
  const unit = columnUnit(from ? String(from.read(place) ?? "") : column.unit, column.scale);
  return text === "" || unit === "" ? text : `${text} ${unit}`;
}

/** Returns a value for people; empty if it is unknown. */
function shownText(column: Column, place: Place): string {
  const value = column.read(place);
  if (column.role === Role.COUNTRY) return countries.get(String(value))?.name ?? cellText(column, value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "string") return cellText(column, value);
  return column.role === Role.WORDS ? labelOf(value) : enumText(column.field, value);
}

function isPage(value: JsonValue): value is string {
  return typeof value === "string" && /^https?:\/\/[^\s]+$/.test(value) && URL.canParse(value);
}

function shortened(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}
