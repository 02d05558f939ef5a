/** A column with few different texts. Each row has a small number, and each number has a text. */
export interface CodedColumn {
  readonly codes: Uint16Array;
  readonly texts: string[];
  readonly codeOf: Map<string, number>;
}

export function codedColumn(size: number): CodedColumn {
  return { codes: new Uint16Array(size), texts: [], codeOf: new Map() };
}

export function setText({ codes, texts, codeOf }: CodedColumn, row: number, text: string): void {
  let code = codeOf.get(text);
  if (code === undefined) {
    code = texts.push(text) - 1;
    codeOf.set(text, code);
  }
  codes[row] = code;
}

export function textAt({ codes, texts }: CodedColumn, row: number): string {
  return texts[codes[row] ?? 0] ?? "";
}
