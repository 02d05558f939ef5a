import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  BufferReadingSchema,
  type BufferSchema,
  SupplyBuffersSchema,
} from "../../../gen/es/ids/stored/v1/buffers_pb.ts";
import type { Refresh } from "../../ingest/dataset.ts";
import { snapshot } from "../../ingest/snapshot.ts";
import { agsiCountries } from "./agsi-countries.ts";
import { bufferVulnerability } from "./buffer-vulnerability.ts";
import { ieaOilStocks } from "./iea-oil-stocks.ts";
import { usdaPsd } from "./usda-psd.ts";

type Buffer = MessageInitShape<typeof BufferSchema>;

/** The sources with the names and pages by which people know them. */
const sources = [
  { source: usdaPsd, name: "USDA Production, Supply and Distribution", url: "https://apps.fas.usda.gov/psdonline/" },
  { source: agsiCountries, name: "Gas Infrastructure Europe, AGSI", url: "https://agsi.gie.eu/" },
  {
    source: ieaOilStocks,
    name: "IEA, Oil Stocks of IEA Countries",
    url: "https://www.iea.org/data-and-statistics/data-tools/oil-stocks-of-iea-countries",
  },
];

/** Stocks of food, gas and oil by country: what softens a shock. */
export const supplyBuffers = snapshot({
  name: "supply-buffers",
  row: BufferReadingSchema,
  message: SupplyBuffersSchema,
  // Gas is told of each day, the others once a month.
  schedule: "15 3,19 * * *",
  freshForMinutes: 3 * 24 * 60,
  serves: [],
  sources: sources.map(({ source }) => source),
  combine: (refresh) => ({ buffers: buffersOf(refresh) }),
  count: ({ buffers }) => buffers.length,
});

function buffersOf({ bySource, answers }: Refresh<typeof BufferReadingSchema>): Buffer[] {
  return sources
    .flatMap(({ source, name: sourceName, url: sourceUrl }) => {
      const fetchedAt = answers.get(source.name)?.fetchedAt.toISOString() ?? "";
      return (bySource.get(source.name) ?? []).flatMap((reading) => {
        const vulnerability = bufferVulnerability(reading.kind, reading.measure);
        if (vulnerability === undefined) return [];
        return [{ reading, vulnerability, sourceKey: source.name, sourceName, sourceUrl, fetchedAt }];
      });
    })
    .sort((a, b) => (keyOf(a.reading) < keyOf(b.reading) ? -1 : 1));
}

function keyOf({ iso2, commodityId }: { readonly iso2: string; readonly commodityId: string }): string {
  return `${iso2} ${commodityId}`;
}
