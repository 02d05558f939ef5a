import { assetOf } from "../../frame/site-assets.ts";

const path = "/docs/reference";
const files = (...names: readonly string[]) => names.map((name) => new URL(name, import.meta.url));

export const styleAsset = assetOf(path, "css", files("frame.css", "content.css", "code.css"));
export const scriptAsset = assetOf(path, "js", files("reference.js"));
