import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

export const styleAsset = assetOf("css", "text/css; charset=utf-8", ["frame.css", "content.css", "code.css"]);
export const scriptAsset = assetOf("js", "text/javascript; charset=utf-8", ["reference.js"]);

function assetOf(extension: string, type: string, files: readonly string[]): Asset {
  const content = files.map((file) => readFileSync(new URL(file, import.meta.url), "utf8")).join("");
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 16);
  return { path: `/docs/reference-${hash}.${extension}`, type, content };
}
