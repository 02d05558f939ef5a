import { createHash } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { TechEventCoordinatesSchema, TechEventSchema } from "../../../gen/es/ids/research/v1/research_pb.ts";
import type { FoundPlace } from "../../reference/places/place-finder.ts";
import { isVirtual } from "../../reference/places/place-query.ts";

export type TechEvent = MessageInitShape<typeof TechEventSchema>;

export const locatedFeedSchema = z.object({
  feed: z.string(),
  places: z.record(z.string(), z.object({ latitude: z.number(), longitude: z.number(), country: z.string() })),
});

export type Places = Readonly<Record<string, FoundPlace>>;

export function coordinates(
  place: string,
  places: Places,
): { coords?: MessageInitShape<typeof TechEventCoordinatesSchema> } {
  if (isVirtual(place)) return { coords: { original: place, virtual: true } };
  const found = places[place];
  if (!found) return {};
  return { coords: { lat: found.latitude, lng: found.longitude, country: found.country, original: place } };
}

export function pageAddress(text: string): string {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
    ? text.replace(/^https?/i, (scheme) => scheme.toLowerCase())
    : "";
}

export function hashId(title: string, startDate: string): string {
  return createHash("sha256").update(`${title}\n${startDate}`).digest("hex").slice(0, 16);
}
