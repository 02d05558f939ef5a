import type { SampleFolder } from "../folder.ts";
import { decimal, placeholder } from "../format/decimal.ts";
import { text } from "../format/json-lines.ts";
import { randomOf } from "../random.ts";
import { claimsOf, debtorsOf, homes } from "../world/claims.ts";
import type { Profile } from "../world/country-profiles.ts";
import { profileOf } from "../world/country-profiles.ts";

const quarters = [-5, -4, -3, -2];
/** Smaller claims, in billions of dollars, are not reported. */
const min = 0.004;
/** Share of the newest values that are confidential. */
const secretShare = 0.01;
const groups = [
  ["5J", "All countries (total)", () => true],
  ["4T", "Developing economies", ({ gdpPerCapita }: Profile) => gdpPerCapita < 15_000],
  ["1N", "Offshore centres", ({ kind }: Profile) => kind === "hub"],
  [
    "5C",
    "Euro area",
    ({ alpha2 }: Profile) => "AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK".includes(alpha2),
  ],
] as const;

/** Returns the debts of each country to the banks of sixteen home countries. */
export function sample(): SampleFolder {
  const tables = Object.keys(homes).map((home) => ({ home, debtors: debtorsOf(home, min) }));
  return {
    index: {
      note: "Illustrative claims of banks with invented values in the SDMX-JSON of the BIS, of sixteen home countries on up to 199 countries and four groups.",
      rows: tables.reduce((sum, { debtors }) => sum + debtors.length, 0),
      responses: tables.map(({ home }) => ({
        match: `^https://stats\\.bis\\.org/api/v1/data/WS_CBS_PUB/Q\\.S\\.${home}\\.`,
        file: fileOf(home),
      })),
    },
    files: Object.fromEntries(tables.map(({ home, debtors }) => [fileOf(home), message(home, debtors)])),
  };
}

function fileOf(home: string): string {
  return `claims-${home.toLowerCase()}.json`;
}

function message(home: string, debtors: readonly Profile[]): string {
  const sums = groups.map(([id, name, has]) => ({ id, name, members: debtors.filter(has) }));
  const counterparties = [...sums, ...debtors.map((one) => ({ id: one.alpha2, name: one.name, members: [one] }))];
  const series = counterparties.map(({ id, members }, place) => {
    const { unit } = randomOf("secret", home, id);
    const observations = quarters.map((quarter, number) => {
      const value = members.reduce((sum, { alpha2 }) => sum + claimsOf(home, alpha2, quarter), 0) * 1000;
      const isSecret = quarter === quarters.at(-1) && id !== "5J" && unit() < secretShare;
      return [number, isSecret ? ["NaN", 3, 1] : [String(decimal(value, 3)), 0, 0]];
    });
    const key = [...fixed(home).map(() => 0), place].join(":");
    return [key, { attributes: [0, 0, 0, null], observations: Object.fromEntries(observations) }];
  });
  return `${text({
    meta: { id: `BIS${home}`, prepared: "{{quarter.2 YYYY-MM-01}}T06:12:44", test: false, sender: { id: "BIS" } },
    data: {
      structure: {
        name: "BIS consolidated banking statistics",
        dimensions: { dataSet: [], series: dimensions(home, counterparties), observation: [periods()] },
        attributes,
      },
      dataSets: [{ action: "Replace", series: Object.fromEntries(series) }],
    },
  })}\n`;
}

/** Dimensions with one value each. */
function fixed(home: string) {
  return [
    ["FREQ", "Frequency", "Q", "Quarterly"],
    ["L_MEASURE", "Measure", "S", "Amounts outstanding / Stocks"],
    ["L_REP_CTY", "Reporting country", home, profileOf(home).name],
    ["CBS_BANK_TYPE", "CBS bank type", "4B", "Domestic banks"],
    ["CBS_BASIS", "CBS reporting basis", "F", "Immediate counterparty basis"],
    ["L_POSITION", "Balance sheet position", "C", "Total claims"],
    ["L_INSTR", "Type of instruments", "A", "All instruments"],
    ["REM_MATURITY", "Remaining maturity", "A", "All maturities"],
    ["CURR_TYPE_BOOK", "Currency type of booking location", "TO1", "All currencies"],
    ["L_CP_SECTOR", "Counterparty sector", "A", "All sectors"],
  ] as const;
}

function dimensions(home: string, counterparties: readonly { readonly id: string; readonly name: string }[]) {
  const ones = fixed(home).map(([id, name, code, label], keyPosition) => ({
    ...{ id, name, keyPosition, roles: [], values: [{ id: code, name: label }] },
  }));
  const values = counterparties.map(({ id, name }) => ({ id, name }));
  return [...ones, { id: "L_CP_COUNTRY", name: "Counterparty country", keyPosition: ones.length, roles: [], values }];
}

function periods() {
  const values = quarters.map((quarter) => placeholder("quarter", quarter)).map((id) => ({ id, name: id }));
  return { id: "TIME_PERIOD", name: "Time period or range", keyPosition: 11, roles: ["TIME_PERIOD"], values };
}

const attributes = {
  dataSet: [],
  series: [
    { id: "DECIMALS", name: "Decimals", values: [{ id: "3", name: "Three" }] },
    { id: "UNIT_MEASURE", name: "Unit of measure", values: [{ id: "USD", name: "US dollar" }] },
    { id: "UNIT_MULT", name: "Unit multiplier", values: [{ id: "6", name: "Millions" }] },
  ],
  observation: [
    {
      ...{ id: "OBS_STATUS", name: "Observation status" },
      values: [
        { id: "A", name: "Normal value" },
        { id: "M", name: "Missing value" },
      ],
    },
  ],
};
