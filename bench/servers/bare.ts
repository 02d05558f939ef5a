import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { Fixture } from "../servers.ts";

const fixture: Fixture = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const body = Buffer.from(fixture.body);

createServer((_request, response) => {
  response.writeHead(200, [...fixture.headers]);
  response.end(body);
}).listen(Number(process.env.PORT), "127.0.0.1");
