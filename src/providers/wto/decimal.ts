import { z } from "zod";

const maxDigits = 1e13;

/** A number of 0 or more, or numeric text, as decimal text. */
export const decimal = z
  .union([
    z.number(),
    z
      .string()
      .trim()
      .regex(/^\d+(\.\d+)?$/),
  ])
  .refine((value) => Number(value) >= 0 && Number(value) < maxDigits)
  .transform(decimalText);

function decimalText(value: number | string): string {
  const text = String(value);
  // Numbers as small as 1e-7 are formatted with an exponent.
  return text.includes("e")
    ? Number(value)
        .toFixed(20)
        .replace(/\.?0+$/, "")
    : text;
}
