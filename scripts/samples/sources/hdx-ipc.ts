import type { SampleFolder } from "../folder.ts";
import { placeholder } from "../format/decimal.ts";
import { randomOf } from "../random.ts";
import { type Profile, profiles } from "../world/country-profiles.ts";
import { clamped } from "../world/drift.ts";
import { economyOf } from "../world/economy.ts";

const file = "national.csv";
const site = "https://data.humdata.org";
const download = `${site}/dataset/00000000-0000-4000-8000-000000000001/resource/00000000-0000-4000-8000-000000000002/download`;
/** Poor countries and countries at war are analyzed. */
const isAnalyzed = ({ kind, gdpPerCapita, alpha2 }: Profile) =>
  !["KP", "SY", "LY", "UA", "PS", "ER", "RW", "KG", "TJ", "BT", "NP", "BD", "KM"].includes(alpha2) &&
  (kind === "conflict" ||
    (kind === "agrarian" && gdpPerCapita < 3_000) ||
    ["PK", "NG", "GT", "SV", "HN", "SZ"].includes(alpha2));
/** Age of an analysis in months, and the number of months that it covers. */
const [made, months] = [
  [1, 12],
  [2, 4],
] as const;
/** Share of the analyses with a projection. */
const foreseen = 0.65;

/** Returns analyses of food crises: people by phase, now and projected. */
export function sample(): SampleFolder {
  const analyses = profiles.filter(isAnalyzed).map((profile) => analysisOf(profile));
  const head = "Date of analysis,Country,Total country population,Validity period,From,To,Phase,Number,Percentage";
  const tags =
    "#date+analysis,#country+code,#population+total,#severity+period,#date+start,#date+end,#severity+type,#affected+num,#affected+pct";
  return {
    index: {
      note: "Illustrative analyses of food crises with invented values in the form of the IPC's tables on HDX; most have a projection too.",
      rows: 2 * analyses.length,
      responses: [
        { url: `${site}/api/3/action/package_show`, file: "package.json" },
        { url: `${download}/ipc_global_national_long_latest.csv`, file },
      ],
    },
    files: { [file]: `${[head, tags, ...analyses.flat()].join("\n")}\n`, "package.json": packageFile() },
  };
}

function analysisOf(profile: Profile): string[] {
  const { alpha2, alpha3, kind, income } = profile;
  const { integer, unit, normal } = randomOf("hunger", alpha2);
  const people = Math.round(economyOf(alpha2, 0).population * 1e6);
  const share = clamped((kind === "conflict" ? 0.3 : 0.13) * (1.35 - income) * Math.exp(0.35 * normal()), 0.02, 0.62);
  const [start, length] = [-integer(...made), integer(...months)];
  const day = placeholder("month", start, "Mon YYYY");
  const lines = (validity: string, from: number, hungry: number) =>
    byPhase(people, hungry, kind === "conflict").map(([phase, number, all]) =>
      [
        ...[day, alpha3, people, validity],
        ...[placeholder("month", from, "YYYY-MM-01"), placeholder("month", from + length, "YYYY-MM-last")],
        ...[phase, number, Math.round((100 * number) / all) / 100],
      ].join(","),
    );
  const now = lines("current", start, share);
  return unit() < foreseen ? [...now, ...lines("first projection", start + length + 1, share * 1.08)] : now;
}

/** Returns the people by phase. Few countries have people in phase 5. */
function byPhase(people: number, hungry: number, isConflict: boolean): (readonly [string, number, number])[] {
  const all = Math.round(people * 0.97);
  const crisis = Math.round(all * hungry);
  const catastrophe = isConflict && hungry > 0.4 ? Math.round(crisis * 0.012) : 0;
  const emergency = Math.round(crisis * (isConflict ? 0.24 : 0.12));
  const stressed = Math.round((all - crisis) * 0.38);
  return (
    [
      ["all", all],
      ["3+", crisis],
      ["1", all - crisis - stressed],
      ["2", stressed],
      ["3", crisis - emergency - catastrophe],
      ["4", emergency],
      ["5", catastrophe],
    ] as const
  ).map(([phase, number]) => [phase, number, all] as const);
}

function packageFile(): string {
  const resource = (name: string) => ({ format: "CSV", name, url: `${download}/${name}` });
  const result = {
    ...{ name: "global-acute-food-insecurity-country-data", title: "Global: Acute Food Insecurity Country Data" },
    resources: [resource("ipc_global_area_long_latest.csv"), resource("ipc_global_national_long_latest.csv")],
  };
  const help = `${site}/api/3/action/help_show?name=package_show`;
  return `${JSON.stringify({ help, success: true, result }, null, 2)}\n`;
}
