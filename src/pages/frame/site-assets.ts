import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** A file that pages load, such as the style. Its URL contains a hash of its content. */
export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

/** Style and script of all pages, and the script of pages with a map. `make generate` bundles them. */
export const siteStyle = assetOf("site", "css", "text/css; charset=utf-8");
export const siteScript = assetOf("site", "js", "text/javascript; charset=utf-8");
export const mapScript = assetOf("map", "js", "text/javascript; charset=utf-8");

function assetOf(name: string, extension: string, type: string): Asset {
  const content = readFileSync(new URL(`../../../gen/console/${name}.${extension}`, import.meta.url), "utf8");
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return { path: `/assets/${name}-${hash}.${extension}`, type, content };
}
