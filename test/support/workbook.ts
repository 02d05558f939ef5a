import { type CellValue, readXlsx } from "hucre/xlsx";

export interface WorkbookRows {
  readonly names: readonly string[];
  readonly rows: readonly Readonly<Record<string, CellValue>>[];
  /** The sheet that describes the rows: its properties by name, and a row per column. */
  readonly about: readonly (readonly CellValue[])[];
}

/** Reads the sheets of an XLSX file. An empty cell is null. */
export async function readWorkbook(bytes: Uint8Array): Promise<WorkbookRows> {
  const { sheets } = await readXlsx(bytes);
  const [data, about] = sheets;
  if (sheets.length !== 2 || data?.name !== "Data" || about?.name !== "About") throw new Error("Other sheets");
  const [header = [], ...rows] = data.rows;
  const names = header.map(String);
  return {
    names,
    rows: rows.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? null]))),
    about: about.rows,
  };
}
