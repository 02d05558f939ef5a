import { isAbsolute } from "node:path";
import { z } from "zod";

export type ArchivePlace =
  | { readonly kind: "folder"; readonly folder: string }
  | {
      readonly kind: "bucket";
      readonly bucket: string;
      /** Prefix of all object keys: empty, or a path that ends with a slash. */
      readonly prefix: string;
      /** URL of an S3-compatible service; undefined for Amazon. With it, the path starts with the bucket. */
      readonly endpoint: string | undefined;
      readonly region: string;
    };

const defaultRegion = "us-east-1";
const bucketForm = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixForm = /^[A-Za-z0-9_.=-]+(\/[A-Za-z0-9_.=-]+)*$/;
const regionForm = /^[a-z0-9-]{1,40}$/;

export const archivePlace = z
  .string()
  .transform((text, context): ArchivePlace => {
    const place = text.startsWith("file:") ? folderOf(text.slice("file:".length)) : bucketOf(text);
    if (place) return place;
    context.addIssue("no place");
    return z.NEVER;
  })
  .describe("file:/folder, or s3://bucket/prefix, optionally followed by ?endpoint=https://… and &region=…");

function folderOf(path: string): ArchivePlace | undefined {
  const folder = path.startsWith("///") ? path.slice(2) : path;
  return isAbsolute(folder) && !folder.startsWith("//") && folder !== "/" ? { kind: "folder", folder } : undefined;
}

function bucketOf(text: string): ArchivePlace | undefined {
  const url = URL.parse(text);
  if (url?.protocol !== "s3:" || url.username !== "" || url.port !== "" || url.hash !== "") return undefined;
  const prefix = url.pathname.replace(/^\/|\/$/g, "");
  const { endpoint, region = defaultRegion, ...others } = Object.fromEntries(url.searchParams);
  const isRight =
    bucketForm.test(url.hostname) &&
    (prefix === "" || prefixForm.test(prefix)) &&
    regionForm.test(region) &&
    (endpoint === undefined || isEndpoint(endpoint)) &&
    Object.keys(others).length === 0;
  if (!isRight) return undefined;
  return {
    ...{ kind: "bucket", bucket: url.hostname, region },
    prefix: prefix === "" ? "" : `${prefix}/`,
    endpoint: endpoint?.replace(/\/$/, ""),
  };
}

function isEndpoint(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === "/" && `${url.search}${url.hash}` === "";
}
