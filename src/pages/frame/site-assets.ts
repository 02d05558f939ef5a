import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** A file that pages load, such as the style. Its URL contains a hash of its content. */
export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

/** Style and script of all pages. `make generate` bundles them. */
export const siteStyle = assetOf("css", "text/css; charset=utf-8");
export const siteScript = assetOf("js", "text/javascript; charset=utf-8");

function assetOf(extension: string, type: string): Asset {
  const content = readFileSync(new URL(`../../../gen/console/site.${extension}`, import.meta.url), "utf8");
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return { path: `/assets/site-${hash}.${extension}`, type, content };
}
