import type { Builtin } from "./call.ts";
import { type Json, kindOf, setMember } from "./value.ts";

export const objectFunctions = {
  keys: {
    arity: 1,
    run: (call) => {
      const names = Object.keys(call.object(0));
      call.fuel.spend(2 * names.length);
      return names;
    },
  },
  values: {
    arity: 1,
    run: (call) => {
      const values = Object.values(call.object(0));
      call.fuel.spend(2 * values.length);
      return values;
    },
  },
  merge: {
    arity: 1,
    more: true,
    run: (call) => {
      const merged: Record<string, Json> = {};
      for (const index of call.all.keys()) {
        const members = Object.entries(call.object(index));
        call.fuel.spend(4 + 6 * members.length);
        for (const [name, value] of members) setMember(merged, name, value);
      }
      return merged;
    },
  },
  not_null: { arity: 1, more: true, run: (call) => call.all.find((value) => value !== null) ?? null },
  type: { arity: 1, run: (call) => kindOf(call.any(0)) },
} satisfies Record<string, Builtin>;
