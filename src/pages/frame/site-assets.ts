import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** A file that pages load, such as the style. Its URL contains a hash of its content. */
export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

const types = { css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8" } as const;

/** The style and script of all pages, and the script for maps. `make generate` creates the files. */
export const siteStyle = assetOf("/assets/site", "css", [bundle("site.css")]);
export const siteScript = assetOf("/assets/site", "js", [bundle("site.js")]);
export const mapScript = assetOf("/assets/map", "js", [bundle("map.js")]);

function bundle(file: string): URL {
  return new URL(`../../../gen/console/${file}`, import.meta.url);
}

/** Joins files to one asset. Its path ends with the hash of the content. */
export function assetOf(path: string, extension: keyof typeof types, files: readonly URL[]): Asset {
  const content = files.map((file) => readFileSync(file, "utf8")).join("");
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return { path: `${path}-${hash}.${extension}`, type: types[extension], content };
}
