import { Fuel, fuelLimit } from "./fuel.ts";

/** Fuel that a thread spends in one turn of the event loop, over all evaluations. The last one may exceed it. */
const fuelInTurn = fuelLimit;

let spentInTurn = 0;
let isTurnCounted = false;
const waiting: (() => void)[] = [];

/** Evaluates immediately if this turn of the event loop has fuel left, or else in a later turn, in order of arrival. */
export async function evaluateInTurn<T>(evaluate: (fuel: Fuel) => T): Promise<T> {
  while (spentInTurn >= fuelInTurn) await new Promise<void>((resolve) => waiting.push(resolve));
  const fuel = new Fuel();
  try {
    return evaluate(fuel);
  } finally {
    spentInTurn += fuel.spent;
    if (!isTurnCounted) countTurn();
  }
}

function countTurn(): void {
  isTurnCounted = true;
  setImmediate(() => {
    isTurnCounted = false;
    spentInTurn = 0;
    waiting.shift()?.();
    if (waiting.length > 0) countTurn();
  });
}
