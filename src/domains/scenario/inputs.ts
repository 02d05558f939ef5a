import { storedOrigins } from "../../ingest/stored-metadata.ts";
import type { Store } from "../../store/tables.ts";
import { chokepointStatus, countryImports, storedPassages } from "../supply-chain/published.ts";

const datasets = [countryImports, chokepointStatus];

export interface Readable {
  readonly exposures: boolean;
  readonly disruptions: boolean;
}

export async function readable(database: Store, data: "live" | "sample"): Promise<Readable> {
  const origins = await storedOrigins(database, datasets);
  const may = ({ name }: { readonly name: string }) => data === "sample" || origins.get(name) === "live";
  return { exposures: may(countryImports), disruptions: may(chokepointStatus) };
}

export async function readDisruptions(
  database: Store,
  chokepointIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const passages = await storedPassages(database, chokepointIds);
  return new Map(
    passages.flatMap(({ chokepointId, score, upstreamUnavailable }) =>
      upstreamUnavailable ? [] : [[chokepointId, score] as const],
    ),
  );
}

export async function isFromSamples(database: Store): Promise<boolean> {
  return [...(await storedOrigins(database, datasets)).values()].includes("sample");
}
