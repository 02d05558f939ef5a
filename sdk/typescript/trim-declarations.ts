// Cuts the built declarations of the generated code to what an editor shows: of each comment its first sentence.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder = "dist"] = process.argv.slice(2);
const generated = join(folder, "gen");
for (const name of readdirSync(generated, { recursive: true, encoding: "utf8" }))
  if (name.endsWith(".d.ts")) {
    const file = join(generated, name);
    writeFileSync(file, trimmed(readFileSync(file, "utf8")));
  }

function trimmed(declarations: string): string {
  return declarations
    .replace(/^( *)\/\*\*(.*?)\*\/\n/gms, (_, indent: string, comment: string) => {
      const text = comment
        .replace(/^ *\* ?/gm, "")
        .replace(/^@generated .*$/gm, "")
        .replace(/\s+/g, " ")
        .trim();
      // Of schemas and files the generator has nothing to say but what they are.
      return text === "" || text.startsWith("Describes the ") ? "" : `${indent}/** ${firstSentence(text)} */\n`;
    })
    .replace(/^ +/gm, (indent) => " ".repeat(indent.length / 4));
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
}
