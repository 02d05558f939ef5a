import { randomOf } from "../random.ts";
import { profileOf } from "./country-profiles.ts";
import { clamped } from "./drift.ts";
import { usual } from "./usual-figures.ts";

/** Tariffs of an economy in percent. */
export interface Tariffs {
  /** Simple mean over all products of the tariff for members of the WTO. */
  readonly general: number;
  readonly agricultural: number;
  readonly other: number;
  /** Effective tariff on all imports, after trade agreements. */
  readonly applied: number;
}

export const unionMembers: ReadonlySet<string> = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
);
/** The European Union has one tariff. */
export const union: Tariffs = drawn("EU", 1.6, 1.5);
/** Free ports have no tariffs. */
const freePorts: ReadonlySet<string> = new Set(["HK", "MO", "SG"]);

export function tariffOf(alpha2: string): Tariffs {
  if (unionMembers.has(alpha2)) return union;
  if (freePorts.has(alpha2)) return { general: 0, agricultural: 0, other: 0, applied: 0 };
  const { kind } = profileOf(alpha2);
  return drawn(alpha2, usual[kind].tariff, kind === "industrial" ? 3 : 1);
}

/** Returns the tariffs of an economy. Rich countries protect their farmers more than other industries. */
function drawn(subject: string, level: number, shield: number): Tariffs {
  const { normal } = randomOf("tariff", subject);
  const applied = level * Math.exp(0.25 * clamped(normal(), -2, 2));
  const other = applied * 1.25 + 0.6;
  const agricultural = other * (1.5 + 0.25 * Math.abs(normal())) + shield * 2;
  return { applied, other, agricultural, general: 0.85 * other + 0.15 * agricultural };
}
