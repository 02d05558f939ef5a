// Fails on words that are not plain American English in what users read: the contract's comments and the programs' texts.
import { globSync, readFileSync } from "node:fs";

const contract = ["proto/ids/**/*.proto"];
const programs = [
  ...["src/mcp/*.ts", "src/pages/**/*.ts", "src/contract/openapi*.ts", "src/cli/**/*.ts"],
  ...["src/errors.ts", "src/http/errors.ts"],
];

const words = [
  ...["whence", "thereof", "hitherto", "tells", "told", "dearer", "anew", "let in", "takes the place of"],
  ...["at hand", "goes on", "for want of"],
  ...["labour", "defence", "neighbour\\w*", "colour\\w*", "favour\\w*", "honour\\w*", "behaviour\\w*"],
  ...["cancelled", "cancelling", "catalogues?", "programmes?", "licences?", "centres?", "tonnes?"],
  "(?:summar|normal|recogn|organ|capital|author|util|priorit)is(?:e[ds]?|ing|ation)",
];
const unwanted = new RegExp(`\\b(?:${words.join("|").replaceAll(" ", "\\s+")})\\b`, "gi");

/** What bears one of these names keeps its spelling. */
const officialNames = /Open\s+Government\s+Licence/g;

const comment = /\/\/.*|\/\*[\s\S]*?\*\//y;
const regularExpression = /(?<=[(,=:[!&|?{};>]\s*)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y;
const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y;
const templatePart = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))+/y;

const faults = [
  ...globSync(contract).flatMap((file) => faultsIn(file, onlyComments)),
  ...globSync(programs).flatMap((file) => faultsIn(file, onlyTexts)),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;

function faultsIn(file: string, only: (source: string) => string): string[] {
  const text = only(readFileSync(file, "utf8")).replace(officialNames, blank);
  return [...text.matchAll(unwanted)].map(({ 0: found, index }) => {
    const line = text.slice(0, index).split("\n").length;
    return `${file}:${line}: ${JSON.stringify(found.replace(/\s+/g, " "))} is not plain American English`;
  });
}

/** Keeps the lines as they are. */
function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

function onlyComments(source: string): string {
  return source.replace(/^.*$/gm, (line) => (/^\s*\/\//.test(line) ? line.replace("//", "  ") : blank(line)));
}

/** The strings and templates of a program; the rest is blank. */
function onlyTexts(source: string): string {
  let place = 0;
  let texts = "";
  /** The braces and back-ticks that are open. */
  const open: string[] = [];
  const next = (token: RegExp): string | undefined => {
    token.lastIndex = place;
    return token.exec(source)?.[0];
  };
  while (place < source.length) {
    const inTemplate = open.at(-1) === "`";
    const text = next(inTemplate ? templatePart : quoted);
    const code = inTemplate
      ? (next(/\$\{|`/y) ?? "")
      : (next(comment) ?? next(regularExpression) ?? source[place] ?? "");
    if (text === undefined) {
      if (code === "}" || (code === "`" && inTemplate)) open.pop();
      else if (["{", "${", "`"].includes(code)) open.push(code);
    }
    texts += text === undefined ? blank(code) : text;
    place += (text ?? code).length;
  }
  return texts;
}
