import type { SampleFolder } from "../folder.ts";
import { placeholder } from "../format/decimal.ts";
import { asNumber, linesOf } from "../format/json-lines.ts";
import { type Profile, profileOf, profiles } from "../world/country-profiles.ts";
import { type Displaced, displaced } from "../world/displacement.ts";

const pages = 2;
const ids = new Map(profiles.map(({ alpha2 }, place) => [alpha2, place + 2]));
/** Names that UNHCR spells in its own way. */
const names: Readonly<Record<string, string>> = { VE: "Venezuela (Bolivarian Republic of)" };
/** Most people who left Venezuela count as others in need of protection. */
const others = "VE";
/** Number of values in the response that are text instead of numbers. */
const asText = 4;

/** Returns displaced people by country of origin and of asylum. */
export function sample(): SampleFolder {
  const items = [...displaced.flatMap(itemsOf), ...oddities()];
  const perPage = Math.ceil(items.length / pages);
  const files = Array.from({ length: pages }, (_, place) => {
    const head = `{"page":${place + 1},"short-url":"","maxPages":${pages},"total":[],"items":[`;
    return [
      `page-${place + 1}.json`,
      linesOf(head, items.slice(place * perPage, (place + 1) * perPage), "]}"),
    ] as const;
  });
  return {
    index: {
      note: "Illustrative numbers of displaced people with invented values in the form of the UNHCR population API.",
      rows: displaced.length,
      responses: files.map(([file], place) => ({
        ...{ url: "https://api.unhcr.org/population/v1/population/", query: { page: String(place + 1) }, file },
      })),
    },
    files: Object.fromEntries(files),
  };
}

function itemsOf({ origin, within, abroad }: Displaced) {
  const returned = Math.round(within / 60);
  const home = within > 0 ? [item(origin, origin, { idps: within, returned_idps: returned })] : [];
  return [
    ...home,
    ...abroad.map(({ host, refugees, asylumSeekers }, place) =>
      origin.alpha2 === others
        ? item(origin, host, { asylum_seekers: asylumSeekers, oip: refugees })
        : item(origin, host, {
            refugees: place % asText === 0 ? String(refugees) : refugees,
            asylum_seekers: asylumSeekers,
          }),
    ),
  ];
}

function item(origin: Profile, asylum: Profile, counts: Readonly<Record<string, number | string>>) {
  const name = ({ alpha2, name: usual }: Profile) => names[alpha2] ?? usual;
  return {
    year: asNumber(placeholder("year", -1)),
    ...{ coo_id: ids.get(origin.alpha2), coo_name: name(origin), coo: origin.alpha3, coo_iso: origin.alpha3 },
    ...{ coa_id: ids.get(asylum.alpha2), coa_name: name(asylum), coa: asylum.alpha3, coa_iso: asylum.alpha3 },
    ...{ refugees: 0, asylum_seekers: 0, returned_refugees: 0, idps: 0, returned_idps: 0, stateless: 0, ooc: 0 },
    ...{ oip: "-", hst: "-" },
    ...counts,
  };
}

/** Returns edge cases: people of unknown origin, stateless people, and a number in words, which is rejected. */
function oddities() {
  const [germany, sweden, afghanistan] = [profileOf("DE"), profileOf("SE"), profileOf("AF")];
  const unknown = { coo_id: "-", coo_name: "Unknown", coo: "UKN", coo_iso: "-" };
  return [
    { ...item(germany, germany, { refugees: 31_000 }), ...unknown },
    { ...item(sweden, sweden, { stateless: 20_500 }), ...unknown },
    item(afghanistan, afghanistan, { refugees: "about 900" }),
  ];
}
