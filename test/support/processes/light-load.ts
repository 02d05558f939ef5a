// Callers with light requests in a process of their own: `node light-load.ts <url>`. They ask every 20 ms until a line comes; then it prints
// as JSON how many milliseconds each answer took. The service trusts their proxy.
import { once } from "node:events";
import { Agent, request } from "undici";

const [, , url = ""] = process.argv;
const dispatcher = new Agent({ connections: 8 });
const times: number[] = [];
let asked = 0;

async function ask() {
  const begun = performance.now();
  asked += 1;
  const headers = { "X-Forwarded-For": `203.0.113.${asked % 250}` };
  const { statusCode, body } = await request(url, { dispatcher, headers });
  await body.dump();
  if (statusCode !== 200) throw new Error(`${url} was answered with ${statusCode}`);
  times.push(performance.now() - begun);
}

await ask();
const asking = setInterval(ask, 20);
await once(process.stdin, "data");
clearInterval(asking);
// The first opens a connection.
process.stdout.write(`${JSON.stringify(times.slice(1))}\n`);
process.exit();
