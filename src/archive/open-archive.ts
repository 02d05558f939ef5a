import { createReadStream } from "node:fs";
import { copyFile, mkdir, open, readdir, rename } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { AwsV4Signer } from "aws4fetch";
import type { X2jOptions } from "fast-xml-parser";
import { z } from "zod";
import type { ArchivePlace } from "../config/archive-place.ts";
import type { Config } from "../config/config.ts";
import { type ProxySettings, proxyOptions } from "../egress/proxy.ts";
import { libraries } from "../reference/libraries.ts";
import { ArchiveError, type ArchiveStore, type LocalFile } from "./archive-store.ts";

interface BucketKeys {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken?: string | undefined;
}

type Bucket = Extract<ArchivePlace, { kind: "bucket" }>;

const timeoutMs = 60_000;
const maxListingLength = 4_000_000;
const maxRejectionLength = 2_000;

const listing = z.object({
  ListBucketResult: z.object({
    Contents: z.array(z.object({ Key: z.string() })).default([]),
    NextContinuationToken: z.string().optional(),
  }),
});
const xmlOptions: X2jOptions = { parseTagValue: false, isArray: (name) => name === "Contents" };

/** Opens an S3 bucket. Its address may be private, because the operator configures it. */
function bucketStore(place: Bucket, keys: BucketKeys, proxy: ProxySettings): ArchiveStore {
  const { EnvHttpProxyAgent, request } = libraries.undici();
  const xml = new (libraries.xml().XMLParser)(xmlOptions);
  const dispatcher = new EnvHttpProxyAgent({
    ...proxyOptions(proxy),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  const call = async (method: "GET" | "PUT", url: URL, file?: LocalFile) => {
    const headers = await signed(method, url, { place, keys, sha256: file?.sha256 ?? emptySha256 });
    const size = file ? { "content-length": String(file.bytes) } : {};
    const body = file ? createReadStream(file.path) : null;
    const response = await request(url, { method, headers: { ...headers, ...size }, body, dispatcher }).catch(
      (cause) => {
        throw new ArchiveError(`${url.origin} cannot be reached`, { cause });
      },
    );
    if (response.statusCode < 300) return response.body;
    if (response.statusCode === 404 && method === "GET" && !url.searchParams.has("list-type")) {
      await response.body.dump();
      return undefined;
    }
    const words = (await textOf(response.body, maxRejectionLength)).replaceAll(/\s+/g, " ");
    throw new ArchiveError(`${method} ${url.origin}${url.pathname} returned ${response.statusCode}: ${words}`);
  };
  const addressOf = (path: string) => new URL(`${rootOf(place)}/${path.split("/").map(encodeURIComponent).join("/")}`);
  return {
    async list(prefix) {
      const paths: string[] = [];
      for (let token: string | undefined = ""; token !== undefined; ) {
        const url = new URL(rootOf(place));
        url.search = String(
          new URLSearchParams({
            "list-type": "2",
            prefix: `${place.prefix}${prefix}`,
            ...(token && { "continuation-token": token }),
          }),
        );
        const body = await call("GET", url);
        if (!body) break;
        const { ListBucketResult: page } = listing.parse(xml.parse(await textOf(body, maxListingLength)));
        paths.push(...page.Contents.map(({ Key }) => Key.slice(place.prefix.length)));
        token = page.NextContinuationToken;
      }
      return paths;
    },
    async read(path) {
      return await call("GET", addressOf(`${place.prefix}${path}`));
    },
    async put(path, file) {
      const body = await call("PUT", addressOf(`${place.prefix}${path}`), file);
      if (body) for await (const _ of body);
    },
  };
}

/** SHA-256 of an empty body. */
const emptySha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** Returns the URL of the bucket without a trailing slash. */
function rootOf({ bucket, endpoint, region }: Bucket): string {
  return endpoint === undefined ? `https://${bucket}.s3.${region}.amazonaws.com` : `${endpoint}/${bucket}`;
}

/** Returns the headers that authenticate a request (AWS Signature Version 4). */
async function signed(
  method: string,
  url: URL,
  { place, keys, sha256 }: { readonly place: Bucket; readonly keys: BucketKeys; readonly sha256: string },
): Promise<Record<string, string>> {
  const signer = new AwsV4Signer({
    ...{ method, url: url.href, service: "s3", region: place.region },
    accessKeyId: keys.accessKey,
    secretAccessKey: keys.secretKey,
    ...(keys.sessionToken !== undefined && { sessionToken: keys.sessionToken }),
    headers: { "x-amz-content-sha256": sha256 },
  });
  const { headers } = await signer.sign();
  return Object.fromEntries(headers);
}

async function textOf(body: AsyncIterable<Buffer>, max: number): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body) {
    parts.push(part);
    length += part.length;
    if (length > max) break;
  }
  return Buffer.concat(parts).toString("utf8").slice(0, max);
}

/** Opens the configured archive; undefined if none is configured. */
export function openArchive({ archive, proxy }: Pick<Config, "archive" | "proxy">): ArchiveStore | undefined {
  const { place, accessKey = "", secretKey = "", sessionToken } = archive;
  if (!place) return undefined;
  return place.kind === "folder"
    ? folderStore(place.folder)
    : bucketStore(place, { accessKey, secretKey, sessionToken }, proxy);
}

export function folderStore(folder: string): ArchiveStore {
  return {
    async list(prefix) {
      const below = join(folder, dirname(`${prefix}x`));
      const entries = await readdir(below, { recursive: true, withFileTypes: true }).catch(noneIfMissing);
      return entries
        .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
        .filter((path) => path.startsWith(prefix));
    },
    async read(path) {
      const file = await open(join(folder, path)).catch(noneIfMissing);
      return "createReadStream" in file ? createReadStream("", { fd: file }) : undefined;
    },
    async put(path, { path: source }) {
      const target = join(folder, path);
      await mkdir(dirname(target), { recursive: true });
      // The name starts with a dot until the file is complete, because query engines ignore such files.
      const partial = join(dirname(target), `.${basename(target)}.${process.pid}`);
      await copyFile(source, partial);
      await synced(partial);
      await rename(partial, target);
      await synced(dirname(target));
    },
  };
}

/** Flushes a file or folder to disk, so that a power failure does not lose it. */
async function synced(path: string): Promise<void> {
  await using file = await open(path);
  await file.sync();
}

function noneIfMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === "ENOENT") return [];
  throw error;
}
