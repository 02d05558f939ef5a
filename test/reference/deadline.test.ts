import { expect, test } from "vitest";
import { createBreaker } from "../../src/reference/deadline.ts";

test("if a service does not respond, the first caller waits, the others are rejected at once, and only one retries", async () => {
  let now = 0;
  const sendRequest = createBreaker(5, () => now);
  let requested = 0;
  const silence = () => {
    requested += 1;
    now += 5;
    return new Promise<string>(() => {});
  };
  const response = async () => "here";
  await expect(sendRequest(1, silence)).rejects.toThrow("within 1 ms");
  await expect(sendRequest(60_000, response)).rejects.toThrow("The last call failed");
  now += 1_000;
  const trial = sendRequest(1, silence);
  await expect(sendRequest(60_000, response)).rejects.toThrow("The last call failed");
  await expect(trial).rejects.toThrow("within 1 ms");
  expect(requested).toBe(2);
  now += 999;
  await expect(sendRequest(60_000, response)).rejects.toThrow("The last call failed");
  now += 1;
  expect(await sendRequest(60_000, response)).toBe("here");
  expect(await Promise.all([sendRequest(60_000, response), sendRequest(60_000, response)])).toEqual(["here", "here"]);
});

test("an immediate failure does not stop other calls", async () => {
  const sendRequest = createBreaker(1_000);
  let requested = 0;
  const rejected = async () => {
    requested += 1;
    throw new Error("refused");
  };
  for (const _ of [1, 2]) await expect(sendRequest(60_000, rejected)).rejects.toThrow("refused");
  expect(requested).toBe(2);
});
