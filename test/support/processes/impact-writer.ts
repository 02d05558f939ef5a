// A process that corrects impacts over HTTP, one after the other, until a signal ends it. Then it prints their number.
import { setTimeout as delay } from "node:timers/promises";

interface Task {
  readonly url: string;
  readonly key: string;
  readonly impacts: readonly { readonly account: string; readonly impactId: string }[];
  readonly assessment: object;
}

const { url, key, impacts, assessment }: Task = JSON.parse(process.argv[2] ?? "");
let isOver = false;
process.once("SIGTERM", () => {
  isOver = true;
});
let made = 0;
for (; !isOver; made++) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "X-Service-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({ ...impacts[made % impacts.length], assessment }),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
  // A feed that leaves something of the machine.
  await delay(20);
}
console.log(`${made} revisions were made in the meantime`);
