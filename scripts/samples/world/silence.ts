import { randomOf } from "../random.ts";
import type { Profile } from "./country-profiles.ts";

/** Share of the series that a closed or very small state does not report. */
const silence = ({ alpha2, population }: Profile) => (alpha2 === "KP" ? 0.8 : population < 0.1 ? 0.35 : 0);
/** Economies of this size in billions of dollars report every series. */
const knownFrom = 200;

/** Returns whether a country reports a series that the given share of the countries does not report. */
export function isReported(profile: Profile, series: string, silentShare: number): boolean {
  const { unit } = randomOf("silence", series, profile.alpha2);
  const drawn = unit();
  if (drawn < silence(profile)) return false;
  return (profile.population * profile.gdpPerCapita) / 1000 >= knownFrom || drawn >= silentShare;
}
