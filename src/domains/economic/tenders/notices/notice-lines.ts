import { plain } from "./notice-fields.ts";

/** The lines of a text, each plain, without the empty ones. */
export function lines(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map(plain)
    .filter(Boolean);
}
