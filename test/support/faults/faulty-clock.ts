import { hourMs } from "../../../src/reference/duration.ts";
import type { Scenario } from "./fault-scenario.ts";
import type { FaultSource } from "./faulty-database.ts";

/** From one look on the clock is so far off. */
const jumps: Readonly<Record<string, number>> = { "an hour back": -hourMs, "an hour on": hourMs };

export interface FaultyClock extends FaultSource {
  /** The same clock, which jumps at one look. */
  readonly through: (clock: () => Date) => () => Date;
}

export function faultyClock(): FaultyClock {
  let jump: string | undefined;
  let jumping = 0;
  let looks = 0;
  return {
    faults: Object.keys(jumps),
    arm(fault, look) {
      [jump, jumping, looks] = [fault, look, 0];
    },
    disarm() {
      const met = jump !== undefined && looks >= jumping ? `look ${jumping}` : undefined;
      jump = undefined;
      return met;
    },
    through: (clock) => () => {
      looks += 1;
      const at = clock();
      return jump === undefined || looks < jumping ? at : new Date(at.getTime() + (jumps[jump] ?? 0));
    },
  };
}

/** The same scenario, in which the clock of the service jumps and nothing else fails. */
export function onClock<Subject>(scenario: Scenario<Subject>, source: FaultyClock): Scenario<Subject> {
  return { ...scenario, name: `${scenario.name}, the clock jumping,`, source };
}
