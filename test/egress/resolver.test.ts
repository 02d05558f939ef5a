import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { addressesOf, nameServerResolver } from "../../src/egress/resolver.ts";

test("names whose server never responds fail in time, and the process's blocking look-ups continue", async () => {
  const silent = createSocket("udp4");
  silent.bind(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  const resolve = nameServerResolver([`127.0.0.1:${silent.address().port}`]);
  let failed = 0;
  const lookups = Array.from({ length: 20 }, (_, number) =>
    addressesOf(`host-${number}.example.org`, resolve, 500).catch(() => {
      failed += 1;
    }),
  );
  expect((await lookup("localhost")).address).not.toBe("");
  expect(failed).toBe(0);
  await Promise.all(lookups);
  expect(failed).toBe(20);
});
