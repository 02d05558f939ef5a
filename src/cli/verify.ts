import { createHash } from "node:crypto";
import { ConnectError } from "@connectrpc/connect";
import { readClientConfig } from "../config/config.ts";
import { asOfHeader, asOfParameter, readAsOf } from "../contract/as-of.ts";
import { ConfigurationError } from "../errors.ts";
import type { DatasetVerification, PublishedDifferences, SourceVerification } from "../ingest/responses/verify.ts";
import type { LoggedChange } from "../store/changes/change-log.ts";
import type { Store } from "../store/tables.ts";
import { send } from "./client/exchange.ts";
import { chosenDatasets, namedDataset, sharedUpstreams } from "./dataset-parts.ts";
import { withStoreAsItIs } from "./store.ts";
import { paragraphs, table } from "./table.ts";
import { printJson, type Terminal, WrongCommandLine } from "./terminal.ts";

interface VerifyOptions {
  readonly generation?: string;
  readonly json?: boolean;
}

/** Parses the stored responses of sources again and compares all rows with the stored ones. Fails if any differs. */
export async function verify(terminal: Terminal, names: readonly string[], options: VerifyOptions): Promise<void> {
  const isAddress = (name: string) => name.includes("://");
  if (names.some(isAddress)) {
    if (!names.every(isAddress)) throw new WrongCommandLine("Datasets and addresses must be verified separately");
    if (options.generation !== undefined) throw new WrongCommandLine("--generation requires the name of one dataset");
    return verifyAddresses(terminal, names, options);
  }
  const results = await withStoreAsItIs(terminal, "verify", async ({ kysely }) => {
    const verified = await verifyAll(terminal, kysely, names, options);
    await markVerified(kysely, verified);
    return verified;
  });
  if (options.json) printJson(terminal, results);
  else print(terminal, results);
  const different = results.filter(isDifferent).map(({ dataset }) => dataset);
  if (different.length > 0) throw new ConfigurationError(`Different: ${different.join(", ")}`);
}

interface AddressVerification {
  readonly address: string;
  /** `computed`: the address has no digest to compare with. `failed`: the service returned no bytes. */
  readonly state: "equal" | "different" | "computed" | "failed";
  /** SHA-256 of the bytes that the service returned. */
  readonly sha256?: string;
  readonly detail: string;
}

async function verifyAddresses(
  terminal: Terminal,
  addresses: readonly string[],
  { json }: VerifyOptions,
): Promise<void> {
  const requests = addresses.map((address) => citedRequest(terminal, address));
  const results: AddressVerification[] = [];
  for (const request of requests) {
    const result = await verifyAddress(terminal, request).catch((error: unknown): AddressVerification => {
      if (!(error instanceof ConnectError)) throw error;
      const detail = `failed: ${error.rawMessage}: ${request.address}`;
      return { address: request.address, state: "failed", detail };
    });
    results.push(result);
    if (!json) terminal.out.write(`${result.detail}\n`);
  }
  if (json) printJson(terminal, results);
  const wrong = results.filter(({ state }) => state === "different" || state === "failed");
  if (wrong.length > 0)
    throw new ConfigurationError(`Different or failed: ${wrong.map(({ address }) => address).join(", ")}`);
}

interface CitedRequest {
  readonly address: string;
  readonly url: URL;
  readonly wanted: string | undefined;
}

function citedRequest({ environment }: Terminal, address: string): CitedRequest {
  const url = URL.parse(address);
  if (!url) throw new WrongCommandLine(`${address} is not an address`);
  const [, wanted] = /^#sha256=([0-9a-f]{64})$/.exec(url.hash) ?? [];
  if (url.hash !== "" && wanted === undefined)
    throw new WrongCommandLine("The part after # must be sha256= and 64 hexadecimal digits");
  const { url: service, port } = readClientConfig(environment);
  const { origin } = new URL(service ?? `http://127.0.0.1:${port}`);
  // The address comes from a citation in a document, which may name another server. The key must not be sent to that.
  if (origin !== url.origin)
    throw new WrongCommandLine(`The address is not on ${origin}: set IDS_URL and IDS_API_KEY for ${url.origin}`);
  return { address, url, wanted };
}

/** Compares the bytes of a cited address with the digest in its fragment. Computes the digest if there is no fragment. */
async function verifyAddress(terminal: Terminal, { address, url, wanted }: CitedRequest): Promise<AddressVerification> {
  const request = { verb: "GET", path: url.pathname, query: url.searchParams, key: undefined } as const;
  const response = await send(terminal, request);
  const hash = createHash("sha256");
  for await (const chunk of response.body ?? []) hash.update(chunk);
  const sha256 = hash.digest("hex");
  if (wanted === undefined) return { address, state: "computed", sha256, detail: `SHA-256 ${sha256}` };
  if (sha256 === wanted)
    return { address, state: "equal", sha256, detail: `equal: the bytes have the SHA-256 ${sha256}` };
  const detail = `${differenceOf(url, response.headers)} the SHA-256 ${sha256} instead of ${wanted}`;
  return { address, state: "different", sha256, detail };
}

/** Says why a citation's bytes differ. After a week, the service returns the data at the end of the cited day. */
function differenceOf({ searchParams }: URL, headers: Headers): string {
  const [asOf, served] = [searchParams.get(asOfParameter), headers.get(asOfHeader)];
  const requested = asOf === null ? Number.NaN : readAsOf(asOf).at;
  const isEnded = served !== null && Date.parse(served) < requested && requested < Date.now();
  if (!isEnded) return "different: the bytes have";
  return `different: the citation of ${asOf} has ended: the service now returns the data of ${served}, whose bytes have`;
}

/** Parses the stored responses with this version of the program, and shows the rows that would change. */
export async function replay(terminal: Terminal, name: string, options: VerifyOptions): Promise<void> {
  const [result] = await withStoreAsItIs(terminal, "replay", ({ kysely }) =>
    verifyAll(terminal, kysely, [namedDataset(name).name], options),
  );
  if (!result) throw new ConfigurationError(`${name} was never loaded`);
  if (options.json) return printJson(terminal, result);
  print(terminal, [result]);
  terminal.out.write((result.published?.changes ?? []).map((change) => `${changeText(change)}\n`).join(""));
}

async function verifyAll(
  terminal: Terminal,
  database: Store,
  names: readonly string[],
  { generation }: VerifyOptions,
): Promise<DatasetVerification[]> {
  if (generation !== undefined && (names.length !== 1 || !/^[1-9]\d{0,14}$/.test(generation)))
    throw new WrongCommandLine("--generation must be a number, and requires the name of one dataset");
  // A store of samples is compared with the samples, whatever the environment of the command says.
  const stored = await database.selectFrom("dataset").select(["name", "origin"]).execute();
  const origins = new Map(stored.map(({ name, origin }) => [name, origin]));
  const config = terminal.config();
  const results: DatasetVerification[] = [];
  for (const dataset of chosenDatasets(names)) {
    const data = origins.get(dataset.name) ?? config.data;
    const result = await dataset.verify({
      ...{ database, upstreams: sharedUpstreams({ ...config, data }, database) },
      ...(generation !== undefined && { generation: Number(generation) }),
    });
    if (generation !== undefined && result?.sources.every(({ state }) => state === "none"))
      throw new ConfigurationError(`No source bytes of generation ${generation} of ${dataset.name} are stored`);
    if (result) results.push(result);
    else if (names.length > 0) throw new ConfigurationError(`${dataset.name} was never loaded`);
  }
  return results;
}

async function markVerified(database: Store, results: readonly DatasetVerification[]): Promise<void> {
  const now = new Date();
  for (const { dataset, sources } of results)
    for (const { source, generation, state } of sources)
      if (state === "equal" && generation !== undefined)
        await database
          .updateTable("source_read")
          .set({ verified_at: now })
          .where("dataset", "=", dataset)
          .where("source", "=", source)
          .where("generation", "=", String(generation))
          .execute();
}

function isDifferent({ sources, published }: DatasetVerification): boolean {
  const isPublishedDifferent = published !== undefined && published.rows.length + published.changes.length > 0;
  return isPublishedDifferent || sources.some(({ state }) => state === "different");
}

function print({ out }: Terminal, results: readonly DatasetVerification[]): void {
  const headings = ["dataset", "generation", "source", "state", "responses", "rows", "read at"];
  const lines = results.flatMap(({ dataset, generation, restoredFrom, sources, published }) => [
    ...sources.map((source) => [dataset, String(source.generation ?? ""), ...sourceCells(source)]),
    [dataset, `${generation}${restored(restoredFrom)}`, "published rows", publishedState(published), "", "", ""],
  ]);
  out.write(table(out, headings, lines));
  out.write(
    paragraphs(
      out,
      results.flatMap(({ dataset, sources, published, notCompared }) => [
        ...sources.flatMap(({ faults }) => faults.map((fault) => `${dataset}: ${fault}`)),
        ...differentRows(published).map((row) => `${dataset}: published row ${row} differs`),
        ...(notCompared === undefined ? [] : [`${dataset}: published rows are not compared: ${notCompared}`]),
      ]),
    ),
  );
}

function restored(from: number | undefined): string {
  return from === undefined ? "" : ` restored from ${from}`;
}

/** Returns the keys of changed rows as readers see them, or the keys in the store if no logged change has one. */
function differentRows({ changes, rows }: PublishedDifferences = { changes: [], rows: [] }): string[] {
  const named = changes.flatMap(({ subject }) => (subject === "" ? [] : [subject]));
  const stored = rows.map(({ table, key }) => `${key.join(" ")} of the table ${table}`);
  return (named.length > 0 ? named : stored).slice(0, maxShown);
}

const maxShown = 20;

function sourceCells({ source, state, responses, rows, earlierRows, at }: SourceVerification): string[] {
  const earlier = earlierRows > 0 ? ` + ${earlierRows} earlier` : "";
  return [source, state, String(responses), `${rows}${earlier}`, at?.toISOString() ?? ""];
}

function publishedState(published: PublishedDifferences | undefined): string {
  if (!published) return "not compared";
  const different = Math.max(published.changes.length, published.rows.length);
  return different === 0 ? "equal" : `${different} different`;
}

/** Returns a changed row as one line, with its published state and the one that this program computes. */
function changeText({ kind, rows, subject, before, after }: LoggedChange): string {
  const values = [before, after].map((state) => (state ? JSON.stringify(state) : "none"));
  return `${kind} ${rows} ${subject}: ${values.join(" -> ")}`;
}
