import { type Airline, airlines } from "../../../reference/airlines.ts";

/**
 * Returns the airline whose ICAO code a callsign begins with. Returns undefined for other callsigns and for
 * registrations.
 */
export function airlineOf(callsign: string): Airline | undefined {
  return airlines.get(/^([A-Z]{2,4})\d/.exec(plainCallsign(callsign))?.[1] ?? "");
}

/**
 * Returns the callsign with the IATA code of the airline: `UAE528` becomes `EK528`. Returns an empty text if the
 * airline is unknown.
 */
export function iataCallsign(callsign: string): string {
  const airline = airlineOf(callsign);
  return airline ? airline.iata + plainCallsign(callsign).slice(airline.icao.length) : "";
}

/** Returns the callsign in upper case, without padding. */
export function plainCallsign(callsign: string): string {
  return callsign.trim().toUpperCase();
}
