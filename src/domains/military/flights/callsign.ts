import { type Airline, airlines } from "../../../reference/airlines.ts";

/** Returns undefined for registrations, and for callsigns without the ICAO code of an airline. */
export function airlineOf(callsign: string): Airline | undefined {
  return airlines.get(/^([A-Z]{2,4})\d/.exec(plainCallsign(callsign))?.[1] ?? "");
}

/** `UAE528` becomes `EK528`. Returns an empty text if the airline is unknown. */
export function iataCallsign(callsign: string): string {
  const airline = airlineOf(callsign);
  return airline ? airline.iata + plainCallsign(callsign).slice(airline.icao.length) : "";
}

export function plainCallsign(callsign: string): string {
  return callsign.trim().toUpperCase();
}
