import { isGone, type Request, type Response } from "../exchange.ts";
import { turnsOf } from "./turn-slice.ts";

type Handle = (request: Request, response: Response) => void;

/** Of one turn of the event loop. */
const sliceMs = 2;
/** Requests that are read and wait to be looked at; beyond it the oldest is looked at without delay. Protects memory. */
const maxWaiting = 1_000;

/**
 * Hands on what comes in for no longer than a slice of each turn of the event loop, in its order. Hundreds of requests that
 * arrive together would else be one turn; the paths that never wait are looked at between two slices.
 */
export function inSlices(handle: Handle, isUrgent: (path: string) => boolean): Handle {
  const waiting: (readonly [Request, Response])[] = [];
  const { hasTime } = turnsOf(sliceMs);
  const next = () => {
    const [request, response] = waiting.shift() ?? [];
    // Whoever has gone costs no more.
    if (request && response && !isGone(request)) handle(request, response);
  };
  const goOn = () => {
    while (waiting.length > 0 && hasTime()) next();
    if (waiting.length > 0) setImmediate(goOn);
  };
  return (request, response) => {
    if ((waiting.length === 0 && hasTime()) || isUrgent(request.url ?? "")) return handle(request, response);
    waiting.push([request, response]);
    if (waiting.length === 1) setImmediate(goOn);
    else if (waiting.length > maxWaiting) next();
  };
}
