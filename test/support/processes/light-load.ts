// Callers with light requests in a process of their own: `node light-load.ts <url>`. They ask every 20 ms until a line comes; then it prints
// as JSON how many milliseconds each answer took. The service trusts their proxy.
import { once } from "node:events";
import { Agent, request } from "undici";

const [, , url = ""] = process.argv;
const dispatcher = new Agent({ connections: 8 });
const times: number[] = [];
let requested = 0;

async function sendRequest() {
  const begun = performance.now();
  requested += 1;
  const headers = { "X-Forwarded-For": `203.0.113.${requested % 250}` };
  const { statusCode, body } = await request(url, { dispatcher, headers });
  await body.dump();
  if (statusCode !== 200) throw new Error(`${url} was answered with ${statusCode}`);
  times.push(performance.now() - begun);
}

await sendRequest();
const requesting = setInterval(sendRequest, 20);
await once(process.stdin, "data");
clearInterval(requesting);
// The first opens a connection.
process.stdout.write(`${JSON.stringify(times.slice(1))}\n`);
process.exit();
