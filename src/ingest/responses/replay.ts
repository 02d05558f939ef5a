import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";
import type { Selectable } from "kysely";
import { UpstreamError } from "../../egress/upstream-error.ts";
import type { Store, StoreTables } from "../../store/tables.ts";
import { playedUpstream } from "../../upstream/sample/recorded.ts";
import { createRedactor } from "../../upstream/sample/recording.ts";
import { sampleValue } from "../../upstream/sample/sample.ts";
import { decodeText, type Upstream, type UpstreamRequest } from "../../upstream/upstream.ts";
import type { SourceMetadata } from "../source.ts";
import type { Upstreams } from "../upstreams.ts";
import { postedText } from "./recorder.ts";

export type StoredRead = Selectable<StoreTables["source_read"]>;
export type StoredResponse = Selectable<StoreTables["source_response"]> & {
  /** The bytes of the response. Null if they are not stored. */
  readonly body: Buffer | null;
};

/** Returns the earlier version of a dataset that a rollback restored as this one; undefined if a refresh stored it. */
export async function restoredGeneration(
  database: Store,
  name: string,
  generation: number,
): Promise<number | undefined> {
  const version = await database
    .selectFrom("dataset_version")
    .select("restored_generation as from")
    .where("name", "=", name)
    .where("generation", "=", String(generation))
    .executeTakeFirst();
  return version?.from ? Number(version.from) : undefined;
}

/** Returns the last read of a source up to a version of the dataset. Undefined if none is stored. */
export async function storedRead(
  database: Store,
  { dataset, source, generation }: { readonly dataset: string; readonly source: string; readonly generation: number },
): Promise<StoredRead | undefined> {
  return database
    .selectFrom("source_read")
    .selectAll()
    .where("dataset", "=", dataset)
    .where("source", "=", source)
    .where("generation", "<=", String(generation))
    .orderBy("generation", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Returns the responses of a read, with their bytes as they are stored. */
export async function storedResponses(
  database: Store,
  { dataset, source, generation }: StoredRead,
): Promise<StoredResponse[]> {
  const rows = await database
    .selectFrom("source_response")
    .leftJoin("source_body", "source_body.sha256", "source_response.sha256")
    .selectAll("source_response")
    .select("source_body.body")
    .where("dataset", "=", dataset)
    .where("source", "=", source)
    .where("generation", "=", generation)
    .orderBy("position")
    .execute();
  const decompress = promisify(zstdDecompress);
  return Promise.all(
    rows.map(async ({ body, ...row }) => ({ ...row, body: body && (await decompress(body).catch(() => body)) })),
  );
}

/** Returns an upstream that gives a source's adapter the stored responses of a read. Other requests fail. */
export function replayUpstream(
  source: SourceMetadata,
  { at, origin }: Pick<StoredRead, "at" | "origin">,
  responses: readonly StoredResponse[],
  upstreams: Pick<Upstreams, "upstreamOf" | "redactionOf">,
): Upstream {
  const redaction = upstreams.redactionOf(source);
  const { known } = redaction ? createRedactor(redaction) : { known: (text: string) => text };
  const byRequest = Map.groupBy(responses, ({ url, posted }) => requestKey(url, posted));
  const { variable } = upstreams.upstreamOf(source);
  const find = async (request: UpstreamRequest) => {
    const posted = postedText(request);
    const alike = byRequest.get(requestKey(known(request.url), posted === null ? null : known(posted)));
    // If a read repeats a request, each repetition gets its own response.
    const response = alike && (alike.length > 1 ? alike.shift() : alike[0]);
    if (!response) throw new UpstreamError(`No response to ${known(request.url)} is stored`);
    const { sha256, status, body, url } = response;
    const read = () => {
      if (!body) throw new UpstreamError(`Only the digest of ${url} is stored`);
      return decodeText(body);
    };
    return { failure: sha256 === null ? (status ?? 0) : undefined, read };
  };
  return playedUpstream(find, {
    ...{ origin, now: at },
    variable: (name, fallback) => variable(name, fallback ?? sampleValue(name)),
  });
}

function requestKey(url: string, posted: string | null): string {
  return JSON.stringify([url, posted]);
}
