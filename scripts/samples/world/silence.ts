import { randomOf } from "../random.ts";
import type { Profile } from "./country-profiles.ts";

/** Closed states tell nobody, and the smallest little. */
const silence = ({ alpha2, population }: Profile) => (alpha2 === "KP" ? 0.8 : population < 0.1 ? 0.35 : 0);
/** Economies of so many billion dollars are told of. */
const knownFrom = 200;

/** Whether a country tells a series, of which such a share of the countries is silent. */
export function isReported(profile: Profile, series: string, silentShare: number): boolean {
  const { unit } = randomOf("silence", series, profile.alpha2);
  const drawn = unit();
  if (drawn < silence(profile)) return false;
  return (profile.population * profile.gdpPerCapita) / 1000 >= knownFrom || drawn >= silentShare;
}
