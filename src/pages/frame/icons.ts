import { readFileSync } from "node:fs";

export const iconPaths = {
  svg: "/favicon.svg",
  ico: "/favicon.ico",
  touch: "/apple-touch-icon.png",
  preview: "/preview.png",
} as const;

/** Icons of the service, and the image of link previews. `scripts/write-icons.ts` draws them. */
export const icons = [
  { path: iconPaths.svg, type: "image/svg+xml" },
  { path: iconPaths.ico, type: "image/vnd.microsoft.icon" },
  { path: iconPaths.touch, type: "image/png" },
  { path: iconPaths.preview, type: "image/png" },
].map((icon) => ({ ...icon, content: readFileSync(new URL(`./icons${icon.path}`, import.meta.url)) }));
