import type { Builtin, Call, Sortable } from "./call.ts";
import { isEqual, numberOrder, type Order, textOrder } from "./compare.ts";
import type { Fuel } from "./fuel.ts";
import { sizeOf } from "./members.ts";
import { lengthOf, reversed } from "./text-functions.ts";
import { holdsText } from "./text-search.ts";
import { isArray, isObject, type Json } from "./value.ts";

export const listFunctions = {
  contains: {
    arity: 2,
    run: (call) => {
      const wanted = call.any(1);
      const subject = call.any(0);
      if (isArray(subject)) return subject.some((element) => isEqual(element, wanted, call.fuel));
      if (typeof subject !== "string") return call.refuse(0, "string or array");
      if (typeof wanted !== "string") return false;
      call.fuel.spendSearch(subject.length, wanted.length);
      return holdsText(subject, wanted);
    },
  },
  length: {
    arity: 1,
    run: (call) => {
      const subject = call.any(0);
      if (isArray(subject)) return subject.length;
      if (isObject(subject)) return sizeOf(subject, call.fuel).members;
      if (typeof subject !== "string") return call.refuse(0, "string, array or object");
      call.fuel.spend(subject.length);
      return lengthOf(subject);
    },
  },
  reverse: {
    arity: 1,
    run: (call) => {
      const subject = call.any(0);
      if (typeof subject !== "string" && !isArray(subject)) return call.refuse(0, "string or array");
      call.fuel.spend(subject.length);
      return typeof subject === "string" ? reversed(subject) : subject.toReversed();
    },
  },
  to_array: {
    arity: 1,
    run: (call) => {
      const value = call.any(0);
      return isArray(value) ? value : [value];
    },
  },
  map: {
    arity: 2,
    reference: 0,
    run: (call) => {
      const array = call.array(1);
      call.fuel.spend(array.length);
      return array.map(call.each);
    },
  },
  sort: {
    arity: 1,
    run: (call) => {
      const { numbers, strings } = call.sortable(0);
      call.fuel.spendSort((numbers ?? strings).length);
      return numbers ? numbers.toSorted(numberOrder) : strings.toSorted(textOrder(strings, call.fuel));
    },
  },
  sort_by: {
    arity: 2,
    reference: 1,
    run: (call) => {
      const array = call.array(0);
      return places(call.keys(0), call.fuel).map((place) => array[place] ?? null);
    },
  },
  max: { arity: 1, run: (call) => extreme(call.sortable(0), 1, call.fuel).value },
  min: { arity: 1, run: (call) => extreme(call.sortable(0), -1, call.fuel).value },
  max_by: { arity: 2, reference: 1, run: (call) => extremeBy(call, 1) },
  min_by: { arity: 2, reference: 1, run: (call) => extremeBy(call, -1) },
} satisfies Record<string, Builtin>;

/** The places of the keys in their order; those of equal keys keep theirs. */
function places({ numbers, strings }: Sortable, fuel: Fuel): readonly number[] {
  fuel.spendSort((numbers ?? strings).length);
  return numbers ? orderedPlaces(numbers, numberOrder) : orderedPlaces(strings, textOrder(strings, fuel));
}

function orderedPlaces<T>(keys: readonly T[], order: Order<T>): readonly number[] {
  return keys
    .map((key, place) => ({ key, place }))
    .sort((one, other) => order(one.key, other.key))
    .map(({ place }) => place);
}

function extremeBy(call: Call, direction: 1 | -1): Json {
  return call.array(0)[extreme(call.keys(0), direction, call.fuel).place] ?? null;
}

/** The first of the greatest values, or of the least. */
function extreme({ numbers, strings }: Sortable, direction: 1 | -1, fuel: Fuel): { value: Json; place: number } {
  const place = numbers
    ? extremePlace(numbers, numberOrder, direction)
    : extremePlace(strings, textOrder(strings, fuel), direction);
  return { value: (numbers ?? strings)[place] ?? null, place };
}

function extremePlace<T>(values: readonly T[], order: Order<T>, direction: 1 | -1): number {
  let found = 0;
  let best = values[0];
  for (const [place, value] of values.entries()) {
    if (best === undefined || direction * order(value, best) <= 0) continue;
    found = place;
    best = value;
  }
  return found;
}
