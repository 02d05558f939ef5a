// Writes gen/console/: the bundled style and scripts of the pages, and the shapes of countries on the maps.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { geoPath } from "d3-geo";
import { build } from "esbuild";
import type { Position } from "geojson";
import { type StoredPiece, unitsInDegree, worldProjection } from "../src/console/map/outlines.ts";
import { type Atlas, landOf } from "./country-pieces.ts";

const [, , folder = "gen/console"] = process.argv;
mkdirSync(folder, { recursive: true });

const styles = [
  "tokens",
  "base",
  "frame",
  "forms",
  "responses",
  "blocks",
  "tables",
  "cards",
  "charts",
  "maps",
  "map-controls",
  "line-charts",
  "print",
];
await build({
  stdin: {
    contents: styles.map((name) => `@import "./${name}.css";`).join("\n"),
    resolveDir: "src/pages/frame/styles",
    loader: "css",
  },
  outfile: join(folder, "site.css"),
  bundle: true,
  minify: true,
  logLevel: "error",
});
await build({
  entryPoints: { site: "src/console/browser/site.js", map: "src/console/browser/maps.js" },
  outdir: folder,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  logLevel: "error",
});

function atlasOf(name: string): Atlas {
  return JSON.parse(readFileSync(createRequire(import.meta.url).resolve(`world-atlas/${name}.json`), "utf8"));
}

const draw = geoPath(worldProjection()).digits(0);
const shapes = [...landOf(atlasOf("countries-110m"))].flatMap(([code, land]) => {
  const path = draw(land);
  return path ? [[code, compact(path)] as const] : [];
});
shapes.sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(join(folder, "world.json"), `${JSON.stringify(Object.fromEntries(shapes), null, 1)}\n`);

const turn = 360 * unitsInDegree;
const lands = [...landOf(atlasOf("countries-50m"))].map(
  ([code, { coordinates }]) => [code, coordinates.map(stored)] as const,
);
lands.sort(([a], [b]) => (a < b ? -1 : 1));
const lines = lands.map(([code, pieces]) => `${JSON.stringify(code)}:${JSON.stringify(pieces)}`);
writeFileSync(join(folder, "lands.json"), `{\n${lines.join(",\n")}\n}\n`);

/** Returns the rings of a piece as relative steps. A ring ends at its first point. */
function stored(rings: readonly Position[][]): StoredPiece {
  return rings.map((ring) => {
    let [x, y] = [0, 0];
    return ring.slice(0, -1).flatMap(([longitude = 0, latitude = 0]) => {
      const next = [Math.round(longitude * unitsInDegree), Math.round(latitude * unitsInDegree)] as const;
      const east = next[0] - x;
      // A step across the 180th meridian continues past 180 degrees. No other step is as wide.
      const step = [east - turn * Math.round(east / turn), next[1] - y] as const;
      [x, y] = [x + step[0], y + step[1]];
      return step;
    });
  });
}

/** Shortens a path: relative steps are shorter than points, and steps of length 0 are omitted. */
function compact(path: string): string {
  return path.replace(/M([^MZ]*)Z/g, (_, ring: string) => {
    const places = ring.split("L").map((place) => place.split(",").map(Number));
    let [x = 0, y = 0] = places[0] ?? [];
    const steps = places.slice(1).flatMap(([nextX = 0, nextY = 0]) => {
      const step = [nextX - x, nextY - y];
      [x, y] = [nextX, nextY];
      return step[0] === 0 && step[1] === 0 ? [] : [`${step[0]}${(step[1] ?? 0) < 0 ? "" : " "}${step[1]}`];
    });
    const start = places[0]?.join(" ");
    return steps.length < 2 ? `M${start}h1v1z` : `M${start}l${steps.join(" ").replaceAll(" -", "-")}z`;
  });
}
