import { countriesOf, type EventCountry } from "./places.ts";

/** Parties of the sample's conflicts. No real party has such a name, and each name says that it is fictional. */
export interface Parties {
  /** The party that controls the towns. */
  readonly guard: string;
  readonly groups: readonly [string, string, string];
}

const colors = ["Red", "Amber", "Copper", "Silver", "Violet", "Ochre", "Teal", "Umber", "Jade", "Cobalt", "Ivory"];
const birds = [
  ...["Kite", "Heron", "Wren", "Finch", "Plover", "Swift", "Curlew", "Petrel", "Dunlin", "Avocet", "Pipit", "Lapwing"],
  ...["Bunting", "Sandpiper", "Nightjar", "Wagtail", "Redshank", "Siskin", "Dipper"],
];
const kinds = ["Front", "Column", "Circle", "Banner", "League"];

/** 11 colors and 19 birds share no divisor, so that every pair is used once before any pair repeats. */
const nameAt = (place: number, kind: string) =>
  `${colors[place % colors.length]} ${birds[place % birds.length]} ${kind} (fictional)`;

const parties = new Map(
  countriesOf("conflict").map(([{ code }], place) => {
    const group = (which: number) => nameAt(4 * place + which, kinds[(place + which) % kinds.length] ?? "Front");
    const own: Parties = { guard: nameAt(4 * place, "Guard"), groups: [group(1), group(2), group(3)] };
    return [code, own];
  }),
);

export function partiesOf({ code, name }: EventCountry): Parties {
  const own = parties.get(code);
  if (!own) throw new Error(`The sample's world has no conflict in ${name}`);
  return own;
}
