import type { SampleFolder } from "../folder.ts";
import { dollar, yuan } from "../world/metals.ts";
import { history, on, trade, upTo } from "../world/trading.ts";

const observations = 5;
const head =
  "KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,OBS_STATUS,OBS_CONF,OBS_PRE_BREAK,OBS_COM,TIME_FORMAT,BREAKS,COLLECTION,COMPILING_ORG,DISS_ORG,DOM_SER_IDS,PUBL_ECB,PUBL_MU,PUBL_PUBLIC,UNIT_INDEX_BASE,COMPILATION,COVERAGE,DECIMALS,NAT_TITLE,SOURCE_AGENCY,SOURCE_PUB,TITLE,TITLE_COMPL,UNIT,UNIT_MULT";
const currencies = [
  { code: "CNY", name: "Chinese yuan renminbi", rates: yuan },
  { code: "USD", name: "US dollar", rates: dollar },
];

/** Returns the euro reference rates of yuan and dollar. */
export function sample(): SampleFolder {
  const files = (day: number) => ({ "rates.csv": rates(day) });
  return {
    index: {
      note: "Illustrative euro rates with invented values in the form of the data API of the European Central Bank. There is none on weekends and on closing days in China, America or the euro area.",
      rows: observations,
      series: "series.json",
      responses: [{ url: "https://data-api.ecb.europa.eu/service/data/EXR/D.USD+CNY.EUR.SP00.A", file: "rates.csv" }],
    },
    files: { ...files(-1), "series.json": history(files) },
  };
}

function rates(newest: number): string {
  const lines = currencies.flatMap(({ code, name, rates }) =>
    upTo(newest, observations)
      .toReversed()
      .map((day) => {
        const title = `${name}/Euro`;
        const start = `EXR.D.${code}.EUR.SP00.A,D,${code},EUR,SP00,A,${trade(day)},${on(rates, day).toFixed(4)}`;
        return `${start},A,F,,,P1D,,A,,,,,,,,,,4,,4F0,,${title} ECB reference exchange rate,"ECB reference exchange rate, ${title}, 2.15 pm (C.E.T.)",${code},0`;
      }),
  );
  return `${[head, ...lines].join("\r\n")}\r\n`;
}
