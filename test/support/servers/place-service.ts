import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Implemented } from "../../../src/contract/implementation.ts";
import { ListSheltersResponseSchema, PlaceService, type ShelterSchema } from "../../gen/places_pb.ts";

/** Shelters of two sources in two countries. Every ninth has no place, and every tenth no time. */
export const shelters = Array.from({ length: 200 }, (_, index) => ({
  country: index % 2 === 0 ? "NO" : "S,E",
  number: index,
  ...(index % 9 > 0 && { position: { latitude: 55 + (index % 15), longitude: 5 + (index % 25) } }),
  built: index % 10 === 0 ? "" : `${2000 + (index % 20)}-Q${1 + (index % 4)}`,
  beds: index,
  source: index % 3 === 0 ? "closed" : "open",
})) satisfies MessageInitShape<typeof ShelterSchema>[];

const implementation: ServiceImpl<typeof PlaceService> = {
  listShelters({ minBeds, limit, after }) {
    const found = shelters.filter(({ beds }) => beds >= minBeds);
    const start = after === "" ? 0 : found.findIndex(({ number }) => String(number) === after) + 1;
    const page = found.slice(start, start + limit);
    const last = start + limit < found.length ? page.at(-1) : undefined;
    const nextAfter = last ? String(last.number) : "";
    return create(ListSheltersResponseSchema, { shelters: page, nextAfter, total: found.length });
  },
};

/** The test contract of test/contract/places.proto, for `startApp`. */
export const placeService: Implemented = { service: PlaceService, implementation };
