// The limits of the changelog. Readers scan it, so a release is short and a change is one line.
import { readFileSync } from "node:fs";

const maxLines = 60;
const maxWords = 20;
const groups = ["### Added", "### Changed", "### Removed", "### Fixed"];

/** Returns the lines of the file that break a limit. */
export function* changelogFaults(file: string): Generator<{ readonly line: number; readonly message: string }> {
  let release = "";
  let count = 0;
  for (const [at, text] of readFileSync(file, "utf8").trimEnd().split("\n").entries()) {
    const fault = (message: string) => ({ line: at + 1, message });
    if (text.startsWith("## ")) [release, count] = [text.slice(3), 0];
    count++;
    if (release !== "" && count === maxLines + 1) yield fault(`${release} has more than ${maxLines} lines`);
    if (text.startsWith("### ") && !groups.includes(text)) yield fault(`a group is one of ${groups.join(", ")}`);
    if (text === "" || text.startsWith("#")) continue;
    const words = text.replace(/^- /, "").split(/\s+/).length;
    if (!text.startsWith("- ")) yield fault("a change is one line that starts with “- ”");
    else if (words > maxWords) yield fault(`a change of ${words} words; at most ${maxWords} are allowed`);
  }
}
