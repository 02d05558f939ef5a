export const branches: ReadonlyMap<string, string> = new Map([
  ["usa", "Army"],
  ["usar", "Army Reserve"],
  ["armynationalguard", "Army National Guard"],
  ["usaf", "Air Force"],
  ["afr", "Air Force Reserve"],
  ["airnationalguard", "Air National Guard"],
  ["usmc", "Marine Corps"],
  ["usmcr", "Marine Corps Reserve"],
  ["usn", "Navy"],
  ["usnr", "Navy Reserve"],
  ["whs", "Washington Headquarters Services"],
]);

export const statusOf: ReadonlyMap<string, string> = new Map([
  ["act", "active"],
  ["clsd", "closed"],
  ["semi", "semi-active"],
  ["care", "caretaker"],
  ["excs", "excess"],
]);

/** MIRTA has no kinds, so the name and the reporting component decide. */
export function siteKind(name: string, component: string): string {
  if (range.test(name)) return "range";
  if (trainingArea.test(name)) return "training_area";
  if (airfield.test(name)) return "airfield";
  if (component.startsWith("usn") && navalBase.test(name)) return "naval_base";
  return component === "afr" || component === "airnationalguard" ? "airfield" : "base";
}

const range = /\b(range|proving grounds?|gunnery|bombing)\b/i;
const trainingArea = /\b(training (area|center|site|complex)|maneuver area|MTA|LTA|MTC|TA|TS)\b/i;
const airfield =
  /\b(air (force |reserve |national guard |guard )?(base|station|field)|airfield|airport|AFB|ARB|AGB|ANGB|AAF|AHP|NAS|NAF|NOLF|OLF|MCAS|IAP)\b/i;
const navalBase =
  /\b(naval (submarine |amphibious )?base|naval (station|support|weapons station|shipyard)|shipyard|NAVBASE|NAVSTA|NSA|NSB|NWS|NS)\b/i;
