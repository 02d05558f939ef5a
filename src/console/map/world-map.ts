import { type Html, html } from "../../pages/html.ts";
import { countries } from "../../reference/countries/countries.ts";
import { amountText } from "../view/figures.ts";
import type { DrawnLayer, LayerView } from "./layers.ts";
import { circles, marksOf } from "./marks.ts";
import { worldProjection, worldShapes, worldSize } from "./outlines.ts";

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

const project = worldProjection();

/** Size of a square, in pixels, within which all points become one mark. */
const cell = 16;

export function drawnOnWorld(layers: readonly LayerView[]): readonly DrawnLayer[] {
  return layers.map((view) => ({ ...view, marks: marksOf(view.points, project, cell) }));
}

export function worldMap(shading: Shading, layers: readonly DrawnLayer[]): Html {
  const { width, height } = worldSize;
  return html`<figure class="map">
<svg class="world" viewBox="0 0 ${width} ${height}" role="group" aria-label="${`World map: ${shading.title}. The tables below it have the same values and marks.`}">
<g>${[...worldShapes()].map(([code, path]) => countryMarkup(code, path, shading))}</g>
${layers.map(
  ({ layer, marks }, index) =>
    html`<g class="points l${index + 1}" aria-hidden="true">${circles(marks, layer.title, cell)}</g>`,
)}
</svg>
</figure>`;
}

function countryMarkup(code: string, path: string, { kind, title, values, otherwise }: Shading): Html {
  const value = values.get(code);
  // The color scale has five steps of 20 points.
  const step = Math.min(5, Math.max(1, Math.floor((value ?? 0) / 20) + 1));
  const text = `${countries.get(code)?.name ?? code}\n${title}: ${value === undefined ? otherwise : Math.round(value)}`;
  return html`<a href="/countries/${code}" tabindex="-1" aria-label="${text.replace("\n", ", ")}" data-tip="${text}"><path class="land${value !== undefined && ` ${kind.charAt(0)}${step}`}" d="${path}"/></a>\n`;
}

export function shadingScale({ kind, title, otherwise, values }: Shading): Html {
  const letter = kind.charAt(0);
  return html`<p class="scale"><span>${title}</span><span>0</span><svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label="Five steps from 0 to 100">${[
    1, 2, 3, 4, 5,
  ].map(
    (step) => html`<rect class="${letter}${step}" x="${(step - 1) * 20}" width="19.4" height="6"/>`,
  )}</svg><span>100</span><span><svg viewBox="0 0 10 6" class="swatch" preserveAspectRatio="none" aria-hidden="true"><rect class="land" width="10" height="6"/></svg> ${otherwise}</span>${values.size > 0 && html`<span>${title} covers ${amountText(values.size, "country", "countries")}</span>`}</p>`;
}
