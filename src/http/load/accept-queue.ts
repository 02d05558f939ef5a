import { isGone } from "../exchange.ts";
import type { Request, Response } from "../node-message.ts";
import { turnSlice } from "./turn-slice.ts";

type Handle = (request: Request, response: Response) => void;

/** Of one turn of the event loop. */
export const sliceMs = 2;
/** Requests that are read and wait to be looked at; beyond it the oldest is looked at without delay. Protects memory. */
const maxWaiting = 1_000;

/** Of so many that are handed on while both lines wait, one is of people. */
const peopleShare = 8;

/** Which line a path stands in: probes in none. */
export interface Lines {
  readonly isUrgent: (path: string) => boolean;
  /** Programs go before people: a crowd that looks at pages holds up none of them. */
  readonly isOfPeople: (path: string) => boolean;
}

/**
 * Hands on what comes in for no longer than a slice of each turn of the event loop, in its order. Hundreds of requests that
 * arrive together would else be one turn; the paths that never wait are looked at between two slices.
 */
export function inSlices(handle: Handle, { isUrgent, isOfPeople }: Lines): Handle {
  const programs: (readonly [Request, Response])[] = [];
  const people: (readonly [Request, Response])[] = [];
  const hasTime = turnSlice(sliceMs);
  let handed = 0;
  const count = () => programs.length + people.length;
  const next = () => {
    handed += 1;
    const isTurnOfPeople = programs.length === 0 || (people.length > 0 && handed % peopleShare === 0);
    const [request, response] = (isTurnOfPeople ? people : programs).shift() ?? [];
    // Whoever has gone costs no more.
    if (request && response && !isGone(request)) handle(request, response);
  };
  const goOn = () => {
    while (count() > 0 && hasTime()) next();
    if (count() > 0) setImmediate(goOn);
  };
  return (request, response) => {
    if (count() === 0 && hasTime()) return handle(request, response);
    const path = request.url?.split("?", 1)[0] ?? "";
    if (isUrgent(path)) return handle(request, response);
    (isOfPeople(path) ? people : programs).push([request, response]);
    if (count() === 1) setImmediate(goOn);
    else if (count() > maxWaiting) next();
  };
}
