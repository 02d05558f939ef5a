import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { type FastifyReply, type FastifyRequest, fastify } from "fastify";
import type { Fixture } from "../servers.ts";

const fixture: Fixture = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const body = Buffer.from(fixture.body);
const headers = Object.fromEntries(
  fixture.headers.flatMap((name, index) => (index % 2 === 0 ? [[name, fixture.headers[index + 1] ?? ""]] : [])),
);

/** Limits of an account: requests per minute and per day. */
const limits = [
  { windowMs: 60_000, max: 999_999_999 },
  { windowMs: 86_400_000, max: 999_999_999 },
];
const accounts = new Map<string, string>();
const windows = new Map<string, { count: number; endsAt: number }>();

/** The first key is the account's own. A key is looked up by its hash. */
function authenticate(request: FastifyRequest): string | undefined {
  const key = request.headers["x-service-key"];
  if (typeof key !== "string") return undefined;
  const hash = createHash("sha256").update(key).digest("base64url");
  if (accounts.size === 0) accounts.set(hash, "account");
  return accounts.get(hash);
}

/** Counts a request against both limits. Returns what is left of the narrower one; undefined if one is exceeded. */
function take(account: string, now: number): { max: number; left: number; endsAt: number } | undefined {
  let narrowest: { max: number; left: number; endsAt: number } | undefined;
  for (const { windowMs, max } of limits) {
    const name = `${account} ${windowMs}`;
    const known = windows.get(name);
    const window = known && known.endsAt > now ? known : { count: 0, endsAt: now + windowMs };
    window.count += 1;
    windows.set(name, window);
    if (window.count > max) return undefined;
    const left = max - window.count;
    if (!narrowest || left < narrowest.left) narrowest = { max, left, endsAt: window.endsAt };
  }
  return narrowest;
}

async function check(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const account = authenticate(request);
  if (account === undefined) return reply.code(401).send({ error: "Invalid API key" });
  const now = Date.now();
  const left = take(account, now);
  if (!left) return reply.code(429).send({ error: "Too many requests" });
  const seconds = Math.max(1, Math.ceil((left.endsAt - now) / 1000));
  reply.headers({
    "X-Request-Id": randomUUID(),
    "X-RateLimit-Limit": left.max,
    "X-RateLimit-Remaining": left.left,
    "X-RateLimit-Reset": left.endsAt,
    RateLimit: `"default";r=${left.left};t=${seconds}`,
  });
  return undefined;
}

const querystring = {
  type: "object",
  properties: {
    start: { type: "integer", minimum: 0 },
    end: { type: "integer", minimum: 0 },
    country: { type: "string", maxLength: 64 },
    page_size: { type: "integer", minimum: 1, maximum: 200 },
    cursor: { type: "string", maxLength: 1024 },
  },
};

const server = fastify();
server.get("/checked", { schema: { querystring }, preHandler: check }, (_request, reply) =>
  reply.headers(headers).send(body),
);
server.get("/*", (_request, reply) => reply.headers(headers).send(body));
await server.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
