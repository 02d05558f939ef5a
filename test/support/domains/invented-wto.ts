import { Response } from "undici";
import type { Outside } from "../../../src/ingest/upstreams.ts";

/** Values by year; as text where a test wants them malformed. */
export type Years = Readonly<Record<number, number | string | null>>;

/** A WTO and a FRED whose answers the test writes, in their wire format. */
export interface InventedWto {
  readonly outside: Outside;
  /** Every URL asked for. */
  readonly requested: URL[];
  /** Names of the listed reporters. */
  reporters: Readonly<Record<string, string>>;
  /** Years of each reporter by the code of the indicator; a reporter that is not there is answered for without data. */
  values: Readonly<Record<string, Readonly<Record<string, Years>>>>;
  /** Duties and imports by quarter. */
  quarters: Readonly<Record<string, readonly [duties: string, imports: string]>>;
  /** Answers 503 to every request whose URL it holds for. */
  fails: (url: URL) => boolean;
}

export function inventedWto(): InventedWto {
  const wto: InventedWto = {
    outside: {
      transport: async (address) => {
        const url = new URL(address);
        wto.requested.push(url);
        if (wto.fails(url)) return new Response("", { status: 503 });
        const body = bodyOf(wto, url);
        return body === undefined ? new Response(null, { status: 204 }) : new Response(JSON.stringify(body));
      },
      wait: async () => undefined,
      floorOf: () => 1,
    },
    requested: [],
    reporters: { "840": "United States of America" },
    values: {},
    quarters: { "2026-04-01": ["330", "3300"] },
    fails: () => false,
  };
  return wto;
}

export const inventedKeys = { IDS_DATA: "live", WTO_API_KEY: "secret", FRED_API_KEY: "secret" };

function bodyOf({ reporters, values, quarters }: InventedWto, { host, pathname, searchParams }: URL): unknown {
  if (host === "api.stlouisfed.org") {
    const place = searchParams.get("series_id") === "B235RC1Q027SBEA" ? 0 : 1;
    return { observations: Object.entries(quarters).map(([date, pair]) => ({ date, value: pair[place] })) };
  }
  if (pathname.endsWith("/reporters")) return Object.entries(reporters).map(([code, name]) => ({ code, name }));
  const indicator = searchParams.get("i") ?? "";
  const rows = (searchParams.get("r") ?? "")
    .split(",")
    .flatMap((reporter) =>
      Object.entries(values[indicator]?.[reporter] ?? {}).map(([year, value]) =>
        wtoRow(indicator, reporter, year, value),
      ),
    );
  return rows.length === 0 ? undefined : { Dataset: rows };
}

/** A row as the WTO writes it. */
export function wtoRow(indicator: string, reporter: string, year: unknown, value: unknown) {
  const isTariff = indicator.startsWith("TP_");
  return {
    IndicatorCode: indicator,
    ReportingEconomyCode: reporter,
    PartnerEconomyCode: isTariff ? null : "000",
    ProductOrSectorCode: isTariff ? null : "TO",
    UnitCode: isTariff ? "PCT" : "USM",
    Year: year,
    ValueFlagCode: null,
    TextValue: null,
    Value: value,
  };
}
