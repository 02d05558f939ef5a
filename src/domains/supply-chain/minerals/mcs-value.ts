import { z } from "zod";

/** What a cell of the Summaries says of an output. */
export interface CellValue {
  readonly output?: number;
  readonly withheld?: boolean;
}

/** Not available, not applicable, an estimate or a small number without its figure, or only a bound. */
const unknown = /^(?:|NA|XX|e|s|[<>≤≥] ?[\d.,½]+|less than .*|\(\d+\))$/i;
/** Nil; a dash of another encoding becomes a replacement character. */
const nil = /^(?:[—–-]{1,2}|\uFFFD|\u0097)$/;

/** Digits in groups, symbols of the Summaries, or nothing. */
export const cellValue = z
  .string()
  .trim()
  .transform((text, context): CellValue => {
    if (text === "W") return { withheld: true };
    if (nil.test(text)) return { output: 0 };
    if (unknown.test(text)) return {};
    if (/^(\d{1,3}(,\d{3})+|\d+)(\.\d+)?$/.test(text)) return { output: Number(text.replaceAll(",", "")) };
    context.addIssue(`${JSON.stringify(text.slice(0, 40))} is no amount`);
    return z.NEVER;
  });
