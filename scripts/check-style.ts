// Fails if a text of the project breaks a rule of scripts/style/rules.ts. `--report` prints alerts per 1,000 words, and
// `--all` also prints long sentences. Further arguments are the files to check instead of all files.
import { globSync } from "node:fs";
import { changelogFaults } from "./style/changelog.ts";
import { clauses, officialNames, privateNames, privateWords, type Rule } from "./style/rules.ts";
import { type Kind, type Text, textsOf } from "./style/texts.ts";

const everything = [
  ...["src/**/*.{ts,js}", "test/**/*.ts", "scripts/**/*.ts", "bench/**/*.ts", "sdk/typescript/**/*.ts"],
  ...["examples/**/*.ts", "proto/ids/**/*.proto", "docs/**/*.md", "*.md"],
];
const generated = ["**/gen/**", "**/node_modules/**", "**/dist/**", "NOTICE.md", "scripts/style/rules.ts"];
const maxWords = 25;
const maxMarks = 3;

interface Alert {
  readonly kind: Kind;
  readonly place: string;
  readonly message: string;
  readonly isError: boolean;
}

const options = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const named = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const files = globSync(named.length > 0 ? named : everything, { exclude: generated });
const words = new Map<Kind, number>();
const alerts = files.flatMap((file) =>
  textsOf(file).flatMap((text) => {
    words.set(text.kind, (words.get(text.kind) ?? 0) + text.text.split(/\s+/).length);
    return [...alertsIn(text)].map((alert) => ({ ...alert, kind: text.kind, place: `${file}:${text.line}` }));
  }),
);
if (files.includes("CHANGELOG.md"))
  for (const { line, message } of changelogFaults("CHANGELOG.md"))
    alerts.push({ kind: "prose", place: `CHANGELOG.md:${line}`, message, isError: true });
const errors = alerts.filter(({ isError }) => isError);
for (const { place, message } of errors) console.error(`${place}: ${message}`);
if (errors.length > 0) process.exitCode = 1;
if (options.includes("--all"))
  for (const { place, message } of alerts.filter(({ isError }) => !isError)) console.error(`${place}: ${message}`);
if (options.includes("--report")) console.table(report(words, alerts));

function* alertsIn({ kind, text: raw }: Text): Generator<Pick<Alert, "message" | "isError">> {
  if (kind === "name") {
    for (const word of raw.split(/[_\W\d]+|(?<=[a-z])(?=[A-Z])/)) {
      const advice = privateNames.get(word.toLowerCase());
      if (advice !== undefined) yield { isError: true, message: `“${word}” in ${raw}: ${advice}` };
    }
    return;
  }
  const text = raw.replace(officialNames, "");
  yield* matches(privateWords, text);
  if (kind === "string") return;
  yield* matches(clauses, text);
  for (const sentence of text.split(/(?<=[.!?])\s+/)) {
    const count = sentence.split(/\s+/).length;
    const marks = sentence.match(/[,;:](?=\s)/g)?.length ?? 0;
    if (count > maxWords) yield { isError: false, message: `sentence of ${count} words: ${sentence.slice(0, 60)} …` };
    if (marks > maxMarks)
      yield { isError: false, message: `sentence with ${marks} of , ; : ${sentence.slice(0, 60)} …` };
  }
}

function* matches(rules: readonly Rule[], text: string): Generator<Pick<Alert, "message" | "isError">> {
  for (const { pattern, advice } of rules)
    for (const { 0: found, index } of text.matchAll(pattern)) {
      const context = text.slice(Math.max(0, index - 20), index + found.length + 20);
      yield { isError: true, message: `“${found}” (${advice}): … ${context} …` };
    }
}

function report(counted: ReadonlyMap<Kind, number>, found: readonly Alert[]): Record<string, object> {
  return Object.fromEntries(
    [...counted].map(([kind, total]) => {
      const ofKind = found.filter((alert) => alert.kind === kind);
      const perThousand = ((ofKind.length / total) * 1000).toFixed(1);
      return [kind, { words: total, errors: ofKind.filter(({ isError }) => isError).length, perThousand }];
    }),
  );
}
