import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { UpstreamError } from "../../errors.ts";
import type { UpstreamRequest } from "../upstream.ts";
import { indexFile, patternOf } from "./recorded.ts";
import type { SampleIndex } from "./sample.ts";
import { type Secret, withoutSecrets } from "./spelled-secrets.ts";
import { toldSecrets, withoutNamed } from "./told-secrets.ts";

/** What came of one request. */
export interface RecordedExchange {
  readonly request: UpstreamRequest;
  readonly text?: string;
  readonly failure?: UpstreamError;
}

/** What must not be written: `keys` are the source's own, with what its sample is asked with in their place; `mask` takes out any other. */
export interface Redaction {
  readonly keys: readonly Secret[];
  readonly mask: (text: string) => string;
}

/** Writes a source's exchanges as a folder in the form of a sample, below `directory`, which is there: without keys, with the dates as they were. */
export function writeRecording(
  directory: string,
  source: string,
  exchanges: readonly RecordedExchange[],
  { at, rows, keys, mask }: Redaction & { readonly at: Date; readonly rows: number },
): void {
  const folder = join(directory, source);
  const secrets = [...keys, ...toldSecrets(exchanges.map(({ text = "" }) => text))];
  const shown = (text: string) => mask(withoutSecrets(text, secrets));
  if (!existsSync(folder)) mkdirSync(folder);
  const answers = exchanges.map(({ request, text = "", failure }, index): SampleIndex["answers"][number] => {
    const file = `${String(index + 1).padStart(3, "0")}.${endingOf(text)}`;
    writeFileSync(join(folder, file), withoutNamed(shown(text)), { mode: 0o600 });
    const query = queryOf(request, shown);
    return {
      match: patternOf(shown(request.url)),
      ...(query && { query }),
      file,
      ...(failure && { status: failure.status ?? 0 }),
    };
  });
  const note = `Recorded from ${source}; what may be done with it its licence says.`;
  const index: SampleIndex = { note, rows, recordedAt: at.toISOString(), answers };
  writeFileSync(join(folder, indexFile), `${JSON.stringify(index, null, 2)}\n`, { mode: 0o600 });
}

function endingOf(text: string): string {
  const start = text.trimStart().slice(0, 200);
  if (start === "") return "txt";
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
