import { plain } from "./notice-fields.ts";

/** Returns the lines of a text as plain text, without empty lines. */
export function lines(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map(plain)
    .filter(Boolean);
}
