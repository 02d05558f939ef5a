// Takes deliveries at an address and appends each to a file, a line of JSON: node hook-log.ts <url> <file>.
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";

const [url = "", file = ""] = process.argv.slice(2);
const { hostname, port } = new URL(url);
createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  appendFileSync(file, `${JSON.stringify({ id: request.headers["webhook-id"], body })}\n`);
  response.writeHead(204).end();
}).listen(Number(port), hostname);
