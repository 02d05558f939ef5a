import { z } from "zod";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import type { Upstream } from "../../../upstream/upstream.ts";

const catalog = "https://www.sciencebase.gov/catalog";
/** The release of 2026 is used if the catalog cannot be searched. */
const pinned = `${catalog}/file/get/696a75d5d4be0228872d3bf8?name=MCS2026_Commodities_Data.csv`;
const hosts = ["sciencebase.gov", "usgs.gov"];

const search = `${catalog}/items?${new URLSearchParams({
  q: "Mineral Commodity Summaries Commodity Salient",
  format: "json",
  max: "10",
  fields: "title,files",
})}`;

const fileSchema = z.object({ name: z.string(), downloadUri: z.url() });
const catalogSchema = z.object({ items: z.array(z.object({ files: z.array(z.unknown()).nullish() })) });

export async function findRelease(upstream: Upstream): Promise<string> {
  try {
    return newestFile(await upstream.json({ url: search })) ?? pinned;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return pinned;
  }
}

/** Returns the file of the latest year, such as `MCS2026_Commodities_Data.csv`. Files of other hosts are ignored. */
export function newestFile(response: unknown): string | undefined {
  const read = catalogSchema.safeParse(response);
  if (!read.success) return undefined;
  const [newest] = read.data.items
    .flatMap(({ files }) => files ?? [])
    .flatMap((file) => fileSchema.safeParse(file).data ?? [])
    .filter(({ name, downloadUri }) => /commodities_data\.csv$/i.test(name) && isOurs(downloadUri))
    .sort((a, b) => yearOf(b.name) - yearOf(a.name));
  return newest?.downloadUri;
}

function yearOf(name: string): number {
  return Number(/\d{4}/.exec(name)?.[0] ?? 0);
}

function isOurs(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" && hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
}
