import { disputedAreas } from "../reference/places/disputed-areas.ts";
import { escaped, page, table } from "./layout.ts";

/** The page at `/places`: which country a point lies in, from the very table that decides it. */
export function placesPage(): string {
  const body = `
<h2>Land and sea</h2>
<p>Borders are those of country-coder, land is that of Natural Earth at 1:10m with a list of smaller islands. A point
belongs to a country on its land, on inland waters, and within 24 nautical miles (44 km) of its coast, as far as the borders
reach. The open sea, Antarctica and land that no state claims belong to no country. Earthquakes and fires count in risk
scores by the same rule.</p>
<p>A territory with an ISO 3166-1 code of its own comes before its country. A configured geocoding provider draws borders and
coasts by its own data.</p>
<h2>Disputed areas</h2>
<p>Where boundary data follow the power in control and the United Nations do not recognize it, we answer with the recognized
country or territory.</p>
${table(
  ["Area", "Code", "Settled by"],
  disputedAreas.map(({ name, code, reason }) => [escaped(name), `<code>${code}</code>`, escaped(reason)]),
)}`;
  return page("Places", "Which country a point lies in: land, sea and disputed areas.", body);
}
