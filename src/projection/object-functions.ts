import type { Builtin } from "./call.ts";
import { namesOf, sizeOf, writeCost } from "./members.ts";
import { type Json, kindOf, setMember } from "./value.ts";

export const objectFunctions = {
  keys: {
    arity: 1,
    run: (call) => namesOf(call.object(0), call.fuel),
  },
  values: {
    arity: 1,
    run: (call) => {
      const object = call.object(0);
      call.fuel.spend(sizeOf(object, call.fuel).cost);
      return Object.values(object);
    },
  },
  merge: {
    arity: 1,
    more: true,
    run: (call) => {
      const merged: Record<string, Json> = {};
      for (const index of call.all.keys()) {
        const object = call.object(index);
        call.fuel.spend(4);
        for (const name of namesOf(object, call.fuel)) {
          call.fuel.spend(2 + writeCost(name));
          setMember(merged, name, object[name] ?? null);
        }
      }
      return merged;
    },
  },
  not_null: { arity: 1, more: true, run: (call) => call.all.find((value) => value !== null) ?? null },
  type: { arity: 1, run: (call) => kindOf(call.any(0)) },
} satisfies Record<string, Builtin>;
