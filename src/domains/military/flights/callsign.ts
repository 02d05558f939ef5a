import { type Airline, airlines } from "../../../reference/airlines.ts";

/** The airline whose ICAO code a callsign begins with; undefined for others, and for registrations. */
export function airlineOf(callsign: string): Airline | undefined {
  return airlines.get(/^([A-Z]{2,4})\d/.exec(plainCallsign(callsign))?.[1] ?? "");
}

/** The callsign with the airline's IATA code: `UAE528` is `EK528`; empty without a known airline. */
export function iataCallsign(callsign: string): string {
  const airline = airlineOf(callsign);
  return airline ? airline.iata + plainCallsign(callsign).slice(airline.icao.length) : "";
}

/** Upper case, without the blanks that pad it. */
export function plainCallsign(callsign: string): string {
  return callsign.trim().toUpperCase();
}
