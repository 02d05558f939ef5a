import type { SampleIndex } from "../../../src/upstream/sample/sample.ts";
import type { SampleFolder } from "../folder.ts";
import type { Random } from "../random.ts";
import type { EventCountry, Town } from "../world/places.ts";
import { sunday } from "../world/weeks.ts";
import { jsonRows, jsonText } from "./json.ts";

const newsrooms = ["Example News", "Sample Herald", "Illustrative Wire"] as const;

/** Fields that differ between events. */
export interface AcledEvent {
  readonly id: string;
  readonly ago: number;
  readonly disorder: string;
  readonly type: string;
  readonly subType: string;
  readonly actors: readonly [first: string, second: string];
  readonly kinds: readonly [first: string, second: string];
  readonly associate?: string;
  readonly country: Pick<EventCountry, "name" | "numeric" | "region">;
  readonly town: Town;
  readonly notes: string;
  readonly fatalities: number;
  readonly tags?: string;
}

/** A row of ACLED's API, in which every value is text. */
export type AcledRow = ReturnType<typeof acledRow>;

export function acledRow(event: AcledEvent, { pick, integer }: Random) {
  const { town, country, ago } = event;
  const [first, second] = event.kinds;
  return {
    event_id_cnty: event.id,
    event_date: sunday(ago),
    year: sunday(ago, " YYYY"),
    time_precision: pick(["1", "1", "1", "2"]),
    disorder_type: event.disorder,
    event_type: event.type,
    sub_event_type: event.subType,
    actor1: event.actors[0],
    assoc_actor_1: event.associate ?? "",
    inter1: first,
    actor2: event.actors[1],
    assoc_actor_2: "",
    inter2: second,
    interaction: second ? `${first}-${second}` : `${first} only`,
    civilian_targeting: second === "Civilians" ? "Civilian targeting" : "",
    iso: country.numeric,
    region: country.region,
    country: country.name,
    admin1: town.area,
    admin2: town.name,
    admin3: "",
    location: town.name,
    latitude: town.latitude.toFixed(4),
    longitude: town.longitude.toFixed(4),
    geo_precision: pick(["1", "1", "2"]),
    source: pick([...newsrooms, "Example News; Sample Herald"]),
    source_scale: pick(["National", "Subnational", "International"]),
    notes: event.notes,
    fatalities: String(event.fatalities),
    tags: event.tags ?? "",
    // Events are entered some days after they happen.
    timestamp: sunday(Math.max(ago - integer(1, 4), 0), " s"),
  };
}

/** Returns a folder with the response to the token request, and one page of events per type. */
export function acledSample(index: Pick<SampleIndex, "note" | "rows">, rows: readonly AcledRow[]): SampleFolder {
  const token = {
    token_type: "Bearer",
    expires_in: 86_400,
    access_token: "sample-token",
    refresh_token: "sample-refresh",
  };
  const pages = [...Map.groupBy(rows, ({ event_type: type }) => type)].map(([type, events]) => {
    const head = { status: 200, success: true, last_update: 2, count: events.length, messages: [] };
    return {
      type,
      file: `${type.toLowerCase().replace(/\W+/g, "-")}.json`,
      text: jsonRows(`${JSON.stringify(head).slice(0, -1)},"data":`, events, ',"filename":""}'),
    };
  });
  const page = ({ type, file }: (typeof pages)[number]) => ({
    url: "https://acleddata.com/api/acled/read",
    query: { page: "1", event_type: type },
    file,
  });
  return {
    index: {
      ...index,
      responses: [{ url: "https://acleddata.com/oauth/token", file: "token.json" }, ...pages.map(page)],
    },
    files: { "token.json": jsonText(token), ...Object.fromEntries(pages.map(({ file, text }) => [file, text])) },
  };
}
