import { readFileSync } from "node:fs";
import { fastify } from "fastify";
import type { Fixture } from "../servers.ts";

const fixture: Fixture = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const body = Buffer.from(fixture.body);
const headers = Object.fromEntries(
  fixture.headers.flatMap((name, index) => (index % 2 === 0 ? [[name, fixture.headers[index + 1] ?? ""]] : [])),
);

const server = fastify();
server.get("/*", (_request, reply) => reply.headers(headers).send(body));
await server.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
