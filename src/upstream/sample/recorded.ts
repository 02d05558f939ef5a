import { readFileSync, realpathSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { ConfigurationError } from "../../errors.ts";
import { readJson, type Upstream, type UpstreamRequest } from "../upstream.ts";
import { holdsQuery, indexSchema, type SampleIndex, sampleValue } from "./sample.ts";

export const indexFile = "sample.json";

const maxBytes = 64 * 1024 * 1024;
const special = /[.*+?^${}()|[\]\\]/;

/** Returns a pattern that matches only this URL. A recording has the file format of a sample, which uses patterns. */
export function patternOf(url: string): string {
  return `^${url.replace(new RegExp(special, "g"), "\\$&")}$`;
}

/** Recordings are untrusted, so only regular files within the folder are read. */
export function recordedUpstream(directory: string, source: string): Upstream {
  const root = resolved(directory);
  const folder = ownPath(join(root, source), root);
  const index = join(folder, indexFile);
  const { responses, recordedAt } = readIndex(index, folder);
  const played = responses.map((response) => ({
    ...response,
    isOf: addressIn(response, index),
    path: ownFile(join(folder, response.file), folder),
  }));
  const find = async (request: UpstreamRequest) => {
    const response = played.find((candidate) => candidate.isOf(request.url) && holdsQuery(candidate, request));
    if (!response)
      throw new UpstreamError(`The recording of ${source} has no response for ${request.url}`, { status: 404 });
    return { failure: response.status, read: () => readFile(response.path, "utf8") };
  };
  return playedUpstream(find, {
    ...{ origin: "live", now: new Date(recordedAt ?? Date.now()) },
    variable: (name, fallback) => fallback ?? sampleValue(name),
  });
}

interface PlayedResponse {
  /** HTTP status of a request that failed, or 0 if there was no response. Undefined for a good response. */
  readonly failure: number | undefined;
  readonly read: () => string | Promise<string>;
}

/** Creates an upstream that plays earlier responses. `find` throws if there is no response to a request. */
export function playedUpstream(
  find: (request: UpstreamRequest) => Promise<PlayedResponse>,
  own: Pick<Upstream, "origin" | "now" | "variable">,
): Upstream {
  const text = async (request: UpstreamRequest) => {
    const { failure, read } = await find(request);
    const { host } = new URL(request.url);
    if (failure === 0) throw new UpstreamError(`${host} did not answer`, { kind: "unreachable" });
    if (failure !== undefined) throw new UpstreamError(`${host} answered ${failure}`, { status: failure });
    return read();
  };
  return {
    ...own,
    text,
    json: async (request) => readJson(request, await text(request)),
    pause: async () => undefined,
  };
}

function readIndex(path: string, folder: string): SampleIndex {
  const own = ownFile(path, folder);
  try {
    return indexSchema.parse(JSON.parse(readFileSync(own, "utf8")));
  } catch (cause) {
    throw new ConfigurationError(`${path} is not an index of a recording`, { cause });
  }
}

/** A recorded pattern is compared as text and not run, because an untrusted pattern could take exponential time. */
function addressIn({ match, url: prefix }: SampleIndex["responses"][number], index: string): (url: string) => boolean {
  if (match === undefined) return (url) => prefix !== undefined && url.startsWith(prefix);
  const literal = match.slice(1, -1).replace(/\\(.)/gs, "$1");
  if (patternOf(literal) !== match)
    throw new ConfigurationError(`${index}: the match ${JSON.stringify(match)} is not one that a recording writes`);
  return (url) => url === literal;
}

/** Accepts only regular files in the folder, because reading a device or a pipe may never end. */
function ownFile(path: string, folder: string): string {
  const real = ownPath(path, folder);
  const found = statSync(real);
  if (!found.isFile()) throw new ConfigurationError(`${path} is not a regular file`);
  if (found.size > maxBytes) throw new ConfigurationError(`${path} has more than ${maxBytes} bytes`);
  return real;
}

/** Resolves symbolic links and requires a path within the folder. */
function ownPath(path: string, folder: string): string {
  const real = resolved(path);
  if (!real.startsWith(folder + sep)) throw new ConfigurationError(`${path} is outside the recording ${folder}`);
  return real;
}

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw new ConfigurationError(`${path} cannot be read`, { cause });
  }
}
