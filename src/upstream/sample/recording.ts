import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError, UpstreamError } from "../../errors.ts";
import { readJson } from "../read-json.ts";
import type { Upstream, UpstreamRequest } from "../upstream.ts";
import { fits, indexSchema, type SampleIndex, sampleValue } from "./sample.ts";

/** What came of one request. */
export interface RecordedExchange {
  readonly request: UpstreamRequest;
  readonly text?: string;
  readonly failure?: UpstreamError;
}

/** What is written in place of secrets: `unkeyed` in place of a source's own, so that it can be asked again; `mask` of any other. */
export interface Redaction {
  readonly unkeyed: (text: string) => string;
  readonly mask: (text: string) => string;
}

const indexFile = "sample.json";

/** Writes a source's exchanges as a folder in the form of a sample, below `directory`, which is there: without keys, with the dates as they were. */
export function writeRecording(
  directory: string,
  source: string,
  exchanges: readonly RecordedExchange[],
  { at, rows, unkeyed, mask }: Redaction & { readonly at: Date; readonly rows: number },
): void {
  const folder = join(directory, source);
  const shown = (text: string) => mask(unkeyed(text));
  if (!existsSync(folder)) mkdirSync(folder);
  const answers = exchanges.map(({ request, text = "", failure }, index): SampleIndex["answers"][number] => {
    const file = `${String(index + 1).padStart(3, "0")}.${endingOf(text)}`;
    writeFileSync(join(folder, file), shown(text), { mode: 0o600 });
    const query = queryOf(request, shown);
    return {
      match: `^${escaped(shown(request.url))}$`,
      ...(query && { query }),
      file,
      ...(failure && { status: failure.status ?? 0 }),
    };
  });
  const note = `Recorded from ${source}; what may be done with it its licence says.`;
  const index: SampleIndex = { note, rows, recordedAt: at.toISOString(), answers };
  writeFileSync(join(folder, indexFile), `${JSON.stringify(index, null, 2)}\n`, { mode: 0o600 });
}

/** Plays a recording, at the moment at which it was made. */
export function recordedUpstream(directory: string, source: string): Upstream {
  const folder = join(directory, source);
  const { answers, recordedAt } = readIndex(join(folder, indexFile));
  const text = async (request: UpstreamRequest) => {
    const { host } = new URL(request.url);
    const answer = answers.find((candidate) => fits(candidate, request));
    if (!answer)
      throw new UpstreamError(`The recording of ${source} has no answer for ${request.url}`, { status: 404 });
    if (answer.status === 0) throw new UpstreamError(`${host} did not answer`, { kind: "unreachable" });
    if (answer.status !== undefined)
      throw new UpstreamError(`${host} answered ${answer.status}`, { status: answer.status });
    return readFile(join(folder, answer.file), "utf8");
  };
  return {
    origin: "live",
    now: new Date(recordedAt ?? Date.now()),
    text,
    json: async (request) => readJson(request, await text(request)),
    variable: (name, fallback) => fallback ?? sampleValue(name),
    pause: async () => undefined,
  };
}

function readIndex(path: string): SampleIndex {
  try {
    return indexSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (cause) {
    throw new ConfigurationError(`${path} is no index of a recording`, { cause });
  }
}

function endingOf(text: string): string {
  const start = text.trimStart().slice(0, 200);
  if (/^[[{]/.test(start)) return "json";
  if (/^<(?:!doctype html|html)/i.test(start)) return "html";
  if (start.startsWith("<")) return "xml";
  return start.startsWith("BEGIN:VCALENDAR") ? "ics" : "csv";
}

/** The members of a form or a body that tell its requests apart. */
function queryOf({ form, body }: UpstreamRequest, shown: (text: string) => string): Record<string, string> | undefined {
  const members = Object.entries({ ...form, ...body }).filter(([, value]) => typeof value !== "object");
  return members.length === 0
    ? undefined
    : Object.fromEntries(members.map(([name, value]) => [name, shown(String(value))]));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
