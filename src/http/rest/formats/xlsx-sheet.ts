import type { JsonValue } from "@bufbuild/protobuf";
import { TimeEncoding } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import { instantOf } from "../../../contract/cell-text.ts";
import type { Column } from "../../../contract/columns.ts";
import { dayMs } from "../../../reference/duration.ts";
import { xmlText } from "../../xml-text.ts";
import { formula, textOf } from "./csv.ts";

type Value = Exclude<JsonValue, null>;

/** Returns the XML of a cell that follows its reference (such as `A1`); undefined if the cell is empty. */
export type CellXml = (value: Value) => string | undefined;

/** Maximum number of characters in a cell of Excel. A longer text is shortened and says so. */
const maxCharacters = 32_767;
/** Excel has numbers of 15 digits. A longer integer is written as text. */
const maxInteger = 999_999_999_999_999;
/**
 * Excel's numbers of the first and the last day that are written as dates, counted from 1900. For earlier days, Excel's
 * count is wrong, because it includes a day that did not exist.
 */
const [minDay, maxDay] = [61, 2_958_466];
const unixEpochDay = 25_569;

/** Index of each cell format in the list `cellXfs` of the styles file. */
const styles = { header: 1, time: 2, day: 3, formula: 4 } as const;

export function headerXml(text: string): string {
  return stringXml(text, styles.header);
}

/** Text is never a formula. A text that looks like one also stays text if the user edits it. */
export function textXml(text: string): string | undefined {
  return text === "" ? undefined : stringXml(text, text.search(formula) === 0 ? styles.formula : 0);
}

function stringXml(text: string, style: number): string {
  const styled = style === 0 ? "" : ` s="${style}"`;
  return `${styled} t="inlineStr"><is><t xml:space="preserve">${sheetText(text)}</t></is></c>`;
}

/** Returns how the values of a column are written. A value that Excel cannot represent becomes text. */
export function cellXml(column: Column): CellXml {
  const { type, time } = column;
  const textual: CellXml = (value) => textXml(textOf(value, column));
  if (isTime(column)) {
    const style = time === TimeEncoding.DAY ? styles.day : styles.time;
    return (value) => timeXml(instantOf(column, value), style) ?? textual(value);
  }
  if (type === "boolean") return (value) => ` t="b"><v>${value === true ? 1 : 0}</v></c>`;
  if (type !== "integer" && type !== "bigint" && type !== "number") return textual;
  const isWhole = type !== "number";
  return (value) => {
    const number = Number(value);
    const isExact = Number.isFinite(number) && !(isWhole && Math.abs(number) > maxInteger);
    return isExact ? `><v>${number}</v></c>` : textual(value);
  };
}

/** Returns the width of a column in characters, so that Excel shows its times and its name. */
export function widthOf(column: Column): number {
  return Math.min(Math.max(isTime(column) ? 20 : 11, column.name.length + 2), 40);
}

function isTime({ time }: Column): boolean {
  return time === TimeEncoding.EPOCH_MS || time === TimeEncoding.RFC3339 || time === TimeEncoding.DAY;
}

/** Returns a time in UTC as days since 1900; undefined if Excel has no such date. */
function timeXml(at = Number.NaN, style: number): string | undefined {
  const day = at / dayMs + unixEpochDay;
  return day >= minDay && day < maxDay ? ` s="${style}"><v>${day}</v></c>` : undefined;
}

/** Escapes text: control characters become codes like `_x000D_`, so text that looks like a code is escaped, too. */
function sheetText(text: string): string {
  const escaped = (character: string) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;
  return xmlText(
    shortened(text.toWellFormed())
      .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, escaped)
      .replace(/(?![\t\n])[\p{Cc}\ufffe\uffff]/gu, escaped),
  );
}

function shortened(text: string): string {
  if (text.length <= maxCharacters) return text;
  const end = `… [shortened from ${text.length} characters, which CSV and Parquet have]`;
  return text.slice(0, maxCharacters - end.length).replace(/[\ud800-\udbff]$/, "") + end;
}

/** Returns a row. Cells without content are left out. */
export function rowXml(number: number, cells: readonly (string | undefined)[]): string {
  let row = "";
  for (const [index, cell] of cells.entries())
    if (cell !== undefined) row += `<c r="${letters(index)}${number}"${cell}`;
  return `<row r="${number}">${row}</row>`;
}

const known: string[] = [];

/** Returns the letters of a column: `A`, `Z`, `AA`. */
function letters(index: number): string {
  const above = Math.floor(index / 26);
  known[index] ??= (above > 0 ? letters(above - 1) : "") + String.fromCharCode(65 + (index % 26));
  return known[index];
}

const namespace = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";
const officeType = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Begins a sheet. If its first row is a header, it stays visible. */
export function sheetBegin(widths: readonly number[], hasHeader: boolean): string {
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>';
  const columns = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  const view = `<sheetViews><sheetView workbookViewId="0">${hasHeader ? pane : ""}</sheetView></sheetViews>`;
  return `${declaration}<worksheet ${namespace}>${view}<cols>${columns.join("")}</cols><sheetData>`;
}

export const sheetEnd = "</sheetData></worksheet>";

/** Returns the files in a workbook with two sheets of the given names, except the files of the sheets. */
export function packageParts(first: string, second: string): Readonly<Record<string, string>> {
  const type = (path: string, name: string) =>
    `<Override PartName="/xl/${path}.xml" ContentType="${officeType}.${name}+xml"/>`;
  const rels = "application/vnd.openxmlformats-package.relationships+xml";
  const sheet = (name: string, id: number) => `<sheet name="${name}" sheetId="${id}" r:id="rId${id}"/>`;
  return {
    "[Content_Types].xml": part(
      `Types xmlns="${packages}/content-types"`,
      `<Default Extension="rels" ContentType="${rels}"/>`,
      ...[type("workbook", "sheet.main"), type("styles", "styles")],
      ...[type("worksheets/sheet1", "worksheet"), type("worksheets/sheet2", "worksheet")],
    ),
    "_rels/.rels": relationsPart(["officeDocument", "xl/workbook.xml"]),
    "xl/workbook.xml": part(
      `workbook ${namespace} xmlns:r="${relations}"`,
      "<bookViews><workbookView/></bookViews>",
      `<sheets>${sheet(first, 1)}${sheet(second, 2)}</sheets>`,
    ),
    "xl/_rels/workbook.xml.rels": relationsPart(
      ["worksheet", "worksheets/sheet1.xml"],
      ["worksheet", "worksheets/sheet2.xml"],
      ["styles", "styles.xml"],
    ),
    "xl/styles.xml": stylesPart,
  };
}

function part(root: string, ...children: readonly string[]): string {
  return `${declaration}<${root}>${children.join("")}</${root.split(" ")[0]}>`;
}

function relationsPart(...targets: readonly (readonly [type: string, target: string])[]): string {
  return part(
    `Relationships xmlns="${packages}/relationships"`,
    ...targets.map(
      ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${relations}/${type}" Target="${target}"/>`,
    ),
  );
}

const [timeFormat, dayFormat] = [164, 165];

/** Excel requires the fonts, fills, and borders that the formats of cells refer to. */
const stylesPart = part(
  `styleSheet ${namespace}`,
  '<numFmts count="2">',
  `<numFmt numFmtId="${timeFormat}" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>`,
  `<numFmt numFmtId="${dayFormat}" formatCode="yyyy\\-mm\\-dd"/>`,
  "</numFmts>",
  '<fonts count="2">',
  '<font><sz val="11"/><name val="Calibri"/></font>',
  '<font><b/><sz val="11"/><name val="Calibri"/></font>',
  "</fonts>",
  '<fills count="2">',
  '<fill><patternFill patternType="none"/></fill>',
  '<fill><patternFill patternType="gray125"/></fill>',
  "</fills>",
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  `<cellXfs count="5">${cellFormat(0, 0)}${cellFormat(0, 1)}`,
  `${cellFormat(timeFormat, 0)}${cellFormat(dayFormat, 0)}${cellFormat(0, 0, ' quotePrefix="1"')}</cellXfs>`,
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
);

function cellFormat(format: number, font: number, more = ""): string {
  const applied = `applyNumberFormat="${format > 0 ? 1 : 0}" applyFont="${font}"`;
  return `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" ${applied}${more}/>`;
}
