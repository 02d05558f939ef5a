import type { DescField } from "@bufbuild/protobuf";
import { field as rules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { ListMilitaryBasesRequestSchema } from "../../../../../gen/es/ids/military/v1/military_pb.ts";
import { getOption } from "../../../../contract/option.ts";

export const types: ReadonlySet<string> = allowed(ListMilitaryBasesRequestSchema.field.type);

export const kinds: ReadonlySet<string> = allowed(ListMilitaryBasesRequestSchema.field.kind);

export const statuses = ["active", "planned", "controversial", "closed", "caretaker", "excess", "semi-active"] as const;

function allowed(field: DescField): ReadonlySet<string> {
  const { type } = getOption(field, rules);
  return new Set(type.case === "string" ? type.value.in : []);
}

export function categoriesOf(kind: string, name: string, branch: string) {
  return {
    catAirforce: kind === "airfield" || /\bair (force|national guard)\b/i.test(branch),
    catNaval: kind === "naval_base" || /\b(navy|naval)\b/i.test(branch),
    catNuclear: kind === "nuclear_explosion_site",
    catSpace: /\b(space|launch|satellite)\b/i.test(`${name} ${branch}`),
    catTraining: kind === "training_area" || kind === "range",
  };
}

/** Returns the first kind in OpenStreetMap's `military` tag that the API has, or `military` if it has none of them. */
export function kindOf(tag: string): string {
  const known = tag.split(";").find((value) => kinds.has(value.trim()));
  return known?.trim() ?? "military";
}

/** Returns the tier of a kind. Tier 1 is shown at every zoom of a map, tier 2 from zoom 5, and tier 3 from zoom 8. */
export function tierOf(kind: string): number {
  if (first.has(kind)) return 1;
  return last.has(kind) ? 3 : 2;
}

const first = new Set(["base", "airfield", "naval_base", "training_area", "nuclear_explosion_site"]);
const last = new Set(["bunker", "trench", "shelter", "ammunition", "obstacle_course"]);

/** Returns a name as plain text, without markup, entities, control characters, or repeated blanks. */
export function plainName(text: string): string {
  const name = text.toWellFormed().replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, decodeEntity);
  // A blank replaces each tag. Otherwise the texts on both sides could together form another tag.
  const bare = name.replace(/<[a-z/!?][^>]*(?:>|$)/gi, " ");
  return bare.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

const entities = new Map([
  ["amp", "&"],
  ["apos", "'"],
  ["gt", ">"],
  ["lt", "<"],
  ["nbsp", " "],
  ["quot", '"'],
]);

function decodeEntity(entity: string, decimal?: string, hex?: string, word = ""): string {
  const code = decimal ? Number(decimal) : Number.parseInt(hex ?? "", 16);
  if (Number.isNaN(code)) return entities.get(word.toLowerCase()) ?? entity;
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? " " : String.fromCodePoint(code);
}
