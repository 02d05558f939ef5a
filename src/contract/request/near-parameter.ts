import { type InvalidRequest, invalidField } from "../../errors.ts";
import { countryOf } from "../../reference/countries/countries.ts";
import { plainName } from "../../reference/countries/country-names.ts";
import type { Circle } from "../../reference/places/circle.ts";
import { findPlaces } from "../../reference/places/place-finder.ts";
import { chokepoints } from "../../reference/trade/chokepoints.ts";

interface NearRequest {
  readonly near: string;
  readonly withinKm?: number | undefined;
}

const defaultKm = 100;

/** Returns the circle around the place that a request names; undefined without one. Rejects with `InvalidRequest`. */
export async function requestedCircle({ near, withinKm }: NearRequest): Promise<Circle | undefined> {
  const text = near.trim();
  if (text === "" && withinKm !== undefined) throw invalidField("within_km", "value requires near");
  if (text === "") return undefined;
  const center = pointIn(text) ?? chokepointNamed(text) ?? (await findPlaces([text])).get(text);
  if (!center) throw unknownPlace();
  const { latitude, longitude } = center;
  return { latitude, longitude, km: withinKm ?? defaultKm };
}

function unknownPlace(): InvalidRequest {
  return invalidField("near", "value must be a known town, a chokepoint, or a point such as 13.6,25.3");
}

type Point = Pick<Circle, "latitude" | "longitude">;

function pointIn(text: string): Point | undefined {
  const [, first, second] = /^(-?\d{1,3}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)$/.exec(text) ?? [];
  if (first === undefined) return undefined;
  const [latitude, longitude] = [Number(first), Number(second)];
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) throw unknownPlace();
  return { latitude, longitude };
}

/** Finds a chokepoint by its ID or name, with or without `Strait of`. `Taiwan` is the country, not the strait. */
function chokepointNamed(text: string): Point | undefined {
  if (countryOf(text)) return undefined;
  const wanted = distinctName(text);
  return chokepoints.find(({ id, name }) => [id, name].some((known) => distinctName(known) === wanted));
}

function distinctName(text: string): string {
  return plainName(text.replaceAll("_", " ").replaceAll(/\b(?:strait|canal|of|the)\b/gi, " "));
}
