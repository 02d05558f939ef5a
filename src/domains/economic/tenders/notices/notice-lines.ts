import { plain } from "./notice-fields.ts";

export function lines(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map(plain)
    .filter(Boolean);
}
