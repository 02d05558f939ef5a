import type { SampleFolder } from "../folder.ts";
import { type AcledEvent, acledRow, acledSample } from "../format/acled.ts";
import { randomOf } from "../random.ts";
import { one, weighted } from "../world/draw.ts";
import { countriesOf, townsOf } from "../world/places.ts";
import { rising, type Week } from "../world/weeks.ts";

const events = 764;
const days = 30;
/** Most protests are on Fridays and Saturdays. */
const week: Week = [1.1, 0.7, 0.75, 0.85, 0.95, 1.35, 1.7];

const people = ["Teachers", "Students", "Farmers", "Health Workers", "Transport Workers", "Residents", "Pensioners"];
const causes = [
  ...["bus fares", "school closures", "a quarry", "fuel prices", "rents", "unpaid bonuses", "pension reform"],
  ...["hospital waiting times", "a bypass", "water meters", "land titles", "bread prices", "a waste site", "tuition"],
];

/** Returns protests and riots of residents in real towns, without a named opponent. */
export function sample(): SampleFolder {
  const drawn = Array.from({ length: events }, (_, place) => eventAt(place));
  const rows = drawn.map((event, place) => acledRow(event, randomOf("unrest row", place)));
  const [first] = drawn;
  if (first) rows.push({ ...acledRow({ ...first, id: "GRC99999" }, randomOf("unrest edge")), event_date: "soon" });
  const countryDays = (list: readonly AcledEvent[]) =>
    new Set(list.map(({ country, ago }) => `${country.name} ${ago}`)).size;
  const index = {
    note: "Illustrative protests and riots with invented values in the form of the ACLED API: real towns, invented days, causes and deaths. None of them took place.",
    // Each country and day is one count. If there were deaths, the deaths and the severe events are two more counts.
    rows: countryDays(drawn) + 2 * countryDays(drawn.filter(({ fatalities }) => fatalities > 0)),
  };
  return acledSample(index, rows);
}

function eventAt(place: number): AcledEvent {
  const random = randomOf("unrest", place);
  const country = weighted(random, countriesOf("unrest"));
  const isRiot = random.unit() < 0.16;
  const who = `${isRiot ? "Rioters" : "Protesters"} (${country.name})`;
  return {
    id: `${country.code}${90_001 + place}`,
    ago: weighted(random, rising(days, week, 0.6)),
    disorder: isRiot ? "Political violence; Demonstrations" : "Demonstrations",
    type: isRiot ? "Riots" : "Protests",
    subType: isRiot ? random.pick(["Mob violence", "Violent demonstration"]) : "Peaceful protest",
    actors: [who, ""],
    kinds: [isRiot ? "Rioters" : "Protesters", ""],
    associate: `${one(random, people)} (${country.name})`,
    country,
    town: one(random, townsOf(country, "unrest")),
    notes: `Invented for a sample: a gathering about ${one(random, causes)}; it never took place.`,
    fatalities: isRiot && random.unit() < 0.2 ? random.integer(1, 3) : 0,
    tags: random.pick(["", "", "crowd size=no report", "crowd size=several hundred"]),
  };
}
