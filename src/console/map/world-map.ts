import { html } from "../../pages/html.ts";
import { countries } from "../../reference/countries/countries.ts";
import { type Ground, worldProjection, worldShapes, worldSize } from "./outlines.ts";

export interface Shading {
  readonly id: string;
  readonly title: string;
  /** Whether a higher value is worse (`risk`) or better (`calm`). */
  readonly kind: "risk" | "calm";
  /** Label of a country without a value, because it is not covered or the viewer may not see it. */
  readonly otherwise: string;
  /** Values from 0 to 100, by alpha-2 code of the country. */
  readonly values: ReadonlyMap<string, number>;
}

const frame = { ...worldSize, cell: 16, project: worldProjection(), isRoomy: true };
let plain: Ground | undefined;

/** Draws the world. With a shading, each country has the color of its value and links to its page. */
export function worldGround(shading?: Shading): Ground {
  if (shading)
    return {
      ...frame,
      outlines: html`<g>${[...worldShapes()].map(([code, path]) => countryMarkup(code, path, shading))}</g>`,
    };
  plain ??= { ...frame, outlines: html`<path class="land" d="${[...worldShapes().values()].join("")}"/>` };
  return plain;
}

function countryMarkup(code: string, path: string, { kind, title, values, otherwise }: Shading) {
  const value = values.get(code);
  const text = `${countries.get(code)?.name ?? code}\n${title}: ${value === undefined ? otherwise : Math.round(value)}`;
  const look =
    value === undefined ? html`class="land none" fill="url(#no-value)"` : html`class="land ${stepOf(value, kind)}"`;
  return html`<a href="/countries/${code}" tabindex="-1" aria-label="${text.replace("\n", ", ")}" data-tip="${text}"><path ${look} d="${path}"/></a>\n`;
}

/** Returns the CSS class for the color of a value. The color scale has five steps of 20 points. */
export function stepOf(value: number, kind: Shading["kind"]): string {
  return `${kind.charAt(0)}${Math.min(5, Math.max(1, Math.floor(value / 20) + 1))}`;
}
