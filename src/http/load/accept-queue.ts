import { isGone } from "../exchange.ts";
import type { Request, Response } from "../node-message.ts";
import { turnSlice } from "./turn-slice.ts";

type Handle = (request: Request, response: Response) => void;

/** Maximum time per tick of the event loop. */
export const sliceMs = 2;
/** Maximum number of queued requests. Above it, the oldest is handled without delay. This protects memory. */
const maxWaiting = 1_000;

/** While both queues wait, one request of this number comes from the queue of people. */
const peopleShare = 8;

/** The queue of a path. Probes are not queued. */
export interface Lines {
  readonly isUrgent: (path: string) => boolean;
  /** Programs go before people, so that many page views do not delay them. */
  readonly isOfPeople: (path: string) => boolean;
}

/**
 * Handles requests in order, for at most one slice per tick of the event loop. Hundreds of requests that arrive
 * together would otherwise be one long tick. Urgent paths are handled between two slices.
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
    // A request whose client has disconnected is skipped.
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
