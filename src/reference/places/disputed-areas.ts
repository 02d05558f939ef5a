/** An area that the boundary data assigns to the power that controls it, although the United Nations do not. */
export interface DisputedArea {
  readonly name: string;
  readonly code: string;
  /** The area is a feature of the boundary data, or the part of a country's drawn territory inside a coarse ring. */
  readonly covers: { readonly feature: string } | { readonly drawnAs: string; readonly ring: Ring };
  /** The document that justifies the assignment to this country. */
  readonly reason: string;
}

/** Longitude and latitude of each corner. The last corner connects to the first, which is not repeated. */
type Ring = readonly (readonly [longitude: number, latitude: number])[];

export const disputedAreas: readonly DisputedArea[] = [
  {
    name: "Crimea and Sevastopol",
    code: "UA",
    covers: { feature: "Q7835" },
    reason: "General Assembly resolution 68/262 (2014): territorial integrity of Ukraine",
  },
  {
    name: "Northern Cyprus",
    code: "CY",
    covers: { feature: "Q23681" },
    reason: "Security Council resolutions 541 (1983) and 550 (1984): the declared state is not recognized",
  },
  {
    name: "Western Sahara west of the berm",
    code: "EH",
    // The north side of the ring is the border with Morocco, at 27 degrees 40 minutes north.
    covers: {
      drawnAs: "MA",
      ring: [
        [-18, 20],
        [-8.6, 20],
        [-8.6, 27.6667],
        [-18, 27.6667],
      ],
    },
    reason: "United Nations list of Non-Self-Governing Territories, since 1963",
  },
  {
    name: "Golan Heights",
    code: "SY",
    // The west side of the ring is the line of 1923, along the upper Jordan and the lake, accurate to a kilometer.
    covers: {
      drawnAs: "IL",
      ring: [
        [35.66, 33.28],
        [35.655, 33.2],
        [35.65, 33.1],
        [35.635, 33.02],
        [35.628, 32.93],
        [35.625, 32.89],
        [35.655, 32.84],
        [35.665, 32.78],
        [35.67, 32.65],
        [36, 32.65],
        [36, 33.5],
        [35.7, 33.5],
      ],
    },
    reason: "Security Council resolution 497 (1981): the annexation is null and void",
  },
  {
    name: "East Jerusalem",
    code: "PS",
    // The west side of the ring is the armistice line of 1949 through the city, accurate to 300 meters.
    covers: {
      drawnAs: "IL",
      ring: [
        [35.19, 31.9],
        [35.3, 31.9],
        [35.3, 31.69],
        [35.165, 31.7],
        [35.165, 31.732],
        [35.185, 31.738],
        [35.2, 31.741],
        [35.215, 31.736],
        [35.222, 31.734],
        [35.226, 31.741],
        [35.232, 31.75],
        [35.2305, 31.762],
        [35.231, 31.769],
        [35.2283, 31.772],
        [35.2272, 31.777],
        [35.2262, 31.789],
        [35.222, 31.797],
        [35.214, 31.804],
        [35.2, 31.806],
        [35.18, 31.811],
        [35.175, 31.83],
      ],
    },
    reason: "Security Council resolution 478 (1980): the annexation is null and void",
  },
];

export function recognisedCode(drawnAs: string, latitude: number, longitude: number): string {
  for (const { code, covers } of disputedAreas) {
    if ("ring" in covers && covers.drawnAs === drawnAs && contains(covers.ring, latitude, longitude)) return code;
  }
  return drawnAs;
}

/** Returns whether a point is inside a ring: a ray from it to the east then crosses the ring an odd number of times. */
function contains(ring: Ring, latitude: number, longitude: number): boolean {
  let inside = false;
  let [fromLongitude, fromLatitude] = ring.at(-1) ?? [0, 0];
  for (const [toLongitude, toLatitude] of ring) {
    const crosses = toLatitude > latitude !== fromLatitude > latitude;
    const share = (latitude - toLatitude) / (fromLatitude - toLatitude);
    if (crosses && longitude < toLongitude + share * (fromLongitude - toLongitude)) inside = !inside;
    [fromLongitude, fromLatitude] = [toLongitude, toLatitude];
  }
  return inside;
}
