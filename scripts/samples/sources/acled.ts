import type { SampleFolder } from "../folder.ts";
import { type AcledEvent, acledRow, acledSample } from "../format/acled.ts";
import { type Random, randomOf } from "../random.ts";
import { type Incident, incidents } from "../world/incidents.ts";

/** Number of events. The sample of Uppsala contains some of them too. */
export const acledIncidents = 1_110;
/** Position of the row without an id. */
const withoutId = 900;

const types = {
  clash: { type: "Battles", subTypes: ["Armed clash", "Armed clash", "Non-state actor overtakes territory"] },
  remote: {
    type: "Explosions/Remote violence",
    subTypes: ["Remote explosive/landmine/IED", "Shelling/artillery/missile attack", "Air/drone strike"],
  },
  civilians: { type: "Violence against civilians", subTypes: ["Attack", "Abduction/forced disappearance", "Attack"] },
} as const;

const happened = {
  clash: (first: string, second: string, town: string) => `${first} and ${second} clashed in ${town}.`,
  remote: (first: string, second: string, town: string) => `${first} struck a post of ${second} near ${town}.`,
  civilians: (first: string, _: string, town: string) => `${first} threatened residents of ${town}.`,
} as const;

export const invented = "Invented for a sample; it never took place.";

/** Returns battles, remote violence and violence against civilians by invented groups in real towns. */
export function sample(): SampleFolder {
  const counts = new Map<string, number>();
  const rows = incidents("acled", acledIncidents).map((incident, place) => {
    const { code } = incident.country;
    const number = (counts.get(code) ?? 0) + 1;
    counts.set(code, number);
    const random = randomOf("acled", place);
    return acledRow(eventOf(incident, `${code}${90_000 + number}`, random), random);
  });
  const random = randomOf("acled", "edges");
  rows.push(...edges.map((edge) => acledRow(edge, random)));
  const { event_id_cnty: _, ...nameless } = acledRow(edges[0], random);
  const page = rows.toSpliced(withoutId, 0, { ...nameless, event_id_cnty: "" });
  const index = {
    note: "Illustrative events with invented values in the form of the ACLED API: real towns, invented groups, days and deaths. No such event took place.",
    rows: rows.length,
  };
  return acledSample(index, page);
}

function eventOf(incident: Incident, id: string, { pick }: Random): AcledEvent {
  const { kind, first, second, guarded, town } = incident;
  const { type, subTypes } = types[kind];
  return {
    id,
    ago: incident.ago,
    disorder: "Political violence",
    type,
    subType: pick(subTypes),
    actors: [first, second],
    kinds: [guarded ? "Political militia" : "Rebel group", kind === "civilians" ? "Civilians" : "Rebel group"],
    country: incident.country,
    town,
    notes: `${happened[kind](first, second, town.name)} ${invented}`,
    fatalities: incident.deaths,
  };
}

const edge = {
  disorder: "Political violence",
  type: types.remote.type,
  subType: "Remote explosive/landmine/IED",
  actors: ["Unidentified armed group (fictional)", ""],
  kinds: ["Political militia", ""],
  notes: invented,
  fatalities: 0,
} as const;

/** Edge cases: a country without a number, and a place outside the countries of the reference. */
const edges: readonly [AcledEvent, AcledEvent] = [
  {
    ...edge,
    id: "XKX90001",
    ago: 12,
    country: { name: "Kosovo", numeric: "0", region: "Europe" },
    town: { name: "Mitrovica", area: "Mitrovica", latitude: 42.8914, longitude: 20.866 },
  },
  {
    ...edge,
    id: "AKD90001",
    ago: 31,
    country: { name: "Akrotiri and Dhekelia", numeric: "2", region: "Europe" },
    town: { name: "Akrotiri", area: "Akrotiri", latitude: 34.5833, longitude: 32.9833 },
  },
];
