import { disputedAreas } from "../reference/places/disputed-areas.ts";
import { html } from "./html.ts";
import { type TextPage, table } from "./layout.ts";

export function placesPage(): TextPage {
  const body = html`
<h2>Land and sea</h2>
<p>Borders come from country-coder. Land comes from Natural Earth at 1:10m, with a list of smaller islands. A point belongs to
a country if it is on its land, on its inland waters, or within 24 nautical miles (44 km) of its coast and inside its borders.
The open sea, Antarctica and land that no state claims belong to no country. Risk scores assign earthquakes and fires by the
same rule.</p>
<p>A territory with its own ISO 3166-1 code takes precedence over its country. A configured geocoding provider uses its own
borders and coasts.</p>
<h2>Disputed areas</h2>
<p>If the boundary data follows a controlling power that the United Nations does not recognize, the service returns the
recognized country or territory.</p>
${table(
  ["Area", "Code", "Basis"],
  disputedAreas.map(({ name, code, reason }) => [name, html`<code>${code}</code>`, reason]),
)}`;
  return { title: "Places", lead: "How points are assigned to countries: land, sea and disputed areas.", body };
}
