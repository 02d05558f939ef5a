import { createInterface } from "node:readline/promises";
import { type Readable, Writable } from "node:stream";
import { textOf } from "../config/setting.ts";
import { datasets, lookups } from "../domains/index.ts";
import type { SourceVariable } from "../ingest/upstreams.ts";
import { envFile, writeVariables } from "./env-file.ts";
import { isFree, isReadyWith, type Origins, operationsOf, type Step, servedOperations, stepsOf } from "./live-steps.ts";
import { checkSources, UnsoundSources } from "./sources.ts";
import { paragraphs } from "./table.ts";
import { type Terminal, withVariables } from "./terminal.ts";

const origins: Origins = { datasets, lookups };

/**
 * Lists what the API key of each source enables and how to get it, most useful first. On a terminal, asks for missing
 * keys, writes them to the environment file, and checks their sources.
 */
export async function init(terminal: Terminal, { file }: { readonly file: string }): Promise<void> {
  const { environment, out, input } = terminal;
  const isSet = (name: string) => textOf(environment, name) !== undefined;
  const steps = stepsOf(origins);
  say(terminal, [aboutText(steps), ""]);
  const responses = new Map<string, string>();
  using requested = input && questions(input, out);
  let isRequesting = requested !== undefined;
  for (const [index, step] of steps.entries()) {
    say(terminal, [...stepTexts(step, index + 1, isSet), ""]);
    if (requested && isRequesting) isRequesting = await requestFor(step, requested, isSet, responses);
  }
  let unsound: readonly string[] = [];
  const changed = withVariables(terminal, Object.fromEntries(responses));
  if (responses.size > 0) {
    writeVariables(file, responses);
    say(terminal, [
      `${[...responses.keys()].join(", ")} written to ${envFile}, which \`ids\` reads in this folder.`,
      "",
    ]);
    const touched = steps.filter(({ variables }) => variables.some(({ name }) => responses.has(name)));
    unsound = await unsoundOf(changed, touched);
  }
  say(terminal, outcomeTexts({ isSet: (name) => textOf(changed.environment, name) !== undefined, unsound }, steps));
}

function say({ out }: Terminal, texts: readonly string[]): void {
  out.write(paragraphs(out, texts));
}

function aboutText(steps: readonly Step[]): string {
  const free = servedOperations(origins, isFree).length;
  return `${free} of ${operationsOf(origins).length} operations on data are live without any key. These keys enable or extend the others, the most useful first and mere permissions last (${steps.length}):`;
}

function stepTexts(step: Step, number: number, isSet: (name: string) => boolean): string[] {
  const { variables, sources, opens, partOf, access, terms } = step;
  const needed = variables.filter(({ kind }) => kind !== "optional");
  const state = needed.every(({ name }) => isSet(name)) ? " (set)" : "";
  const others = partOf.filter((operation) => !opens.includes(operation));
  const { signUp, minutes, cost, quota } = access;
  return [
    `${number}. ${needed.map(({ name }) => name).join(", ")}${state}: ${sources.join(", ")}`,
    ...(opens.length > 0 ? [`   enables ${opens.join(", ")}`] : []),
    ...(others.length > 0 ? [`   adds to ${others.join(", ")}`] : []),
    `   available at ${signUp}${minutes === undefined ? ", time at their discretion" : `, about ${minutes} min`}; cost: ${cost}; quota: ${quota}`,
    `   terms: ${terms.join("; ")}`,
  ];
}

/** Asks for the variables of a step, such as the key of a source. Returns false if the user has ended the input. */
async function requestFor(
  { variables }: Step,
  { call: sendRequest }: Questions,
  isSet: (name: string) => boolean,
  responses: Map<string, string>,
): Promise<boolean> {
  const typedNow: [string, string][] = [];
  for (const variable of variables.filter(({ name, kind }) => kind !== "optional" && !isSet(name))) {
    const typed = await sendRequest(questionOf(variable));
    if (typed === undefined) return false;
    const value = variable.kind === "permission" ? (/^y(es)?$/i.test(typed) ? "on" : "") : typed;
    // An empty value skips the whole step, because its other variables have no effect without this one.
    if (value === "") return true;
    typedNow.push([variable.name, value]);
  }
  for (const [name, value] of typedNow) responses.set(name, value);
  return true;
}

function questionOf({ name, kind }: SourceVariable): string {
  return kind === "permission"
    ? "   Have you read the terms, and may you use the data? (y, or Enter to skip) "
    : `   ${name} (Enter to skip): `;
}

/**
 * Checks the sources whose keys the user has entered. Returns those with unexpected responses. Their keys nevertheless
 * remain in the environment file.
 */
async function unsoundOf(terminal: Terminal, steps: readonly Step[]): Promise<readonly string[]> {
  const names = new Set(steps.flatMap(({ sources }) => sources));
  const chosen = datasets.flatMap(({ sources }) => sources.filter((source) => names.has(source.name) && !source.own));
  const ready = [
    ...new Set(
      chosen.filter(isReadyWith((name) => textOf(terminal.environment, name) !== undefined)).map(({ name }) => name),
    ),
  ];
  if (ready.length === 0) return [];
  say(terminal, ["Checking the sources:"]);
  let unsound: readonly string[] = [];
  try {
    await checkSources(terminal, ready, {});
  } catch (error) {
    say(terminal, [String(error instanceof Error ? error.message : error)]);
    unsound = error instanceof UnsoundSources ? error.sources : ready;
  }
  say(terminal, [""]);
  return unsound;
}

interface SettingState {
  readonly isSet: (name: string) => boolean;
  /** Names of checked sources with unexpected responses. */
  readonly unsound: readonly string[];
}

function outcomeTexts({ isSet, unsound }: SettingState, steps: readonly Step[]): string[] {
  const all = operationsOf(origins);
  const isReady = isReadyWith(isSet);
  const set = new Set(servedOperations(origins, isReady));
  const live = new Set(servedOperations(origins, (source) => isReady(source) && !unsound.includes(source.name)));
  const missing = all.filter((operation) => !live.has(operation));
  const reasons = missing.map((operation) => {
    if (set.has(operation)) return `${operation}: unavailable until ${unsound.join(", ")} can be read`;
    const ways = steps.filter(({ opens }) => opens.includes(operation)).map(({ variables }) => namesOf(variables));
    return `${operation}: unavailable without ${ways.join(" or ") || "several of these keys"}`;
  });
  return [
    `Live: ${live.size} of ${all.length} operations on data, if their sources can be reached.${missing.length > 0 ? " The others report that data is missing:" : ""}`,
    ...reasons,
    "Start with `ids serve`; `ids doctor` shows the status of every source.",
  ];
}

function namesOf(variables: readonly SourceVariable[]): string {
  return variables.flatMap(({ name, kind }) => (kind === "optional" ? [] : name)).join(" and ");
}

/** Asks questions on the terminal without showing the typed text. */
interface Questions extends Disposable {
  /** Returns the typed text; undefined after the end of the input. */
  readonly call: (question: string) => Promise<string | undefined>;
}

function questions(input: Readable, out: Terminal["out"]): Questions {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: unseen, terminal: true });
  // The iterator retains lines that the user pastes before they are asked for.
  const typed = lines[Symbol.asyncIterator]();
  return {
    async call(question) {
      out.write(question);
      const { done, value } = await typed.next();
      out.write("\n");
      return done ? undefined : value.trim();
    },
    [Symbol.dispose]: () => lines.close(),
  };
}
