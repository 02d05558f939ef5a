import { expect, test } from "vitest";
import { coalesce } from "../../../src/access/quotas/coalesce.ts";

test("whoever asks while a trip is under way shares the next one, key by key, and a failure is all theirs who shared it", async () => {
  const trips: { readonly key: string; readonly points: number; readonly end: PromiseWithResolvers<number> }[] = [];
  const take = coalesce((_context: undefined, key: string, points: number) => {
    const end = Promise.withResolvers<number>();
    trips.push({ key, points, end });
    return end.promise;
  });
  const first = take(undefined, "a");
  const [second, third] = [take(undefined, "a"), take(undefined, "a")];
  const other = take(undefined, "b");
  expect(trips.map(({ key, points }) => [key, points])).toEqual([
    ["a", 1],
    ["b", 1],
  ]);
  trips[0]?.end.resolve(1);
  trips[1]?.end.resolve(1);
  expect(await first).toEqual({ result: 1, place: 1, shared: 1 });
  expect(await other).toEqual({ result: 1, place: 1, shared: 1 });
  await expect.poll(() => trips.length).toBe(3);
  expect(trips[2]).toMatchObject({ key: "a", points: 2 });
  trips[2]?.end.reject(new Error("lost"));
  await expect(second).rejects.toThrow("lost");
  await expect(third).rejects.toThrow("lost");
  const again = take(undefined, "a");
  trips[3]?.end.resolve(4);
  expect(await again).toEqual({ result: 4, place: 1, shared: 1 });
});
