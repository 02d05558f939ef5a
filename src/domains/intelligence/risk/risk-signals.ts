import type { Signal, SignalRow } from "./risk-values.ts";

export function counted(parts: Iterable<Signal>): Signal[] {
  const sums = new Map<string, { readonly part: Signal; amount: number }>();
  for (const part of parts) {
    const key = signalKey(part);
    const sum = sums.get(key);
    if (sum) sum.amount += part.amount;
    else sums.set(key, { part, amount: part.amount });
  }
  return [...sums.values()].filter(({ amount }) => amount > 0).map(({ part, amount }) => ({ ...part, amount }));
}

export function signalKey({ country, input, date }: SignalRow): string {
  return `${country} ${input} ${date}`;
}
