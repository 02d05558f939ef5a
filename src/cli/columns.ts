const combining = /[\p{M}\p{Cf}]/u;
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;

/**
 * Returns the terminal columns of a text: two for East Asian letters and pictures, none for marks, and one for other
 * code points.
 */
export function columnsOf(text: string): number {
  return Array.from(text, widthOf).reduce((sum, width) => sum + width, 0);
}

function widthOf(letter: string): number {
  if (combining.test(letter)) return 0;
  return wide.test(letter) ? 2 : 1;
}

export function padded(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

/** Breaks a text into lines of a maximum width, after a blank, a hyphen, or a comma if possible. */
export function wrapped(text: string, columns: number): string[] {
  if (columnsOf(text) <= columns) return [text];
  const lines: string[] = [];
  let line = "";
  for (const word of text.match(/[^\s,-]*(?:[\s,-]+|$)/g) ?? []) {
    if (columnsOf((line + word).trimEnd()) <= columns) {
      line += word;
      continue;
    }
    if (line !== "") lines.push(line.trimEnd());
    line = "";
    for (const letter of word) {
      if (columnsOf((line + letter).trimEnd()) > columns && line !== "") {
        lines.push(line.trimEnd());
        line = "";
      }
      line += letter;
    }
  }
  return line.trimEnd() === "" ? lines : [...lines, line.trimEnd()];
}
