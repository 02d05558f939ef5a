import { chokepoints } from "../../../src/reference/trade/chokepoints.ts";
import type { SampleFolder } from "../folder.ts";
import { jsonRows, numeric } from "../format/json.ts";
import { randomOf } from "../random.ts";
import { ofWeek, sunday, type Week } from "../world/weeks.ts";

interface Traffic {
  /** Ships per day, the share of tankers, and deadweight tons per ship. */
  readonly ships: number;
  readonly tankers: number;
  readonly tons: number;
  /** Share of the usual traffic in the newest week. */
  readonly left?: number;
}

/** Rough traffic in a quiet year, by PortWatch's names. */
const traffic: Readonly<Record<string, Traffic>> = {
  "Suez Canal": { ships: 41, tankers: 0.41, tons: 62_600 },
  "Malacca Strait": { ships: 230, tankers: 0.32, tons: 51_500 },
  "Strait of Hormuz": { ships: 92, tankers: 0.52, tons: 68_100 },
  "Bab el-Mandeb Strait": { ships: 38, tankers: 0.43, tons: 60_300, left: 0.76 },
  "Panama Canal": { ships: 34, tankers: 0.32, tons: 30_800 },
  "Taiwan Strait": { ships: 237, tankers: 0.16, tons: 29_900 },
  "Cape of Good Hope": { ships: 92, tankers: 0.32, tons: 71_700 },
  "Gibraltar Strait": { ships: 143, tankers: 0.26, tons: 37_700 },
  "Bosporus Strait": { ships: 104, tankers: 0.24, tons: 33_900 },
  "Korea Strait": { ships: 177, tankers: 0.23, tons: 29_500 },
  "Dover Strait": { ships: 169, tankers: 0.2, tons: 26_900 },
  "Kerch Strait": { ships: 24.5, tankers: 0.24, tons: 9_000, left: 0.4 },
  "Lombok Strait": { ships: 33, tankers: 0.21, tons: 48_700 },
};

const days = 126;
/** Number of days from the newest day to the latest Sunday. */
const newest = 3;
/** Traffic is a little lower on weekends. */
const week: Week = [0.92, 0.97, 1.02, 1.05, 1.06, 1.03, 0.95];
/** Growth per year, over the whole period. */
const growth = 0.04;

/** Returns ships per day through each chokepoint. In two of them, traffic falls in the newest week. */
export function sample(): SampleFolder {
  const names = chokepoints.map(({ portWatchName }) => portWatchName);
  const fileOf = (name: string) => `${name.toLowerCase().replaceAll(" ", "-")}.json`;
  const falling = names.filter((name) => trafficOf(name).left !== undefined);
  /** Earlier responses: before the fall, and after four of its days. */
  const earlier = [
    { daysBefore: 6, fallen: 0 },
    { daysBefore: 3, fallen: 4 },
  ].map(({ daysBefore, fallen }) => ({
    daysBefore,
    files: Object.fromEntries(falling.map((name) => [fileOf(name), transits(name, fallen)])),
  }));
  return {
    index: {
      note: "Illustrative: counts are invented in the format of the layer Daily_Chokepoints_Data; some fields are left out.",
      rows: days * names.length,
      series: "earlier-days.json",
      responses: names.map((name) => ({
        match: `where=portname%3D%27${name.replaceAll(" ", "\\+")}%27`,
        file: fileOf(name),
      })),
    },
    files: {
      ...Object.fromEntries(names.map((name) => [fileOf(name), transits(name, 7)])),
      "earlier-days.json": `${JSON.stringify(earlier, null, 1)}\n`,
    },
  };
}

function trafficOf(name: string): Traffic {
  const known = traffic[name];
  if (!known) throw new Error(`The sample's world has no traffic through ${name}`);
  return known;
}

/** Returns the days of a chokepoint, oldest first. `fallen` is the number of newest days with less traffic. */
function transits(name: string, fallen: number): string {
  const { ships, tankers, tons, left = 1 } = trafficOf(name);
  const { normal } = randomOf("transits", name);
  const features = Array.from({ length: days }, (_, place) => {
    const before = days - 1 - place;
    const ago = newest + before;
    const share = before < fallen ? left : 1;
    const usual = ships * ofWeek(week, ago) * (1 + growth * (place / days - 0.5)) * share;
    const total = Math.max(1, Math.round(usual + Math.sqrt(usual) * 0.6 * normal()));
    const oil = Math.min(total, Math.max(1, Math.round(total * tankers * (1 + 0.12 * normal()))));
    const capacity = Math.round(oil * tons * (1 + 0.06 * normal()));
    return {
      attributes: { date: numeric(sunday(ago, " ms")), n_total: total, n_tanker: oil, capacity_tanker: capacity },
    };
  });
  return jsonRows('{"objectIdFieldName":"ObjectId","features":', features, ',"exceededTransferLimit":false}');
}
