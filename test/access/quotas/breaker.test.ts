import { expect, test } from "vitest";
import { createBreaker } from "../../../src/access/quotas/breaker.ts";

test("of who asks what does not answer, the first waits and the others are told at once; one alone tries again", async () => {
  const ask = createBreaker(5);
  let asked = 0;
  let answered: Promise<string> = new Promise(() => {});
  const answer = () => {
    asked += 1;
    return answered;
  };
  await expect(ask(5, answer)).rejects.toThrow("within 5 ms");
  await expect(ask(60_000, answer)).rejects.toThrow("a moment ago");
  expect(asked).toBe(1);
  // The next try comes by itself once the pause is over.
  while (asked === 1) await ask(5, answer).catch(() => undefined);
  answered = Promise.resolve("here");
  let here: string | undefined;
  while (here === undefined) here = await ask(60_000, answer).catch(() => undefined);
  expect([here, asked]).toEqual(["here", 3]);
  expect(await Promise.all([ask(60_000, answer), ask(60_000, answer)])).toEqual(["here", "here"]);
});

test("a failure that comes at once keeps nobody from asking", async () => {
  const ask = createBreaker(1_000);
  let asked = 0;
  const refused = async () => {
    asked += 1;
    throw new Error("refused");
  };
  for (const _ of [1, 2]) await expect(ask(60_000, refused)).rejects.toThrow("refused");
  expect(asked).toBe(2);
});
