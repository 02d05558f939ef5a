import type { Builtin } from "./call.ts";
import type { Json } from "./value.ts";

export const numberFunctions = {
  abs: { arity: 1, run: (call) => Math.abs(call.number(0)) },
  ceil: { arity: 1, run: (call) => Math.ceil(call.number(0)) },
  floor: { arity: 1, run: (call) => Math.floor(call.number(0)) },
  sum: { arity: 1, run: (call) => finite(total(call.numbers(0))) },
  avg: {
    arity: 1,
    run: (call) => {
      const numbers = call.numbers(0);
      return numbers.length === 0 ? null : finite(total(numbers) / numbers.length);
    },
  },
  to_number: {
    arity: 1,
    run: (call) => {
      const value = call.any(0);
      if (typeof value === "number") return value;
      if (typeof value !== "string") return null;
      call.fuel.spendText(value.length);
      return json.test(value) ? finite(Number(value)) : null;
    },
  },
} satisfies Record<string, Builtin>;

const json = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function total(numbers: readonly number[]): number {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

/** JSON has no words for what is beyond all numbers. */
function finite(number: number): Json {
  return Number.isFinite(number) ? number : null;
}
